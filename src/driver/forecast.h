/* forecast.h - what a plan will take, before anything is made.  Main thread. */
#ifndef DRIVER_FORECAST_H
#define DRIVER_FORECAST_H

#include "driver/run.h"

struct trial_forecast {
    double seconds, write_bytes, space_bytes;
    double open_bytes; /* of write_bytes: what it may write, but need not (until = steady) */
    struct adapter_forecast engine;
};

/* ERR_USAGE when the engine refuses the combination of keys. */
int forecast_trial(const struct run_target *target, const struct workload *load,
                   struct trial_forecast *forecast, struct err *err);

/* The same; of a search, of its first step. */
int forecast_first(const struct run_target *target, const struct workload *load,
                   struct trial_forecast *forecast, struct err *err);
/* The longest that a search takes, or a repeat of its steps. */
double forecast_search_s(const struct workload *load);

#endif
