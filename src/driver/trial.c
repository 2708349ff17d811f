#include "driver/trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fs.h"
#include "driver/cycles.h"
#include "driver/floor.h"
#include "driver/rest.h"
#include "driver/searches.h"
#include "driver/trim.h"

static int engine_error(struct err *err, const char *what, enum op_status status,
                        const struct op_error *why)
{
    return err_set(err, ERR_FAILED, "%s%s: %s", status == OP_NO_SPACE ? "no space left: " : "",
                   what, why->text);
}

static void add_fact(void *ctx, const char *name, const char *text)
{
    struct trial *t = ctx;
    if (strcmp(name, "version") == 0)
        snprintf(t->version, sizeof t->version, "%s", text);
    else if (t->setting_count < TRIAL_SETTINGS_MAX)
        t->settings[t->setting_count++] = (struct setting_record){name, strdup(text)};
    if (strcmp(name, "durability") == 0) /* the engine knows better than its forecast */
        t->forecast.engine.commit_flushes = false;
}

static void put_gauge(void *ctx, const char *name, enum metric_kind kind, double value)
{
    struct sample *sample = ctx;
    (void)kind;
    if (sample->gauge_count < SAMPLE_GAUGES_MAX)
        sample->gauges[sample->gauge_count++] = (struct gauge){name, value};
}

static void observe(void *ctx, struct sample *sample)
{
    struct trial *t = ctx;
    if (t->observed == NULL || t->adapter->observe == NULL)
        return;
    struct adapter_sink sink = {.ctx = sample, .metric = put_gauge};
    t->adapter->observe(t->observed, &sink);
}

/* All streams are connected, or the reason why not. */
static int connect_streams(struct trial *t, struct err *err)
{
    if (stage_open(&t->stage, t->adapter, t->db, t->load, t->forecast.engine.begin_locks, err) != 0)
        return -1;
    t->stage.single_call = t->forecast.engine.single_call;
    while (!stage_wait(&t->stage, NS_PER_S / 20))
        if (context_is_stopped(t->ctx)) {
            stage_stop(&t->stage, STOP_SIGNAL);
            stage_interrupt(&t->stage);
        }
    if (!t->stage.failed)
        return 0;
    *err = t->stage.failure;
    stage_close(&t->stage);
    return -1;
}

/* With the streams connected: sampler, phases. */
static int run_stage(struct trial *t, struct err *err)
{
    int result = -1;
    bool settled;
    const struct sample *sample;
    searches_connected(t->ctx);
    t->observed = t->db;
    struct sampler_config config = {.interval_ns = t->load->interval_ns,
                                    .trial = t->plan->index,
                                    .stream_count = t->load->streams,
                                    .row_bytes = row_bytes(&t->load->shape),
                                    .counters = t->stage.counters,
                                    .commits = t->stage.commits,
                                    .devices = t->devices,
                                    .observe = observe,
                                    .ctx = t,
                                    .thermometer = &t->site->thermometer};
    if (sampler_create(&config, &t->sampler, err) != 0)
        return -1;
    context_progress(t->ctx, "settle", 0);
    if (phase_settle(t, 0, &settled, &sample, err) != 0 || phase_account(t, NULL, err) != 0)
        goto out;
    if (!settled)
        context_warn(t->ctx, (int)t->plan->index,
                     "the drive was never at rest before the first phase: other programs use it");
    foreign_watch_open(t, sample);
    result = cycles_run(t, err);
    if (sampler_missed(t->sampler) != 0)
        context_warn(t->ctx, (int)t->plan->index,
                     "%llu samples were left out because the result log was slow to write",
                     (unsigned long long)sampler_missed(t->sampler));
out:
    if (t->ctx->stuck)
        return result; /* a stream still uses all this */
    sampler_destroy(t->sampler);
    t->sampler = NULL;
    t->observed = NULL;
    return result;
}

/* Outside of the phases: what was removed, or trimmed, also costs the drive something, which must
 * not fall into what comes next. */
static int settle_apart(struct trial *t, struct err *err)
{
    bool settled;
    const struct sample *sample;
    struct sampler_config config = {
        .interval_ns = t->load->interval_ns, .trial = t->plan->index, .devices = t->devices};
    if (t->devices->count == 0 || context_is_stopped(t->ctx))
        return 0;
    if (sampler_create(&config, &t->sampler, err) != 0)
        return -1;
    int result = phase_settle(t, 0, &settled, &sample, err);
    sampler_destroy(t->sampler);
    t->sampler = NULL;
    return result;
}

/* The database, from create to remove. */
static int run_database(struct trial *t, struct err *err)
{
    struct op_error why;
    enum op_status status;
    struct err more;
    int result = -1;
    int64_t begin_ns = clock_now_ns();
    context_progress(t->ctx, "create", 0);
    status = t->adapter->create(t->db, &why);
    t->create_ns = clock_now_ns() - begin_ns;
    if (status != OP_OK) {
        engine_error(err, "creating the database", status, &why);
        t->ended_by = status == OP_NO_SPACE ? ENDED_NO_SPACE : ENDED_ERROR;
    } else if (connect_streams(t, err) == 0) {
        result = run_stage(t, err);
        if (t->ctx->stuck)
            return result;
        stage_close(&t->stage);
    }
    begin_ns = clock_now_ns();
    context_progress(t->ctx, "remove", 1);
    status = t->adapter->destroy(t->db, &why);
    if (status != OP_OK && result == 0)
        result = engine_error(err, "removing the database", status, &why);
    else if (status != OP_OK)
        context_warn(t->ctx, (int)t->plan->index,
                     "not everything was removed: %s; loadline clean %s removes it", why.text,
                     t->target->shown);
    if (settle_apart(t, &more) != 0 && result == 0) {
        *err = more;
        result = -1;
    }
    t->remove_ns = clock_now_ns() - begin_ns;
    return result;
}

/* Before a trial's first write: the drive as fresh and as cool as was asked. */
static int rest_drive(struct trial *t, struct err *err)
{
    if (trim_trial(t) && settle_apart(t, err) != 0)
        return -1;
    return rest_cooldown(t->ctx, t->site, t->plan, err);
}

static int measure_floor(struct trial *t, double *floor, struct err *err)
{
    *floor = NAN;
    if (t->directory == NULL || t->load->floor_ns == 0 || context_is_stopped(t->ctx))
        return 0;
    context_forget_rates(t->ctx);
    context_progress(t->ctx, "floor", floor == &t->floor_after ? 1 : 0);
    bool stuck;
    /* A commit waits for the log. */
    const char *directory = t->log_directory != NULL ? t->log_directory : t->directory;
    int result = floor_measure(t->load, directory, t->ctx->options->stop, floor, &stuck, err);
    t->ctx->stuck = t->ctx->stuck || stuck;
    return result;
}

static int run_opened(struct trial *t, struct err *err)
{
    struct op_error why;
    struct adapter_sink sink = {.ctx = t, .fact = add_fact};
    enum op_status status = t->adapter->facts(t->db, &sink, &why);
    if (status != OP_OK)
        return engine_error(err, "asking the engine", status, &why);
    if (trial_log_header(t, err) != 0 || trial_log_start(t, err) != 0)
        return -1;
    trim_log(t);
    int result = run_database(t, err);
    if (t->ctx->stuck)
        return result;
    /* What a signal cut short failed in whatever call it was in. */
    if (result != 0 && context_is_stopped(t->ctx) && err->kind != ERR_VERIFY) {
        t->ended_by = ENDED_SIGNAL;
        err_set(err, ERR_INTERRUPTED, "stopped by a signal");
    }
    struct err later;
    if (result == 0 && measure_floor(t, &t->floor_after, &later) != 0) {
        t->floor_after = NAN;
        context_warn(t->ctx, (int)t->plan->index, "%s", later.text);
    }
    searches_judge(t, result == 0 ? NULL : err);
    if (trial_log_record(t, result == 0 ? NULL : err->text, &later) != 0 && result == 0) {
        *err = later;
        result = -1;
    }
    return result;
}

static void begin_progress(struct trial *t)
{
    struct run_progress *p = &t->ctx->progress;
    const struct plan *plan = t->ctx->options->plan;
    *p = (struct run_progress){.trial = t->plan->index,
                               .trials = plan->template_count > 0 ? 0 : (unsigned)plan->count,
                               .part = t->plan->part,
                               .phase = p->phase,
                               .streams = t->load->streams,
                               .search_step = t->search_step,
                               .done = NAN,
                               .left_s = NAN,
                               .run_id = t->ctx->run_id};
    context_forget_rates(t->ctx);
    t->ctx->trial_s = t->forecast.seconds;
}

static void trial_release(struct trial *t)
{
    for (size_t i = 0; i < t->setting_count; i++)
        free((char *)t->settings[i].text);
    json_decref(t->phases);
    foreign_watch_close(&t->foreign);
    step_release(&t->step);
    series_release(&t->series);
    free(t->trimmed);
    free(t->directory);
    free(t->log_directory);
}

/* The trial's own directories. */
static int make_directories(struct trial *t, struct err *err)
{
    /* The server's user must be able to get to its own directory. */
    enum workspace_mode mode =
        (t->adapter->caps & ADAPTER_OTHER_USER) != 0 ? WORKSPACE_PASSABLE : WORKSPACE_PRIVATE;
    unsigned number = t->plan->index + 1;
    if (t->site->workspace != NULL &&
        workspace_trial(t->site->workspace, number, mode, &t->directory, err) != 0)
        return -1;
    if (t->site->log_workspace == NULL)
        return 0;
    if (t->site->log_workspace == t->site->workspace) {
        t->log_directory = strdup(t->directory);
        return 0;
    }
    return workspace_trial(t->site->log_workspace, number, mode, &t->log_directory, err);
}

static int remove_directories(struct trial *t, int result, struct err *err)
{
    struct workspace *places[] = {t->directory != NULL ? t->site->workspace : NULL,
                                  t->log_directory != NULL ? t->site->log_workspace : NULL};
    if (places[1] == places[0])
        places[1] = NULL;
    for (size_t i = 0; i < 2; i++) {
        struct err later;
        if (places[i] != NULL &&
            workspace_trial_remove(places[i], t->plan->index + 1, &later) != 0 && result == 0) {
            *err = later;
            result = -1;
        }
    }
    return result;
}

int trial_run(struct run_context *ctx, const struct trial_plan *plan, struct err *err)
{
    struct trial *t = calloc(1, sizeof *t);
    struct op_error why;
    struct err later;
    int result = -1;
    if (t == NULL)
        abort();
    t->ctx = ctx;
    t->plan = plan;
    t->search_step = searches_step(ctx);
    t->load = plan->load;
    t->target = &ctx->options->targets[plan->target];
    t->adapter = t->target->adapter;
    t->site = site_of(ctx, plan);
    t->devices = &t->site->devices;
    t->floor_before = t->floor_after = NAN;
    t->ended_by = ENDED_ERROR;
    t->steady = (struct steady_record){.asked = t->load->until_steady, .gate_bytes = NAN};
    t->phases = json_array();
    if (forecast_trial(t->target, t->load, &t->forecast, err) != 0)
        goto out;
    begin_progress(t);
    ctx->limit.write_bytes = t->load->limit_write_bytes;
    ctx->limit.free_share = t->load->limit_free_share;
    if (make_directories(t, err) != 0)
        goto out;
    if (rest_drive(t, err) != 0 || measure_floor(t, &t->floor_before, err) != 0)
        goto out;
    if (context_is_stopped(ctx)) {
        err_set(err, ERR_INTERRUPTED, "stopped by a signal");
        goto out;
    }
    t->config = (struct adapter_config){.target = t->target->path,
                                        .directory = t->directory,
                                        .log_directory = t->log_directory,
                                        .load = t->load,
                                        .stop = ctx->options->stop};
    enum op_status status = t->adapter->open(&t->config, &t->db, &why);
    if (status != OP_OK) {
        engine_error(err, "opening the database", status, &why);
        if (searches_judge(t, err)) /* the header is there by now */
            trial_log_record(t, err->text, &later);
        goto out;
    }
    result = run_opened(t, err);
    if (ctx->stuck)
        return result; /* everything stays as it is: the process is about to leave */
    t->adapter->close(t->db);
out:
    result = remove_directories(t, result, err);
    limit_trial_done(&ctx->limit);
    ctx->done_s += ctx->trial_s;
    /* A limit ends the whole run, cleanly. */
    if (result == 0 && (t->ended_by == ENDED_WRITE_BYTES || t->ended_by == ENDED_FREE_SPACE))
        ctx->limit_reached = true;
    if (!ctx->stuck) { /* else a stream still uses it */
        trial_release(t);
        free(t);
    }
    return result;
}
