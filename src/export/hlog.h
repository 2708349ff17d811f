/* hlog.h - a result's latencies as an HdrHistogram log (format 1.3, V2 compressed histograms): what
 * HistogramLogProcessor and HdrHistogram's plotters read.
 *
 * Commit latencies interval by interval where the log has them; lock wait, statement and whole
 * transaction a phase each.  Tags say which: "insert.commit", with the trial where there are
 * several ("trial3.insert.commit").  Values are in nanoseconds.  Of a phase whose intervals hold no
 * commit latencies these are one line, too; where some do they are only those, and what an interval
 * does not know is missing.  The source must have been read with its latencies (document.h). */
#ifndef EXPORT_HLOG_H
#define EXPORT_HLOG_H

#include "report/report.h"

int hlog_write(FILE *out, const struct report_source *source, struct err *err);

#endif
