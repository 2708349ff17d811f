#include "stats/pelt.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* Places where the last segment may still begin.  What the inner loop reads lies side by side. */
struct candidates {
    double *base; /* cost up to there, but for the sum of all squares, which no division changes */
    double *sum;  /* of the values up to there */
    size_t *at;   /* the place */
    size_t *expires; /* from this end on another place is always cheaper; SIZE_MAX: none is known */
    size_t count;
};

struct search {
    struct candidates open;
    double *base, *sum; /* of each place, 0 .. count */
    double *reciprocal; /* 1 / length */
    double *costs;      /* of the open candidates at the current end */
    size_t *last;       /* where the last segment of the cheapest division begins */
};

static void *array(size_t count, size_t size)
{
    void *values = calloc(count, size);
    if (values == NULL)
        abort();
    return values;
}

static void search_init(struct search *s, const double *values, size_t count)
{
    size_t places = count + 1;
    s->open = (struct candidates){array(places, sizeof(double)), array(places, sizeof(double)),
                                  array(places, sizeof(size_t)), array(places, sizeof(size_t)), 0};
    s->base = array(places, sizeof *s->base);
    s->sum = array(places, sizeof *s->sum);
    s->reciprocal = array(places, sizeof *s->reciprocal);
    s->costs = array(places, sizeof *s->costs);
    s->last = array(places, sizeof *s->last);
    double mean = 0; /* taken off: small numbers lose fewer digits */
    for (size_t i = 0; i < count; i++)
        mean += values[i] / (double)count;
    for (size_t i = 0; i < count; i++) {
        s->sum[i + 1] = s->sum[i] + (values[i] - mean);
        s->reciprocal[i + 1] = 1 / (double)(i + 1);
    }
}

static void search_release(struct search *s)
{
    free(s->open.base);
    free(s->open.sum);
    free(s->open.at);
    free(s->open.expires);
    free(s->base);
    free(s->sum);
    free(s->reciprocal);
    free(s->costs);
    free(s->last);
}

static void open_place(struct search *s, size_t place)
{
    struct candidates *open = &s->open;
    open->base[open->count] = s->base[place];
    open->sum[open->count] = s->sum[place];
    open->at[open->count] = place;
    open->expires[open->count++] = SIZE_MAX;
}

static double cheapest(struct search *s, size_t end)
{
    const struct candidates *open = &s->open;
    double best = INFINITY, sum = s->sum[end];
    for (size_t i = 0; i < open->count; i++) {
        double part = sum - open->sum[i];
        double cost = open->base[i] - part * part * s->reciprocal[end - open->at[i]];
        s->costs[i] = cost;
        best = cost < best ? cost : best;
    }
    return best;
}

/* A place whose cost without a penalty is no less than the best with one loses against a change at
 * `end` for every later end - once that leaves room for a segment. */
static void close_places(struct search *s, size_t end, size_t shortest, double worst)
{
    struct candidates *open = &s->open;
    size_t kept = 0;
    for (size_t i = 0; i < open->count; i++) {
        size_t expires = open->expires[i];
        if (s->costs[i] >= worst && expires > end + shortest)
            expires = end + shortest;
        if (expires <= end + 1)
            continue;
        open->base[kept] = open->base[i];
        open->sum[kept] = open->sum[i];
        open->at[kept] = open->at[i];
        open->expires[kept++] = expires;
    }
    open->count = kept;
}

size_t pelt_find(const double *values, size_t count, size_t shortest, double penalty,
                 size_t *starts)
{
    assert(shortest >= 1 && penalty > 0);
    if (count < 2 * shortest)
        return 0;
    struct search s;
    search_init(&s, values, count);
    s.base[0] = -penalty;
    open_place(&s, 0);
    for (size_t end = shortest; end <= count; end++) {
        if (end >= 2 * shortest)
            open_place(&s, end - shortest);
        double best = cheapest(&s, end);
        size_t which = 0;
        while (s.costs[which] > best)
            which++;
        s.last[end] = s.open.at[which];
        s.base[end] = best + penalty;
        close_places(&s, end, shortest, best + penalty);
    }
    size_t found = 0, next = 0;
    for (size_t place = s.last[count]; place > 0; place = s.last[place])
        found++;
    for (size_t place = s.last[count]; place > 0; place = s.last[place])
        starts[found - ++next] = place;
    search_release(&s);
    return found;
}
