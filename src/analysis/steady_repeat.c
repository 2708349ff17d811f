#include "analysis/steady_repeat.h"

#include <math.h>
#include <string.h>

#include "analysis/standing.h"
#include "result/rounds.h"
#include "stats/summary.h"

const char *const steady_verdicts[] = {
    [STEADY_UNDETERMINED] = "undetermined",
    [STEADY_REACHED] = "steady",
    [STEADY_NOT_REACHED] = "not reached",
    [STEADY_BURST] = "burst",
};

double steady_repeat_bytes(const json_t *phase)
{
    const json_t *sum = json_object_get(phase, "device_sum");
    if (!json_is_object(sum)) /* of an earlier version */
        sum = json_object_iter_value(json_object_iter(json_object_get(phase, "devices")));
    double settled = json_number_at(sum, "settle_write_bytes");
    return json_number_at(sum, "write_bytes") + (isnan(settled) ? 0 : settled);
}

static void sum_written(struct steady_repeat *r)
{
    size_t index;
    const json_t *phase;
    r->written_bytes = r->written_s = 0;
    json_array_foreach(json_object_get(r->trial, "phases"), index, phase)
    {
        double elapsed_s = json_number_at(phase, "elapsed_s");
        if (rounds_is_after_pause(phase))
            continue;
        r->written_bytes += steady_repeat_bytes(phase);
        r->written_s += isnan(elapsed_s) ? 0 : elapsed_s;
    }
}

/* What the run itself found, where it was asked to judge. */
static enum rounds_rule_answer found_itself(const struct steady_repeat *r)
{
    const json_t *reached = json_at(r->trial, "steady.reached");
    const char *ended = json_text_at(r->trial, "ended_by");
    if (json_is_boolean(reached))
        return json_is_true(reached) ? RULE_YES : RULE_NO;
    if (!r->rule->asked || !ended)
        return RULE_UNKNOWN;
    return strcmp(ended, "steady") == 0 ? RULE_YES : RULE_NO;
}

static enum steady_verdict judge(const struct steady_repeat *r)
{
    const struct rounds_rule *rule = r->rule;
    enum standing standing = standing_of(r->group);
    bool is_drive = standing != STANDING_NO_DRIVE && standing != STANDING_ELSEWHERE;
    if (rule->count >= STEADY_WINDOW)
        switch (rule->holds[rule->count - 1]) {
        case RULE_YES: /* the run may have seen what is not in the samples that are left */
            return r->itself == RULE_NO ? STEADY_NOT_REACHED : STEADY_REACHED;
        case RULE_NO:
            return STEADY_NOT_REACHED;
        case RULE_UNKNOWN:
            return STEADY_UNDETERMINED;
        }
    if (rule->asked)
        return STEADY_NOT_REACHED;
    return is_drive && r->written_s > 0 && r->written_bytes >= 0 ? STEADY_BURST
                                                                 : STEADY_UNDETERMINED;
}

static void read_window(struct steady_repeat *r)
{
    const struct steady unknown = {NAN, NAN, NAN, NAN, NAN, false};
    r->commits = r->p99 = unknown;
    if (!r->phase || r->rule->count < STEADY_WINDOW)
        return;
    steady_window(r->phase->commits_per_s, r->rule->count - 1, &r->commits);
    steady_window(r->phase->p99_ms, r->rule->count - 1, &r->p99);
}

static void read_seconds(struct steady_repeat *r)
{
    double below = 0, all = 0;
    const struct joined *joined = &r->joined;
    r->median = joined_median(joined, 0, joined->count);
    for (size_t i = 0; i < joined->count; i++) {
        const struct joined_second *second = &joined->seconds[i];
        if (!r->worst || second->commits_per_s < r->worst->commits_per_s)
            r->worst = second;
        below += second->commits_per_s < r->median / 2 ? second->seconds : 0;
        all += second->seconds;
    }
    r->below_half = all > 0 && r->median > 0 ? below / all : NAN;
}

static bool has_window(const struct steady_repeat *r)
{
    return r->phase && r->rule->count >= STEADY_WINDOW;
}

static void read_levels(struct steady_repeat *r)
{
    const struct levels *levels = &r->levels;
    bool looked = r->joined.count >= LEVELS_SECONDS || !has_window(r);
    r->burst = looked && levels->count > 0 ? levels->items[0].commits_per_s : NAN;
    if (levels->cliff == 0)
        return;
    const struct joined_second *at = &r->joined.seconds[levels->items[levels->cliff].from];
    r->cliff_bytes = at->bytes;
    r->cliff_s = at->at_s - r->joined.begin_s;
}

/* Of a short run without any change nothing is sustained. */
static double sustained_of(const struct steady_repeat *r)
{
    const struct levels *levels = &r->levels;
    if (has_window(r) && r->verdict == STEADY_REACHED)
        return summary_median(r->phase->commits_per_s + r->rule->count - STEADY_WINDOW,
                              STEADY_WINDOW);
    if (levels->count > 1)
        return levels->items[levels->count - 1].commits_per_s;
    return r->commits.average;
}

void steady_repeat_init(struct steady_repeat *r, const struct group *group, size_t at,
                        const struct rounds_rule *rule, const struct rates_index *index)
{
    *r = (struct steady_repeat){.group = group,
                                .trial = group->trials[at],
                                .rule = rule,
                                .phase = rounds_rule_phase(rule, group->phase),
                                .cliff_bytes = NAN,
                                .cliff_s = NAN};
    sum_written(r);
    r->itself = found_itself(r);
    r->verdict = judge(r);
    read_window(r);
    joined_init(&r->joined, index, r->trial, group->phase);
    levels_find(&r->levels, &r->joined);
    stalls_find(&r->stalls, &r->joined, &r->levels);
    read_seconds(r);
    read_levels(r);
    r->sustained = sustained_of(r);
    r->recovered = recovery_find(&r->recovery, group->summary, r->trial, group->phase);
}

void steady_repeat_release(struct steady_repeat *r)
{
    joined_release(&r->joined);
}

bool steady_repeat_says(const struct steady_repeat *r)
{
    return r->verdict != STEADY_UNDETERMINED || r->joined.count > 0 || r->rule->count > 0;
}
