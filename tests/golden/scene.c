#include "scene.h"

#include <math.h>
#include <stdlib.h>

#include "result/record.h"

static void fail(const struct err *err)
{
    fprintf(stderr, "make_logs: %s\n", err->text);
    exit(1);
}

void scene_write(struct log *log, json_t *record)
{
    struct err err;
    if (log_write(log, record, &err) != 0)
        fail(&err);
}

static double noise(struct world *w) /* 0 to 1 */
{
    return (double)(rng_next(&w->rng) >> 11) / 9007199254740992.0;
}

/* Most near the median, a long tail: u^12 of a uniform u; its mean is so many medians. */
#define MEDIANS_OF_MEAN (0.8 + 0.35 / 2 + 1.4 / 13)

static struct hist *latencies(struct world *w, double median_ms, double count)
{
    struct hist *hist = hist_create();
    enum { MOST = 20000 }; /* enough for every percentile */
    for (double i = 0; i < count && i < MOST; i++) {
        double u = noise(w);
        double tail = u * u * u * u;
        hist_record(hist, (int64_t)(median_ms * 1e6 * (0.8 + 0.35 * u + 1.4 * tail * tail * tail)));
    }
    return hist;
}

static struct sample *sample_now(const struct world *w, enum sample_mark mark, unsigned cycle,
                                 unsigned streams)
{
    struct sample *s = sample_create(streams, w->devices ? w->devices->name_count : 0);
    s->t0_ns = (int64_t)(w->now_s * 1e9);
    s->t1_ns = s->t0_ns + 40000;
    s->mark = mark;
    s->trial = w->trial;
    s->phase = w->phase;
    s->cycle = cycle;
    s->commits = (uint64_t)w->commits;
    s->rows = (uint64_t)w->rows;
    for (unsigned i = 0; i < streams; i++) {
        s->stream_commits[i] = s->commits / streams + (i < s->commits % streams);
        s->stream_rows[i] = s->rows / streams + (i < s->rows % streams);
    }
    for (size_t i = 0; i < s->disk_count; i++) {
        struct diskstats *d = &s->disks[i];
        const struct disk_work *work = &w->disks[i];
        snprintf(d->name, sizeof d->name, "%s", w->devices->names[i]);
        d->present = (UINT32_C(1) << DISK_FIELDS) - 1;
        d->value[DISK_WRITES] = (uint64_t)(work->writes + work->flushes);
        d->value[DISK_WRITE_SECTORS] = (uint64_t)(work->bytes / 4096) * 8;
        d->value[DISK_WRITE_MS] = (uint64_t)(work->write_ms + work->flush_ms);
        d->value[DISK_FLUSHES] = (uint64_t)work->flushes;
        d->value[DISK_FLUSH_MS] = (uint64_t)work->flush_ms;
        d->value[DISK_IN_FLIGHT] = mark == SAMPLE_TICK ? 1 + s->commits % 3 : 0;
    }
    if (!w->server)
        s->gauges[s->gauge_count++] = (struct gauge){"wal_bytes", w->wal};
    s->client_cpu_ns = (int64_t)(w->client_s * 1e9);
    s->host.busy = (uint64_t)w->busy;
    s->host.total = (uint64_t)w->total;
    s->temperature_c = w->celsius > 0 ? w->celsius + fmin(6, floor(w->now_s / 9)) : NAN;
    return s;
}

static struct sample *take_sample(struct world *w, enum sample_mark mark, unsigned cycle,
                                  unsigned streams)
{
    struct sample *s = sample_now(w, mark, cycle, streams);
    if (!w->log)
        return s;
    if (w->timed && mark == SAMPLE_TICK)
        s->commit = latencies(w, w->interval_ms, w->interval_commits);
    scene_write(w->log, sample_json(s, w->devices, 0));
    hist_destroy(s->commit);
    s->commit = NULL;
    return s;
}

/* One interval of the phase, from one share of its work to another, in about as much time. */
static void advance(struct world *w, const struct scene *scene, double from, double to,
                    bool growing)
{
    double all = scene->rows / scene->rows_per_commit, share = to - from;
    double commits = round(all * to) - round(all * from);
    double seconds = scene->seconds * share * (0.97 + 0.06 * noise(w));
    double more = growing ? 1.5 : 1; /* a growing WAL costs more of everything */
    w->now_s += seconds;
    w->interval_commits = commits;
    w->interval_ms = commits > 0 ? (0.9 - scene->lock_share) * 1e3 * seconds * scene->streams /
                                       commits / MEDIANS_OF_MEAN
                                 : 0;
    w->commits += commits;
    w->rows += commits * scene->rows_per_commit;
    struct disk_work *data = &w->disks[0], *log = &w->disks[scene->log_bytes > 0];
    data->writes += commits * scene->data_writes * more;
    data->bytes += commits * scene->bytes * more;
    data->write_ms += commits * scene->data_writes * scene->write_ms;
    log->writes += commits * scene->log_writes;
    log->bytes += commits * scene->log_bytes;
    log->write_ms += commits * scene->log_writes * scene->write_ms;
    log->flushes += commits * scene->flushes * (growing ? 2 : 1);
    log->flush_ms += commits * scene->flushes * scene->flush_ms;
    w->client_s += seconds * scene->client_share;
    w->total += seconds * 200;
    w->busy += seconds * 200 * scene->host_busy;
    w->wal += growing ? 65536 : 0;
}

static void fill_verify(struct verify_record *verify, const struct scene *scene)
{
    *verify = (struct verify_record){.checked = !scene->unchecked, .integrity_ok = true};
    snprintf(verify->integrity, sizeof verify->integrity, "ok");
    double expected = scene->kind == PHASE_INSERT ? scene->rows : 0;
    verify->expected_rows = (uint64_t)expected;
    verify->found_rows = (uint64_t)(expected - scene->lost_rows);
    verify->lost_rows = (uint64_t)scene->lost_rows;
    for (; (double)verify->shown < scene->lost_rows && verify->shown < RESULT_KEYS_SHOWN;
         verify->shown++) {
        verify->first[verify->shown].id = row_id(0, 4711 + verify->shown);
        verify->first[verify->shown].what = "lost";
    }
}

/* The samples of a phase, and what is derived from them. */
struct played {
    struct sample *start, *end, *settled;
    struct series series;
    double commits, rows;
};

static void played_release(struct played *p)
{
    sample_destroy(p->start);
    sample_destroy(p->end);
    sample_destroy(p->settled);
    series_release(&p->series);
}

static void play_samples(struct world *w, const struct scene *scene, unsigned ticks,
                         struct played *p)
{
    unsigned streams = scene->streams;
    *p = (struct played){.commits = -w->commits, .rows = -w->rows};
    p->start = take_sample(w, SAMPLE_PHASE_START, scene->cycle, streams);
    struct sample *before = sample_now(w, SAMPLE_PHASE_START, scene->cycle, streams);
    double done = 0;
    for (unsigned i = 0; i < SCENE_TICKS && i < ticks; i++) {
        double even = (1 - done) / (SCENE_TICKS - i);
        double share = i + 1 < SCENE_TICKS ? even * (0.7 + 0.6 * noise(w)) : even;
        advance(w, scene, done, done + share, i < scene->growing * SCENE_TICKS);
        done += share;
        struct sample *tick = take_sample(w, SAMPLE_TICK, scene->cycle, streams);
        series_add(&p->series, w->devices, p->start, before, tick);
        sample_destroy(before);
        before = tick;
    }
    sample_destroy(before);
    p->commits += w->commits;
    p->rows += w->rows;
    if (ticks < SCENE_TICKS)
        return;
    p->end = take_sample(w, SAMPLE_PHASE_END, scene->cycle, streams);
    w->now_s += 0.2;
    w->disks[0].bytes += 4e6;
    w->disks[0].writes += 12;
    w->disks[0].flushes += 1;
    p->settled = take_sample(w, SAMPLE_SETTLED, scene->cycle, streams);
}

static void fill_streams(const struct scene *scene, const struct played *p, int64_t elapsed_ns,
                         struct stream_record *records, uint64_t *first)
{
    for (unsigned i = 0; i < scene->streams; i++) {
        records[i] = (struct stream_record){
            .rows = (uint64_t)(p->rows / scene->streams),
            .commits = (uint64_t)(p->commits / scene->streams),
            .elapsed_ns = elapsed_ns,
            .transaction_ns = elapsed_ns - elapsed_ns / 250,
        };
        first[i] = records[i].commits;
        if (scene->streams > 1)
            first[i] = first[i] * 98 / 100 - i * 37 % 11 * records[i].commits / 1000;
    }
}

/* In a closed loop latency x rate is the number of streams, but for the time between
 * transactions. */
static double scene_median_ms(const struct scene *scene, const struct played *p, int64_t elapsed_ns)
{
    double stream_ms = (double)elapsed_ns / 1e6 * (1 - 1.0 / 250);
    if (scene->median_ms > 0)
        return scene->median_ms;
    return p->commits > 0 ? scene->streams * stream_ms / p->commits / MEDIANS_OF_MEAN : 0;
}

/* Counts up to the one without a name. */
static size_t count_metrics(const struct metric *metrics)
{
    size_t count = 0;
    while (metrics[count].name)
        count++;
    return count;
}

/* From shares to what was seen; returns how many. */
static size_t take_waits(const struct scene *scene, struct wait_record *waits)
{
    size_t count = 0;
    for (; scene->waits && scene->waits[count].event; count++) {
        waits[count] = scene->waits[count];
        waits[count].observations = round(waits[count].observations * scene->looks);
    }
    return count;
}

json_t *scene_play(struct world *w, const struct scene *scene, unsigned ticks)
{
    struct played p;
    play_samples(w, scene, ticks, &p);
    if (!p.end) {
        played_release(&p);
        return NULL;
    }
    unsigned streams = scene->streams;
    int64_t elapsed_ns = p.end->t0_ns - p.start->t1_ns;
    struct stream_record *records = calloc(streams, sizeof *records);
    uint64_t *first = calloc(streams, sizeof *first);
    fill_streams(scene, &p, elapsed_ns, records, first);
    struct workload load = {.rows = (uint64_t)scene->rows, .streams = streams};
    load.shape = (struct row_shape){.key_columns = 1, .payload_bytes = 100};
    const double shares[4] = {1, 0.1, 0.9 - scene->lock_share, scene->lock_share};
    struct hist *hists[4];
    double median_ms = scene_median_ms(scene, &p, elapsed_ns);
    for (int i = 0; i < 4; i++)
        hists[i] = latencies(w, median_ms * shares[i], p.commits);
    const struct metric sqlite[] = {{"checkpoints", true, 12},
                                    {"checkpoint_ms", true, 31.5},
                                    {"wal_bytes", false, w->wal},
                                    {NULL, false, 0}};
    const struct metric *metrics = scene->metrics ? scene->metrics : sqlite;
    struct wait_record waits[RESULT_WAITS_MAX];
    struct foreign_share foreign[DEVICE_SET_ROLES];
    for (size_t i = 0; i < DEVICE_SET_ROLES; i++)
        foreign[i] = (struct foreign_share){scene->foreign_method, NAN, NAN, NAN, NAN};
    if (scene->foreign_method != FOREIGN_UNKNOWN) {
        foreign[0].of_bytes = foreign_disk_bytes(&w->devices->devices[0], p.start, p.end);
        foreign[0].write_bytes = scene->foreign * foreign[0].of_bytes;
    }
    struct phase_record record = {
        .kind = scene->kind,
        .cycle = scene->cycle,
        .load = &load,
        .devices = w->devices,
        .elapsed_ns = elapsed_ns,
        .settle_ns = p.settled->t1_ns - p.end->t1_ns,
        .settled = !scene->restless,
        .retries = {(uint64_t)scene->busy, (uint64_t)scene->conflicts, 0},
        .reconnects = (uint64_t)scene->reconnects,
        .stream_count = streams,
        .streams = records,
        .first_elapsed_ns = elapsed_ns - (streams > 1 ? elapsed_ns / 50 : 0),
        .first_rows = (uint64_t)(p.rows * (streams > 1 ? 0.98 : 1)),
        .first_commits = first,
        .transaction = hists[0],
        .statement = scene->single_call ? NULL : hists[1],
        .commit = hists[2],
        .lock_wait = scene->lock_share > 0 ? hists[3] : NULL,
        .start = p.start,
        .end = p.end,
        .settled_sample = p.settled,
        .series = &p.series,
        .foreign = foreign,
        .metric_count = count_metrics(metrics),
        .metrics = metrics,
        .wait_count = take_waits(scene, waits),
        .waits = waits,
        .floor_commits_per_s = scene->floor,
    };
    fill_verify(&record.verify, scene);
    json_t *phase = phase_json(&record);
    w->phase++;
    for (int i = 0; i < 4; i++)
        hist_destroy(hists[i]);
    free(records);
    free(first);
    played_release(&p);
    return phase;
}
