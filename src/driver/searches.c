#include "driver/searches.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "driver/forecast.h"
#include "driver/room.h"
#include "driver/searches_inner.h"
#include "driver/trial.h"

struct searches *searches_create(const struct plan *plan)
{
    if (plan->template_count == 0)
        return NULL;
    struct searches *s = calloc(1, sizeof *s);
    if (s == NULL)
        abort();
    s->plan = plan;
    s->groups = calloc(plan->group_count, sizeof *s->groups);
    if (s->groups == NULL)
        abort();
    return s;
}

void searches_destroy(struct searches *s)
{
    if (s == NULL)
        return;
    free(s->groups);
    free(s);
}

unsigned searches_first(const struct workload *load)
{
    return load->layout == LAYOUT_FILE_PER_STREAM ? 1 : load->files;
}

unsigned searches_step(const struct run_context *ctx)
{
    return ctx->searches == NULL ? 0 : ctx->searches->step;
}

void searches_connected(struct run_context *ctx)
{
    struct searches *s = ctx->searches;
    if (s == NULL || s->step == 0)
        return;
    s->connected = true;
    if (s->searching && s->step == 1 && s->search.bounds.first > 1)
        context_event(ctx, (int)ctx->trials_begun - 1, "search",
                      "it begins with %u streams, one for each of workload.files",
                      s->search.bounds.first);
}

/* What trials of a fixed plan that are still to come will write. */
static double later_bytes(const struct run_context *ctx, size_t *templates)
{
    const struct searches *s = ctx->searches;
    double bytes = 0;
    *templates = 0;
    for (size_t i = s->done; i < s->plan->count; i++) {
        const struct trial_plan *trial = &s->plan->trials[i];
        struct trial_forecast f;
        struct err ignored;
        if (trial->load->streams_auto)
            (*templates)++;
        else if (forecast_trial(&ctx->options->targets[trial->target], trial->load, &f, &ignored) ==
                 0)
            bytes += f.write_bytes;
    }
    return bytes;
}

static void begin(struct run_context *ctx, const struct trial_plan *of)
{
    struct searches *s = ctx->searches;
    const struct asked *asked = ctx->options->asked;
    unsigned files_allow = UINT_MAX;
    size_t templates;
    if ((ctx->options->targets[of->target].adapter->caps & ADAPTER_LOCAL_FILES) != 0)
        files_allow = room_streams_max();
    struct search_bounds bounds = {.steps = of->load->search_steps,
                                   .streams_max = of->load->search_streams_max,
                                   .first = searches_first(of->load),
                                   .time_s = (double)of->load->search_time_ns / 1e9,
                                   .slo_ms = NAN};
    s->capped = files_allow < bounds.streams_max;
    if (s->capped)
        bounds.streams_max = files_allow;
    if (asked != NULL && asked->slo_percentile != NULL)
        bounds.slo_ms = asked->slo_ms;
    search_init(&s->search, &bounds);
    s->of = of;
    s->searching = of->repeat == 0;
    s->too_many = false;
    s->begun_ns = clock_now_ns();
    s->last_bytes = s->rows_per_s = 0;
    double written = limit_written(&ctx->limit);
    double left = (double)plan_write_limit(s->plan) - written - later_bytes(ctx, &templates);
    s->ends_at_bytes = written + left / (double)templates;
}

static int run_step(struct run_context *ctx, unsigned step, unsigned streams, struct err *err)
{
    struct searches *s = ctx->searches;
    struct trial_plan *plan = plan_step_create(s->of, ctx->trials_begun++, streams);
    const struct adapter *adapter = ctx->options->targets[plan->target].adapter;
    struct err ignored;
    if ((adapter->caps & ADAPTER_LOCAL_FILES) != 0)
        room_for_files(streams, &ignored); /* bounds.streams_max keeps to it */
    s->step = step;
    s->connected = false;
    s->step_began_bytes = limit_written(&ctx->limit);
    int result = trial_run(ctx, plan, err);
    s->step = 0;
    if (!ctx->stuck) /* else a stream still uses it */
        plan_step_destroy(plan);
    return result;
}

static int search(struct run_context *ctx, struct err *err)
{
    struct searches *s = ctx->searches;
    struct err why = {.kind = ERR_NONE};
    searches_choose(ctx, &why);
    if (s->search.end != SEARCH_GOES_ON)
        searches_tell_end(ctx, -1, &why);
    for (unsigned step = 1; s->next != 0 && !ctx->limit_reached; step++) {
        if (run_step(ctx, step, s->next, err) != 0 && !s->too_many)
            return -1;
        err->kind = ERR_NONE;
    }
    return 0;
}

/* Steps of repeat 0 again: paired with them, whatever they come to. */
static int repeat(struct run_context *ctx, struct err *err)
{
    struct searches *s = ctx->searches;
    const struct steps *steps = &s->groups[s->of->group];
    bool is_reverse = s->of->repeat % 2 == 1;
    for (size_t i = 0; i < steps->count && !ctx->limit_reached; i++) {
        size_t step = is_reverse ? steps->count - 1 - i : i;
        const char *bound = NULL;
        if (searches_elapsed_s(s) >= s->search.bounds.time_s)
            bound = "search.time";
        else if (limit_written(&ctx->limit) + steps->bytes[step] > s->ends_at_bytes)
            bound = "limit.write_bytes";
        if (bound != NULL) {
            context_event(ctx, -1, "search",
                          "repeat %u is over by its %s: %zu of %zu steps were repeated",
                          s->of->repeat, bound, i, steps->count);
            return 0;
        }
        if (run_step(ctx, (unsigned)step + 1, steps->streams[step], err) != 0)
            return -1;
    }
    return 0;
}

int searches_run(struct run_context *ctx, const struct trial_plan *of, struct err *err)
{
    ctx->searches->done = (size_t)(of - ctx->searches->plan->trials);
    begin(ctx, of);
    return of->repeat == 0 ? search(ctx, err) : repeat(ctx, err);
}
