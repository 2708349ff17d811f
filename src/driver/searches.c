#include "driver/searches.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/format.h"
#include "driver/forecast.h"
#include "driver/room.h"
#include "driver/trial.h"

/* What repeats need to know of the search that they repeat. */
struct steps {
    unsigned streams[SEARCH_STEPS_MAX];
    double bytes[SEARCH_STEPS_MAX];
    size_t count;
};

struct searches {
    const struct plan *plan;
    struct steps *groups; /* [plan->group_count] */
    size_t done;          /* trials of the plan, templates among them, that are over */
    bool warned_of_rows;

    /* The search that runs. */
    const struct trial_plan *of;
    struct search search;
    unsigned step, next; /* from 1, 0: none runs; streams of the next one, 0: none */
    bool searching;      /* false: its steps are repeated */
    bool capped;         /* streams_max is what open files allow */
    bool connected;      /* the streams of the step that runs */
    int64_t begun_ns;
    double ends_at_bytes; /* limit_written() when its share is used up */
    double step_began_bytes;
    double last_bytes; /* that the last step wrote */
    double rows_per_s; /* the most that any step inserted */
};

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
    if (ctx->searches != NULL)
        ctx->searches->connected = true;
}

static double elapsed_s(const struct searches *s)
{
    return (double)(clock_now_ns() - s->begun_ns) / 1e9;
}

/* ---- what a step came to ---- */

/* The mean over the cycles, each by its time. */
static double mean_rate(const json_t *phases, const char *phase, const char *rate_path)
{
    double amount = 0, seconds = 0;
    size_t i;
    const json_t *item;
    json_array_foreach(phases, i, item)
    {
        const char *name = json_text_at(item, "name");
        double rate = json_number_at(item, rate_path);
        double elapsed = json_number_at(item, "all_streams.elapsed_s");
        if (name == NULL || strcmp(name, phase) != 0 || isnan(rate) || isnan(elapsed))
            continue;
        amount += rate * elapsed;
        seconds += elapsed;
    }
    return seconds > 0 ? amount / seconds : NAN;
}

static double worst_percentile(const json_t *phases, const struct asked *asked)
{
    char path[64];
    double worst = NAN;
    size_t i;
    const json_t *phase;
    if (asked == NULL || asked->slo_percentile == NULL)
        return NAN;
    snprintf(path, sizeof path, "latency_ms.transaction.%s", asked->slo_percentile);
    json_array_foreach(phases, i, phase) worst = fmax(worst, json_number_at(phase, path));
    return worst;
}

static void take_outcome(struct searches *s, const struct trial *t)
{
    struct search_outcome outcome = {.streams = t->load->streams};
    struct steps *steps = &s->groups[s->of->group];
    for (size_t kind = 0; kind < PHASE_KINDS; kind++)
        outcome.commits_per_s[kind] =
            mean_rate(t->phases, phase_name((enum phase_kind)kind), "all_streams.commits_per_s");
    outcome.slo_ms = worst_percentile(t->phases, t->ctx->options->asked);
    search_take(&s->search, &outcome);
    s->last_bytes = limit_written(&t->ctx->limit) - s->step_began_bytes;
    s->rows_per_s = fmax(s->rows_per_s,
                         mean_rate(t->phases, phase_name(PHASE_INSERT), "all_streams.rows_per_s"));
    steps->streams[steps->count] = outcome.streams;
    steps->bytes[steps->count++] = s->last_bytes;
}

/* ---- does another step fit? ---- */

/* Against the last step: as many times its streams, as many times its load at most. */
static double growth(const struct searches *s, unsigned streams)
{
    double last = s->search.done[s->search.count - 1].streams;
    return streams > last ? streams / last : 1;
}

/* What the rows of a step can take, by the rate seen so far. */
static double step_space(const struct searches *s, const struct workload *load,
                         const struct trial_forecast *f)
{
    if (s->search.count == 0 || s->rows_per_s == 0)
        return f->space_bytes;
    double seconds = (double)load->search_step_max_ns / 1e9 * (double)load->phase_count;
    double rows = s->rows_per_s * growth(s, load->streams) * seconds;
    double row_space = f->engine.space_bytes / (double)load->rows;
    return fmin(f->space_bytes, rows * row_space);
}

/* Why a step with so many streams cannot begin; SEARCH_GOES_ON: it can. */
static enum search_end obstacle(const struct run_context *ctx, unsigned streams, struct err *err)
{
    const struct searches *s = ctx->searches;
    const struct run_target *target = &ctx->options->targets[s->of->target];
    struct workload *load = workload_with_streams(s->of->load, streams);
    struct trial_forecast f;
    enum search_end end = SEARCH_GOES_ON;
    if (forecast_trial(target, load, &f, err) != 0) {
        end = SEARCH_BY_STREAMS;
    } else if (room_check(target, step_space(s, load, &f), load, ctx->options->any_filesystem,
                          err) != 0) {
        end = SEARCH_BY_SPACE;
    } else {
        double bytes = s->search.count == 0 ? f.write_bytes : s->last_bytes * growth(s, streams);
        struct format_text wanted, left;
        double left_bytes = s->ends_at_bytes - limit_written(&ctx->limit);
        if (bytes > left_bytes) {
            end = SEARCH_BY_BYTES;
            err_set(err, ERR_REFUSED,
                    "a step with %u streams writes about %s and limit.write_bytes leaves %s to "
                    "this search",
                    streams, format_bytes(&wanted, bytes),
                    format_bytes(&left, fmax(left_bytes, 0)));
        }
    }
    workload_destroy(load);
    return end;
}

/* The next step, if the bounds allow one; *err says what was in the way. */
static void choose(const struct run_context *ctx, struct err *err)
{
    struct searches *s = ctx->searches;
    struct search peek = s->search;
    enum search_end why = SEARCH_GOES_ON;
    double seconds = elapsed_s(s);
    unsigned wanted = search_next(&peek, seconds, false);
    if (wanted != 0)
        why = obstacle(ctx, wanted, err);
    s->next = search_next(&s->search, seconds, why == SEARCH_BY_BYTES);
    if (s->next != 0 && why != SEARCH_GOES_ON) {
        s->search.end = why;
        s->next = 0;
    }
}

/* ---- the end ---- */

/* "insert 12,300 commits/s with 16 streams, delete ...". */
static void name_bests(const struct search *search, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t kind = 0; kind < PHASE_KINDS; kind++) {
        const struct search_outcome *best = search_best(search, (enum phase_kind)kind);
        struct format_text rate;
        if (best == NULL || used >= size)
            continue;
        int added = snprintf(text + used, size - used, "%s%s %s commits/s with %u stream%s",
                             used > 0 ? ", " : "", phase_name((enum phase_kind)kind),
                             format_grouped(&rate, best->commits_per_s[kind]), best->streams,
                             best->streams == 1 ? "" : "s");
        used += added < 0 ? 0 : (size_t)added;
    }
    if (used == 0)
        snprintf(text, size, "no step was within the service level");
}

static void say_why(const struct run_context *ctx, const struct err *obstacle, char *text,
                    size_t size)
{
    const struct searches *s = ctx->searches;
    const struct workload *load = s->of->load;
    const struct asked *asked = ctx->options->asked;
    switch (s->search.end) {
    case SEARCH_FOUND:
        snprintf(text, size, "the ceiling is found");
        return;
    case SEARCH_SLO:
        snprintf(text, size, "over because %s passed %g ms", asked->slo_percentile, asked->slo_ms);
        return;
    case SEARCH_BY_STEPS:
        snprintf(text, size, "over by search.steps = %u, before the ceiling was found",
                 load->search_steps);
        return;
    case SEARCH_BY_TIME:
        snprintf(text, size, "over by search.time = %s, before the ceiling was found",
                 workload_text(load, "search.time"));
        return;
    case SEARCH_BY_STREAMS:
        if (obstacle->kind == ERR_NONE) {
            snprintf(text, size, "over by %s = %u; the ceiling may lie beyond",
                     s->capped ? "the open files that this shell allows (ulimit -n), streams"
                               : "search.streams_max",
                     s->search.bounds.streams_max);
            return;
        }
        break;
    case SEARCH_BY_BYTES:
    case SEARCH_BY_SPACE:
    case SEARCH_GOES_ON:
        break;
    }
    snprintf(text, size, "over before the ceiling was found: %s", obstacle->text);
}

static void tell_end(struct run_context *ctx, int trial, const struct err *obstacle)
{
    char why[sizeof obstacle->text + 64], bests[256];
    say_why(ctx, obstacle, why, sizeof why);
    name_bests(&ctx->searches->search, bests, sizeof bests);
    context_event(ctx, trial, "search", "%s; most: %s", why, bests);
}

/* A limit that was reached within the step ends the run, and with it the search. */
static enum search_end end_of_trial(const struct trial *t)
{
    if (t->ended_by == ENDED_WRITE_BYTES)
        return SEARCH_BY_BYTES;
    return t->ended_by == ENDED_FREE_SPACE ? SEARCH_BY_SPACE : SEARCH_GOES_ON;
}

static void warn_of_rows(struct searches *s, const struct trial *t)
{
    if (s->warned_of_rows || t->step.phases_done < STEP_CYCLES_MAX * t->load->phase_count)
        return;
    s->warned_of_rows = true;
    context_warn(t->ctx, (int)t->plan->index,
                 "workload.rows = %s is over so soon that a step of the search is short even with "
                 "%d cycles; raise workload.rows",
                 workload_text(t->load, "workload.rows"), STEP_CYCLES_MAX);
}

void searches_judge(struct trial *t, enum trial_result result)
{
    struct searches *s = t->ctx->searches;
    struct err why = {.kind = ERR_NONE};
    if (s == NULL || s->step == 0)
        return;
    s->next = 0;
    if (result == TRIAL_FAILED)
        return;
    warn_of_rows(s, t);
    if (!s->searching)
        return;
    s->search.end = end_of_trial(t);
    if (s->search.end == SEARCH_GOES_ON) {
        take_outcome(s, t);
        choose(t->ctx, &why);
    } else {
        err_set(&why, ERR_REFUSED, "limit.%s was reached in a step with %u streams",
                trial_end_name(t->ended_by), t->load->streams);
    }
    t->search_end = s->search.end;
    if (s->search.end != SEARCH_GOES_ON)
        tell_end(t->ctx, (int)t->plan->index, &why);
}

/* ---- the steps ---- */

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
    if (s->search.bounds.first > 1)
        context_event(ctx, -1, "search",
                      "it begins with %u streams, one for each of workload.files",
                      s->search.bounds.first);
    choose(ctx, &why);
    if (s->search.end != SEARCH_GOES_ON)
        tell_end(ctx, -1, &why);
    for (unsigned step = 1; s->next != 0 && !ctx->limit_reached; step++)
        if (run_step(ctx, step, s->next, err) != 0)
            return -1;
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
        if (elapsed_s(s) >= s->search.bounds.time_s)
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
