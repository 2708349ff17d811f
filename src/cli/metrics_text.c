#include "cli/metrics_text.h"

#include <math.h>
#include <string.h>

#include "export/prom_label.h"

/* What all families are written with. */
struct sheet {
    struct text *text;
    const struct metrics_run *run;
    const struct run_progress *now;
    const struct metrics_totals *totals;
    struct prom_labels common; /* run_id */
};

static void describe(const struct sheet *s, const char *name, const char *type, const char *help)
{
    text_add(s->text, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void begin_labels(const struct sheet *s, struct prom_labels *labels)
{
    *labels = (struct prom_labels){.data = NULL};
    prom_label_add(labels, "run_id", s->now->run_id);
}

static void add_with(const struct sheet *s, const char *name, struct prom_labels *labels,
                     double value)
{
    if (labels->size > 0)
        text_add(s->text, "%s{%s} %.15g\n", name, labels->data, value);
    else
        text_add(s->text, "%s %.15g\n", name, value);
}

static void add_one(const struct sheet *s, const char *name, const char *type, const char *help,
                    double value)
{
    if (!isfinite(value))
        return;
    describe(s, name, type, help);
    struct prom_labels common = s->common;
    add_with(s, name, &common, value);
}

static void gauge(const struct sheet *s, const char *name, const char *help, double value)
{
    add_one(s, name, "gauge", help, value);
}

static void counter(const struct sheet *s, const char *name, const char *help, double value)
{
    add_one(s, name, "counter", help, value);
}

/* ---- the run ---- */

static const char *target_shown(const struct sheet *s, unsigned target)
{
    return target < s->run->target_count ? s->run->targets[target].shown : NULL;
}

static void add_run(const struct sheet *s)
{
    static const char name[] = "loadline_run_info";
    describe(s, name, "gauge", "What runs where, one a target.");
    for (size_t i = 0; i < s->run->target_count; i++) {
        struct prom_labels labels;
        begin_labels(s, &labels);
        prom_label_add(&labels, "version", LOADLINE_VERSION);
        prom_label_add(&labels, "workload", s->run->workload);
        prom_label_add(&labels, "label", s->run->label);
        prom_label_add(&labels, "engine", s->run->targets[i].adapter->name);
        prom_label_add(&labels, "target", s->run->targets[i].shown);
        add_with(s, name, &labels, 1);
        prom_label_release(&labels);
    }
}

static void add_phase(const struct sheet *s)
{
    static const char name[] = "loadline_phase_info";
    struct prom_labels labels;
    if (s->now->phase == NULL)
        return;
    begin_labels(s, &labels);
    prom_label_add(&labels, "phase", s->now->phase);
    prom_label_add(&labels, "part", s->now->part);
    describe(s, name, "gauge", "The phase that the run is in, or was in when it ended.");
    add_with(s, name, &labels, 1);
    prom_label_release(&labels);
}

static void add_place(const struct sheet *s, enum metrics_end end)
{
    const struct run_progress *now = s->now;
    gauge(s, "loadline_up", "1 while the run goes, 0 when it has ended.",
          end == METRICS_RUNNING ? 1 : 0);
    gauge(s, "loadline_run_ok",
          "When it has ended: 1, everything ran and every row was accounted for; 0, it failed or "
          "was stopped.",
          end == METRICS_RUNNING ? NAN
          : end == METRICS_DONE  ? 1
                                 : 0);
    add_run(s);
    gauge(s, "loadline_trial", "The trial that runs, from 1.", now->trial + 1);
    gauge(s, "loadline_trials", "Trials that are planned.",
          now->trials > 0 ? (double)now->trials : NAN);
    add_phase(s);
    gauge(s, "loadline_streams", "Concurrent streams of the trial.", now->streams);
    gauge(s, "loadline_progress_ratio", "Share of the run that is done, an estimate.",
          end == METRICS_DONE ? 1 : now->done);
    gauge(s, "loadline_time_left_seconds", "Time until the run ends, an estimate.",
          end == METRICS_RUNNING ? now->left_s : 0);
}

/* ---- what streams did ---- */

static void add_latency(const struct sheet *s)
{
    static const char name[] = "loadline_commit_latency_seconds";
    static const char *const quantiles[] = {"0.5", "0.9", "0.99", "0.999"};
    static const double values[] = {0.5, 0.9, 0.99, 0.999};
    describe(s, name, "summary",
             "Time of COMMIT alone; the quantiles are of the last 5 to 10 seconds, those with too "
             "few commits are left out.");
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        double ms = metrics_totals_quantile_ms(s->totals, values[i]);
        struct prom_labels labels;
        if (isnan(ms))
            continue;
        begin_labels(s, &labels);
        prom_label_add(&labels, "quantile", quantiles[i]);
        add_with(s, name, &labels, ms / 1e3);
        prom_label_release(&labels);
    }
    struct prom_labels common = s->common;
    add_with(s, "loadline_commit_latency_seconds_sum", &common, s->totals->latency_sum_ns / 1e9);
    add_with(s, "loadline_commit_latency_seconds_count", &common, (double)s->totals->latency_count);
}

static void add_streams(const struct sheet *s)
{
    counter(s, "loadline_commits_total", "Acknowledged commits.", (double)s->totals->commits);
    counter(s, "loadline_rows_total", "Rows in acknowledged commits, inserted or deleted.",
            (double)s->totals->rows);
    counter(s, "loadline_retries_total", "Transactions that had to be repeated.",
            (double)s->totals->retries);
    add_latency(s);
}

/* ---- what devices did ---- */

enum level { SAMPLED, LEAVES };

static const struct family {
    const char *name, *help;
    enum disk_field field;
    enum level level;
    double unit; /* of the field, in the base unit */
} families[] = {
    {"loadline_device_written_bytes_total", "Bytes written to the device.", DISK_WRITE_SECTORS,
     SAMPLED, DISK_SECTOR_BYTES},
    {"loadline_device_writes_completed_total",
     "Writes completed by the device; a flush counts among them too.", DISK_WRITES, SAMPLED, 1},
    {"loadline_device_write_time_seconds_total", "Time of all writes added up.", DISK_WRITE_MS,
     SAMPLED, 1e-3},
    {"loadline_device_flushes_total", "Flushes executed by the whole disks.", DISK_FLUSHES, LEAVES,
     1},
    {"loadline_device_flush_time_seconds_total", "Time of all flushes added up.", DISK_FLUSH_MS,
     LEAVES, 1e-3},
    {"loadline_device_read_bytes_total", "Bytes read from the device.", DISK_READ_SECTORS, SAMPLED,
     DISK_SECTOR_BYTES},
    {"loadline_device_reads_completed_total", "Reads completed by the device.", DISK_READS, SAMPLED,
     1},
    {"loadline_device_read_time_seconds_total", "Time of all reads added up.", DISK_READ_MS,
     SAMPLED, 1e-3},
    {"loadline_device_discards_completed_total", "Discards completed by the device.", DISK_DISCARDS,
     SAMPLED, 1},
    {"loadline_device_io_time_seconds_total", "Time in which the device had any request.",
     DISK_IO_MS, SAMPLED, 1e-3},
};

static bool device_total(const struct metrics_device *device, const struct family *family,
                         uint64_t *total)
{
    if (family->level == LEAVES)
        return metrics_totals_of_leaves(device, family->field, total);
    *total = device->row.total[family->field];
    return ((device->row.seen >> family->field) & 1) != 0;
}

static void add_family(const struct sheet *s, const struct family *family)
{
    bool described = false;
    for (size_t i = 0; i < s->totals->device_count; i++) {
        const struct metrics_device *device = &s->totals->devices[i];
        struct prom_labels labels;
        uint64_t total;
        if (!device_total(device, family, &total))
            continue;
        if (!described)
            describe(s, family->name, "counter", family->help);
        described = true;
        begin_labels(s, &labels);
        prom_label_add(&labels, "device", device->sampled);
        prom_label_add(&labels, "role", device->role);
        prom_label_add(&labels, "target", target_shown(s, device->target));
        add_with(s, family->name, &labels, (double)total * family->unit);
        prom_label_release(&labels);
    }
}

static void add_devices(const struct sheet *s)
{
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        add_family(s, &families[i]);
    gauge(s, "loadline_queue_depth", "Requests in flight on the data device at the last sample.",
          s->now->queue_depth);
    gauge(s, "loadline_temperature_celsius", "Temperature of the first disk of the data device.",
          s->totals->temperature_c);
}

void metrics_text_add(struct text *text, const struct metrics_run *run,
                      const struct run_progress *now, const struct metrics_totals *totals,
                      enum metrics_end end)
{
    struct sheet sheet = {.text = text, .run = run, .now = now, .totals = totals};
    begin_labels(&sheet, &sheet.common);
    text_add(text, "%s", METRICS_TEXT_MARKER);
    add_place(&sheet, end);
    add_streams(&sheet);
    add_devices(&sheet);
    prom_label_release(&sheet.common);
}
