#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "driver/forecast.h"
#include "driver/room.h"
#include "driver/searches_inner.h"
#include "driver/trial.h"

/* A step may be longer than the one before. */
#define BYTES_MARGIN 1.25

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
        double bytes = s->search.count == 0 ? f.write_bytes
                                            : BYTES_MARGIN * s->last_bytes * growth(s, streams);
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
void searches_choose(const struct run_context *ctx, struct err *err)
{
    struct searches *s = ctx->searches;
    struct search peek = s->search;
    enum search_end why = SEARCH_GOES_ON;
    double seconds = searches_elapsed_s(s);
    unsigned wanted = search_next(&peek, seconds, false);
    if (wanted != 0)
        why = obstacle(ctx, wanted, err);
    s->next = search_next(&s->search, seconds, why == SEARCH_BY_BYTES);
    if (s->next != 0 && why != SEARCH_GOES_ON) {
        s->search.end = why;
        s->next = 0;
    }
}

/* ---- the judgement ---- */

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

/* Fewer streams could connect, and these cannot. */
static bool are_too_many(const struct trial *t)
{
    const struct searches *s = t->ctx->searches;
    unsigned most = 0;
    for (size_t i = 0; i < s->search.count; i++)
        if (s->search.done[i].streams > most)
            most = s->search.done[i].streams;
    return s->searching && most > 0 && t->load->streams > most && !s->connected &&
           t->ended_by != ENDED_NO_SPACE && !context_is_stopped(t->ctx);
}

static void judge(struct trial *t, const struct err *failure, struct err *why)
{
    struct searches *s = t->ctx->searches;
    s->search.end = end_of_trial(t);
    if (failure != NULL) {
        s->too_many = true;
        s->search.end = SEARCH_BY_STREAMS;
        *why = *failure;
    } else if (s->search.end != SEARCH_GOES_ON) {
        err_set(why, ERR_REFUSED, "limit.%s was reached in a step with %u stream%s",
                trial_end_name(t->ended_by), t->load->streams, t->load->streams == 1 ? "" : "s");
    } else {
        take_outcome(s, t);
        searches_choose(t->ctx, why);
    }
}

bool searches_judge(struct trial *t, const struct err *failure)
{
    struct searches *s = t->ctx->searches;
    struct err why = {.kind = ERR_NONE};
    if (s == NULL || s->step == 0)
        return false;
    s->next = 0;
    if (failure != NULL && !are_too_many(t))
        return false;
    warn_of_rows(s, t);
    if (!s->searching)
        return false;
    judge(t, failure, &why);
    t->search_end = s->search.end;
    if (s->search.end != SEARCH_GOES_ON)
        searches_tell_end(t->ctx, (int)t->plan->index, &why);
    return s->too_many;
}
