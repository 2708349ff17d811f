#include "analysis/levels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    POINTS_MOST = 300, /* more do not find more, and cost */
    SHORTEST = 5,      /* points of a level */
    POINTS_OF_LEVEL = 40
};

/* Neighbouring seconds as one value each. */
struct points {
    double values[POINTS_MOST + 1];
    size_t from[POINTS_MOST + 2]; /* its first second; one more at the end */
    size_t count;
};

static double amount_of(const struct joined *joined, size_t i, bool by_bytes)
{
    if (!by_bytes)
        return joined->seconds[i].seconds;
    double next = i + 1 < joined->count ? joined->seconds[i + 1].bytes : joined->end_bytes;
    return next - joined->seconds[i].bytes;
}

/* Of about the same amount each; false: not known. */
static bool gather(struct points *points, const struct joined *joined, bool by_bytes)
{
    double total = 0, part = 0, commits = 0, seconds = 0;
    for (size_t i = 0; i < joined->count; i++) {
        double amount = amount_of(joined, i, by_bytes);
        if (!(amount >= 0) || isinf(amount))
            return false;
        total += amount;
    }
    points->count = 0;
    points->from[0] = 0;
    for (size_t i = 0; i < joined->count && points->count < POINTS_MOST; i++) {
        part += amount_of(joined, i, by_bytes);
        seconds += joined->seconds[i].seconds;
        commits += joined->seconds[i].commits_per_s * joined->seconds[i].seconds;
        if (part < total / POINTS_MOST * (1 - 1e-9) || part == 0)
            continue;
        points->values[points->count++] = commits / seconds;
        points->from[points->count] = i + 1;
        part = commits = seconds = 0;
    }
    return total > 0;
}

/* Where the seconds around a point divide best. */
static size_t refine(const struct joined *joined, size_t low, size_t high,
                     const struct changepoint *change)
{
    double cost = 0, least = 0;
    size_t best = low;
    for (size_t i = low; i < high; i++) { /* second i moves to the left side */
        double rate = joined->seconds[i].commits_per_s;
        cost += fabs(rate - change->before) - fabs(rate - change->after);
        if (cost < least) {
            least = cost;
            best = i + 1;
        }
    }
    return best;
}

static size_t find_along(const struct joined *joined, bool by_bytes, size_t *places)
{
    struct points points;
    struct changepoint changes[CHANGEPOINT_MAX];
    if (!gather(&points, joined, by_bytes))
        return 0;
    struct changepoint_options options = {points.count / POINTS_OF_LEVEL, LEVELS_CHANGE};
    if (options.shortest < SHORTEST)
        options.shortest = SHORTEST;
    size_t count = changepoint_find(points.values, points.count, &options, changes);
    for (size_t i = 0; i < count; i++) {
        size_t at = changes[i].at, last = at + 1 < points.count ? at + 1 : points.count;
        places[i] = refine(joined, points.from[at - 1], points.from[last], &changes[i]);
    }
    return count;
}

static int by_place(const void *a, const void *b)
{
    const size_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* In order, without those that are as good as the same. */
static size_t sort_places(size_t *places, size_t count, size_t seconds)
{
    size_t kept = 0, apart = SHORTEST > seconds / POINTS_MOST ? SHORTEST : seconds / POINTS_MOST;
    qsort(places, count, sizeof *places, by_place);
    for (size_t i = 0; i < count; i++) {
        bool is_new = places[i] >= apart && places[i] + apart <= seconds &&
                      (kept == 0 || places[i] - places[kept - 1] >= apart);
        if (is_new)
            places[kept++] = places[i];
    }
    return kept;
}

static double step_of(const struct levels *levels, size_t change)
{
    double before = levels->items[change - 1].commits_per_s;
    double after = levels->items[change].commits_per_s;
    return before == after ? 0 : fabs(after - before) / fabs(before);
}

/* Levels that are nearly the same become one, the nearest first. */
static void unite(struct levels *levels, const struct joined *joined)
{
    while (levels->count > 1) {
        size_t least = 1;
        for (size_t i = 2; i < levels->count; i++)
            if (step_of(levels, i) < step_of(levels, least))
                least = i;
        if (step_of(levels, least) >= LEVELS_CHANGE)
            return;
        struct level *level = &levels->items[least - 1];
        level->to = levels->items[least].to;
        level->commits_per_s = joined_median(joined, level->from, level->to);
        levels->count--;
        for (size_t i = least; i < levels->count; i++)
            levels->items[i] = levels->items[i + 1];
    }
}

static size_t find_cliff(const struct levels *levels)
{
    double highest = 0;
    for (size_t i = 1; i < levels->count; i++) {
        double after = 0;
        highest = fmax(highest, levels->items[i - 1].commits_per_s);
        for (size_t k = i; k < levels->count; k++)
            after = fmax(after, levels->items[k].commits_per_s);
        if (after <= highest * (1 - LEVELS_CLIFF))
            return i;
    }
    return 0;
}

void levels_find(struct levels *levels, const struct joined *joined)
{
    size_t places[2 * CHANGEPOINT_MAX], count = 0, from = 0;
    levels->count = levels->cliff = 0;
    if (joined->count == 0)
        return;
    if (joined->count >= LEVELS_SECONDS) {
        count = find_along(joined, false, places);
        count += find_along(joined, true, places + count);
        count = sort_places(places, count, joined->count);
    }
    for (size_t i = 0; i <= count; i++) {
        size_t to = i < count ? places[i] : joined->count;
        levels->items[levels->count++] = (struct level){from, to, joined_median(joined, from, to)};
        from = to;
    }
    unite(levels, joined);
    levels->cliff = find_cliff(levels);
}
