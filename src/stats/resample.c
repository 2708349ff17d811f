#include "stats/resample.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "stats/distribution.h"
#include "stats/select.h"

static double *doubles(size_t count)
{
    double *values = malloc((count ? count : 1) * sizeof *values);
    if (values == NULL)
        abort();
    return values;
}

/* sums[i] is of the block that begins at i. */
static void sum_blocks(const double *values, size_t count, size_t block, double *sums)
{
    double sum = 0;
    for (size_t i = 0; i < block; i++)
        sum += values[i];
    for (size_t i = 0; i < count; i++) {
        sums[i] = sum;
        sum += values[(i + block) % count] - values[i];
    }
}

/* What lies outside on each side. */
static double expanded_tail(double level, size_t blocks)
{
    double b = (double)blocks, t = distribution_student_inverse(level, blocks - 1);
    return distribution_normal(-t * sqrt(b / (b - 1)));
}

void resample_sum(const double *values, size_t count, const struct resample *how,
                  struct resample_range *range)
{
    assert(how->block > 0 && how->block <= count / 2 && how->draws > 0);
    size_t blocks = count / how->block;
    double *sums = doubles(count), *drawn = doubles(how->draws), total = 0;
    struct rng rng = {how->seed};
    sum_blocks(values, count, how->block, sums);
    for (size_t i = 0; i < count; i++)
        total += values[i];
    double expected = total * (double)(blocks * how->block) / (double)count;
    for (size_t draw = 0; draw < how->draws; draw++) {
        drawn[draw] = 0;
        for (size_t b = 0; b < blocks; b++)
            drawn[draw] += sums[rng_below(&rng, count)];
        drawn[draw] -= expected; /* last, so that sums of whole numbers stay whole */
    }
    /* A resample is shorter than the series by the blocks' remainder. */
    double scale = sqrt((double)count / (double)(blocks * how->block));
    size_t rank = (size_t)(expanded_tail(how->level, blocks) * (double)how->draws);
    range->low = scale * select_rank(drawn, how->draws, rank);
    range->high = scale * select_rank(drawn, how->draws, how->draws - 1 - rank);
    free(sums);
    free(drawn);
}
