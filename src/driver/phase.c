/* One phase: streams run, samples go into the log, then settle, the engine's counters, and
 * verification, in this order: what settles belongs to the phase, what verifies does not. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "driver/retry.h"
#include "driver/trial.h"
#include "driver/verify.h"

#define WAIT_NS            (20 * NS_PER_MS)
#define INTERRUPT_EVERY_NS (100 * NS_PER_MS) /* a call that begins later may have missed one */
#define RATE_WINDOW_NS     NS_PER_S
#define AWAY_EVENT_NS      (2 * NS_PER_S)

/* What the main thread gathers while the streams run. */
struct watch {
    struct trial *trial;
    unsigned cycle;
    int64_t duration_ns;
    struct sample *first; /* counting begins here: phase start, or the end of the warm-up */
    struct sample *previous, *end;
    struct sample *window; /* where the rates that are shown begin */
    struct series series;
    struct hist *commit; /* sum of the samples' */
    bool warm, stormed, cut;
    int64_t stopping_ns, interrupted_ns;
    int64_t away_since_ns; /* since when some stream has no connection; 0: all have one */
    bool told_away;
};

static struct sample *new_sample(const struct trial *t)
{
    return sample_create(t->load->streams, t->devices->name_count);
}

static int record_sample(struct watch *w, const struct sample *sample, struct err *err)
{
    struct trial *t = w->trial;
    hist_add(w->commit, sample->commit);
    /* An engine that keeps nothing anywhere writes nothing. */
    bool writes = (t->adapter->caps & (ADAPTER_KEEPS_ROWS | ADAPTER_LOCAL_FILES)) != 0;
    limit_see(&t->ctx->limit, t->devices, sample, writes ? row_bytes(&t->load->shape) : 0);
    if (log_write(t->ctx->log, sample_json(sample, t->devices, t->ctx->origin_ns), err) != 0)
        return -1;
    const struct run_sight sight = {
        .sample = sample, .devices = t->devices, .target = t->plan->target};
    context_sight(t->ctx, &sight);
    return 0;
}

/* How much of the trial is done: by time where it goes round until a time is over, by phases in its
 * first cycle, whichever is less. */
static double trial_share(const struct trial *t, int64_t phase_ns, double phase_share)
{
    double by_time = (double)(t->spent_ns + phase_ns) / (double)t->goal_ns;
    double by_phase = ((double)t->phase_number + phase_share) / (double)t->load->phase_count;
    double share = t->goal_ns == 0 || (t->phase_number < t->load->phase_count && by_phase < by_time)
                       ? by_phase
                       : by_time;
    return share < 1 ? share : 1;
}

static void show_rates(struct watch *w, const struct sample *now)
{
    struct trial *t = w->trial;
    struct run_progress *p = &t->ctx->progress;
    struct series last = {0};
    double rows_goal = (double)t->load->rows * t->load->streams;
    if (now->t0_ns - w->window->t0_ns < NS_PER_S / 5)
        return;
    series_add(&last, t->devices, w->window, w->window, now);
    const struct interval *i = &last.items[0];
    p->rows_per_s = i->rows / i->seconds;
    p->commits_per_s = i->commits / i->seconds;
    p->write_iops = i->writes / i->seconds;
    p->flushes_per_s = i->flushes / i->seconds;
    p->queue_depth = i->in_flight;
    p->temperature_c = now->temperature_c;
    series_release(&last);
    if (now->t0_ns - w->window->t0_ns >= RATE_WINDOW_NS)
        sample_copy(w->window, now);

    double share = (double)(now->rows - w->first->rows) / rows_goal;
    double time_share =
        w->duration_ns == 0 ? 0 : (double)(now->t1_ns - w->first->t0_ns) / (double)w->duration_ns;
    share = time_share > share ? time_share : share;
    context_progress(t->ctx, phase_name(t->stage.order.kind),
                     trial_share(t, now->t1_ns - w->first->t0_ns, share));
}

/* More retries than commits in an interval, and not just a few: the first time is an event. */
static void see_retries(struct watch *w, const struct sample *now)
{
    enum { STORM_RETRIES = 20 };
    uint64_t retries = now->retries - w->previous->retries;
    uint64_t commits = now->commits - w->previous->commits;
    if (w->stormed || retries < STORM_RETRIES || retries <= commits)
        return;
    w->stormed = true;
    context_event(w->trial->ctx, (int)w->trial->plan->index, "retry storm",
                  "%llu retries beside %llu commits in one interval of %s",
                  (unsigned long long)retries, (unsigned long long)commits,
                  phase_name(w->trial->stage.order.kind));
}

static int see_tick(struct watch *w, const struct sample *sample, struct err *err)
{
    if (record_sample(w, sample, err) != 0)
        return -1;
    if (w->warm)
        series_add(&w->series, w->trial->devices, w->first, w->previous, sample);
    see_retries(w, sample);
    sample_copy(w->previous, sample);
    show_rates(w, sample);
    return 0;
}

static int drain(struct watch *w, struct err *err)
{
    const struct sample *sample;
    while ((sample = sampler_peek(w->trial->sampler)) != NULL) {
        if (see_tick(w, sample, err) != 0)
            return -1;
        sampler_pop(w->trial->sampler);
    }
    return 0;
}

/* A mark, after the ticks before it. */
static int mark(struct watch *w, enum sample_mark kind, struct sample *copy, struct err *err)
{
    struct trial *t = w->trial;
    const struct sample *sample = sampler_mark(t->sampler, kind, t->phase_number, w->cycle);
    if (drain(w, err) != 0 || record_sample(w, sample, err) != 0)
        return -1;
    if (kind == SAMPLE_PHASE_END && w->warm)
        series_add(&w->series, t->devices, w->first, w->previous, sample);
    sample_copy(copy, sample);
    return 0;
}

static void obey_limits(struct watch *w)
{
    struct trial *t = w->trial;
    struct run_context *ctx = t->ctx;
    if (stage_stopped(&t->stage) != STOP_NONE)
        return;
    enum stop_reason reason = limit_check(&ctx->limit, t->directory, t->log_directory);
    if (reason == STOP_NONE)
        return;
    stage_stop(&t->stage, reason);
    context_event(ctx, (int)t->plan->index, "limit", "%s",
                  reason == STOP_WRITE_BYTES ? "limit.write_bytes was reached: the run ends here"
                                             : "limit.free_space was reached: the run ends here");
}

/* A step of a search goes on no longer than it must. */
static void obey_step(struct watch *w)
{
    struct trial *t = w->trial;
    int64_t phase_ns = clock_now_ns() - t->stage.order.measure_from_ns;
    if (!t->load->streams_auto || !w->warm || w->cut ||
        !step_is_enough(&t->step, t->load, t->stage.order.kind, &w->series, phase_ns))
        return;
    w->cut = true;
    stage_cut(&t->stage);
}

/* False: the streams did not come back in time after a signal. */
static bool obey_signal(struct watch *w)
{
    struct trial *t = w->trial;
    int64_t now_ns = clock_now_ns();
    if (w->stopping_ns == 0) {
        if (!context_is_stopped(t->ctx))
            return true;
        w->stopping_ns = w->interrupted_ns = now_ns;
        stage_stop(&t->stage, STOP_SIGNAL);
        context_event(t->ctx, (int)t->plan->index, "signal", "stopped by a signal");
    }
    if (now_ns - w->interrupted_ns > INTERRUPT_EVERY_NS) {
        w->interrupted_ns = now_ns;
        stage_interrupt(&t->stage);
    }
    return now_ns - w->stopping_ns < STAGE_SIGNAL_NS;
}

/* A server that does not come back is no slow drive: says so while the streams still try. */
static void see_lost(struct watch *w)
{
    struct trial *t = w->trial;
    int64_t now_ns = clock_now_ns();
    unsigned away = atomic_load(&t->stage.away);
    if (away == 0)
        w->away_since_ns = 0;
    else if (w->away_since_ns == 0)
        w->away_since_ns = now_ns;
    else if (!w->told_away && now_ns - w->away_since_ns > AWAY_EVENT_NS) {
        w->told_away = true;
        context_event(t->ctx, (int)t->plan->index, "connection lost",
                      "%u of %u streams lost their connection in %s and get no other; they try for "
                      "%d s",
                      away, t->load->streams, phase_name(t->stage.order.kind),
                      (int)(RETRY_GIVE_UP_NS / NS_PER_S));
    }
}

static int end_warmup(struct watch *w, struct err *err)
{
    if (w->warm || clock_now_ns() < w->trial->stage.order.measure_from_ns)
        return 0;
    foreign_watch_begin(w->trial);
    if (mark(w, SAMPLE_WARM, w->first, err) != 0)
        return -1;
    sample_copy(w->previous, w->first);
    sample_copy(w->window, w->first);
    w->warm = true;
    return 0;
}

/* From the barrier to the moment when all streams are back. */
static int run_streams(struct watch *w, enum phase_kind kind, struct err *err)
{
    struct trial *t = w->trial;
    int failed = 0;
    stage_prepare(&t->stage, kind);
    context_progress(t->ctx, phase_name(kind), trial_share(t, 0, 0));
    foreign_watch_begin(t);
    if (mark(w, SAMPLE_PHASE_START, w->first, err) != 0)
        return -1;
    sample_copy(w->previous, w->first);
    sample_copy(w->window, w->first);
    w->warm = t->load->warmup_ns == 0;
    stage_start(&t->stage, t->load->warmup_ns, w->duration_ns);
    while (!stage_wait(&t->stage, WAIT_NS)) {
        if (failed == 0 && (end_warmup(w, err) != 0 || drain(w, err) != 0)) {
            failed = -1; /* the log cannot be written: bring the streams home first */
            stage_stop(&t->stage, STOP_ERROR);
        }
        obey_limits(w);
        obey_step(w);
        see_lost(w);
        if (!obey_signal(w)) {
            t->ctx->stuck = true;
            return err_set(err, ERR_INTERRUPTED, "stopped by a signal; a stream did not return");
        }
    }
    if (failed != 0)
        return -1;
    if (!w->warm)
        context_warn(t->ctx, (int)t->plan->index,
                     "the %s phase was over before workload.warmup was: nothing of it is counted",
                     phase_name(kind));
    if (mark(w, SAMPLE_PHASE_END, w->end, err) != 0)
        return -1;
    foreign_watch_end(t);
    return 0;
}

/* What the streams counted, merged. */
struct merged {
    struct stream_record *streams;
    struct hist *transaction, *lock_wait, *statement;
    int64_t elapsed_ns;
};

static void merge_streams(struct watch *w, struct merged *m, struct phase_record *record)
{
    struct stage *stage = &w->trial->stage;
    int64_t from_ns = stage->order.measure_from_ns;
    m->streams = calloc(stage->stream_count, sizeof *m->streams);
    m->transaction = hist_create();
    m->lock_wait = hist_create();
    m->statement = hist_create();
    if (m->streams == NULL)
        abort();
    for (unsigned i = 0; i < stage->stream_count; i++) {
        struct stream *s = &stage->streams[i];
        struct stream_record *r = &m->streams[i];
        r->commits = counter_read(&s->counters->commits) - atomic_load(&s->base_commits);
        r->rows = counter_read(&s->counters->rows) - atomic_load(&s->base_rows);
        r->elapsed_ns = s->last_commit_ns > from_ns ? s->last_commit_ns - from_ns : 0;
        r->transaction_ns = s->transaction_ns;
        if (r->elapsed_ns > m->elapsed_ns)
            m->elapsed_ns = r->elapsed_ns;
        hist_add(m->transaction, s->transaction);
        hist_add(m->lock_wait, s->lock_wait);
        hist_add(m->statement, s->statement);
        for (size_t k = 0; k < 3; k++)
            record->retries[k] += s->retries[k];
        record->reconnects += s->reconnects;
        record->in_doubt_rows += s->in_doubt_rows;
    }
    record->stream_count = stage->stream_count;
    record->streams = m->streams;
    record->elapsed_ns = m->elapsed_ns;
    record->first_elapsed_ns = stage->first_ns > from_ns ? stage->first_ns - from_ns : 0;
    if (record->first_elapsed_ns > record->elapsed_ns) /* the clock was read after its commit */
        record->first_elapsed_ns = record->elapsed_ns;
    record->first_rows = stage->first_rows;
    record->first_commits = stage->first_commits;
    record->transaction = m->transaction;
    record->lock_wait = stage->begin_locks ? m->lock_wait : NULL;
    record->statement = w->trial->forecast.engine.single_call ? NULL : m->statement;
}

static void merged_release(struct merged *m)
{
    free(m->streams);
    hist_destroy(m->transaction);
    hist_destroy(m->lock_wait);
    hist_destroy(m->statement);
}

static int verify(struct trial *t, enum phase_kind kind, struct verify_record *record,
                  struct err *err)
{
    context_progress(t->ctx, "verify", trial_share(t, 0, 1));
    if (verify_stage(&t->stage, t->ctx->options->stop, record, err) != 0)
        return -1;
    if (!record->checked || verify_is_ok(record))
        return 0;
    t->verify_failed = true;
    err_set(
        err, ERR_VERIFY,
        "verification failed after %s: %llu rows expected, %llu found, %llu lost, %llu surplus, "
        "%llu wrong; integrity: %s",
        phase_name(kind), (unsigned long long)record->expected_rows,
        (unsigned long long)record->found_rows, (unsigned long long)record->lost_rows,
        (unsigned long long)record->surplus_rows, (unsigned long long)record->wrong_rows,
        record->integrity);
    for (size_t i = 0; i < record->shown; i++) {
        size_t used = strlen(err->text);
        snprintf(err->text + used, sizeof err->text - used, "%s%s id %lld",
                 i == 0 ? "; first: " : ", ", record->first[i].what,
                 (long long)record->first[i].id);
    }
    return 0;
}

/* After the streams are back: settle, counters, verification, and the phase's record. */
static int close_phase(struct watch *w, enum phase_kind kind, struct err *err)
{
    struct trial *t = w->trial;
    bool signalled = stage_stopped(&t->stage) == STOP_SIGNAL;
    struct account account = {.metric_count = 0};
    struct sample *settled = NULL;
    struct merged merged = {0};
    struct foreign_share foreign[DEVICE_SET_ROLES];
    struct phase_record record = {.kind = kind,
                                  .cycle = w->cycle,
                                  .load = t->load,
                                  .devices = t->devices,
                                  .start = w->first,
                                  .end = w->end,
                                  .series = &w->series,
                                  .foreign = foreign,
                                  .metrics = account.metrics,
                                  .waits = account.waits,
                                  .floor_commits_per_s = t->floor_before};
    int result = -1;
    context_forget_rates(t->ctx);
    merge_streams(w, &merged, &record);
    record.commit = w->commit;
    foreign_watch_judge(t, kind, w->first, w->end, foreign);
    if (record.reconnects != 0)
        context_event(t->ctx, (int)t->plan->index, "reconnect",
                      "%llu connections were lost in %s and made again",
                      (unsigned long long)record.reconnects, phase_name(kind));
    if (!signalled) {
        const struct sample *sample;
        int64_t begin_ns = clock_now_ns();
        context_progress(t->ctx, "settle", trial_share(t, 0, 1));
        if (phase_settle(t, w->cycle, &record.settled, &sample, err) != 0)
            goto out;
        record.settle_ns = clock_now_ns() - begin_ns;
        settled = new_sample(t);
        sample_copy(settled, sample);
        record.settled_sample = settled;
        if (record_sample(w, sample, err) != 0 || phase_account(t, &account, err) != 0 ||
            verify(t, kind, &record.verify, err) != 0)
            goto out;
    }
    record.metric_count = account.metric_count;
    record.wait_count = account.wait_count;
    json_array_append_new(t->phases, phase_json(&record));
    t->phase_number++;
    result = 0;
out:
    if (settled != NULL)
        sample_destroy(settled);
    merged_release(&merged);
    return result;
}

int phase_run(struct trial *t, enum phase_kind kind, unsigned cycle, int64_t duration_ns,
              int64_t *spent_ns, struct err *err)
{
    struct watch w = {.trial = t, .cycle = cycle, .duration_ns = duration_ns};
    w.first = new_sample(t);
    w.previous = new_sample(t);
    w.window = new_sample(t);
    w.end = new_sample(t);
    w.commit = hist_create();
    int result = run_streams(&w, kind, err);
    if (result == 0) {
        *spent_ns = w.end->t0_ns - t->stage.order.measure_from_ns;
        t->spent_ns += *spent_ns;
        if (t->load->streams_auto)
            step_take(&t->step, kind, &w.series, *spent_ns);
        result = close_phase(&w, kind, err);
    }
    series_release(&t->series);
    t->series = w.series;
    hist_destroy(w.commit);
    sample_destroy(w.first);
    sample_destroy(w.previous);
    sample_destroy(w.window);
    sample_destroy(w.end);
    return result;
}
