#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare.h"
#include "analysis/place.h"
#include "analysis/standing.h"
#include "base/format.h"
#include "page/chart.h"
#include "report/text.h"
#include "result/metric.h"
#include "result/put.h"
#include "stats/summary.h"

/* ---- names ---- */

static void add_factor(struct text *name, const char *key, const json_t *value)
{
    struct format_text number;
    const char *dot = strrchr(key, '.'), *shown = json_string_value(value);
    if (json_is_number(value))
        shown = json_is_integer(value) ? format_grouped(&number, json_number_value(value))
                                       : format_digits(&number, json_number_value(value));
    if (strcmp(key, "streams") == 0)
        return;
    if (strcmp(key, "layout") != 0 && strcmp(key, "target") != 0)
        text_add(name, ", %s %s", dot ? dot + 1 : key, shown ? shown : "?");
    else
        text_add(name, ", %s", shown ? shown : "?");
}

/* "insert, 10 streams, shared-table". */
static json_t *name_of(const struct group *group)
{
    struct format_text number;
    struct text name = {0};
    const char *key;
    json_t *value;
    double streams = group_median(group, "stream_count");
    text_add(&name, "%s", group->phase);
    if (group->part)
        text_add(&name, ", %s", group->part);
    if (streams > 0)
        text_add(&name, ", %s stream%s", format_grouped(&number, streams), streams == 1 ? "" : "s");
    json_object_foreach((json_t *)group->factors, key, value)
    {
        add_factor(&name, key, value);
    }
    json_t *text = json_text(name.data);
    text_release(&name);
    return text;
}

/* ---- metrics ---- */

static json_t *spread_json(const struct spread *spread)
{
    json_t *list = json_array();
    json_array_append_new(list, chart_number(spread->median));
    json_array_append_new(list, chart_number(spread->low));
    json_array_append_new(list, chart_number(spread->high));
    return list;
}

static void put_metric(json_t *metrics, const char *name, const struct group *group,
                       const char *path)
{
    struct spread spread;
    group_spread(group, path, &spread);
    put(metrics, name, spread.count > 0 ? spread_json(&spread) : NULL);
}

static void put_rate(json_t *metrics, const char *name, const struct group *group)
{
    struct spread spread;
    group_rate(group, name, &spread);
    put(metrics, name, spread.count > 0 ? spread_json(&spread) : NULL);
}

/* One metric over another and a factor, repeat by repeat. */
static void put_quotient(json_t *metrics, const char *name, const struct group *group,
                         const char *above, const char *below, double factor)
{
    double *values = chart_room(group->count, sizeof *values);
    struct spread spread = {NAN, NAN, NAN, 0};
    for (size_t i = 0; i < group->count; i++) {
        double divisor = metric_value(group->phases[i], below);
        double value = metric_value(group->phases[i], above) / divisor * factor;
        if (divisor > 0 && isfinite(value))
            values[spread.count++] = value;
    }
    for (size_t i = 0; i < spread.count; i++) {
        spread.low = fmin(spread.low, values[i]);
        spread.high = fmax(spread.high, values[i]);
    }
    if (spread.count > 0)
        spread.median = summary_median(values, spread.count);
    put(metrics, name, spread.count > 0 ? spread_json(&spread) : NULL);
    free(values);
}

static json_t *metrics_of(const struct group *group)
{
    json_t *metrics = json_object();
    put_rate(metrics, "commits_per_s", group);
    put_rate(metrics, "rows_per_s", group);
    put_metric(metrics, "p50_ms", group, "latency_ms.transaction.p50");
    put_metric(metrics, "p99_ms", group, "latency_ms.transaction.p99");
    put_metric(metrics, "max_ms", group, "latency_ms.transaction.max");
    put_metric(metrics, "write_iops", group, "data.write_iops");
    put_quotient(metrics, "flushes_per_s", group, "wal.flushes", "wal.seconds", 1);
    put_quotient(metrics, "mb_per_s", group, "data.write_bytes", "data.seconds", 1e-6);
    put_metric(metrics, "cpu", group, "cpu.host_busy");
    put_metric(metrics, "fairness", group, "fairness");
    return metrics;
}

/* ---- groups ---- */

static json_t *group_json(const struct group *group)
{
    json_t *object = json_object();
    double rows = place_rows_per_commit(group);
    put(object, "name", name_of(group));
    put(object, "part", group->part ? json_text(group->part) : NULL);
    put(object, "phase", json_text(group->phase));
    put(object, "factors", group->factors ? json_incref((json_t *)group->factors) : json_object());
    put_number(object, "streams", group_median(group, "stream_count"));
    put(object, "rows_per_commit", chart_number(rows));
    put(object, "bulk", json_boolean(rows >= COMPARE_BULK_ROWS));
    put(object, "flushed", json_boolean(standing_of(group) == STANDING_FLUSHED));
    put_count(object, "repeats", (double)group->count);
    put(object, "metrics", metrics_of(group));
    return object;
}

json_t *chart_groups(const struct chart *chart)
{
    json_t *list = json_array();
    for (size_t i = 0; i < chart->groups.count; i++)
        json_array_append_new(list, group_json(&chart->groups.items[i]));
    return list;
}
