#include "page/chart_scale.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "page/chart.h"
#include "stats/summary.h"

#define PRECISION   0.001
#define WHOLE_LIMIT 9007199254740992.0 /* 2^53 */

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b > 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* 0: they are not all whole. */
static double common_step(const double *values, size_t count)
{
    uint64_t step = 0;
    for (size_t i = 0; i < count; i++) {
        if (isnan(values[i]))
            continue;
        if (!(fabs(values[i]) < WHOLE_LIMIT) || values[i] != floor(values[i]))
            return 0;
        step = common_divisor((uint64_t)fabs(values[i]), step);
    }
    return step > 0 ? (double)step : 1;
}

/* The median of what is neither 0 nor unknown; 0: there is none. */
static double typical(const double *values, size_t count)
{
    double *sizes = chart_room(count, sizeof *sizes), median = 0;
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        if (isfinite(values[i]) && values[i] != 0)
            sizes[used++] = fabs(values[i]);
    if (used > 0)
        median = summary_median(sizes, used);
    free(sizes);
    return median;
}

/* The largest of 1, 2, 5 x 10^n that is not above `limit`. */
static double round_down(double limit)
{
    double unit = pow(10, floor(log10(limit)));
    if (!(unit > 0) || !isfinite(unit))
        return 1;
    return limit >= 5 * unit ? 5 * unit : limit >= 2 * unit ? 2 * unit : unit;
}

double chart_scale(const double *values, size_t count, enum chart_scale_kind kind)
{
    double step = kind == CHART_SCALE_COUNT ? common_step(values, count) : 0;
    if (kind == CHART_SCALE_RATIO)
        return 2 * PRECISION;
    if (step > 0)
        return step;
    double size = typical(values, count);
    return size > 0 ? round_down(2 * PRECISION * size) : 1;
}
