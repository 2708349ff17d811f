#include <math.h>
#include <stdio.h>

#include "base/format.h"
#include "driver/searches_inner.h"

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
        snprintf(text, size, "%s",
                 search->count == 0 || isnan(search->bounds.slo_ms)
                     ? "no step was whole"
                     : "no step was within the service level");
}

static void say_why(const struct run_context *ctx, const struct err *cause, char *text, size_t size)
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
        if (cause->kind == ERR_NONE) {
            snprintf(text, size, "over by %s %u streams; the ceiling may lie beyond",
                     s->capped ? "the open files that this shell allows (ulimit -n), enough for"
                               : "search.streams_max,",
                     s->search.bounds.streams_max);
            return;
        }
        break;
    case SEARCH_BY_BYTES:
    case SEARCH_BY_SPACE:
    case SEARCH_GOES_ON:
        break;
    }
    snprintf(text, size, "over before the ceiling was found: %s", cause->text);
}

void searches_tell_end(struct run_context *ctx, int trial, const struct err *cause)
{
    char why[sizeof cause->text + 64], bests[256];
    say_why(ctx, cause, why, sizeof why);
    name_bests(&ctx->searches->search, bests, sizeof bests);
    context_event(ctx, trial, "search", "%s; most: %s", why, bests);
}
