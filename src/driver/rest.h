/* rest.h - a drive left alone: between rounds (workload.pause), and before a trial until it is as
 * cool as it was (run.cooldown).  A signal ends every rest at once.  Main thread. */
#ifndef DRIVER_REST_H
#define DRIVER_REST_H

#include "base/clock.h"
#include "driver/context.h"

/* The longest wait for a temperature. */
#define REST_COOLDOWN_MAX_NS (600 * NS_PER_S)

/* Waits; progress shows the name.  ERR_INTERRUPTED: a signal came. */
int rest_for(struct run_context *ctx, const char *name, int64_t rest_ns, struct err *err);
/* run.cooldown of a trial's load, by the site's thermometer: waits for the time that is asked, or
 * until the drive is below the temperature that is asked.  An event says how long it rested, and
 * from which temperature to which; a warning, once a run, that no temperature can be read, and
 * there is no wait then.  The first trial of a plan never waits.  ERR_INTERRUPTED. */
int rest_cooldown(struct run_context *ctx, struct site *site, const struct trial_plan *plan,
                  struct err *err);

#endif
