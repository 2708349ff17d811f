/* compare_text.h - a comparison (analysis/compare.h) as something to read: drives, what is the same
 * and what differs, a table, a verdict, the reasons against one, a forest plot.
 *
 * Reads nothing but the comparison. */
#ifndef REPORT_COMPARE_TEXT_H
#define REPORT_COMPARE_TEXT_H

#include "report/report.h"

int compare_text(FILE *out, const json_t *comparison, const struct report_options *options,
                 struct err *err);
/* For an issue or a blog: the verdict before the tables. */
int compare_markdown(FILE *out, const json_t *comparison, struct err *err);
/* Likewise as HTML without scripts, styles or ids, and without the forest plot, which a page draws
 * from the comparison itself.  Markup: reports/README.md. */
int compare_html(FILE *out, const json_t *comparison, struct err *err);

#endif
