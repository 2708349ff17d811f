#include "analysis/correlation.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/finding.h"
#include "analysis/littles_law.h"
#include "analysis/number.h"
#include "analysis/pooled.h"
#include "analysis/standing.h"
#include "result/put.h"
#include "stats/summary.h"

#define R_LEAST         0.9  /* of commits and writes, to call these explained */
#define COST_MARGIN     0.10 /* how near the slope must be to the cost of the average commit */
#define VARIATION_LEAST 0.01 /* of commits/s; below that there is no slope to be told */
#define COMMITS_LEAST   5    /* in an interval; with fewer, samples cut commits in two */

/* Medians over the repeats. */
struct line {
    double slope, low, high, r, lag_s, lag_r, n;
    double cost; /* of the average commit */
};

/* What is judged, of one group. */
struct judged {
    const struct group *group;
    json_t **correlations; /* [group->count]; own; NULL where nothing is known */
    struct line writes, flushes, bytes;
    double variation, per_interval;
};

/* Over the repeats; `line` NULL: of the correlation itself. */
static double median_at(const struct judged *j, const char *line, const char *key)
{
    double *values = calloc(j->group->count, sizeof *values), median = NAN;
    size_t count = 0;
    for (size_t i = 0; values && i < j->group->count; i++) {
        const json_t *object = j->correlations[i];
        double value = json_number_at(line ? json_object_get(object, line) : object, key);
        if (!isnan(value))
            values[count++] = value;
    }
    if (values)
        median = summary_median(values, count);
    free(values);
    return median;
}

static void read_line(const struct judged *j, const char *name, struct line *line)
{
    char key[48], cost[48];
    snprintf(key, sizeof key, "commits_vs_%s", name);
    snprintf(cost, sizeof cost, "per_commit.%s", name);
    *line = (struct line){
        .slope = median_at(j, key, "slope"),
        .low = median_at(j, key, "low"),
        .high = median_at(j, key, "high"),
        .r = median_at(j, key, "r"),
        .lag_s = median_at(j, key, "lag_s"),
        .lag_r = median_at(j, key, "lag_r"),
        .n = median_at(j, key, "n"),
        .cost = group_median(j->group, cost),
    };
}

static json_t *line_json(const struct line *line)
{
    if (isnan(line->slope))
        return NULL;
    json_t *object = json_object();
    put_real(object, "slope", line->slope);
    put_real(object, "low", line->low);
    put_real(object, "high", line->high);
    put_real(object, "r", line->r);
    put_real(object, "lag_s", line->lag_s);
    put_real(object, "lag_r", line->lag_r);
    put_number(object, "n", line->n);
    return object;
}

static bool is_near(double slope, double cost)
{
    return fabs(slope / cost - 1) <= COST_MARGIN;
}

/* A WAL that grows makes commits of two prices; the line follows that of most intervals. */
static bool is_cost(const struct judged *j)
{
    return is_near(j->writes.slope, j->writes.cost) ||
           is_near(j->writes.slope, group_median(j->group, "wal_recycled.per_commit.writes")) ||
           is_near(j->writes.slope, group_median(j->group, "wal_growing.per_commit.writes"));
}

/* ", 1.00 flushes, 8.5 KiB" */
static void add_rest(char *text, size_t size, double flushes, double bytes)
{
    struct format_text number;
    size_t used = strlen(text);
    number_decimals(&number, flushes);
    if (!isnan(flushes))
        snprintf(text + used, size - used, ", %s flush%s", number.text,
                 strcmp(number.text, "1.00") == 0 ? "" : "es");
    used = strlen(text);
    if (!isnan(bytes))
        snprintf(text + used, size - used, ", %s KiB", number_kib(&number, bytes));
}

/* "2.06 writes in all (2.01-2.10), 1.00 flush, 8.5 KiB; r 0.97": a flush counts as a write too. */
static void write_slopes(const struct judged *j, char *text, size_t size)
{
    struct format_text slope, low, high, r;
    snprintf(text, size, "%s writes in all", number_decimals(&slope, j->writes.slope));
    size_t used = strlen(text);
    if (!isnan(j->writes.low) && !isnan(j->writes.high))
        snprintf(text + used, size - used, j->writes.low < 0 ? " (%s to %s)" : " (%s-%s)",
                 number_decimals(&low, j->writes.low), number_decimals(&high, j->writes.high));
    add_rest(text, size, j->flushes.slope, j->bytes.slope);
    used = strlen(text);
    if (!isnan(j->writes.r))
        snprintf(text + used, size - used, "; r %s", format_fixed(&r, j->writes.r, 2));
}

/* "on average a commit costs 2.06 writes in all, 1.00 flush, 8.5 KiB", or "" where that is not
 * known. */
static void write_average(const struct judged *j, char *text, size_t size)
{
    struct format_text writes;
    text[0] = 0;
    if (isnan(j->writes.cost))
        return;
    snprintf(text, size, "on average a commit costs %s writes in all",
             number_decimals(&writes, j->writes.cost));
    add_rest(text, size, j->flushes.cost, j->bytes.cost);
}

static bool is_elsewhere(const struct group *group)
{
    for (size_t i = 0; i < group->count; i++)
        if (json_is_true(json_object_get(group->phases[i], "measured_elsewhere")))
            return true;
    return false;
}

/* Why no slope can be told, with a format of the doubt's remedy; NULL: one can. */
static const char *reason_of(const struct judged *j, const char **remedy)
{
    if (is_elsewhere(j->group)) {
        *remedy = "name the device that takes the writes with --device";
        return "commits were acknowledged, but the drive saw no write";
    }
    if (isnan(j->writes.cost)) {
        *remedy = "name the device with --device, where it cannot be found from the path";
        return "nothing is known of the drive's writes";
    }
    if (j->per_interval < COMMITS_LEAST) {
        *remedy = "longer intervals hold more of them: --interval 1s, or longer";
        return "too few commits in an interval";
    }
    if (j->variation < VARIATION_LEAST) {
        *remedy = "commits must rise and fall for a slope: more streams, or a longer run";
        return "commits/s hardly vary";
    }
    if (isnan(j->writes.slope)) {
        *remedy = "a longer run, or --interval 10ms, gives 30 intervals";
        return "fewer than 30 intervals";
    }
    return NULL;
}

static void say_undetermined(json_t *finding, const struct judged *j, const char *reason,
                             const char *remedy)
{
    char average[160];
    struct format_text number;
    char figure[64] = "";
    write_average(j, average, sizeof average);
    if (strncmp(reason, "too few", 7) == 0)
        snprintf(figure, sizeof figure, " (%s)", number_decimals(&number, j->per_interval));
    else if (strncmp(reason, "commits/s", 9) == 0)
        snprintf(figure, sizeof figure, " (by %s)", number_percent(&number, j->variation));
    finding_say(finding, "what one more commit costs cannot be told: %s%s", reason, figure);
    if (*average)
        finding_say(finding, "%s", average);
    finding_doubt(finding, "%s", remedy);
}

static void judge(json_t *finding, const struct judged *j)
{
    const char *remedy = NULL, *reason = reason_of(j, &remedy);
    char slopes[200], average[160];
    if (reason) {
        say_undetermined(finding, j, reason, remedy);
        return;
    }
    write_slopes(j, slopes, sizeof slopes);
    write_average(j, average, sizeof average);
    bool follows = j->writes.r >= R_LEAST, costs = is_cost(j);
    finding_judge(finding, follows && costs ? "explained" : "loose");
    if (follows && costs)
        finding_say(finding, "one more commit costs %s", slopes);
    else if (follows)
        finding_say(finding,
                    "one more commit costs %s; %s: the drive also writes what does not rise and "
                    "fall with commits",
                    slopes, average);
    else
        finding_say(finding, "commits explain little of the writes: one more commit costs %s; %s",
                    slopes, average);
}

static void say_lag(json_t *finding, const struct line *writes)
{
    struct format_text later, r;
    if (!(fabs(writes->lag_s) > 0) || !isfinite(writes->lag_s))
        return;
    finding_say(finding, "the drive's writes %s commits by %s (r %s of their changes)",
                writes->lag_s > 0 ? "follow" : "come before",
                format_seconds(&later, fabs(writes->lag_s)), format_fixed(&r, writes->lag_r, 2));
}

static void say_law(json_t *finding, const struct group *group)
{
    struct littles_law law;
    struct format_text ms, rate, product, share;
    if (!littles_law_read(group, &law))
        return;
    number_ms(&ms, law.latency_s * 1e3);
    format_digits(&rate, law.commits_per_s);
    number_decimals(&product, law.product);
    const char *plural = law.streams == 1 ? "" : "s";
    if (law.open_loop)
        finding_say(finding, "open loop: %s ms x %s/s = %s transactions under way or due", ms.text,
                    rate.text, product.text);
    else if (littles_law_agrees(&law))
        finding_say(finding, "%s ms x %s/s = %s of %.0f stream%s: histogram and counters agree",
                    ms.text, rate.text, product.text, law.streams, plural);
    else if (law.product < law.streams)
        finding_say(finding,
                    "%s ms x %s/s = %s of %.0f stream%s: %s of the streams' time lies between "
                    "transactions",
                    ms.text, rate.text, product.text, law.streams, plural,
                    number_percent(&share, 1 - law.product / law.streams));
    else
        finding_say(
            finding,
            "%s ms x %s/s = %s, more than the %.0f stream%s: histogram and counters do not agree",
            ms.text, rate.text, product.text, law.streams, plural);
}

static void judged_read(struct judged *j, const struct group *group, const struct courses *courses)
{
    *j = (struct judged){.group = group,
                         .correlations = calloc(group->count, sizeof *j->correlations)};
    if (!j->correlations)
        abort();
    for (size_t i = 0; i < group->count; i++)
        j->correlations[i] = pooled_correlation(group, i, courses);
    j->variation = median_at(j, NULL, "commits_variation");
    j->per_interval = median_at(j, NULL, "commits_per_interval");
    read_line(j, "writes", &j->writes);
    read_line(j, "flushes", &j->flushes);
    read_line(j, "bytes", &j->bytes);
}

static void judged_release(struct judged *j)
{
    for (size_t i = 0; i < j->group->count; i++)
        json_decref(j->correlations[i]);
    free(j->correlations);
}

static json_t *judge_group(const struct group *group, const struct courses *courses)
{
    struct judged j;
    judged_read(&j, group, courses);
    json_t *finding = finding_create(group, NULL), *against = json_object();
    put(against, "writes", line_json(&j.writes));
    put(against, "flushes", line_json(&j.flushes));
    put(against, "bytes", line_json(&j.bytes));
    judge(finding, &j);
    say_lag(finding, &j.writes);
    say_law(finding, group);
    put(finding, "against", against);
    put_real(finding, "commits_variation", j.variation);
    put_real(finding, "commits_per_interval", j.per_interval);
    put(finding, "littles_law", littles_law_json(group));
    judged_release(&j);
    return finding;
}

json_t *correlation_json(const struct evidence *evidence)
{
    json_t *list = json_array();
    for (size_t i = 0; i < evidence->groups->count; i++) {
        const struct group *group = &evidence->groups->items[i];
        if (standing_of(group) != STANDING_NO_DRIVE)
            json_array_append_new(list, judge_group(group, evidence->courses));
    }
    return findings_json(list);
}
