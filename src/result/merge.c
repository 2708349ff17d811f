#include "result/merge.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "result/correlate.h"
#include "result/figures_json.h"
#include "result/put.h"
#include "result/rounds.h"
#include "result/server.h"
#include "result/waits.h"

/* The cycles of one phase; `count` >= 1. */
struct cycles {
    const json_t **items;
    size_t count;
};

static double sum(const struct cycles *c, const char *path)
{
    double total = 0;
    for (size_t i = 0; i < c->count; i++)
        total += json_number_at(c->items[i], path);
    return total;
}

/* Mean over the cycles, by the time that each took. */
static double mean(const struct cycles *c, const char *path)
{
    double total = 0;
    for (size_t i = 0; i < c->count; i++)
        total += json_number_at(c->items[i], path) * json_number_at(c->items[i], "elapsed_s");
    return figures_rate(total, sum(c, "elapsed_s"));
}

/* The members of object `key` summed: those that every cycle has. */
static json_t *sum_members(const struct cycles *c, const char *key)
{
    json_t *object = json_object();
    const char *name;
    json_t *value;
    json_object_foreach(json_object_get(c->items[0], key), name, value)
    {
        double total = 0;
        for (size_t i = 0; i < c->count; i++) {
            const json_t *item = json_object_get(json_object_get(c->items[i], key), name);
            total += json_is_number(item) ? json_number_value(item) : NAN;
        }
        put_number(object, name, total);
    }
    return object;
}

static void put_work(json_t *phase, const struct cycles *c)
{
    figures_put_work(phase, sum(c, "rows"), sum(c, "commits"), sum(c, "elapsed_s"));
    put_real(phase, "settle_s", sum(c, "settle_s"));
    json_t *all = json_object();
    figures_put_work(all, sum(c, "all_streams.rows"), sum(c, "all_streams.commits"),
                     sum(c, "all_streams.elapsed_s"));
    put(phase, "all_streams", all);
}

/* All cycles' histograms of one latency in one; NULL where one is missing or not readable. */
static struct hist *merge_hists(const struct cycles *c, const char *name)
{
    struct hist *total = hist_create(), *part = hist_create();
    size_t i = 0;
    for (; i < c->count; i++) {
        struct err err;
        const json_t *all = json_object_get(c->items[i], "histograms");
        const char *text = json_string_value(json_object_get(all, name));
        hist_reset(part);
        if (!text || hist_decode(text, part, &err) != 0)
            break;
        hist_add(total, part);
    }
    hist_destroy(part);
    if (i == c->count)
        return total;
    hist_destroy(total);
    return NULL;
}

static json_t *merge_latency(const struct cycles *c, const char *name)
{
    double count = 0, weighted = 0, max = NAN;
    for (size_t i = 0; i < c->count; i++) {
        const json_t *item = json_object_get(json_object_get(c->items[i], "latency_ms"), name);
        double n = json_number_at(item, "count");
        count += n;
        weighted += n > 0 ? n * json_number_at(item, "mean") : 0;
        max = fmax(max, json_number_at(item, "max"));
    }
    if (isnan(count))
        return NULL;
    struct hist *hist = merge_hists(c, name);
    json_t *object = json_object();
    /* The decoded maximum is its bucket's; the recorded one is exact. */
    if (hist && max * 1e6 < (double)hist->max_ns)
        hist->max_ns = (int64_t)(max * 1e6);
    put_count(object, "count", count);
    put_real(object, "mean", figures_rate(weighted, count));
    put_real(object, "p50", hist ? hist_quantile_ms(hist, 0.5) : NAN);
    put_real(object, "p90", hist ? hist_quantile_ms(hist, 0.9) : NAN);
    put_real(object, "p99", hist ? hist_quantile_ms(hist, 0.99) : NAN);
    put_real(object, "p999", hist ? hist_quantile_ms(hist, 0.999) : NAN);
    put_real(object, "max", max);
    hist_destroy(hist);
    return object;
}

static void put_devices(json_t *phase, const struct cycles *c)
{
    json_t *devices = json_object();
    const char *name;
    json_t *device;
    json_object_foreach(json_object_get(c->items[0], "devices"), name, device)
    {
        struct device_totals total, part;
        figures_totals_read(device, &total);
        for (size_t i = 1; i < c->count; i++) {
            const json_t *all = json_object_get(c->items[i], "devices");
            figures_totals_read(json_object_get(all, name), &part);
            figures_totals_add(&total, &part);
        }
        put(devices, name, figures_device_json(json_text_at(device, "role"), &total));
    }
    put(phase, "devices", devices);
}

/* What the devices of data and WAL did together; results of earlier versions have the data's
 * alone.  False: nothing is known. */
static bool read_sum(const json_t *cycle, struct device_totals *sum)
{
    const char *name;
    json_t *device;
    if (figures_sum_read(cycle, sum))
        return true;
    json_object_foreach(json_object_get(cycle, "devices"), name, device)
    {
        const char *role = json_text_at(device, "role");
        figures_totals_read(device, sum);
        if (role && strcmp(role, "data") == 0)
            return true;
    }
    return false;
}

/* What one cycle does not know, the sum does not know. */
static bool merge_sum(const struct cycles *c, struct device_totals *total)
{
    bool known = read_sum(c->items[0], total);
    for (size_t i = 1; known && i < c->count; i++) {
        struct device_totals part;
        known = read_sum(c->items[i], &part);
        figures_totals_add(total, &part);
    }
    return known;
}

static json_t *merge_wal_part(const struct cycles *c, const char *key)
{
    struct wal_part total = {0};
    for (size_t i = 0; i < c->count; i++) {
        const json_t *part = json_object_get(c->items[i], key);
        double commits = json_number_at(part, "commits");
        if (!(commits > 0)) /* a cycle without this part adds nothing to it */
            continue;
        total.seconds += json_number_at(part, "seconds");
        total.commits += commits;
        total.writes += commits * json_number_at(part, "per_commit.writes");
        total.flushes += commits * json_number_at(part, "per_commit.flushes");
        total.bytes += commits * json_number_at(part, "per_commit.bytes");
    }
    if (!(total.commits > 0))
        return NULL;
    json_t *object = json_object();
    put_real(object, "seconds", total.seconds);
    put_count(object, "commits", total.commits);
    put_real(object, "commits_per_s", figures_rate(total.commits, total.seconds));
    put(object, "per_commit",
        figures_cost_json(total.commits, total.writes, total.flushes, total.bytes));
    return object;
}

static json_t *merge_verify(const struct cycles *c)
{
    json_t *verify = sum_members(c, "verify");
    size_t right = 0;
    bool wrong = false;
    const char *words = NULL;
    for (size_t i = 0; i < c->count; i++) {
        const json_t *ok = json_at(c->items[i], "verify.ok");
        right += json_is_true(ok);
        wrong |= json_is_false(ok);
        if (!words || strcmp(words, "ok") == 0)
            words = json_text_at(c->items[i], "verify.integrity");
    }
    put(verify, "ok", wrong || right == c->count ? json_boolean(!wrong) : NULL);
    put_text(verify, "integrity", words);
    json_object_del(verify, "first");
    return verify;
}

static void put_claims(json_t *phase, const struct cycles *c)
{
    struct device_totals total;
    bool known = merge_sum(c, &total);
    put_devices(phase, c);
    double row_bytes = json_number_at(c->items[0], "row_bytes");
    put_real(phase, "row_bytes", row_bytes);
    figures_put_claims(phase, known ? &total : NULL, json_number_at(phase, "commits"),
                       json_number_at(phase, "rows"), row_bytes);
    put(phase, "wal_growing", merge_wal_part(c, "wal_growing"));
    put(phase, "wal_recycled", merge_wal_part(c, "wal_recycled"));
    put(phase, "correlation", correlate_merge(c->items, c->count)); /* no intervals are kept */
}

static void put_cpu(json_t *phase, const struct cycles *c)
{
    double client_s = sum(c, "cpu.client_s");
    json_t *cpu = json_object();
    put_real(cpu, "client_s", client_s);
    put_real(cpu, "host_busy", mean(c, "cpu.host_busy"));
    put_real(cpu, "client_us_per_commit",
             figures_rate(client_s * 1e6, json_number_at(phase, "commits")));
    put_real(cpu, "client_us_per_row", figures_rate(client_s * 1e6, json_number_at(phase, "rows")));
    put(phase, "cpu", cpu);
}

static json_t *merge_phase(const struct cycles *c, const char *name)
{
    json_t *phase = json_object();
    put_text(phase, "name", name);
    put_count(phase, "cycles", (double)c->count);
    put_work(phase, c);
    json_t *latency = json_object();
    for (size_t i = 0; i < LATENCIES; i++)
        put(latency, latency_names[i], merge_latency(c, latency_names[i]));
    put(phase, "latency_ms", latency);
    put(phase, "retries", sum_members(c, "retries"));
    put_count(phase, "reconnects", sum(c, "reconnects"));
    put_count(phase, "in_doubt_rows", sum(c, "in_doubt_rows"));
    put_count(phase, "stream_count", json_number_at(c->items[0], "stream_count"));
    put_real(phase, "fairness", mean(c, "fairness"));
    put_real(phase, "concurrency", mean(c, "concurrency"));
    put_claims(phase, c);
    double rate = json_number_at(phase, "all_streams.commits_per_s");
    if (isnan(rate))
        rate = json_number_at(phase, "commits_per_s");
    double floor_rate = json_number_at(c->items[0], "floor_commits_per_s");
    put_real(phase, "share_of_floor", figures_rate(rate, floor_rate));
    put_real(phase, "floor_commits_per_s", floor_rate);
    put_cpu(phase, c);
    put(phase, "engine", sum_members(c, "engine"));
    put(phase, "gauges", json_copy(json_object_get(c->items[c->count - 1], "gauges")));
    put(phase, "server",
        server_json(json_object_get(phase, "engine"), json_number_at(phase, "commits"),
                    json_number_at(phase, "rows")));
    put(phase, "waits", waits_merge(c->items, c->count));
    put(phase, "verify", merge_verify(c));
    return phase;
}

static bool is_named(const json_t *phase, const char *name)
{
    const char *other = json_text_at(phase, "name");
    return other && strcmp(other, name) == 0;
}

json_t *merge_cycles(const json_t *phases)
{
    enum { NAMES_MAX = 64 }; /* far above what a workload can hold: a bound for strange files */
    size_t count = json_array_size(phases);
    struct cycles c = {calloc(count ? count : 1, sizeof *c.items), 0};
    json_t *merged = json_array();
    bool repeated = false;
    for (size_t i = 0; c.items && i < count && json_array_size(merged) < NAMES_MAX; i++) {
        const char *name = json_text_at(json_array_get(phases, i), "name");
        bool is_new = name != NULL && !rounds_is_after_pause(json_array_get(phases, i));
        for (size_t m = 0; is_new && m < json_array_size(merged); m++)
            is_new = !is_named(json_array_get(merged, m), name);
        if (!is_new)
            continue;
        c.count = 0;
        for (size_t k = i; k < count; k++)
            if (is_named(json_array_get(phases, k), name) &&
                !rounds_is_after_pause(json_array_get(phases, k)))
                c.items[c.count++] = json_array_get(phases, k);
        repeated |= c.count > 1;
        json_array_append_new(merged, merge_phase(&c, name));
    }
    free(c.items);
    if (repeated)
        return merged;
    json_decref(merged);
    return NULL;
}
