#include "stats/usl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "stats/distribution.h"

enum { STEPS_MAX = 200, FIGURES = 5 };

/* log X - log N = log gamma - log(1 + alpha u + beta v) with u = N - 1, v = N (N - 1).  The best
 * log gamma for given alpha and beta is a mean, so the search is over the two of them only. */
struct points {
    double *u, *v, *log_share; /* log X - log N */
    double *logs;              /* room for log(1 + alpha u + beta v) */
    size_t count;
};

struct shape {
    double alpha, beta;
    double log_gamma, squares; /* that belong to them */
};

static double *doubles(size_t count)
{
    double *values = malloc((count ? count : 1) * sizeof *values);
    if (values == NULL)
        abort();
    return values;
}

static bool usable(double streams, double rate)
{
    return isfinite(streams) && isfinite(rate) && streams >= 1 && rate > 0;
}

static struct points points_of(const double *streams, const double *rates, size_t count)
{
    struct points p = {doubles(count), doubles(count), doubles(count), doubles(count), 0};
    for (size_t i = 0; i < count; i++) {
        if (!usable(streams[i], rates[i]))
            continue;
        p.u[p.count] = streams[i] - 1;
        p.v[p.count] = streams[i] * (streams[i] - 1);
        p.log_share[p.count++] = log(rates[i]) - log(streams[i]);
    }
    return p;
}

static void points_release(struct points *p)
{
    free(p->u);
    free(p->v);
    free(p->log_share);
    free(p->logs);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static size_t different(const double *values, size_t count)
{
    double *sorted = doubles(count);
    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_value);
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        found += i == 0 || sorted[i] != sorted[i - 1];
    free(sorted);
    return found;
}

static struct shape shape_at(const struct points *p, double alpha, double beta)
{
    struct shape shape = {alpha, beta, 0, 0};
    for (size_t i = 0; i < p->count; i++) {
        p->logs[i] = log1p(alpha * p->u[i] + beta * p->v[i]);
        shape.log_gamma += p->log_share[i] + p->logs[i];
    }
    shape.log_gamma /= (double)p->count;
    for (size_t i = 0; i < p->count; i++) {
        double residual = p->log_share[i] + p->logs[i] - shape.log_gamma;
        shape.squares += residual * residual;
    }
    return shape;
}

struct normal { /* of the residuals, with log gamma taken out: J'J and J'r */
    double aa, ab, bb, ra, rb;
};

static struct normal normal_at(const struct points *p, const struct shape *shape)
{
    double mean_a = 0, mean_b = 0, n = (double)p->count;
    for (size_t i = 0; i < p->count; i++) {
        double d = 1 + shape->alpha * p->u[i] + shape->beta * p->v[i];
        p->logs[i] = log(d);
        mean_a += p->u[i] / d / n;
        mean_b += p->v[i] / d / n;
    }
    struct normal sums = {0, 0, 0, 0, 0};
    for (size_t i = 0; i < p->count; i++) {
        double d = 1 + shape->alpha * p->u[i] + shape->beta * p->v[i];
        double a = p->u[i] / d - mean_a, b = p->v[i] / d - mean_b;
        double residual = p->log_share[i] + p->logs[i] - shape->log_gamma;
        sums.aa += a * a;
        sums.ab += a * b;
        sums.bb += b * b;
        sums.ra += a * residual;
        sums.rb += b * residual;
    }
    return sums;
}

/* One damped step.  What stands at its bound and is drawn further out stays there. */
static struct shape step(const struct points *p, const struct shape *from,
                         const struct normal *normal, double damping)
{
    double aa = normal->aa * (1 + damping), bb = normal->bb * (1 + damping);
    bool free_a = from->alpha > 0 || normal->ra<0, free_b = from->beta> 0 || normal->rb < 0;
    double a = 0, b = 0, determinant = aa * bb - normal->ab * normal->ab;
    if (free_a && free_b && determinant > 0) {
        a = (normal->ab * normal->rb - bb * normal->ra) / determinant;
        b = (normal->ab * normal->ra - aa * normal->rb) / determinant;
    } else if (free_a && aa > 0) {
        a = -normal->ra / aa;
    } else if (free_b && bb > 0) {
        b = -normal->rb / bb;
    }
    return shape_at(p, fmax(0, from->alpha + a), fmax(0, from->beta + b));
}

static bool settled(const struct shape *a, const struct shape *b)
{
    const double tolerance = 1e-13;
    return fabs(a->alpha - b->alpha) <= tolerance * b->alpha &&
           fabs(a->beta - b->beta) <= tolerance * b->beta;
}

/* Gauss-Newton with Marquardt's damping (Marquardt 1963), within the bounds. */
static struct shape descend(const struct points *p, double alpha, double beta)
{
    const double damping_most = 1e12;
    struct shape best = shape_at(p, alpha, beta);
    double damping = 1e-3;
    for (int i = 0; i < STEPS_MAX; i++) {
        struct normal normal = normal_at(p, &best);
        struct shape next = step(p, &best, &normal, damping);
        while (!(next.squares < best.squares) && !settled(&next, &best) && damping < damping_most) {
            damping *= 10;
            next = step(p, &best, &normal, damping);
        }
        bool done = settled(&next, &best) || !(next.squares < best.squares);
        if (next.squares < best.squares)
            best = next;
        if (done)
            break;
        damping = fmax(damping / 10, 1e-12);
    }
    return best;
}

static struct shape search(const struct points *p)
{
    const double alphas[] = {0, 1e-3, 1e-2, 0.1, 0.5}, betas[] = {0, 1e-6, 1e-4, 1e-2};
    struct shape best = {0, 0, 0, INFINITY};
    for (size_t i = 0; i < sizeof alphas / sizeof *alphas; i++)
        for (size_t j = 0; j < sizeof betas / sizeof *betas; j++) {
            struct shape found = descend(p, alphas[i], betas[j]);
            if (found.squares < best.squares)
                best = found;
        }
    return best;
}

static double rate_of(double gamma, double alpha, double beta, double streams)
{
    return gamma * streams / (1 + alpha * (streams - 1) + beta * streams * (streams - 1));
}

static double peak_rate_of(double gamma, double alpha, double beta, double peak)
{
    if (isfinite(peak))
        return rate_of(gamma, alpha, beta, peak);
    return alpha > 0 ? gamma / alpha : INFINITY;
}

static double peak_streams_of(double alpha, double beta)
{
    if (alpha >= 1)
        return 1;
    return beta > 0 ? fmax(1, sqrt((1 - alpha) / beta)) : INFINITY;
}

static void figures_of(const struct shape *shape, double figures[FIGURES])
{
    figures[0] = exp(shape->log_gamma);
    figures[1] = shape->alpha;
    figures[2] = shape->beta;
    figures[3] = peak_streams_of(shape->alpha, shape->beta);
    figures[4] = peak_rate_of(figures[0], shape->alpha, shape->beta, figures[3]);
}

/* The fit's residuals are smaller than the errors, the more so the fewer points there are, and
 * percentiles know nothing of t: without both corrections an interval of 6 points covers under 75%
 * instead of 95% (Hesterberg 2015, The American Statistician 69, on intervals that are too
 * narrow). */
static double enlargement(size_t count)
{
    const double normal = 1.959963984540054;
    double student = distribution_student_inverse(0.95, count - 3);
    return sqrt((double)count / (double)(count - 3)) * student / normal;
}

static void set_interval(struct usl_value *value, double *resampled)
{
    qsort(resampled, USL_RESAMPLES, sizeof *resampled, by_value);
    size_t outside = (size_t)(0.025 * (USL_RESAMPLES + 1)) - 1;
    value->low = fmin(value->value, resampled[outside]);
    value->high = fmax(value->value, resampled[USL_RESAMPLES - 1 - outside]);
}

static void bootstrap(struct points *p, const struct shape *best, uint64_t seed,
                      struct usl_value *values[FIGURES])
{
    struct rng rng = {seed};
    double *fitted = doubles(p->count), *errors = doubles(p->count);
    double *resampled = doubles((size_t)USL_RESAMPLES * FIGURES), scale = enlargement(p->count);
    for (size_t i = 0; i < p->count; i++) {
        fitted[i] = best->log_gamma - log1p(best->alpha * p->u[i] + best->beta * p->v[i]);
        errors[i] = (p->log_share[i] - fitted[i]) * scale;
    }
    for (size_t r = 0; r < USL_RESAMPLES; r++) {
        for (size_t i = 0; i < p->count; i++)
            p->log_share[i] = fitted[i] + errors[rng_below(&rng, p->count)];
        struct shape again = descend(p, best->alpha, best->beta);
        double figures[FIGURES];
        figures_of(&again, figures);
        for (size_t f = 0; f < FIGURES; f++)
            resampled[f * USL_RESAMPLES + r] = figures[f];
    }
    for (size_t f = 0; f < FIGURES; f++)
        set_interval(values[f], resampled + f * USL_RESAMPLES);
    free(fitted);
    free(errors);
    free(resampled);
}

void usl_fit(const double *streams, const double *rates, size_t count, uint64_t seed,
             struct usl *usl, double *residuals)
{
    const struct usl_value none = {NAN, NAN, NAN};
    struct points p = points_of(streams, rates, count);
    *usl = (struct usl){false, none, none, none, none, none, NAN, different(p.u, p.count)};
    for (size_t i = 0; residuals != NULL && i < count; i++)
        residuals[i] = NAN;
    if (usl->points >= USL_POINTS_MIN) {
        struct usl_value *values[FIGURES] = {&usl->gamma, &usl->alpha, &usl->beta,
                                             &usl->peak_streams, &usl->peak_rate};
        struct shape best = search(&p);
        double figures[FIGURES];
        figures_of(&best, figures);
        for (size_t f = 0; f < FIGURES; f++)
            values[f]->value = figures[f];
        usl->fitted = true;
        usl->residual = sqrt(best.squares / (double)p.count);
        for (size_t i = 0; residuals != NULL && i < count; i++)
            if (usable(streams[i], rates[i]))
                residuals[i] = log(rates[i]) - log(usl_rate(usl, streams[i]));
        bootstrap(&p, &best, seed, values);
    }
    points_release(&p);
}

double usl_rate(const struct usl *usl, double streams)
{
    return rate_of(usl->gamma.value, usl->alpha.value, usl->beta.value, streams);
}
