#include "stats/slopes.h"

#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "stats/select.h"

enum { SAMPLE = 2000, FEW_PAIRS = 10 * SAMPLE };

/* On each side of the wanted rank, as a share of all: 5 standard errors of a sampled median. */
static const double reach = 0.056;

static double *doubles(size_t count)
{
    double *values = malloc((count ? count : 1) * sizeof *values);
    if (values == NULL)
        abort();
    return values;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static size_t pairs_of(size_t points)
{
    return points > 0 ? points * (points - 1) / 2 : 0;
}

static void take_sample(struct slopes *s)
{
    struct rng rng = {s->points};
    for (int tries = 0; tries < SAMPLE; tries++) {
        size_t i = rng_below(&rng, s->points), j = rng_below(&rng, s->points);
        if (s->x[i] != s->x[j])
            s->sample[s->sampled++] = (s->y[j] - s->y[i]) / (s->x[j] - s->x[i]);
    }
    qsort(s->sample, s->sampled, sizeof *s->sample, by_value);
}

static void collect(struct slopes *s, double low, double high)
{
    size_t below = 0, between = 0, equal_x = 0;
    for (size_t i = 0; i < s->points; i++) {
        double x = s->x[i], y = s->y[i];
        for (size_t j = i + 1; j < s->points; j++) {
            double slope = (s->y[j] - y) / (s->x[j] - x);
            if (s->x[j] == x) {
                equal_x++;
                continue;
            }
            below += slope < low;
            s->near[between] = slope; /* stays only if it counts; there is room for one more */
            between += (slope >= low) & (slope <= high); /* without a branch */
        }
    }
    s->below = below;
    s->between = between;
    s->total = pairs_of(s->points) - equal_x;
}

static void collect_near(struct slopes *s, double share)
{
    double last = (double)s->sampled - 1, from = (share - reach) * last,
           to = (share + reach) * last;
    if (s->sampled < SAMPLE / 2)
        collect(s, -INFINITY, INFINITY);
    else
        collect(s, from >= 0 ? s->sample[(size_t)from] : -INFINITY,
                to <= last ? s->sample[(size_t)to] : INFINITY);
}

void slopes_init(struct slopes *slopes, const double *x, const double *y, size_t points)
{
    *slopes = (struct slopes){.x = x, .y = y, .points = points};
    slopes->sample = doubles(SAMPLE);
    slopes->near = doubles(pairs_of(points) + 1);
    if (pairs_of(points) > FEW_PAIRS)
        take_sample(slopes);
    collect_near(slopes, 0.5);
}

void slopes_release(struct slopes *slopes)
{
    free(slopes->sample);
    free(slopes->near);
}

static int holds(const struct slopes *s, size_t rank)
{
    return rank >= s->below && rank - s->below < s->between;
}

double slopes_at(struct slopes *slopes, size_t rank)
{
    if (!holds(slopes, rank))
        collect_near(slopes, ((double)rank + 0.5) / (double)slopes->total);
    if (!holds(slopes, rank))
        collect(slopes, -INFINITY, INFINITY);
    return select_rank(slopes->near, slopes->between, rank - slopes->below);
}

double slopes_median(struct slopes *slopes)
{
    double upper = slopes_at(slopes, slopes->total / 2);
    return slopes->total % 2 ? upper : (slopes_at(slopes, slopes->total / 2 - 1) + upper) / 2;
}
