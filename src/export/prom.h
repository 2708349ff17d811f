/* prom.h - results as OpenMetrics text: a gauge for each metric (result/metric.h) in base units,
 * with the trial's place as labels. */
#ifndef EXPORT_PROM_H
#define EXPORT_PROM_H

#include "report/report.h"

int prom_write(FILE *out, const struct report_source *sources, size_t count, struct err *err);

#endif
