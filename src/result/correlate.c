#include "result/correlate.h"

#include <math.h>
#include <stdlib.h>

#include "result/figures.h"
#include "result/put.h"
#include "stats/summary.h"

static const struct {
    const char *name;
    enum figures_against against;
} lines[] = {{"commits_vs_writes", AGAINST_WRITES},
             {"commits_vs_flushes", AGAINST_FLUSHES},
             {"commits_vs_bytes", AGAINST_BYTES}};
enum { LINES = sizeof lines / sizeof *lines };

static json_t *line_json(const struct series *series, enum figures_against against)
{
    struct regression fit;
    struct figures_lag lag;
    figures_correlation(series, against, &fit);
    if (isnan(fit.slope))
        return NULL;
    figures_lag(series, against, &lag);
    json_t *object = json_object();
    put_real(object, "slope", fit.slope);
    put_real(object, "low", fit.low);
    put_real(object, "high", fit.high);
    put_real(object, "r", fit.r);
    put_count(object, "n", (double)fit.n);
    put_real(object, "lag_s", lag.seconds);
    put_real(object, "lag_r", lag.r);
    return object;
}

json_t *correlate_json(const struct series *series)
{
    struct figures_commits commits = {NAN, NAN, NAN};
    json_t *correlation = json_object();
    for (size_t i = 0; i < LINES; i++)
        put(correlation, lines[i].name, series ? line_json(series, lines[i].against) : NULL);
    if (series)
        figures_commits(series, &commits);
    put_real(correlation, "interval_s", commits.interval_s);
    put_real(correlation, "commits_per_interval", commits.per_interval);
    put_real(correlation, "commits_variation", commits.variation);
    return correlation;
}

/* The numbers under `line` (NULL: of the correlation itself) `key`, of the phases that have one. */
static size_t collect(const json_t *const *phases, size_t count, const char *line, const char *key,
                      double *values)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        const json_t *object = json_object_get(phases[i], "correlation");
        if (line)
            object = json_object_get(object, line);
        double value = json_number_at(object, key);
        if (!isnan(value))
            values[found++] = value;
    }
    return found;
}

static void put_median(json_t *object, const json_t *const *phases, size_t count, const char *line,
                       const char *key, double *values)
{
    put_real(object, key, summary_median(values, collect(phases, count, line, key, values)));
}

static json_t *merge_line(const json_t *const *phases, size_t count, const char *line,
                          double *values)
{
    static const char *const medians[] = {"slope", "low", "high", "r", "lag_s", "lag_r"};
    size_t known = collect(phases, count, line, "n", values);
    double n = 0;
    for (size_t i = 0; i < known; i++)
        n += values[i];
    if (collect(phases, count, line, "slope", values) == 0)
        return NULL;
    json_t *object = json_object();
    for (size_t i = 0; i < sizeof medians / sizeof *medians; i++)
        put_median(object, phases, count, line, medians[i], values);
    put_count(object, "n", n);
    return object;
}

json_t *correlate_merge(const json_t *const *phases, size_t count)
{
    double *values = calloc(count ? count : 1, sizeof *values);
    if (!values)
        return NULL;
    json_t *correlation = json_object();
    for (size_t i = 0; i < LINES; i++)
        put(correlation, lines[i].name, merge_line(phases, count, lines[i].name, values));
    put_median(correlation, phases, count, NULL, "interval_s", values);
    put_median(correlation, phases, count, NULL, "commits_per_interval", values);
    put_median(correlation, phases, count, NULL, "commits_variation", values);
    free(values);
    return correlation;
}
