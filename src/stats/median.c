#include "stats/median.h"

#include <math.h>
#include <stdlib.h>

#include "stats/distribution.h"
#include "stats/rank.h"
#include "stats/resample.h"

static void *memory(size_t count, size_t size)
{
    void *block = calloc(count ? count : 1, size);
    if (block == NULL)
        abort();
    return block;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static size_t finite_of(const double *values, size_t count, double *kept)
{
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        if (isfinite(values[i]))
            kept[used++] = values[i];
    return used;
}

static double middle(const double *sorted, size_t count)
{
    return count > 0 ? (sorted[(count - 1) / 2] + sorted[count / 2]) / 2 : NAN;
}

void median_exact(const double *values, size_t count, double level, struct median *median)
{
    double *sorted = memory(count, sizeof *sorted);
    size_t used = finite_of(values, count, sorted), outside = 0;
    qsort(sorted, used, sizeof *sorted, by_value);
    *median = (struct median){middle(sorted, used), NAN, NAN, used};
    double tail = (1 - level) / 2 * (1 + 1e-9); /* what equals it is still allowed */
    /* The largest number of values outside on each side; halving, as it only grows. */
    for (size_t high = used / 2 + 1; outside + 1 < high;) {
        size_t tried = outside + (high - outside) / 2;
        if (distribution_coin(tried - 1, used) <= tail)
            outside = tried;
        else
            high = tried;
    }
    if (outside > 0) {
        median->low = sorted[outside - 1];
        median->high = sorted[used - outside];
    }
    free(sorted);
}

/* covariances[k] of values k apart, of ranks: a few stalls would otherwise drown the rest. */
static void rank_covariances(const double *values, size_t count, size_t most, double *covariances)
{
    size_t *ranks = memory(count, sizeof *ranks);
    double *centred = memory(count, sizeof *centred);
    rank_doubled(values, count, 0, ranks);
    for (size_t i = 0; i < count; i++)
        centred[i] = (double)ranks[i] - (double)(count + 1);
    for (size_t k = 0; k <= most; k++) {
        double sum = 0;
        for (size_t i = 0; i + k < count; i++)
            sum += centred[i] * centred[i + k];
        covariances[k] = sum / (double)count;
    }
    free(ranks);
    free(centred);
}

/* The lag after which `run` correlations in a row are no more than chance. */
static size_t dies_away(const double *covariances, size_t most, size_t run, size_t count)
{
    double chance = 2 * sqrt(log10((double)count) / (double)count) * covariances[0];
    size_t quiet = 0;
    for (size_t k = 1; k <= most; k++) {
        quiet = fabs(covariances[k]) < chance ? quiet + 1 : 0;
        if (quiet == run)
            return k - run;
    }
    return most;
}

/* Politis and White 2004, section 3, for circular blocks, as corrected by Patton, Politis and White
 * 2009. */
static double best_block(const double *covariances, size_t lags, size_t count)
{
    double g = 0, spectrum = covariances[0];
    for (size_t k = 1; k <= lags; k++) {
        double share = (double)k / (double)lags;
        double weight = share <= 0.5 ? 1 : 2 * (1 - share);
        g += 2 * weight * (double)k * covariances[k];
        spectrum += 2 * weight * covariances[k];
    }
    return cbrt(1.5 * g * g / (spectrum * spectrum) * (double)count);
}

static size_t block_of(const double *values, size_t count)
{
    size_t run = (size_t)fmax(5, ceil(sqrt(log10((double)count))));
    size_t most = (size_t)ceil(sqrt((double)count)) + run;
    size_t least = (size_t)ceil(cbrt((double)count)), largest = count / 4;
    if (largest <= least || most >= count)
        return largest > 0 ? largest : 1;
    double *covariances = memory(most + 1, sizeof *covariances);
    rank_covariances(values, count, most, covariances);
    size_t lags = 2 * dies_away(covariances, most, run, count);
    double block = best_block(covariances, lags < most ? lags : most, count);
    free(covariances);
    if (!(block > (double)least)) /* also where nothing varies */
        return least;
    return block < (double)largest ? (size_t)ceil(block) : largest;
}

size_t median_block(const double *values, size_t count)
{
    double *kept = memory(count, sizeof *kept);
    size_t block = block_of(kept, finite_of(values, count, kept));
    free(kept);
    return block;
}

void median_series(const double *values, size_t count, double level, uint64_t seed,
                   struct median *median)
{
    double *kept = memory(count, sizeof *kept), *sorted = memory(count, sizeof *sorted);
    size_t used = finite_of(values, count, kept);
    finite_of(values, count, sorted);
    qsort(sorted, used, sizeof *sorted, by_value);
    *median = (struct median){middle(sorted, used), NAN, NAN, used};
    if (used >= MEDIAN_SERIES_MIN) {
        struct resample how = {block_of(kept, used), MEDIAN_RESAMPLES, level, seed};
        struct resample_range range;
        for (size_t i = 0; i < used; i++)
            kept[i] = (kept[i] > median->value) - (kept[i] < median->value);
        resample_sum(kept, used, &how, &range);
        double n = (double)used;
        double below = floor((n - range.high) / 2), above = floor((n + range.low) / 2);
        if (below >= 1 && above >= 1) {
            median->low = sorted[(size_t)below - 1];
            median->high = sorted[used - (size_t)above];
        }
    }
    free(kept);
    free(sorted);
}
