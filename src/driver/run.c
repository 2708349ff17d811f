#include "driver/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/format.h"
#include "base/fs.h"
#include "driver/context.h"
#include "driver/drive_watch.h"
#include "driver/forecast.h"
#include "driver/precheck.h"
#include "driver/trial.h"

/* Files that a stream and the rest keep open at one time, at most. */
enum { FILES_PER_STREAM = 4, FILES_BESIDES = 64 };

/* ---- before anything is made ---- */

static int check_space(const struct run_target *target, double needed, const struct workload *load,
                       bool any_filesystem, struct err *err)
{
    uint64_t free_bytes, total_bytes;
    struct format_text a, b, c;
    struct err ignored;
    if ((target->adapter->caps & ADAPTER_LOCAL_FILES) == 0 ||
        fs_space(target->path, &free_bytes, &total_bytes, &ignored) != 0)
        return 0; /* a target that is not there is refused later, by its own sentence */
    char kind[32];
    if (!any_filesystem && fs_kind(target->path, kind, &ignored) == 0 &&
        (fs_kind_is_memory(kind) || fs_kind_is_network(kind)))
        return 0; /* likewise */
    double floor = load->limit_free_share * (double)total_bytes;
    if ((double)free_bytes - needed >= floor)
        return 0;
    return err_set(err, ERR_REFUSED,
                   "%s has %s free; the plan needs %s and limit.free_space keeps %s; use fewer "
                   "rows or streams, or another drive",
                   target->path, format_bytes(&a, (double)free_bytes), format_bytes(&b, needed),
                   format_bytes(&c, floor));
}

static int check_files(const struct run_options *options, struct err *err)
{
    const struct plan *plan = options->plan;
    struct rlimit limit;
    unsigned most = 0;
    for (size_t i = 0; i < plan->count; i++) {
        uint32_t caps = options->targets[plan->trials[i].target].adapter->caps;
        if ((caps & ADAPTER_LOCAL_FILES) != 0 && plan->trials[i].load->streams > most)
            most = plan->trials[i].load->streams;
    }
    rlim_t needed = (rlim_t)most * FILES_PER_STREAM + FILES_BESIDES;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= needed)
        return 0;
    if (limit.rlim_max < needed)
        return err_set(
            err, ERR_REFUSED,
            "%u streams need up to %llu open files, this shell allows %llu; raise it with "
            "ulimit -n, or use fewer streams",
            most, (unsigned long long)needed, (unsigned long long)limit.rlim_max);
    limit.rlim_cur = needed;
    setrlimit(RLIMIT_NOFILE, &limit);
    return 0;
}

int run_prepare(const struct run_options *options, struct run_forecast *forecast, struct err *err)
{
    const struct plan *plan = options->plan;
    struct format_text a, b;
    *forecast = (struct run_forecast){.trials = (unsigned)plan->count};
    if (options->target_count > SITES_MAX)
        return err_set(err, ERR_USAGE, "%zu targets; at most %d", options->target_count, SITES_MAX);
    for (size_t i = 0; i < plan->count; i++) {
        const struct trial_plan *trial = &plan->trials[i];
        struct trial_forecast f;
        if (forecast_trial(&options->targets[trial->target], trial->load, &f, err) != 0)
            return -1;
        forecast->seconds += f.seconds;
        forecast->write_bytes += f.write_bytes;
        if (f.space_bytes > forecast->space_bytes)
            forecast->space_bytes = f.space_bytes;
    }
    double limit = (double)plan_write_limit(plan);
    if (forecast->write_bytes > limit)
        return err_set(
            err, ERR_REFUSED,
            "the plan writes about %s to the drive, more than limit.write_bytes = %s; if that "
            "is meant, raise it with -s limit.write_bytes=SIZE",
            format_bytes(&a, forecast->write_bytes), format_bytes(&b, limit));
    for (size_t i = 0; i < plan->count; i++) {
        const struct trial_plan *trial = &plan->trials[i];
        struct trial_forecast f;
        if (forecast_trial(&options->targets[trial->target], trial->load, &f, err) != 0 ||
            check_space(&options->targets[trial->target], f.space_bytes, trial->load,
                        options->any_filesystem, err) != 0)
            return -1;
    }
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

static int run_trials(struct run_context *ctx, struct err *err)
{
    const struct plan *plan = ctx->options->plan;
    for (size_t i = 0; i < plan->count && !ctx->limit_reached; i++) {
        if (context_is_stopped(ctx))
            return err_set(err, ERR_INTERRUPTED, "stopped by a signal");
        if (trial_run(ctx, &plan->trials[i], err) != 0) {
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
    ctx.total_s = forecast.seconds;
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
    for (size_t i = 0; i < ctx.warning_count; i++)
        free(ctx.warnings[i]);
    if (!ctx.stuck) /* else the sampler still reads their devices */
        sites_free(&ctx);
    return result;
}
