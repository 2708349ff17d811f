#include "stats/changepoint.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/hampel.h"
#include "stats/pelt.h"
#include "stats/select.h"

enum { REACH_MIN = 3, REACH_MAX = 15, BLOCKS_MIN = 32 };

static const double outlier = 3, mad_to_deviation = 1.482602218505602;

/* Sums up to each place, of what the tests of a change need; x is the index. */
struct sums {
    double *y, *yy, *xy;
};

struct series {
    double *values, *cut; /* all finite; without outliers */
    size_t count, shortest;
    double least;
    double noise;     /* see noise_of_differences */
    struct sums sums; /* of cut */
    double *work;
};

/* Segment i is starts[i] .. starts[i + 1]; the last entry is the number of values. */
struct division {
    size_t *starts;
    double *medians;
    double *worth; /* of the change at starts[i]: 1 or more is kept */
    size_t segments;
};

static void *array(size_t count, size_t size)
{
    void *values = calloc(count ? count : 1, size);
    if (values == NULL)
        abort();
    return values;
}

/* -1: no value is known. */
static int fill_unknown(const double *values, size_t count, double *filled)
{
    size_t first = 0;
    while (first < count && !isfinite(values[first]))
        first++;
    if (first == count)
        return -1;
    double last = values[first];
    for (size_t i = 0; i < count; i++) {
        if (isfinite(values[i]))
            last = values[i];
        filled[i] = last;
    }
    return 0;
}

/* Sums about the mean, so that few digits are lost. */
static void sums_make(struct series *s)
{
    double mean = 0;
    for (size_t i = 0; i < s->count; i++)
        mean += s->cut[i] / (double)s->count;
    for (size_t i = 0; i < s->count; i++) {
        double y = s->cut[i] - mean;
        s->sums.y[i + 1] = s->sums.y[i] + y;
        s->sums.yy[i + 1] = s->sums.yy[i] + y * y;
        s->sums.xy[i + 1] = s->sums.xy[i] + y * (double)i;
    }
}

static double squares_of_mean(const struct sums *sums, size_t from, size_t to)
{
    double y = sums->y[to] - sums->y[from];
    return fmax(0, sums->yy[to] - sums->yy[from] - y * y / (double)(to - from));
}

static double squares_of_line(const struct sums *sums, size_t from, size_t to)
{
    double n = (double)(to - from), middle = ((double)from + (double)to - 1) / 2;
    double xx = n * (n * n - 1) / 12;
    double xy = sums->xy[to] - sums->xy[from] - middle * (sums->y[to] - sums->y[from]);
    return fmax(0, squares_of_mean(sums, from, to) - xy * xy / xx);
}

static double median_size(double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        values[i] = fabs(values[i]);
    return mad_to_deviation * select_median(values, count);
}

/* The variance that the mean of n values has, times n: what a white noise of the same slowness
 * would have.  As of an AR(1) process: with phi its correlation, the first differences have the
 * variance 2 s^2 (1 - phi) and the lag-1 correlation (phi - 1) / 2, whatever the levels are. */
static double noise_of_differences(const double *v, size_t count, double *work)
{
    const double phi_most = 0.8;
    size_t n = count - 1;
    double own = 0, next = 0, before = 0;
    for (size_t i = 0; i < n; i++)
        work[i] = v[i + 1] - v[i];
    double scale = median_size(work, n), limit = outlier * scale;
    for (size_t i = 0; i < n; i++) {
        double d = fmax(-limit, fmin(limit, v[i + 1] - v[i]));
        own += d * d;
        next += i > 0 ? d * before : 0;
        before = d;
    }
    double phi = own > 0 ? fmax(0, 1 + 2 * next / own) : 0;
    phi = fmin(phi_most, phi + sqrt(2 / (double)n)); /* its standard error: few values flatter */
    return scale * scale / 2 * (1 + phi) / ((1 - phi) * (1 - phi));
}

/* The same from means of `block` values beside each other: sees what is slower. */
static double noise_of_blocks(const double *v, size_t count, size_t block, double *work)
{
    size_t n = count - 2 * block + 1;
    double left = 0, right = 0;
    for (size_t i = 0; i < block; i++) {
        left += v[i];
        right += v[i + block];
    }
    for (size_t i = 0; i < n; i++) {
        work[i] = (right - left) / (double)block;
        left += v[i + block] - v[i];
        right += i + 1 < n ? v[i + 2 * block] - v[i + block] : 0;
    }
    double scale = median_size(work, n);
    return scale * scale / 2 * (double)block;
}

static double noise_of(const double *v, size_t count, double least, double *work)
{
    double size = 0;
    for (size_t i = 0; i < count; i++)
        size += fabs(v[i]) / (double)count;
    double floor = least / 10 * size; /* a step far below `least` is none even without noise */
    double noise = fmax(floor * floor, noise_of_differences(v, count, work));
    for (size_t block = 2; block * BLOCKS_MIN <= count; block *= 2)
        noise = fmax(noise, noise_of_blocks(v, count, block, work));
    return noise;
}

/* To the cheapest place within `reach` of each start, the other starts as they are. */
static void refine(const struct series *s, struct division *d, size_t reach)
{
    for (size_t i = 1; i < d->segments; i++) {
        size_t low = d->starts[i - 1] + s->shortest, high = d->starts[i + 1] - s->shortest;
        size_t from = d->starts[i] > reach ? d->starts[i] - reach : 0, to = d->starts[i] + reach;
        double best = INFINITY;
        for (size_t at = from > low ? from : low; at <= to && at <= high; at++) {
            double squares = squares_of_mean(&s->sums, d->starts[i - 1], at) +
                             squares_of_mean(&s->sums, at, d->starts[i + 1]);
            if (squares < best) {
                best = squares;
                d->starts[i] = at;
            }
        }
    }
}

static void divide(struct series *s, struct division *d)
{
    size_t group = (s->count + CHANGEPOINT_POINTS - 1) / CHANGEPOINT_POINTS;
    size_t count = s->count / group, shortest = (s->shortest + group - 1) / group;
    double *means = array(count, sizeof *means);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < group; k++)
            means[i] += s->cut[i * group + k] / (double)group;
    double noise = noise_of(means, count, s->least, s->work);
    d->segments = 1;
    if (noise > 0)
        d->segments += pelt_find(means, count, shortest < 2 ? 2 : shortest,
                                 3 * log((double)count) * noise, d->starts + 1);
    s->noise = noise * (double)group;
    for (size_t i = 0; i < d->segments; i++)
        d->starts[i] *= group;
    d->starts[d->segments] = s->count;
    if (group > 1)
        refine(s, d, group);
    free(means);
}

static void set_median(const struct series *s, struct division *d, size_t segment)
{
    size_t from = d->starts[segment], count = d->starts[segment + 1] - from;
    memcpy(s->work, s->values + from, count * sizeof *s->work);
    d->medians[segment] = select_median(s->work, count);
}

static double relative_size(const struct division *d, size_t change)
{
    double before = d->medians[change - 1], after = d->medians[change];
    return before == after ? 0 : fabs(after - before) / fabs(before);
}

/* A step of `least` counts 1.  A line through both segments that comes closer than their two
 * levels says that it drifts: less than 1. */
static void set_worth(const struct series *s, struct division *d, size_t change)
{
    if (change < 1 || change >= d->segments)
        return;
    size_t from = d->starts[change - 1], at = d->starts[change], to = d->starts[change + 1];
    double step = squares_of_mean(&s->sums, from, at) + squares_of_mean(&s->sums, at, to);
    double line = squares_of_line(&s->sums, from, to);
    double size = relative_size(d, change) / s->least;
    step += s->noise * log((double)(to - from)); /* its place was chosen, a line has none */
    d->worth[change] = step > line ? fmin(size, line / step) : size;
}

static void remove_change(const struct series *s, struct division *d, size_t change)
{
    size_t after = d->segments - change;
    memmove(d->starts + change, d->starts + change + 1, after * sizeof *d->starts);
    memmove(d->medians + change, d->medians + change + 1, (after - 1) * sizeof *d->medians);
    memmove(d->worth + change, d->worth + change + 1, (after - 1) * sizeof *d->worth);
    d->segments--;
    set_median(s, d, change - 1);
    set_worth(s, d, change - 1);
    set_worth(s, d, change);
}

static void keep_worthy(const struct series *s, struct division *d)
{
    for (size_t i = 0; i < d->segments; i++)
        set_median(s, d, i);
    for (size_t i = 1; i < d->segments; i++)
        set_worth(s, d, i);
    while (d->segments > 1) {
        size_t worst = 1;
        for (size_t i = 2; i < d->segments; i++)
            if (d->worth[i] < d->worth[worst])
                worst = i;
        if (d->worth[worst] >= 1 && d->segments <= CHANGEPOINT_MAX + 1)
            break;
        remove_change(s, d, worst);
    }
}

static size_t find(struct series *s, struct changepoint *changes)
{
    size_t reach = s->shortest - 1 < REACH_MIN ? REACH_MIN : s->shortest - 1;
    hampel_cut(s->values, s->count, reach > REACH_MAX ? REACH_MAX : reach, outlier, s->cut);
    sums_make(s);
    size_t most = s->count / s->shortest + 2;
    struct division d = {array(most, sizeof *d.starts), array(most, sizeof *d.medians),
                         array(most, sizeof *d.worth), 0};
    divide(s, &d);
    keep_worthy(s, &d);
    for (size_t i = 1; i < d.segments; i++)
        changes[i - 1] = (struct changepoint){d.starts[i], d.medians[i - 1], d.medians[i]};
    free(d.starts);
    free(d.medians);
    free(d.worth);
    return d.segments - 1;
}

size_t changepoint_find(const double *values, size_t count,
                        const struct changepoint_options *options,
                        struct changepoint changes[CHANGEPOINT_MAX])
{
    assert(options->shortest >= 2 && options->least > 0);
    if (count < 2 * options->shortest)
        return 0;
    struct series s = {.count = count, .shortest = options->shortest, .least = options->least};
    s.values = array(count, sizeof *s.values);
    s.cut = array(count, sizeof *s.cut);
    s.work = array(count, sizeof *s.work);
    s.sums.y = array(count + 1, sizeof *s.sums.y);
    s.sums.yy = array(count + 1, sizeof *s.sums.yy);
    s.sums.xy = array(count + 1, sizeof *s.sums.xy);
    size_t found = fill_unknown(values, count, s.values) == 0 ? find(&s, changes) : 0;
    free(s.values);
    free(s.cut);
    free(s.work);
    free(s.sums.y);
    free(s.sums.yy);
    free(s.sums.xy);
    return found;
}
