/* context.h - what one run carries from trial to trial.  Main thread only. */
#ifndef DRIVER_CONTEXT_H
#define DRIVER_CONTEXT_H

#include "driver/limit.h"
#include "driver/run.h"
#include "driver/site.h"
#include "result/log.h"
#include "result/record.h"

struct searches; /* searches.h */

enum { RUN_WARNINGS_MAX = 32 };

struct run_context {
    const struct run_options *options;
    struct log *log;
    int64_t origin_ns; /* times in the log count from here */
    char run_id[40];
    char started[32];
    bool header_written;
    struct site *sites;
    size_t site_count;
    struct workspace *workspaces[2 * SITES_MAX]; /* of the sites, each once */
    size_t workspace_count;
    struct drive_watch *drives; /* NULL: not read yet */
    struct limit limit;
    char *warnings[RUN_WARNINGS_MAX];
    size_t warning_count;
    bool warned_of_memory;                                      /* once for all targets */
    bool warned_of_temperature, warned_of_gate, warned_of_trim; /* once for all trials */
    bool result_on_target;
    struct searches *searches; /* NULL: none in the plan */
    unsigned trials_begun;     /* the next one's index */
    bool limit_reached;        /* the run ends cleanly after this trial */
    bool stuck;                /* a stream did not come back: leave by _exit */

    /* Progress: shares of the forecast time. */
    double total_s, done_s, trial_s, shown_share;
    struct run_progress progress;
    int64_t progress_ns; /* when it was shown last */
};

static inline bool context_is_stopped(const struct run_context *ctx)
{
    return ctx->options->stop != NULL && *ctx->options->stop != 0;
}
static inline double context_seconds(const struct run_context *ctx, int64_t when_ns)
{
    return (double)(when_ns - ctx->origin_ns) / 1e9;
}

/* A warning for the person and for the header (before it is written) or as an event (after). */
void context_warn(struct run_context *ctx, int trial, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* An event of the log, and a note for the person. */
void context_event(struct run_context *ctx, int trial, const char *kind, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* An event of the log alone. */
void context_log_event(struct run_context *ctx, int trial, const char *kind, const char *format,
                       ...) __attribute__((format(printf, 4, 5)));
/* Nothing is measured now: the rates that are shown are unknown. */
void context_forget_rates(struct run_context *ctx);
/* Shows where the run is; `share` of the current trial is done.  Not more often than ten times
 * a second, but always when the phase's name changes. */
void context_progress(struct run_context *ctx, const char *phase, double share);
/* Shows a sample that is in the log by now. */
void context_sight(const struct run_context *ctx, const struct run_sight *sight);

#endif
