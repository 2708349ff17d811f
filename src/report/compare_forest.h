/* compare_forest.h - all ratios of a comparison on one logarithmic axis, with their intervals. */
#ifndef REPORT_COMPARE_FOREST_H
#define REPORT_COMPARE_FOREST_H

#include "report/compare_rows.h"

/* Nothing where there is no ratio. */
void compare_forest_print(const struct view *view, const struct compare_rows *rows);

#endif
