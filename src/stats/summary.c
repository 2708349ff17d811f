#include "stats/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/select.h"

double summary_mean(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return count ? sum / (double)count : NAN;
}

double summary_median(const double *values, size_t count)
{
    if (count == 0)
        return NAN;
    for (size_t i = 0; i < count; i++)
        if (isnan(values[i]))
            return NAN;
    double *copy = malloc(count * sizeof *copy);
    if (copy == NULL)
        abort();
    memcpy(copy, values, count * sizeof *copy);
    double median = select_median(copy, count);
    free(copy);
    return median;
}

double summary_jain(const double *values, size_t count)
{
    /* Scaled by the largest, so that the squares neither overflow nor vanish. */
    double largest = 0, sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(values[i]));
    if (largest == 0)
        return NAN;
    for (size_t i = 0; i < count; i++) {
        double x = values[i] / largest;
        sum += x;
        squares += x * x;
    }
    return sum * sum / ((double)count * squares);
}
