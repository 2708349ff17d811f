#include "stats/regression.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/select.h"

static const double z_95 = 1.959963984540054;

struct points {
    double *x, *y;
    size_t count;
};

static double *doubles(size_t count)
{
    double *values = malloc((count ? count : 1) * sizeof *values);
    if (values == NULL)
        abort();
    return values;
}

static struct points finite_points(const double *x, const double *y, size_t count)
{
    struct points p = {doubles(count), doubles(count), 0};
    for (size_t i = 0; i < count; i++)
        if (isfinite(x[i]) && isfinite(y[i])) {
            p.x[p.count] = x[i];
            p.y[p.count++] = y[i];
        }
    return p;
}

/* In place.  Sums keep the slope: both sides grow alike. */
static void sum_neighbours(struct points *p)
{
    size_t group = (p->count + REGRESSION_MAX - 1) / REGRESSION_MAX;
    if (group < 2)
        return;
    size_t groups = p->count / group;
    for (size_t g = 0; g < groups; g++) {
        double x = 0, y = 0;
        for (size_t i = g * group; i < (g + 1) * group; i++) {
            x += p->x[i];
            y += p->y[i];
        }
        p->x[g] = x;
        p->y[g] = y;
    }
    p->count = groups;
}

static double pearson(const struct points *p)
{
    double mean_x = 0, mean_y = 0, xx = 0, yy = 0, xy = 0;
    for (size_t i = 0; i < p->count; i++) {
        mean_x += p->x[i] / (double)p->count;
        mean_y += p->y[i] / (double)p->count;
    }
    for (size_t i = 0; i < p->count; i++) {
        double dx = p->x[i] - mean_x, dy = p->y[i] - mean_y;
        xx += dx * dx;
        yy += dy * dy;
        xy += dx * dy;
    }
    double r = xy / (sqrt(xx) * sqrt(yy));
    return isfinite(r) ? fmax(-1, fmin(1, r)) : NAN;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct tie_sums {    /* over groups of t equal values */
    double pairs;    /* t (t-1) */
    double triples;  /* t (t-1) (t-2) */
    double variance; /* t (t-1) (2t+5) */
};

static struct tie_sums tie_sums(const double *values, size_t count)
{
    struct tie_sums sums = {0, 0, 0};
    double *sorted = doubles(count);
    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_value);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && sorted[next] == sorted[i];)
            next++;
        double t = (double)(next - i);
        sums.pairs += t * (t - 1);
        sums.triples += t * (t - 1) * (t - 2);
        sums.variance += t * (t - 1) * (2 * t + 5);
    }
    free(sorted);
    return sums;
}

/* Of concordant minus discordant pairs, were x and y independent. */
static double kendall_variance(const struct points *p)
{
    double n = (double)p->count;
    struct tie_sums x = tie_sums(p->x, p->count), y = tie_sums(p->y, p->count);
    double variance = (n * (n - 1) * (2 * n + 5) - x.variance - y.variance) / 18;
    if (n > 2)
        variance += x.triples * y.triples / (9 * n * (n - 1) * (n - 2));
    if (n > 1)
        variance += x.pairs * y.pairs / (2 * n * (n - 1));
    return fmax(0, variance);
}

/* The slopes of all pairs with different x; how many. */
static size_t pair_slopes(const struct points *p, double *slopes)
{
    size_t count = 0;
    for (size_t i = 0; i < p->count; i++)
        for (size_t j = i + 1; j < p->count; j++)
            if (p->x[i] != p->x[j])
                slopes[count++] = (p->y[j] - p->y[i]) / (p->x[j] - p->x[i]);
    return count;
}

void regression_fit_level(const double *x, const double *y, size_t count, double z,
                          struct regression *fit)
{
    struct points p = finite_points(x, y, count);
    *fit = (struct regression){NAN, NAN, NAN, pearson(&p), p.count};
    sum_neighbours(&p);
    double *slopes = doubles(p.count ? p.count * (p.count - 1) / 2 : 0);
    size_t total = pair_slopes(&p, slopes);
    if (total > 0) {
        fit->slope = select_median(slopes, total);
        double rank = round(((double)total - z * sqrt(kendall_variance(&p))) / 2);
        if (rank >= 1) {
            fit->low = select_rank(slopes, total, (size_t)rank - 1);
            fit->high = select_rank(slopes, total, total - (size_t)rank);
        }
    }
    free(slopes);
    free(p.x);
    free(p.y);
}

void regression_fit_any(const double *x, const double *y, size_t count, struct regression *fit)
{
    regression_fit_level(x, y, count, z_95, fit);
}

void regression_fit(const double *x, const double *y, size_t count, struct regression *fit)
{
    regression_fit_any(x, y, count, fit);
    if (fit->n < REGRESSION_MIN)
        *fit = (struct regression){NAN, NAN, NAN, NAN, fit->n};
}
