/* forecast_until.h - what a trial takes that goes on until the steady state, pauses, or rests
 * before it begins.  Pure.
 *
 * until = steady may take steady.rounds rounds, and ends by limit.write_bytes at the latest: that
 * is forecast, while a plan is refused by what it takes at least, STEADY_WINDOW rounds. */
#ifndef DRIVER_FORECAST_UNTIL_H
#define DRIVER_FORECAST_UNTIL_H

#include "driver/forecast.h"

/* Adds the phases of the load to the forecast; `phases` does it for one cycle, or for
 * workload.duration. */
void forecast_until(const struct workload *load, struct trial_forecast *forecast,
                    void (*phases)(const struct workload *load, struct trial_forecast *forecast));
/* What the plan must write, of a forecast of all its trials: refused where it is above the limit.
 * What it may write beyond that is cut to the limit, in *forecast. */
double forecast_until_bound(struct run_forecast *forecast, double limit);
/* run.cooldown before this trial; a wait for a temperature is not foreseen. */
double forecast_until_cooldown_s(const struct trial_plan *trial);

#endif
