/* steady_table.h - the last rounds of a run until the steady state, as a table. */
#ifndef REPORT_STEADY_TABLE_H
#define REPORT_STEADY_TABLE_H

#include "report/view.h"

/* `findings`: analysis.steady's of one trial, one for each phase.  Nothing where they have no
 * rounds. */
void steady_table_print(const struct view *view, const json_t *const *findings, size_t count);

#endif
