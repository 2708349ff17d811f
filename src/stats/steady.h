/* steady.h - has it settled?  The window rule of SNIA's Solid State Storage Performance Test
 * Specification 2.0.2: over the last STEADY_WINDOW rounds (a) max - min is at most 20% of their
 * average, and (b) the fitted line (least squares) moves at most 10% of the average from the
 * window's first round to its last.  Pure. */
#ifndef STATS_STEADY_H
#define STATS_STEADY_H

#include <stdbool.h>
#include <stddef.h>

enum { STEADY_WINDOW = 5 };
#define STEADY_RANGE_MAX 0.20
#define STEADY_FIT_MAX   0.10

struct steady {
    double average, range, fit_range; /* of the window; range and fit_range as shares of the
                                       * average; NaN: fewer rounds, one is unknown, or the
                                       * average is not above 0 */
    double slope, intercept;          /* of the fitted line; x = 0 at the window's first round */
    bool holds;
};

/* Of the rounds values[last - 4 .. last]. */
void steady_window(const double *values, size_t last, struct steady *steady);
/* The first round (index into values) at which it holds for a window that begins at `from` or
 * later; `count` where it never does. */
size_t steady_first(const double *values, size_t count, size_t from);

#endif
