#include "stats/lag.h"

#include <math.h>
#include <stdlib.h>

enum { MEMORY_MAX = 20 };

/* NaN where either is unknown.  What differs by no more than rounding does not differ: the
 * differences of a straight line are all one. */
static double *differences(const double *values, size_t count)
{
    const double rounding = 1e-12;
    double *made = malloc(count * sizeof *made), largest = 0;
    if (made == NULL)
        abort();
    for (size_t i = 0; i < count; i++)
        largest = isfinite(values[i]) ? fmax(largest, fabs(values[i])) : largest;
    double grain = largest * rounding;
    for (size_t i = 0; i + 1 < count; i++) {
        made[i] = values[i + 1] - values[i];
        if (grain > 0)
            made[i] = round(made[i] / grain);
    }
    return made;
}

/* Of x[i] and y[i + lag], over the pairs that are known; how many there are. */
static size_t correlate(const double *x, const double *y, size_t count, int lag, double *r)
{
    size_t ahead = lag > 0 ? (size_t)lag : 0, behind = lag < 0 ? (size_t)-lag : 0, n = 0;
    double mean_x = 0, mean_y = 0, xx = 0, yy = 0, xy = 0;
    for (size_t i = behind; i + ahead < count; i++) {
        double a = x[i], b = y[i + ahead - behind];
        if (!isfinite(a) || !isfinite(b))
            continue;
        n++; /* sums about the running means (Welford 1962) */
        double dx = a - mean_x, dy = b - mean_y;
        mean_x += dx / (double)n;
        mean_y += dy / (double)n;
        xx += dx * (a - mean_x);
        yy += dy * (b - mean_y);
        xy += dx * (b - mean_y);
    }
    *r = xy / (sqrt(xx) * sqrt(yy));
    *r = isfinite(*r) ? fmax(-1, fmin(1, *r)) : NAN;
    return n;
}

/* How many times the variance 1 / n of a chance r, where both have a memory of their own (Bartlett
 * 1935: the sum of the products of their autocorrelations).  That of differences is never nothing.
 */
static double memory_of(const double *dx, const double *dy, size_t count)
{
    double times = 1;
    for (int k = 1; k <= MEMORY_MAX && (size_t)k < count / 2; k++) {
        double own_x, own_y;
        correlate(dx, dx, count, k, &own_x);
        correlate(dy, dy, count, k, &own_y);
        if (isfinite(own_x) && isfinite(own_y))
            times += 2 * own_x * own_y;
    }
    return fmax(1, times);
}

void lag_find(const double *x, const double *y, size_t count, int most, struct lag *lag)
{
    *lag = (struct lag){0, NAN, NAN};
    if (count < LAG_VALUES_MIN)
        return;
    double *dx = differences(x, count), *dy = differences(y, count);
    size_t n = correlate(dx, dy, count - 1, 0, &lag->r_zero);
    if (n + 1 < LAG_VALUES_MIN)
        lag->r_zero = NAN;
    lag->r = lag->r_zero;
    double chance = (4 + 2 * log(2.0 * most + 1)) * memory_of(dx, dy, count - 1);
    for (int i = 1; i <= most && isfinite(lag->r_zero); i++)
        for (int sign = 1; sign >= -1; sign -= 2) { /* of equals the nearest, and the later one */
            double r;
            size_t pairs = correlate(dx, dy, count - 1, sign * i, &r);
            if (pairs + 1 >= LAG_VALUES_MIN && fabs(r) > fabs(lag->r) &&
                r * r * (double)pairs > chance) {
                lag->lag = sign * i;
                lag->r = r;
            }
        }
    free(dx);
    free(dy);
}
