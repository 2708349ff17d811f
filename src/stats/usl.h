/* usl.h - the Universal Scalability Law fitted to throughput over streams.  Pure.
 *
 *     X(N) = gamma N / (1 + alpha (N - 1) + beta N (N - 1))
 *
 * (Gunther 2007, Guerrilla Capacity Planning, chapter 6): gamma the rate of one stream, alpha
 * contention (what is done one at a time), beta coherency (what each waits for all others).  Least
 * squares on log X by Gauss-Newton with alpha, beta >= 0; intervals by a seeded residual bootstrap,
 * percentiles 2.5 and 97.5, of residuals enlarged by sqrt(n / (n - 3)) and by Student's t over the
 * normal quantile, so that few points do not make them too narrow.  With fewer than USL_POINTS_MIN
 * different N there is no fit. */
#ifndef STATS_USL_H
#define STATS_USL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { USL_POINTS_MIN = 6, USL_RESAMPLES = 500 };

struct usl_value {
    double value, low, high;
};

struct usl {
    bool fitted;
    struct usl_value gamma, alpha, beta;
    struct usl_value peak_streams; /* sqrt((1 - alpha) / beta), at least 1; infinite where beta is
                                    * 0; 1 where alpha is 1 or more: it falls from there on */
    struct usl_value peak_rate;    /* X there; gamma / alpha where beta is 0, infinite where both
                                    * are */
    double residual;               /* root mean square of log X - log fit: 0.03 is 3% */
    size_t points;                 /* different N */
};

/* streams[i] >= 1, rates[i] > 0; others are left out.  residuals[count] gets log X - log fit, NaN
 * where left out; may be NULL. */
void usl_fit(const double *streams, const double *rates, size_t count, uint64_t seed,
             struct usl *usl, double *residuals);
double usl_rate(const struct usl *usl, double streams);

#endif
