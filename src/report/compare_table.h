/* compare_table.h - the figures of a comparison: medians, ratio, interval, verdict. */
#ifndef REPORT_COMPARE_TABLE_H
#define REPORT_COMPARE_TABLE_H

#include "report/compare_rows.h"

/* Returns whether the lowest and highest of the runs had room too. */
enum compare_ranges { COMPARE_RANGES_SHOWN, COMPARE_RANGES_LEFT };
enum compare_ranges compare_table_print(const struct view *view, const struct compare_rows *rows);
/* The lowest and highest of the runs, where the table had no room. */
void compare_table_ranges(const struct view *view, const struct compare_rows *rows);

/* 0.16, 1.02, 12.3, 0.0021; NaN: "-". */
const char *compare_table_ratio(struct format_text *out, double ratio);

#endif
