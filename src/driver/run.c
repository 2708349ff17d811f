#include "driver/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/format.h"
#include "base/fs.h"
#include "driver/context.h"
#include "driver/drive_watch.h"
#include "driver/forecast.h"
#include "driver/forecast_until.h"
#include "driver/precheck.h"
#include "driver/room.h"
#include "driver/searches.h"
#include "driver/trial.h"

/* ---- before anything is made ---- */

static int check_files(const struct run_options *options, struct err *err)
{
    const struct plan *plan = options->plan;
    unsigned most = 0;
    for (size_t i = 0; i < plan->count; i++) {
        const struct workload *load = plan->trials[i].load;
        unsigned streams = load->streams_auto ? searches_first(load) : load->streams;
        uint32_t caps = options->targets[plan->trials[i].target].adapter->caps;
        if ((caps & ADAPTER_LOCAL_FILES) != 0 && streams > most)
            most = streams;
    }
    return room_for_files(most, err);
}

static int add_forecasts(const struct run_options *options, struct run_forecast *forecast,
                         struct err *err)
{
    const struct plan *plan = options->plan;
    for (size_t i = 0; i < plan->count; i++) {
        const struct workload *load = plan->trials[i].load;
        struct trial_forecast f;
        if (forecast_first(&options->targets[plan->trials[i].target], load, &f, err) != 0)
            return -1;
        forecast->seconds += load->streams_auto ? forecast_search_s(load) : f.seconds;
        forecast->seconds += forecast_until_cooldown_s(&plan->trials[i]);
        forecast->write_bytes += f.write_bytes;
        forecast->open_bytes += f.open_bytes;
        forecast->space_bytes = fmax(forecast->space_bytes, f.space_bytes);
        if (!load->streams_auto)
            continue;
        if (load->search_steps > forecast->search_steps)
            forecast->search_steps = load->search_steps;
        if (load->search_streams_max > forecast->search_streams)
            forecast->search_streams = load->search_streams_max;
    }
    return 0;
}

/* Of a search only the first steps are known: its bounds are told in their place. */
static void tell_bounds(const struct plan *plan, struct run_forecast *forecast)
{
    if (forecast->search_steps == 0)
        return;
    forecast->write_bytes = (double)plan_write_limit(plan);
    forecast->space_bytes = NAN;
}

/* Two names of one directory would be two drives that are one. */
static int check_same(const struct run_target *a, const struct run_target *b, struct err *err)
{
    struct err ignored;
    if (a->adapter != b->adapter || (a->adapter->caps & ADAPTER_LOCAL_FILES) == 0)
        return 0;
    char *one = fs_real_path(a->path, &ignored), *other = fs_real_path(b->path, &ignored);
    bool same = one != NULL && other != NULL && strcmp(one, other) == 0;
    free(one);
    free(other);
    return !same ? 0
                 : err_set(err, ERR_USAGE, "the targets %s and %s are one directory; remove one",
                           a->shown, b->shown);
}

static int check_targets(const struct run_options *options, struct err *err)
{
    if (options->target_count > SITES_MAX)
        return err_set(err, ERR_USAGE, "%zu targets; at most %d", options->target_count, SITES_MAX);
    for (size_t i = 0; i < options->target_count; i++)
        for (size_t k = 0; k < i; k++)
            if (check_same(&options->targets[k], &options->targets[i], err) != 0)
                return -1;
    return 0;
}

int run_prepare(const struct run_options *options, struct run_forecast *forecast, struct err *err)
{
    const struct plan *plan = options->plan;
    struct format_text a, b;
    *forecast = (struct run_forecast){.trials = (unsigned)plan->count};
    if (check_targets(options, err) != 0 || add_forecasts(options, forecast, err) != 0)
        return -1;
    double limit = (double)plan_write_limit(plan);
    double least_bytes = forecast_until_bound(forecast, limit);
    if (least_bytes > limit)
        return err_set(
            err, ERR_REFUSED,
            "the plan writes %s %s to the drive, more than limit.write_bytes = %s; if that "
            "is meant, raise it with -s limit.write_bytes=SIZE",
            plan->template_count > 0 || forecast->open_bytes > 0 ? "at least" : "about",
            format_bytes(&a, least_bytes), format_bytes(&b, limit));
    for (size_t i = 0; i < plan->count; i++) {
        const struct trial_plan *trial = &plan->trials[i];
        struct trial_forecast f;
        if (forecast_first(&options->targets[trial->target], trial->load, &f, err) != 0 ||
            room_check(&options->targets[trial->target], f.space_bytes, trial->load,
                       options->any_filesystem, err) != 0)
            return -1;
    }
    tell_bounds(plan, forecast);
    return check_files(options, err);
}

/* ---- the run ---- */

static int check_override(const struct run_context *ctx, struct err *err)
{
    struct stack stack;
    const char *name = ctx->options->device_override;
    if (name == NULL)
        return 0;
    if (stack_override("", name, &stack, err) != 0 || !stack.known)
        return err_set(err, ERR_USAGE,
                       "--device %s: there is no such block device; the kernel's names are in "
                       "/proc/diskstats",
                       name);
    return 0;
}

/* The log may lie on the drive under test, but not in the folder that goes with the run. */
static int check_log_place(const struct run_context *ctx, struct err *err)
{
    const char *path = ctx->options->log_path;
    struct err ignored;
    if (path == NULL)
        return 0;
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL ? fs_path(".") : fs_path("%.*s/", (int)(slash - path), path);
    char *real = fs_real_path(folder, &ignored);
    int result = 0;
    for (size_t i = 0; real != NULL && i < ctx->workspace_count && result == 0; i++) {
        const char *ours = workspace_path(ctx->workspaces[i]);
        size_t length = strlen(ours);
        if (strncmp(real, ours, length) == 0 && (real[length] == '/' || real[length] == '\0'))
            result =
                err_set(err, ERR_USAGE,
                        "-o %s: that folder is removed when the run ends; choose another", path);
    }
    free(folder);
    free(real);
    return result;
}

static void see_log_place(struct run_context *ctx)
{
    struct stat log, target;
    if (stat(log_path(ctx->log), &log) != 0)
        return;
    for (size_t i = 0; i < ctx->workspace_count; i++)
        if (stat(workspace_path(ctx->workspaces[i]), &target) == 0 && target.st_dev == log.st_dev)
            ctx->result_on_target = true;
}

static void make_run_id(struct run_context *ctx)
{
    uint64_t seed = (uint64_t)clock_now_ns() ^ ((uint64_t)getpid() << 40) ^ (uint64_t)time(NULL);
    snprintf(ctx->run_id, sizeof ctx->run_id, "%016llx", (unsigned long long)rng_mix64(seed));
    clock_wall_iso(ctx->started);
}

/* Beside searches, which make trials of their own, an index is known only now. */
static int run_fixed(struct run_context *ctx, const struct trial_plan *planned, struct err *err)
{
    struct trial_plan trial = *planned;
    trial.index = ctx->trials_begun++;
    return trial_run(ctx, &trial, err);
}

static int run_trials(struct run_context *ctx, struct err *err)
{
    const struct plan *plan = ctx->options->plan;
    for (size_t i = 0; i < plan->count && !ctx->limit_reached; i++) {
        if (context_is_stopped(ctx))
            return err_set(err, ERR_INTERRUPTED, "stopped by a signal");
        const struct trial_plan *trial = &plan->trials[i];
        int result =
            trial->load->streams_auto ? searches_run(ctx, trial, err) : run_fixed(ctx, trial, err);
        if (result != 0) {
            if (context_is_stopped(ctx) && err->kind != ERR_VERIFY && err->kind != ERR_INTERRUPTED)
                err_set(err, ERR_INTERRUPTED, "stopped by a signal");
            return -1;
        }
    }
    if (context_is_stopped(ctx)) /* in what follows the last phase */
        return err_set(err, ERR_INTERRUPTED, "stopped by a signal");
    return 0;
}

/* The end record: not after a signal, where nothing more may take time. */
static int end_log(struct run_context *ctx, const char *path, bool partial, struct err *err)
{
    json_t *analysis = NULL;
    if (ctx->options->analysis != NULL)
        analysis = ctx->options->analysis(path);
    json_t *end = end_json(analysis != NULL ? analysis : json_null(), partial);
    json_object_set_new(end, "drives_after",
                        context_is_stopped(ctx) ? json_null() : drive_watch_after(ctx));
    return log_write(ctx->log, end, err);
}

static int close_log(struct run_context *ctx, struct run_outcome *outcome, int result,
                     struct err *err)
{
    struct err later;
    if (!ctx->header_written) {
        log_discard(ctx->log);
        return result;
    }
    snprintf(outcome->log_path, sizeof outcome->log_path, "%s", log_path(ctx->log));
    bool partial = result != 0 && err->kind != ERR_VERIFY;
    if (!ctx->stuck && end_log(ctx, outcome->log_path, partial, &later) != 0 && result == 0) {
        *err = later;
        result = -1;
    }
    if (log_close(ctx->log, &later) != 0 && result == 0) {
        *err = later;
        result = -1;
    }
    return result;
}

int run_execute(const struct run_options *options, struct run_outcome *outcome, struct err *err)
{
    struct run_context ctx = {.options = options, .origin_ns = clock_now_ns()};
    struct run_forecast forecast;
    struct err later;
    int result = -1;
    *outcome = (struct run_outcome){.stuck = false};
    if (run_prepare(options, &forecast, err) != 0)
        return -1;
    if (forecast.search_steps == 0) /* else nobody knows how long it takes */
        ctx.total_s = forecast.seconds;
    ctx.searches = searches_create(options->plan);
    make_run_id(&ctx);
    if (check_override(&ctx, err) != 0 || sites_list(&ctx, err) != 0 || sites_open(&ctx, err) != 0)
        goto out;
    if (check_log_place(&ctx, err) != 0 || log_create(options->log_path, &ctx.log, err) != 0)
        goto out;
    see_log_place(&ctx);
    drive_watch_open(&ctx);
    result = run_trials(&ctx, err);
    result = close_log(&ctx, outcome, result, err);
    outcome->stuck = ctx.stuck;
out:
    drive_watch_close(&ctx);
    if (sites_close(&ctx, &later) != 0 && result == 0) {
        *err = later;
        result = -1;
    }
    searches_destroy(ctx.searches);
    for (size_t i = 0; i < ctx.warning_count; i++)
        free(ctx.warnings[i]);
    if (!ctx.stuck) /* else the sampler still reads their devices */
        sites_free(&ctx);
    return result;
}
