#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "result/correlate.h"
#include "result/figures_json.h"
#include "result/put.h"
#include "result/server.h"
#include "result/trial.h"
#include "result/waits.h"
#include "stats/summary.h"

static void put_rates(json_t *phase, const struct phase_record *p)
{
    uint64_t rows = 0, commits = 0, first = 0;
    for (size_t i = 0; i < p->stream_count; i++) {
        rows += p->streams[i].rows;
        commits += p->streams[i].commits;
        first += p->first_commits ? p->first_commits[i] : 0;
    }
    figures_put_work(phase, (double)rows, (double)commits, (double)p->elapsed_ns / 1e9);
    put_real(phase, "settle_s", p->settled_sample ? (double)p->settle_ns / 1e9 : NAN);
    put(phase, "settled", json_boolean(p->settled));
    json_t *all = NULL;
    if (p->first_commits) {
        all = json_object();
        figures_put_work(all, (double)p->first_rows, (double)first,
                         (double)p->first_elapsed_ns / 1e9);
    }
    put(phase, "all_streams", all);
}

static void put_latency(json_t *phase, const struct phase_record *p)
{
    const struct hist *hists[LATENCIES] = {p->transaction, p->lock_wait, p->statement, p->commit};
    json_t *latency = json_object(), *encoded = json_object();
    for (size_t i = 0; i < LATENCIES; i++) {
        put(latency, latency_names[i], figures_latency_json(hists[i]));
        char *text = hists[i] ? hist_encode(hists[i]) : NULL;
        put_text(encoded, latency_names[i], text);
        free(text);
    }
    put(phase, "latency_ms", latency);
    put(phase, "histograms", encoded);
}

static void put_retries(json_t *phase, const struct phase_record *p)
{
    json_t *retries = json_object();
    put_count(retries, "busy", (double)p->retries[0]);
    put_count(retries, "conflict", (double)p->retries[1]);
    put_count(retries, "deadlock", (double)p->retries[2]);
    put(phase, "retries", retries);
    put_count(phase, "reconnects", (double)p->reconnects);
    put_count(phase, "in_doubt_rows", (double)p->in_doubt_rows);
}

static double fairness(const struct phase_record *p)
{
    if (!p->first_commits || p->stream_count == 0)
        return NAN;
    double *commits = calloc(p->stream_count, sizeof *commits);
    if (!commits)
        return NAN;
    for (size_t i = 0; i < p->stream_count; i++)
        commits[i] = (double)p->first_commits[i];
    double index = summary_jain(commits, p->stream_count);
    free(commits);
    return index;
}

static void put_streams(json_t *phase, const struct phase_record *p)
{
    json_t *streams = json_array();
    for (size_t i = 0; i < p->stream_count; i++) {
        const struct stream_record *s = &p->streams[i];
        json_t *stream = json_object();
        put_count(stream, "stream", (double)i);
        put_count(stream, "rows", (double)s->rows);
        put_count(stream, "commits", (double)s->commits);
        put_real(stream, "elapsed_s", (double)s->elapsed_ns / 1e9);
        put_real(stream, "transaction_s",
                 s->transaction_ns < 0 ? NAN : (double)s->transaction_ns / 1e9);
        json_array_append_new(streams, stream);
    }
    put_count(phase, "stream_count", (double)p->stream_count);
    put(phase, "streams", streams);
    put_real(phase, "fairness", fairness(p));
    put_real(phase, "concurrency", figures_concurrency(p->streams, p->stream_count));
}

static double series_max_in_flight(const struct series *series)
{
    double most = NAN;
    for (size_t i = 0; series && i < series->count; i++)
        most = fmax(most, series->items[i].in_flight);
    return most;
}

/* The sampler reads one sensor, that of the first disk under the data. */
static void take_temperature(const struct phase_record *p, struct device_totals *data)
{
    data->temperature_start_c = p->start->temperature_c;
    data->temperature_max_c = fmax(p->start->temperature_c, p->end->temperature_c);
    for (size_t i = 0; p->series && i < p->series->count; i++)
        data->temperature_max_c = fmax(data->temperature_max_c, p->series->items[i].temperature_c);
}

/* False: no device of the role data is known. */
static bool put_devices(json_t *phase, const struct phase_record *p)
{
    json_t *devices = json_object();
    bool found = false;
    for (size_t i = 0; p->devices && i < p->devices->count; i++) {
        const struct device *device = &p->devices->devices[i];
        /* Two roles on one device: its counters are shown once, as the first role's. */
        if (device->leaf_count == 0 || json_object_get(devices, device->stack.sampled))
            continue;
        struct device_totals totals;
        figures_totals(device, p->start, p->end, p->settled_sample, &totals);
        if (p->foreign)
            totals.foreign = p->foreign[i];
        if (!found && strcmp(device->role, "data") == 0) {
            totals.max_in_flight = series_max_in_flight(p->series);
            take_temperature(p, &totals);
            found = true;
        }
        put(devices, device->stack.sampled, figures_device_json(device->role, &totals));
    }
    put(phase, "devices", devices);
    return found;
}

static json_t *wal_part_json(const struct series *series, enum wal_state state)
{
    if (!series || !series->has_wal)
        return NULL;
    struct wal_part part;
    figures_wal_part(series, state, &part);
    if (part.commits <= 0)
        return NULL;
    json_t *object = json_object();
    put_real(object, "seconds", part.seconds);
    put_count(object, "commits", part.commits);
    put_real(object, "commits_per_s", figures_rate(part.commits, part.seconds));
    put(object, "per_commit",
        figures_cost_json(part.commits, part.writes, part.flushes, part.bytes));
    return object;
}

static void put_series(json_t *phase, const struct series *series, bool claims)
{
    put(phase, "wal_growing", claims ? wal_part_json(series, WAL_GROWING) : NULL);
    put(phase, "wal_recycled", claims ? wal_part_json(series, WAL_RECYCLED) : NULL);
    put(phase, "correlation", correlate_json(claims ? series : NULL));
}

/* Fewer clock ticks of all CPUs together than this say nothing of a share. */
enum { HOST_TICKS_MIN = 50 };

static void put_cpu(json_t *phase, const struct phase_record *p)
{
    double client_s = (double)(p->end->client_cpu_ns - p->start->client_cpu_ns) / 1e9;
    double total = (double)p->end->host.total - (double)p->start->host.total;
    double busy = (double)p->end->host.busy - (double)p->start->host.busy;
    json_t *cpu = json_object();
    put_real(cpu, "client_s", client_s);
    put_real(cpu, "host_busy", total < HOST_TICKS_MIN ? NAN : figures_rate(busy, total));
    put_real(cpu, "client_us_per_commit",
             figures_rate(client_s * 1e6, json_number_at(phase, "commits")));
    put_real(cpu, "client_us_per_row", figures_rate(client_s * 1e6, json_number_at(phase, "rows")));
    put(phase, "cpu", cpu);
}

static void put_engine(json_t *phase, const struct phase_record *p)
{
    json_t *counters = json_object(), *gauges = json_object();
    for (size_t i = 0; i < p->metric_count; i++) {
        const struct metric *metric = &p->metrics[i];
        put_number(metric->is_counter ? counters : gauges, metric->name, metric->value);
    }
    put(phase, "engine", counters);
    put(phase, "gauges", gauges);
}

static json_t *verify_json(const struct verify_record *v)
{
    json_t *object = json_object();
    bool ok = v->lost_rows == 0 && v->surplus_rows == 0 && v->wrong_rows == 0 && v->integrity_ok;
    put(object, "ok", v->checked ? json_boolean(ok) : NULL);
    put_count(object, "expected_rows", v->checked ? (double)v->expected_rows : NAN);
    put_count(object, "found_rows", v->checked ? (double)v->found_rows : NAN);
    put_count(object, "lost_rows", v->checked ? (double)v->lost_rows : NAN);
    put_count(object, "surplus_rows", v->checked ? (double)v->surplus_rows : NAN);
    put_count(object, "wrong_rows", v->checked ? (double)v->wrong_rows : NAN);
    put_count(object, "in_doubt_rows", v->checked ? (double)v->in_doubt_rows : NAN);
    put_text(object, "integrity", v->checked ? v->integrity : NULL);
    json_t *first = json_array();
    for (size_t i = 0; v->checked && i < v->shown && i < RESULT_KEYS_SHOWN; i++) {
        json_t *row = json_object();
        put(row, "id", json_integer(v->first[i].id));
        put_text(row, "what", v->first[i].what);
        json_array_append_new(first, row);
    }
    put(object, "first", first);
    return object;
}

json_t *phase_json(const struct phase_record *p)
{
    json_t *phase = json_object();
    put_text(phase, "name", phase_name(p->kind));
    put_count(phase, "cycle", p->cycle);
    put_rates(phase, p);
    put_latency(phase, p);
    put_retries(phase, p);
    put_streams(phase, p);

    struct device_totals total;
    bool known = put_devices(phase, p);
    figures_sum(p->devices, p->start, p->end, p->settled_sample, &total);
    double row_size = p->load ? (double)row_bytes(&p->load->shape) : NAN;
    put_real(phase, "row_bytes", row_size);
    figures_put_claims(phase, known ? &total : NULL, json_number_at(phase, "commits"),
                       json_number_at(phase, "rows"), row_size);
    bool claims = known && !json_is_true(json_object_get(phase, "measured_elsewhere"));
    put_series(phase, p->series, claims);

    /* The rate while all streams ran; where that moment is not known, the whole phase's. */
    double rate = json_number_at(phase, "all_streams.commits_per_s");
    if (isnan(rate))
        rate = json_number_at(phase, "commits_per_s");
    put_real(phase, "share_of_floor", figures_rate(rate, p->floor_commits_per_s));
    put_real(phase, "floor_commits_per_s", p->floor_commits_per_s);
    put_cpu(phase, p);
    put_engine(phase, p);
    put(phase, "server",
        server_json(json_object_get(phase, "engine"), json_number_at(phase, "commits"),
                    json_number_at(phase, "rows")));
    put(phase, "waits", waits_json(p->waits, p->wait_count, p->wait_observations));
    put(phase, "verify", verify_json(&p->verify));
    return phase;
}
