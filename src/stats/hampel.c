#include "stats/hampel.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double mad_to_deviation = 1.482602218505602; /* of a normal distribution */

/* The neighbourhood, sorted. */
struct window {
    double values[2 * HAMPEL_REACH_MAX + 1];
    size_t count;
};

/* How many are smaller. */
static size_t place_of(const struct window *w, double value)
{
    size_t low = 0, high = w->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (w->values[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void add(struct window *w, double value)
{
    size_t at = place_of(w, value);
    memmove(w->values + at + 1, w->values + at, (w->count - at) * sizeof *w->values);
    w->values[at] = value;
    w->count++;
}

static void take(struct window *w, double value)
{
    size_t at = place_of(w, value);
    w->count--;
    memmove(w->values + at, w->values + at + 1, (w->count - at) * sizeof *w->values);
}

static double median_of(const struct window *w)
{
    return (w->values[(w->count - 1) / 2] + w->values[w->count / 2]) / 2;
}

/* The `wanted` values nearest to the median stand side by side: where they begin is searched for.
 */
static double distance_of(const struct window *w, double median, size_t wanted)
{
    size_t low = 0, high = w->count - wanted;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (median - w->values[middle] > w->values[middle + wanted] - median)
            low = middle + 1;
        else
            high = middle;
    }
    return fmax(median - w->values[low], w->values[low + wanted - 1] - median);
}

static double mad_of(const struct window *w, double median)
{
    double upper = distance_of(w, median, w->count / 2 + 1);
    return w->count % 2 != 0 ? upper : (distance_of(w, median, w->count / 2) + upper) / 2;
}

void hampel_cut(const double *values, size_t count, size_t reach, double limit, double *cut)
{
    assert(reach >= 1 && reach <= HAMPEL_REACH_MAX);
    struct window w = {.count = 0};
    for (size_t i = 0; i < count && i < reach; i++)
        add(&w, values[i]);
    for (size_t i = 0; i < count; i++) {
        if (i + reach < count)
            add(&w, values[i + reach]);
        double median = median_of(&w), most = limit * mad_to_deviation * mad_of(&w, median);
        cut[i] = fmax(median - most, fmin(median + most, values[i]));
        if (i >= reach)
            take(&w, values[i - reach]);
    }
}
