/* hlog_scene.h - a result log made for these tests: two trials, each with an insert and a delete.
 *
 * The insert phases have an interval histogram each tick, which add up to the phase's; the delete
 * phases have none.  The second trial's BEGIN takes no lock; it has two cycles. */
#ifndef UNIT_EXPORT_HLOG_SCENE_H
#define UNIT_EXPORT_HLOG_SCENE_H

enum { HLOG_TICKS = 20, HLOG_COMMITS = 60 /* of a tick */ };
#define HLOG_STARTED   "2026-12-01T09:14:00Z"
#define HLOG_STARTED_S 1796116440.0

struct hlog_scene {
    struct log *log;
    struct sample *sample;
    struct rng rng;
    struct hist *all, *tick;
    int64_t now_ns;
};

static inline void hlog_put(struct hlog_scene *s, json_t *record)
{
    struct err err;
    assert_int_equal(log_write(s->log, record, &err), 0);
}

static inline void hlog_sample(struct hlog_scene *s, enum sample_mark mark, struct hist *commit)
{
    s->sample->mark = mark;
    s->sample->t0_ns = s->sample->t1_ns = s->now_ns;
    s->sample->commit = commit;
    hlog_put(s, sample_json(s->sample, NULL, 0));
    s->sample->commit = NULL;
}

/* Commits of 0.1 to 10 ms, in the tick's histogram and in the phase's. */
static inline void hlog_tick(struct hlog_scene *s, bool timed)
{
    hist_reset(s->tick);
    for (int i = 0; i < HLOG_COMMITS; i++)
        hist_record(s->tick, 100000 + (int64_t)rng_below(&s->rng, 9900000));
    hist_add(s->all, s->tick);
    s->now_ns += 100000000;
    s->sample->commits += HLOG_COMMITS;
    s->sample->rows += 10 * HLOG_COMMITS;
    hlog_sample(s, SAMPLE_TICK, timed ? s->tick : NULL);
}

static inline void hlog_put_histogram(json_t *histograms, const char *name, const struct hist *hist)
{
    char *text = hist ? hist_encode(hist) : NULL;
    json_object_set_new(histograms, name, json_text(text));
    free(text);
}

static inline json_t *hlog_phase(struct hlog_scene *s, const char *name, unsigned cycle, bool locks)
{
    bool timed = strcmp(name, "insert") == 0;
    hist_reset(s->all);
    s->sample->cycle = cycle;
    hlog_sample(s, SAMPLE_PHASE_START, timed ? s->tick : NULL); /* what ran before: not counted */
    for (int i = 0; i < HLOG_TICKS; i++)
        hlog_tick(s, timed);
    s->sample->phase++;
    json_t *histograms = json_object();
    hlog_put_histogram(histograms, "transaction", s->all);
    hlog_put_histogram(histograms, "lock_wait", locks ? s->all : NULL);
    hlog_put_histogram(histograms, "statement", s->all);
    hlog_put_histogram(histograms, "commit", s->all);
    s->now_ns += 250000000; /* settling */
    return json_pack("{s:s, s:i, s:f, s:i, s:{s:{s:i}}, s:o}", "name", name, "cycle", (int)cycle,
                     "elapsed_s", 0.1 * HLOG_TICKS, "commits", HLOG_TICKS * HLOG_COMMITS,
                     "latency_ms", "commit", "count", HLOG_TICKS * HLOG_COMMITS, "histograms",
                     histograms);
}

static inline void hlog_trial(struct hlog_scene *s, unsigned index, unsigned cycles)
{
    json_t *phases = json_array();
    s->sample->trial = index;
    s->sample->phase = 0;
    s->sample->commits = s->sample->rows = 0;
    for (unsigned cycle = 0; cycle < cycles; cycle++) {
        json_array_append_new(phases, hlog_phase(s, "insert", cycle, index == 0));
        json_array_append_new(phases, hlog_phase(s, "delete", cycle, index == 0));
    }
    hlog_put(s, json_pack("{s:s, s:i, s:i, s:n, s:{s:s, s:i}, s:o}", "record", "trial", "index",
                          (int)index, "repeat", 0, "part", "factors", "layout", "a\nb, 二",
                          "streams", 4, "phases", phases));
}

/* Writes and reads it; `trials` 1 or 2. */
static inline void hlog_scene_read(struct document *document, unsigned trials)
{
    struct err err;
    struct hlog_scene s = {.sample = sample_create(1, 0),
                           .rng = {7},
                           .all = hist_create(),
                           .tick = hist_create(),
                           .now_ns = 1500000000};
    char *path = fs_path("/tmp/hlog-%d.jsonl", (int)getpid());
    assert_int_equal(log_create(path, &s.log, &err), 0);
    hlog_put(&s, json_pack("{s:s, s:s, s:i, s:s}", "record", "header", "loadline", "0.1.0",
                           "schema", 1, "started", HLOG_STARTED));
    for (unsigned i = 0; i < trials; i++)
        hlog_trial(&s, i, i + 1);
    assert_int_equal(log_close(s.log, &err), 0);
    int status = document_read_detail(path, DOCUMENT_LATENCIES, document, &err);
    unlink(path);
    if (status != 0)
        fail_msg("%s", err.text);
    free(path);
    sample_destroy(s.sample);
    hist_destroy(s.all);
    hist_destroy(s.tick);
}

#endif
