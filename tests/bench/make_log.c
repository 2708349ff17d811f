/* make_log FILE TRIALS SAMPLES [noisy] - a result log as long runs leave them: an insert and a
 * delete phase a trial, SAMPLES samples in all of each, 10 numbers of streams in turns.  Invented,
 * the same at every run, by the functions that write real logs.  Noisy: nothing is as regular as it
 * is otherwise (ticks come late, costs vary, latencies have a tail), and so less easily compressed.
 */
#include <malloc.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/parse.h"
#include "base/rng.h"
#include "result/log.h"
#include "result/record.h"
#include "result/trial.h"

enum { STREAMS_STEPS = 10, TICK_MS = 100, LATENCIES = 200 };

struct world {
    struct log *log;
    struct device_set *devices;
    struct rng rng;
    int64_t now_ns;
    unsigned trial, phase, streams;
    uint64_t commits, writes, sectors, flushes, busy_ms, busy_ticks, total_ticks, wal_bytes;
    int64_t client_ns;
    bool noisy;
};

static void give_up(const struct err *err)
{
    fprintf(stderr, "make_log: %s\n", err->text);
    exit(1);
}

static void write_record(struct world *w, json_t *record)
{
    struct err err;
    if (log_write(w->log, record, &err) != 0)
        give_up(&err);
}

static double noise(struct world *w) /* 0 to 1 */
{
    return (double)(rng_next(&w->rng) >> 11) / 9007199254740992.0;
}

static struct device_set *make_devices(void)
{
    struct device_set *set = calloc(1, sizeof *set);
    struct device *device = &set->devices[set->count++];
    device->role = "data";
    device->fill = 0.5;
    device->stack.known = true;
    device->stack.count = device->stack.leaf_count = 1;
    snprintf(device->stack.filesystem, sizeof device->stack.filesystem, "ext4");
    snprintf(device->stack.sampled, STACK_NAME, "nvme0n1");
    snprintf(device->stack.names[0], STACK_NAME, "nvme0n1");
    snprintf(device->stack.leaves[0], STACK_NAME, "nvme0n1");
    device->leaf_count = 1;
    set->names[set->name_count++] = device->stack.sampled;
    return set;
}

static void write_header(struct world *w, unsigned trials)
{
    const struct environment machine = {
        .kernel = "6.1.0", .cpu_model = "Example CPU", .cpus = 2, .memory_bytes = 1 << 30};
    const struct header_target target = {
        .target = "/mnt/ssd", .engine = "sqlite", .devices = w->devices};
    json_t *streams = json_array();
    for (unsigned i = 0; i < STREAMS_STEPS; i++)
        json_array_append_new(streams, json_integer(1 + 2 * i));
    const struct header_record header = {
        .run_id = "0123456789abcdef",
        .started = "2026-12-01T09:14:00Z",
        .workload_name = "bench",
        .workload =
            json_pack("{s:s, s:s, s:s, s:o}", "workload.phases", "insert, delete", "row.payload",
                      "100", "workload.rows_per_commit", "1", "workload.streams", streams),
        .environment = &machine,
        .engine = "sqlite",
        .engine_version = "3.40.1",
        .engine_settings = json_pack("{s:s, s:s}", "journal_mode", "WAL", "synchronous", "FULL"),
        .target_count = 1,
        .targets = &target,
        .trials = trials,
    };
    write_record(w, header_json(&header));
}

static void fill_disk(struct diskstats *row, const char *name, const struct world *w)
{
    snprintf(row->name, sizeof row->name, "%s", name);
    row->present = (UINT32_C(1) << DISK_FIELDS) - 1;
    row->value[DISK_READS] = 436894;
    row->value[DISK_READ_SECTORS] = 11385042;
    row->value[DISK_READ_MS] = 281851;
    row->value[DISK_WRITES] = 20867229 + w->writes;
    row->value[DISK_WRITE_SECTORS] = 364170008 + w->sectors;
    row->value[DISK_WRITE_MS] = 8041638 + w->busy_ms;
    row->value[DISK_IN_FLIGHT] = w->commits % 3;
    row->value[DISK_IO_MS] = 1984272 + w->busy_ms;
    row->value[DISK_WEIGHTED_MS] = 9797497 + w->busy_ms;
    row->value[DISK_FLUSHES] = 6643022 + w->flushes;
    row->value[DISK_FLUSH_MS] = 1291671 + w->busy_ms / 2;
}

static struct sample *take(struct world *w, enum sample_mark mark, struct hist *commit)
{
    struct sample *s = sample_create(w->streams, w->devices->name_count);
    s->t0_ns = w->now_ns;
    s->t1_ns = w->now_ns + 40000;
    s->mark = mark;
    s->trial = w->trial;
    s->phase = w->phase;
    s->commits = s->rows = w->commits;
    s->row_bytes = 116;
    for (unsigned i = 0; i < w->streams; i++)
        s->stream_commits[i] = s->stream_rows[i] = w->commits / w->streams;
    for (size_t i = 0; i < s->disk_count; i++)
        fill_disk(&s->disks[i], w->devices->names[i], w);
    s->gauges[s->gauge_count++] = (struct gauge){"wal_bytes", (double)w->wal_bytes};
    s->client_cpu_ns = w->noisy ? w->client_ns : w->now_ns / 4;
    s->host = (struct host_cpu){.busy = w->noisy ? w->busy_ticks : w->total_ticks / 3,
                                .total = w->total_ticks};
    s->temperature_c = 40 + floor(3 * noise(w));
    s->commit = commit;
    write_record(w, sample_json(s, w->devices, 0));
    s->commit = NULL;
    return s;
}

static double bell(struct world *w) /* about normal: mean 0, deviation 1 */
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += noise(w);
    return sum;
}

/* About a tenth of a second later. */
static void advance_noisily(struct world *w, struct hist *commit)
{
    double rate = 100 + 30 * w->streams, late_ms = 0.3 * exp(bell(w));
    uint64_t commits = (uint64_t)fmax(1, rate * (1 + 0.15 * bell(w)));
    uint64_t writes = (uint64_t)((double)commits * (1.1 + 0.05 * fabs(bell(w))));
    w->now_ns += (int64_t)((TICK_MS + late_ms) * 1e6);
    w->commits += commits;
    w->writes += commits + writes;
    w->sectors += 16 * writes + 8 * (uint64_t)(30 * noise(w));
    w->flushes += commits - (uint64_t)((double)commits * 0.1 * noise(w));
    w->busy_ms += (uint64_t)fmax(1, 70 + 10 * bell(w));
    w->total_ticks += 20;
    w->busy_ticks += (uint64_t)fmin(20, fmax(0, 6 + 2 * bell(w)));
    w->client_ns += (int64_t)(fmax(1, 25 + 3 * bell(w)) * 1e6);
    w->wal_bytes = w->wal_bytes > 40000000 ? 4096 : w->wal_bytes + 4120 * commits;
    hist_reset(commit);
    for (uint64_t i = 0; i < commits; i++)
        hist_record(commit, (int64_t)(8e5 * exp(0.4 * bell(w)) * (noise(w) < 0.01 ? 5 : 1)));
}

/* A tenth of a second later. */
static void advance(struct world *w, struct hist *commit)
{
    if (w->noisy) {
        advance_noisily(w, commit);
        return;
    }
    uint64_t commits = (uint64_t)(80 + 10 * w->streams + 20 * noise(w));
    w->now_ns += TICK_MS * INT64_C(1000000);
    w->commits += commits;
    w->writes += 2 * commits;
    w->sectors += 17 * commits;
    w->flushes += commits;
    w->busy_ms += (uint64_t)(60 + 20 * noise(w));
    w->total_ticks += 20;
    w->wal_bytes = 4214792;
    hist_reset(commit);
    for (uint64_t i = 0; i < commits; i++)
        hist_record(commit, (int64_t)(9e5 + 4e5 * noise(w)));
}

static json_t *play(struct world *w, unsigned samples, enum phase_kind kind)
{
    struct series series = {0};
    struct hist *commit = hist_create(), *all = hist_create();
    struct sample *start = take(w, SAMPLE_PHASE_START, NULL), *before = NULL, *now = start;
    for (unsigned i = 3; i <= samples; i++) {
        advance(w, commit);
        hist_add(all, commit);
        if (before != start)
            sample_destroy(before);
        before = now;
        now = take(w, i < samples ? SAMPLE_TICK : SAMPLE_PHASE_END, commit);
        series_add(&series, w->devices, start, before, now);
    }
    struct sample *settled = take(w, SAMPLE_SETTLED, NULL);
    struct workload load = {.streams = w->streams,
                            .shape = {.key_columns = 1, .payload_bytes = 100}};
    struct stream_record *streams = calloc(w->streams, sizeof *streams);
    uint64_t *first = calloc(w->streams, sizeof *first);
    uint64_t commits = now->commits - start->commits;
    int64_t elapsed_ns = now->t0_ns - start->t1_ns;
    for (unsigned i = 0; i < w->streams; i++) {
        first[i] = commits / w->streams + (i < commits % w->streams);
        streams[i] = (struct stream_record){first[i], first[i], elapsed_ns, elapsed_ns};
    }
    const struct phase_record record = {
        .kind = kind,
        .load = &load,
        .devices = w->devices,
        .elapsed_ns = elapsed_ns,
        .settled = true,
        .stream_count = w->streams,
        .streams = streams,
        .first_elapsed_ns = elapsed_ns,
        .first_rows = commits,
        .first_commits = first,
        .transaction = all,
        .commit = all,
        .statement = all,
        .lock_wait = all,
        .start = start,
        .end = now,
        .settled_sample = settled,
        .series = &series,
        .verify = {.checked = true, .integrity_ok = true, .integrity = "ok"},
        .floor_commits_per_s = 1000};
    json_t *phase = phase_json(&record);
    if (before != start)
        sample_destroy(before);
    sample_destroy(start);
    sample_destroy(now);
    sample_destroy(settled);
    series_release(&series);
    hist_destroy(commit);
    hist_destroy(all);
    free(streams);
    free(first);
    w->phase++;
    return phase;
}

static void play_trial(struct world *w, unsigned index, unsigned samples)
{
    char streams[16];
    w->trial = index;
    w->phase = 0;
    w->commits = 0;
    w->streams = 1 + 2 * (index % STREAMS_STEPS);
    snprintf(streams, sizeof streams, "%u", w->streams);
    const struct factor_record factor = {"streams", streams, w->streams};
    struct trial_record trial = {.index = index,
                                 .repeat = index / STREAMS_STEPS,
                                 .factor_count = 1,
                                 .factors = &factor,
                                 .begin_locks = true,
                                 .commit_flushes = true,
                                 .floor_before = 1000,
                                 .floor_after = 1000};
    write_record(w, trial_start_json((double)w->now_ns / 1e9, &trial));
    trial.phases = json_array();
    json_array_append_new(trial.phases, play(w, samples / 2, PHASE_INSERT));
    json_array_append_new(trial.phases, play(w, samples - samples / 2, PHASE_DELETE));
    trial.phase_count = 2;
    write_record(w, trial_json(&trial));
    json_decref(trial.phases);
}

int main(int argc, char **argv)
{
    struct err err;
    uint64_t trials, samples;
    bool noisy = argc == 5 && strcmp(argv[4], "noisy") == 0;
    if ((argc != 4 && !noisy) || parse_count(argv[2], &trials, &err) != 0 ||
        parse_count(argv[3], &samples, &err) != 0 || samples < 8 || trials > 10000 ||
        samples > 10000000) {
        fputs("usage: make_log FILE TRIALS SAMPLES [noisy]\n", stderr);
        return 2;
    }
    mallopt(M_TRIM_THRESHOLD, 64 << 20); /* else four calls of brk() a sample */
    struct world world = {
        .noisy = noisy, .rng = {42}, .now_ns = 4000000000, .total_ticks = 2043099};
    if (log_create(argv[1], &world.log, &err) != 0)
        give_up(&err);
    world.devices = make_devices();
    write_header(&world, (unsigned)trials);
    for (unsigned i = 0; i < trials; i++)
        play_trial(&world, i, (unsigned)samples);
    write_record(&world, end_json(json_object(), false));
    free(world.devices);
    if (log_close(world.log, &err) != 0)
        give_up(&err);
    return 0;
}
