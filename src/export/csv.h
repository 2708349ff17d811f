/* csv.h - results as tables for other programs (RFC 4180, UTF-8, numbers in C form).
 *
 * Lines end in LF alone, which all that reads CSV takes and line tools want; RFC 4180 has CR LF.
 * One line for each phase of each trial with all metrics (result/metric.h), or one for each
 * interval between two samples.  What was not measured is an empty field.  A text that a
 * spreadsheet would take for a formula gets an apostrophe before it. */
#ifndef EXPORT_CSV_H
#define EXPORT_CSV_H

#include "report/report.h"

enum csv_table { CSV_PHASES, CSV_SAMPLES };

/* The table of samples is empty where a source has no courses; its latencies are there where they
 * were read (document.h).  Numbers have a point whatever the locale. */
int csv_write(FILE *out, const struct report_source *sources, size_t count, enum csv_table table,
              struct err *err);

/* Documents the columns, in their order.  The unit may be "". */
typedef void (*csv_column_visit)(void *ctx, const char *name, const char *unit, const char *help);
void csv_describe(enum csv_table table, csv_column_visit visit, void *ctx);

#endif
