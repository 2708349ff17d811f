/* prom_name.h - what a metric (result/metric.h) is called in OpenMetrics: loadline_..., in base
 * units (seconds, bytes, celsius, ratio), the unit last.  Pure. */
#ifndef EXPORT_PROM_NAME_H
#define EXPORT_PROM_NAME_H

#include "result/metric.h"

enum { PROM_NAME = 128 };

struct prom_name {
    char name[PROM_NAME];
    const char *unit; /* "seconds", as the name ends; NULL: none of its own */
    double factor;    /* from the metric's unit to this one */
};

void prom_name_of(const struct metric_row *row, struct prom_name *name);

#endif
