#include "stats/regression.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "stats/median.h"
#include "stats/resample.h"
#include "stats/slopes.h"

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

static bool varies(const double *values, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (values[i] != values[0])
            return true;
    return false;
}

static double pearson(const struct points *p)
{
    if (!varies(p->x, p->count) || !varies(p->y, p->count))
        return NAN; /* about a rounded mean even equal values seem to vary */
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

void regression_fit_level(const double *x, const double *y, size_t count, double z,
                          struct regression *fit)
{
    struct points p = finite_points(x, y, count);
    *fit = (struct regression){NAN, NAN, NAN, pearson(&p), p.count};
    sum_neighbours(&p);
    struct slopes slopes;
    slopes_init(&slopes, p.x, p.y, p.count);
    if (slopes.total > 0) {
        fit->slope = slopes_median(&slopes);
        double rank = round(((double)slopes.total - z * sqrt(kendall_variance(&p))) / 2);
        if (rank >= 1) {
            fit->low = slopes_at(&slopes, (size_t)rank - 1);
            fit->high = slopes_at(&slopes, slopes.total - (size_t)rank);
        }
    }
    slopes_release(&slopes);
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

/* rest[i] is what the line leaves over, and parts[i] the point's share in Kendall's sum of x and
 * rest: sign(x_j - x_i) sign(rest_j - rest_i) over all j. */
static void kendall_parts(const struct points *p, double slope, double *rest, double *parts)
{
    for (size_t i = 0; i < p->count; i++) {
        rest[i] = p->y[i] - slope * p->x[i];
        parts[i] = 0;
    }
    for (size_t i = 0; i < p->count; i++) {
        int own = 0;
        for (size_t j = i + 1; j < p->count; j++) {
            int sign_x = (p->x[j] > p->x[i]) - (p->x[j] < p->x[i]);
            int sign_rest = (rest[j] > rest[i]) - (rest[j] < rest[i]);
            own += sign_x * sign_rest;
            parts[j] += sign_x * sign_rest;
        }
        parts[i] += own;
    }
}

/* Kendall's sum is, but for a smaller term, the sum of independent draws of such parts
 * (Hoeffding's projection): drawn again in blocks they tell by how much it strays. */
static void series_interval(const struct points *p, struct slopes *slopes, uint64_t seed,
                            struct regression *fit)
{
    double *rest = doubles(p->count), *parts = doubles(p->count), total = (double)slopes->total;
    kendall_parts(p, fit->slope, rest, parts);
    size_t of_rest = median_block(rest, p->count), of_parts = median_block(parts, p->count);
    size_t block = of_rest > of_parts ? of_rest : of_parts;
    struct resample how = {block, REGRESSION_RESAMPLES, 0.95, seed};
    struct resample_range range;
    resample_sum(parts, p->count, &how, &range);
    double below = floor((total - range.high) / 2), above = floor((total + range.low) / 2);
    if (below >= 1 && above >= 1) {
        fit->low = slopes_at(slopes, (size_t)below - 1);
        fit->high = slopes_at(slopes, slopes->total - (size_t)above);
    }
    free(rest);
    free(parts);
}

void regression_fit_series(const double *x, const double *y, size_t count, uint64_t seed,
                           struct regression *fit)
{
    struct points p = finite_points(x, y, count);
    *fit = (struct regression){NAN, NAN, NAN, NAN, p.count};
    if (p.count >= REGRESSION_MIN) {
        struct slopes slopes;
        fit->r = pearson(&p);
        sum_neighbours(&p);
        slopes_init(&slopes, p.x, p.y, p.count);
        if (slopes.total > 0) {
            fit->slope = slopes_median(&slopes);
            series_interval(&p, &slopes, seed, fit);
        }
        slopes_release(&slopes);
    }
    free(p.x);
    free(p.y);
}
