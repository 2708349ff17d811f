#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "result/figures.h"
#include "stats/lag.h"
#include "stats/summary.h"

/* Of every bootstrap here: the same samples always give the same interval. */
#define SERIES_SEED UINT64_C(20131)

static double y_of(const struct interval *item, enum figures_against against)
{
    switch (against) {
    case AGAINST_WRITES:
        return item->writes;
    case AGAINST_FLUSHES:
        return item->flushes;
    case AGAINST_BYTES:
        return item->bytes;
    }
    return NAN;
}

/* NaN without intervals. */
static double median_seconds(const struct series *series)
{
    double *seconds = calloc(series->count ? series->count : 1, sizeof *seconds), median = NAN;
    for (size_t i = 0; seconds && i < series->count; i++)
        seconds[i] = series->items[i].seconds;
    if (seconds)
        median = summary_median(seconds, series->count);
    free(seconds);
    return median;
}

/* A WAL that grows costs more of everything: two prices are no line.  Where there is enough of the
 * time after that, it is this one that counts. */
static bool mostly_reused(const struct series *series)
{
    size_t reused = 0;
    for (size_t i = 0; i < series->count; i++)
        reused += !series->items[i].wal_growing;
    return series->has_wal && reused >= REGRESSION_MIN && reused * 2 >= series->count;
}

/* Which intervals count. */
struct filter {
    double interval_s; /* median length */
    bool reused_only;
};

static void filter_make(struct filter *filter, const struct series *series)
{
    *filter = (struct filter){median_seconds(series), mostly_reused(series)};
}

static bool filter_takes(const struct filter *filter, const struct interval *item)
{
    bool whole = !(item->seconds < filter->interval_s / 2);
    return whole && !(filter->reused_only && item->wal_growing);
}

/* The intervals as pairs of commits and what they are set against. */
struct pairs {
    double *x, *y;
    size_t count;
    struct filter filter;
};

static void pairs_take(struct pairs *pairs, const struct series *series,
                       enum figures_against against)
{
    size_t room = series->count ? series->count : 1;
    *pairs =
        (struct pairs){.x = calloc(room, sizeof *pairs->x), .y = calloc(room, sizeof *pairs->y)};
    filter_make(&pairs->filter, series);
    for (size_t i = 0; pairs->x && pairs->y && i < series->count; i++) {
        const struct interval *item = &series->items[i];
        double y = y_of(item, against);
        if (isnan(y) || !filter_takes(&pairs->filter, item))
            continue;
        pairs->x[pairs->count] = item->commits;
        pairs->y[pairs->count++] = y;
    }
}

static void pairs_release(struct pairs *pairs)
{
    free(pairs->x);
    free(pairs->y);
}

void figures_correlation(const struct series *series, enum figures_against against,
                         struct regression *fit)
{
    struct pairs pairs;
    pairs_take(&pairs, series, against);
    regression_fit_series(pairs.x, pairs.y, pairs.count, SERIES_SEED, fit);
    pairs_release(&pairs);
}

void figures_lag(const struct series *series, enum figures_against against, struct figures_lag *lag)
{
    enum { INTERVALS_MOST = 20 }; /* a checkpoint or write-back comes seconds later, not minutes */
    struct pairs pairs;
    struct lag found = {.r = NAN};
    pairs_take(&pairs, series, against);
    if (pairs.count >= LAG_VALUES_MIN) {
        int most = pairs.count / 4 < INTERVALS_MOST ? (int)(pairs.count / 4) : INTERVALS_MOST;
        lag_find(pairs.x, pairs.y, pairs.count, most, &found);
    }
    *lag =
        (struct figures_lag){isnan(found.r) ? NAN : found.lag * pairs.filter.interval_s, found.r};
    pairs_release(&pairs);
}

void figures_commits(const struct series *series, struct figures_commits *commits)
{
    struct filter filter;
    double sum = 0, squares = 0, count = 0, all = 0;
    filter_make(&filter, series);
    for (size_t i = 0; i < series->count; i++) {
        const struct interval *item = &series->items[i];
        if (!(item->seconds > 0) || !filter_takes(&filter, item))
            continue;
        double rate = item->commits / item->seconds;
        count++;
        all += item->commits;
        sum += rate;
        squares += rate * rate;
    }
    double mean = sum / count; /* NaN without intervals */
    double variance = count > 1 ? (squares - sum * mean) / (count - 1) : NAN;
    *commits = (struct figures_commits){
        .interval_s = filter.interval_s,
        .per_interval = count > 0 ? all / count : NAN,
        .variation = mean > 0 ? sqrt(variance < 0 ? 0 : variance) / mean : NAN,
    };
}
