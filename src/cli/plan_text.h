/* plan_text.h - a plan and what it will cost, before it runs. */
#ifndef CLI_PLAN_TEXT_H
#define CLI_PLAN_TEXT_H

#include <stddef.h>
#include <stdio.h>

#include "driver/run.h"

enum { PLAN_TEXT_TRIALS = 50 }; /* trials that are shown one by one */

/* One line without newline, within 80 columns.  Pure. */
void plan_text_line(const struct plan *plan, const struct run_forecast *forecast, char *out,
                    size_t size);
/* The line, then a table of trials. */
int plan_text_print(FILE *out, const struct run_options *options,
                    const struct run_forecast *forecast, struct err *err);
/* The same as JSON, every trial; new reference. */
json_t *plan_text_json(const struct run_options *options, const struct run_forecast *forecast);

#endif
