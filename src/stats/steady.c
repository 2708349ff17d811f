#include "stats/steady.h"

#include <math.h>

/* A share that is a limit but for rounding counts as the limit, in whatever unit the values are. */
static const double rounding = 1e-12;

/* Rounds are evenly spaced: with x = 0 .. n - 1 about its middle, sum x^2 is n (n^2 - 1) / 12. */
static void fit_line(const double *window, struct steady *steady)
{
    const double middle = (STEADY_WINDOW - 1) / 2.0;
    const double squares = STEADY_WINDOW * (STEADY_WINDOW * STEADY_WINDOW - 1) / 12.0;
    double sum = 0;
    for (int i = 0; i < STEADY_WINDOW; i++)
        sum += (i - middle) * (window[i] - steady->average);
    steady->slope = sum / squares;
    steady->intercept = steady->average - steady->slope * middle;
}

void steady_window(const double *values, size_t last, struct steady *steady)
{
    *steady = (struct steady){NAN, NAN, NAN, NAN, NAN, false};
    if (last + 1 < STEADY_WINDOW)
        return;
    const double *window = values + (last + 1 - STEADY_WINDOW);
    double sum = 0, least = INFINITY, most = -INFINITY;
    for (int i = 0; i < STEADY_WINDOW; i++) {
        if (!isfinite(window[i]))
            return;
        sum += window[i];
        least = fmin(least, window[i]);
        most = fmax(most, window[i]);
    }
    steady->average = sum / STEADY_WINDOW;
    fit_line(window, steady);
    if (!(steady->average > 0)) /* no share of nothing */
        return;
    steady->range = (most - least) / steady->average;
    steady->fit_range = fabs(steady->slope) * (STEADY_WINDOW - 1) / steady->average;
    steady->holds = steady->range <= STEADY_RANGE_MAX + rounding &&
                    steady->fit_range <= STEADY_FIT_MAX + rounding;
}

size_t steady_first(const double *values, size_t count, size_t from)
{
    for (size_t last = from + STEADY_WINDOW - 1; last < count; last++) {
        struct steady steady;
        steady_window(values, last, &steady);
        if (steady.holds)
            return last;
    }
    return count;
}
