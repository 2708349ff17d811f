/* endurance.h - what a plan takes of the drive's rated endurance (--tbw), before it runs.  Pure. */
#ifndef CLI_ENDURANCE_H
#define CLI_ENDURANCE_H

#include <stddef.h>

#include "driver/run.h"

/* Of each target, which share the plan's bytes evenly; NaN without --tbw. */
double endurance_share(const struct run_options *options, const struct run_forecast *forecast);
/* "tbw     70 GB of 140 TB: 0.05% of the rated endurance", without newline, within 80 columns;
 * "" without --tbw. */
void endurance_line(const struct run_options *options, const struct run_forecast *forecast,
                    char *out, size_t size);

#endif
