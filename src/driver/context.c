#include "driver/context.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"

static void note(const struct run_context *ctx, const char *kind, const char *text)
{
    const struct run_watch *watch = ctx->options->watch;
    if (watch != NULL && watch->note != NULL)
        watch->note(watch->ctx, kind, text);
}

static void log_event(struct run_context *ctx, int trial, const char *kind, const char *text)
{
    struct err ignored; /* the next record that fails to be written ends the run */
    if (ctx->log != NULL && ctx->header_written)
        log_write(ctx->log, event_json(context_seconds(ctx, clock_now_ns()), trial, kind, text),
                  &ignored);
}

void context_warn(struct run_context *ctx, int trial, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    note(ctx, "warning", text);
    if (!ctx->header_written && ctx->warning_count < RUN_WARNINGS_MAX)
        ctx->warnings[ctx->warning_count++] = strdup(text);
    else
        log_event(ctx, trial, "warning", text);
}

void context_event(struct run_context *ctx, int trial, const char *kind, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    note(ctx, kind, text);
    log_event(ctx, trial, kind, text);
}

void context_log_event(struct run_context *ctx, int trial, const char *kind, const char *format,
                       ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    log_event(ctx, trial, kind, text);
}

void context_forget_rates(struct run_context *ctx)
{
    struct run_progress *p = &ctx->progress;
    p->rows_per_s = p->commits_per_s = p->write_iops = p->flushes_per_s = NAN;
    p->queue_depth = p->temperature_c = NAN;
}

void context_progress(struct run_context *ctx, const char *phase, double share)
{
    const struct run_watch *watch = ctx->options->watch;
    struct run_progress *p = &ctx->progress;
    int64_t now_ns = clock_now_ns();
    bool changed = p->phase == NULL || strcmp(p->phase, phase) != 0;
    if (watch == NULL || watch->progress == NULL ||
        (!changed && now_ns - ctx->progress_ns < NS_PER_S / 10))
        return;
    ctx->progress_ns = now_ns;
    p->phase = phase;
    p->done = p->left_s = NAN;
    if (ctx->total_s > 0) {
        const volatile int *stop = ctx->options->stop;
        bool is_stopped = stop != NULL && *stop != 0; /* what is left will not be done */
        double done = (ctx->done_s + share * ctx->trial_s) / ctx->total_s;
        if (!is_stopped)
            ctx->shown_share = fmax(ctx->shown_share, done); /* an estimate, but never backward */
        p->done = ctx->shown_share;
        double elapsed_s = context_seconds(ctx, now_ns);
        if (p->done > 0.02 && !is_stopped)
            p->left_s = elapsed_s / p->done * (1 - p->done);
    }
    watch->progress(watch->ctx, p);
}

void context_sight(const struct run_context *ctx, const struct run_sight *sight)
{
    const struct run_watch *watch = ctx->options->watch;
    if (watch != NULL && watch->sample != NULL)
        watch->sample(watch->ctx, sight);
}
