#include "result/figures_json.h"

#include <math.h>

#include "result/put.h"

const char *const latency_names[LATENCIES] = {"transaction", "lock_wait", "statement", "commit"};

static json_t *foreign_json(const struct foreign_share *foreign)
{
    json_t *object = json_object();
    put_text(object, "method", foreign_method_name(foreign->method));
    put_count(object, "write_bytes", round(foreign->write_bytes));
    put_count(object, "of_bytes", foreign->of_bytes);
    if (!isnan(foreign->read_bytes)) { /* logs of before had none */
        put_count(object, "read_bytes", round(foreign->read_bytes));
        put_count(object, "of_read_bytes", foreign->of_read_bytes);
    }
    put_real(object, "share", foreign_share_part(foreign));
    return object;
}

static void foreign_read(const json_t *device, struct foreign_share *foreign)
{
    *foreign = (struct foreign_share){
        .method = foreign_method_of(json_text_at(device, "foreign.method")),
        .write_bytes = json_number_at(device, "foreign.write_bytes"),
        .of_bytes = json_number_at(device, "foreign.of_bytes"),
        .read_bytes = json_number_at(device, "foreign.read_bytes"),
        .of_read_bytes = json_number_at(device, "foreign.of_read_bytes"),
    };
}

static json_t *temperature_json(const struct device_totals *t)
{
    json_t *object = json_object();
    put_real(object, "start", t->temperature_start_c);
    put_real(object, "max", t->temperature_max_c);
    return object;
}

json_t *figures_device_json(const char *role, const struct device_totals *t)
{
    struct device_figures f;
    figures_device(t, &f);
    json_t *object = json_object();
    put_text(object, "role", role);
    put_real(object, "seconds", t->seconds);
    put_count(object, "reads", t->reads);
    put_count(object, "writes", t->writes);
    put_count(object, "write_merges", t->write_merges);
    put_count(object, "flushes", t->flushes);
    put_count(object, "read_bytes", t->read_bytes);
    put_count(object, "write_bytes", t->write_bytes);
    put_count(object, "discards", t->discards);
    put_count(object, "read_ms", t->read_ms);
    put_count(object, "write_ms", t->write_ms);
    put_count(object, "discard_ms", t->discard_ms);
    put_count(object, "flush_ms", t->flush_ms);
    put_count(object, "settle_writes", t->settle_writes);
    put_count(object, "settle_flushes", t->settle_flushes);
    put_count(object, "settle_write_bytes", t->settle_write_bytes);
    put_count(object, "data_writes", f.data_writes);
    put_real(object, "write_iops", f.write_iops);
    put_real(object, "write_request_bytes", f.write_request_bytes);
    put_real(object, "write_await_ms", f.write_await_ms);
    put_real(object, "flush_await_ms", f.flush_await_ms);
    put_real(object, "queue_depth", f.queue_depth);
    put_count(object, "max_in_flight", t->max_in_flight);
    put(object, "temperature_c", temperature_json(t));
    put(object, "foreign", foreign_json(&t->foreign));
    return object;
}

void figures_totals_read(const json_t *device, struct device_totals *t)
{
    *t = (struct device_totals){
        .seconds = json_number_at(device, "seconds"),
        .reads = json_number_at(device, "reads"),
        .writes = json_number_at(device, "writes"),
        .write_merges = json_number_at(device, "write_merges"),
        .discards = json_number_at(device, "discards"),
        .read_bytes = json_number_at(device, "read_bytes"),
        .write_bytes = json_number_at(device, "write_bytes"),
        .read_ms = json_number_at(device, "read_ms"),
        .write_ms = json_number_at(device, "write_ms"),
        .discard_ms = json_number_at(device, "discard_ms"),
        .flushes = json_number_at(device, "flushes"),
        .flush_ms = json_number_at(device, "flush_ms"),
        .settle_writes = json_number_at(device, "settle_writes"),
        .settle_flushes = json_number_at(device, "settle_flushes"),
        .settle_write_bytes = json_number_at(device, "settle_write_bytes"),
        .max_in_flight = json_number_at(device, "max_in_flight"),
        .temperature_start_c = json_number_at(device, "temperature_c.start"),
        .temperature_max_c = json_number_at(device, "temperature_c.max"),
    };
    foreign_read(device, &t->foreign);
}

json_t *figures_latency_json(const struct hist *hist)
{
    if (!hist)
        return json_null();
    json_t *object = json_object();
    put_count(object, "count", (double)hist->count);
    put_real(object, "mean", hist_mean_ms(hist));
    put_real(object, "p50", hist_quantile_ms(hist, 0.5));
    put_real(object, "p90", hist_quantile_ms(hist, 0.9));
    put_real(object, "p99", hist_quantile_ms(hist, 0.99));
    put_real(object, "p999", hist_quantile_ms(hist, 0.999));
    put_real(object, "max", hist_max_ms(hist));
    return object;
}

json_t *figures_cost_json(double commits, double writes, double flushes, double bytes)
{
    struct commit_cost cost;
    figures_cost(commits, writes, flushes, bytes, &cost);
    if (isnan(cost.writes) && isnan(cost.flushes) && isnan(cost.bytes))
        return json_null();
    json_t *object = json_object();
    put_real(object, "writes", cost.writes);
    put_real(object, "data_writes", cost.data_writes);
    put_real(object, "flushes", cost.flushes);
    put_real(object, "bytes", cost.bytes);
    return object;
}

static json_t *sum_json(const struct device_totals *sum)
{
    json_t *object = json_object();
    put_count(object, "writes", sum->writes);
    put_count(object, "flushes", sum->flushes);
    put_count(object, "write_bytes", sum->write_bytes);
    put_count(object, "settle_writes", sum->settle_writes);
    put_count(object, "settle_flushes", sum->settle_flushes);
    put_count(object, "settle_write_bytes", sum->settle_write_bytes);
    return object;
}

bool figures_sum_read(const json_t *phase, struct device_totals *sum)
{
    const json_t *object = json_object_get(phase, "device_sum");
    figures_totals_read(object, sum);
    return json_is_object(object);
}

void figures_put_claims(json_t *phase, const struct device_totals *sum, double commits, double rows,
                        double row_bytes)
{
    bool elsewhere = sum && figures_elsewhere(commits, sum);
    put(phase, "device_sum", sum ? sum_json(sum) : NULL);
    put(phase, "measured_elsewhere", json_boolean(elsewhere));
    if (!sum || elsewhere) {
        put(phase, "per_commit", NULL);
        put(phase, "per_commit_settled", NULL);
        put(phase, "device_bytes_per_row_byte", NULL);
        return;
    }
    put(phase, "per_commit",
        figures_cost_json(commits, sum->writes, sum->flushes, sum->write_bytes));
    put(phase, "per_commit_settled",
        figures_cost_json(commits, sum->writes + sum->settle_writes,
                          sum->flushes + sum->settle_flushes,
                          sum->write_bytes + sum->settle_write_bytes));
    put_real(phase, "device_bytes_per_row_byte", figures_amplification(sum, rows, row_bytes));
}

void figures_put_work(json_t *object, double rows, double commits, double seconds)
{
    put_real(object, "elapsed_s", seconds > 0 ? seconds : NAN);
    put_count(object, "rows", rows);
    put_count(object, "commits", commits);
    put_real(object, "rows_per_s", figures_rate(rows, seconds));
    put_real(object, "commits_per_s", figures_rate(commits, seconds));
}
