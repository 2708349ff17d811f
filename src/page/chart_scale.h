/* chart_scale.h - how fine the numbers of a column must be.  Pure. */
#ifndef PAGE_CHART_SCALE_H
#define PAGE_CHART_SCALE_H

#include <stddef.h>

enum chart_scale_kind {
    CHART_SCALE_COUNT, /* whole numbers: exact, in the largest step that all of them have; numbers
                        * that are not whole are as REAL */
    CHART_SCALE_REAL,  /* 1, 2 or 5 times a power of ten: off by at most 0.1% of what is typical */
    CHART_SCALE_RATIO, /* of the logarithm: off by at most 0.1% of each value */
    CHART_SCALE_GIVEN, /* that of another column */
};

/* Above 0.  NaN among the values is passed over. */
double chart_scale(const double *values, size_t count, enum chart_scale_kind kind);

#endif
