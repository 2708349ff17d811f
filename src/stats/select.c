#include "stats/select.h"

#include <assert.h>

static double middle_of(double a, double b, double c)
{
    if (a > b) {
        double t = a;
        a = b;
        b = t;
    }
    return c < a ? a : c > b ? b : c;
}

double select_rank(double *values, size_t count, size_t rank)
{
    assert(rank < count);
    ptrdiff_t low = 0, high = (ptrdiff_t)count - 1, wanted = (ptrdiff_t)rank;
    while (low < high) {
        double pivot = middle_of(values[low], values[low + (high - low) / 2], values[high]);
        ptrdiff_t i = low, j = high;
        while (i <= j) { /* what equals the pivot stops both sides: many ties stay balanced */
            while (values[i] < pivot)
                i++;
            while (values[j] > pivot)
                j--;
            if (i > j)
                break;
            double t = values[i];
            values[i++] = values[j];
            values[j--] = t;
        }
        /* Up to j all are <= pivot, from i on all are >= pivot, between them all equal it. */
        if (wanted > j && wanted < i)
            break;
        if (wanted <= j)
            high = j;
        else
            low = i;
    }
    return values[rank];
}

double select_median(double *values, size_t count)
{
    double upper = select_rank(values, count, count / 2);
    if (count % 2 != 0)
        return upper;
    double lower = values[0];
    for (size_t i = 1; i < count / 2; i++)
        lower = values[i] > lower ? values[i] : lower;
    return (lower + upper) / 2;
}
