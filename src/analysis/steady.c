#include "analysis/steady.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/finding.h"
#include "analysis/incidents.h"
#include "analysis/level_cause.h"
#include "analysis/steady_repeat.h"
#include "analysis/steady_words.h"
#include "result/put.h"

/* What all groups share. */
struct study {
    const struct evidence *evidence;
    struct rates_index index;
    struct incidents incidents;
    struct rounds_rule *rules; /* [count], by trial */
    size_t count;
};

/* ---- the trials' rules, found by trial ---- */

static int by_trial(const void *a, const void *b)
{
    const struct rounds_rule *x = a, *y = b;
    return (x->trial > y->trial) - (x->trial < y->trial);
}

static void study_init(struct study *study, const struct evidence *evidence)
{
    const json_t *trials = json_object_get(evidence->summary, "trials"), *trial;
    size_t index;
    *study = (struct study){.evidence = evidence, .count = json_array_size(trials)};
    rates_index_init(&study->index, evidence->courses);
    incidents_init(&study->incidents, evidence->summary);
    study->rules = calloc(study->count ? study->count : 1, sizeof *study->rules);
    if (!study->rules) {
        fputs("loadline: out of memory\n", stderr);
        abort();
    }
    json_array_foreach(trials, index, trial)
    {
        rounds_rule_init(&study->rules[index], evidence->summary, trial, &study->index);
    }
    qsort(study->rules, study->count, sizeof *study->rules, by_trial);
}

static void study_release(struct study *study)
{
    for (size_t i = 0; i < study->count; i++)
        rounds_rule_release(&study->rules[i]);
    free(study->rules);
    rates_index_release(&study->index);
    incidents_release(&study->incidents);
}

static const struct rounds_rule *rule_of(const struct study *study, const json_t *trial)
{
    const struct rounds_rule key = {.trial = trial};
    return bsearch(&key, study->rules, study->count, sizeof *study->rules, by_trial);
}

/* ---- members ---- */

static json_t *answer_json(enum rounds_rule_answer answer)
{
    return answer == RULE_UNKNOWN ? json_null() : json_boolean(answer == RULE_YES);
}

static json_t *rounds_list(const struct steady_repeat *r)
{
    json_t *list = json_array();
    size_t index, judged = 0;
    const json_t *round;
    json_array_foreach(json_object_get(r->trial, "rounds"), index, round)
    {
        static const char *const numbers[] = {"start_s", "elapsed_s", "bytes", "bytes_total"};
        json_t *object = json_object();
        const json_t *own = json_object_get(json_object_get(round, "phases"), r->group->phase);
        bool is_judged = judged < r->rule->count && r->rule->rounds[judged] == round;
        put_number(object, "round", json_number_at(round, "round"));
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
            put_number(object, numbers[i], json_number_at(round, numbers[i]));
        put_real(object, "commits_per_s", json_number_at(own, "commits_per_s"));
        put_real(object, "p99_ms", json_number_at(own, "p99_ms"));
        put(object, "judged", json_boolean(is_judged));
        put(object, "holds", is_judged ? answer_json(r->rule->holds[judged]) : NULL);
        put(object, "after_pause",
            json_boolean(json_is_true(json_object_get(round, "after_pause"))));
        judged += is_judged;
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *metric_json(const struct steady *window)
{
    if (isnan(window->average))
        return NULL;
    json_t *object = json_object();
    put_real(object, "average", window->average);
    put_real(object, "range", window->range);
    put_real(object, "fit_range", window->fit_range);
    put_real(object, "slope", window->slope);
    put(object, "holds", json_boolean(window->holds));
    return object;
}

static json_t *window_json(const struct steady_repeat *r)
{
    const struct rounds_rule *rule = r->rule;
    if (!r->phase || rule->count < STEADY_WINDOW)
        return NULL;
    json_t *object = json_object(), *metrics = json_object();
    put_number(object, "first", json_number_at(rule->rounds[rule->count - STEADY_WINDOW], "round"));
    put_number(object, "last", json_number_at(rule->rounds[rule->count - 1], "round"));
    put(metrics, "commits_per_s", metric_json(&r->commits));
    put(metrics, "p99_ms", metric_json(&r->p99));
    put(object, "metrics", metrics);
    return object;
}

static double level_end(const struct steady_repeat *r, size_t at)
{
    const struct joined_second *last = &r->joined.seconds[r->levels.items[at].to - 1];
    return last->at_s + last->seconds;
}

static json_t *levels_json(const struct steady_repeat *r)
{
    json_t *list = json_array();
    for (size_t i = 0; i < r->levels.count; i++) {
        const struct joined_second *first = &r->joined.seconds[r->levels.items[i].from];
        json_t *object = json_object();
        put_real(object, "from_s", first->at_s);
        put_real(object, "to_s", level_end(r, i));
        put_number(object, "from_bytes", first->bytes);
        put_real(object, "commits_per_s", r->levels.items[i].commits_per_s);
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *changes_json(const struct steady_repeat *r, const struct study *study)
{
    json_t *list = json_array();
    double trial = json_number_at(r->trial, "index");
    for (size_t i = 1; i < r->levels.count; i++) {
        const struct joined_second *at = &r->joined.seconds[r->levels.items[i].from];
        struct level_cause cause;
        json_t *object = json_object();
        level_cause_find(&cause, &r->joined, &r->levels, i, &study->incidents, trial);
        put_real(object, "at_s", at->at_s);
        put_number(object, "at_bytes", at->bytes);
        put_real(object, "before", r->levels.items[i - 1].commits_per_s);
        put_real(object, "after", r->levels.items[i].commits_per_s);
        put_text(object, "cause", cause.name);
        put_text(object, "evidence", cause.evidence);
        json_array_append_new(list, object);
    }
    return list;
}

#define EVENT_LATE_S 0.25 /* it is logged when it is over */

static json_t *stalls_json(const struct steady_repeat *r, const struct study *study)
{
    json_t *list = json_array();
    double trial = json_number_at(r->trial, "index");
    for (size_t i = 0; i < r->stalls.count; i++) {
        const struct stall *stall = &r->stalls.items[i];
        char text[64];
        const struct incident *incident = incidents_find(
            &study->incidents, trial, stall->at_s, stall->at_s + stall->seconds + EVENT_LATE_S);
        json_t *object = json_object();
        put_real(object, "at_s", stall->at_s);
        put_real(object, "seconds", stall->seconds);
        put_text(object, "device", stalls_device(stall, text));
        put_text(object, "event", incident ? incident->kind : NULL);
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *worst_json(const struct steady_repeat *r)
{
    if (!r->worst)
        return NULL;
    json_t *object = json_object();
    put_real(object, "at_s", r->worst->at_s);
    put_real(object, "commits_per_s", r->worst->commits_per_s);
    put_real(object, "seconds", r->worst->seconds);
    return object;
}

static json_t *pause_json(const struct steady_repeat *r)
{
    if (!r->recovered)
        return NULL;
    json_t *object = json_object();
    put_real(object, "pause_s", r->recovery.pause_s);
    put_real(object, "commits_per_s", r->recovery.commits_per_s);
    put_real(object, "of_before", r->recovery.of_before);
    put_real(object, "of_burst", r->burst > 0 ? r->recovery.commits_per_s / r->burst : NAN);
    put_real(object, "elapsed_s", r->recovery.elapsed_s);
    return object;
}

/* What is told of every repeat. */
static void put_figures(json_t *object, const struct steady_repeat *r)
{
    const struct rounds_rule *rule = r->rule;
    size_t since = rounds_rule_since(rule);
    bool holds = since < rule->count;
    put_number(object, "reached_at_round",
               holds ? json_number_at(rule->rounds[since], "round") : NAN);
    put_count(object, "rounds_judged", (double)rule->count);
    put_number(object, "bytes_written",
               rule->count > 0 ? rule->bytes_total[rule->count - 1] : r->written_bytes);
    put_real(object, "elapsed_s", r->written_s);
    put_number(object, "bytes_gate", rule->gate_bytes);
    put(object, "change_in_window", answer_json(rule->change));
    put_text(object, "why", r->verdict == STEADY_REACHED ? NULL : rule->why);
    put_number(object, "bytes_to_cliff", r->cliff_bytes);
    put_real(object, "seconds_to_cliff", r->cliff_s);
    put_real(object, "sustained_commits_per_s", r->sustained);
    put_real(object, "burst_commits_per_s", r->burst);
    put_real(object, "median_commits_per_s", r->median);
    put_real(object, "sustained_of_burst", r->burst > 0 ? r->sustained / r->burst : NAN);
    put(object, "worst_second", worst_json(r));
    put_real(object, "share_below_half", r->below_half);
    put_count(object, "stall_count", r->joined.count > 0 ? (double)r->stalls.total : NAN);
    put_real(object, "stalled_s", r->joined.count > 0 ? r->stalls.total_s : NAN);
    put(object, "after_pause", pause_json(r));
}

/* ---- findings ---- */

static void put_first(json_t *finding, const struct steady_repeat *r, const struct study *study)
{
    json_t *changes = changes_json(r, study);
    put(finding, "asked", json_boolean(r->rule->asked));
    put_figures(finding, r);
    put(finding, "rounds", rounds_list(r));
    put(finding, "window", window_json(r));
    put(finding, "levels", levels_json(r));
    put(finding, "changes", changes);
    put(finding, "stalls", stalls_json(r, study));
    steady_words_say(finding, r,
                     r->levels.cliff > 0 ? json_array_get(changes, r->levels.cliff - 1) : NULL);
}

static json_t *other_json(const struct steady_repeat *r)
{
    json_t *object = json_object();
    put_number(object, "repeat", json_number_at(r->trial, "repeat"));
    put_text(object, "verdict", steady_verdicts[r->verdict]);
    put_figures(object, r);
    return object;
}

/* Of several repeats the one that says least for the drive. */
static enum steady_verdict worse(enum steady_verdict a, enum steady_verdict b)
{
    static const int ranks[] = {[STEADY_REACHED] = 0,
                                [STEADY_BURST] = 1,
                                [STEADY_UNDETERMINED] = 2,
                                [STEADY_NOT_REACHED] = 3};
    return ranks[a] >= ranks[b] ? a : b;
}

/* NULL: there is nothing to say. */
static json_t *finding_of(const struct group *group, const struct study *study)
{
    json_t *finding = finding_create(group, NULL), *others = json_array();
    enum steady_verdict verdict = STEADY_UNDETERMINED;
    size_t repeats = 0, steady = 0;
    bool says = false;
    for (size_t i = 0; i < group->count; i++) {
        struct steady_repeat repeat;
        const struct rounds_rule *rule = rule_of(study, group->trials[i]);
        if (!rule || (i > 0 && group->trials[i] == group->trials[i - 1]))
            continue; /* cycles that are not merged */
        steady_repeat_init(&repeat, group, i, rule, &study->index);
        verdict = repeats == 0 ? repeat.verdict : worse(verdict, repeat.verdict);
        steady += repeat.verdict == STEADY_REACHED;
        says = says || steady_repeat_says(&repeat);
        if (repeats++ == 0)
            put_first(finding, &repeat, study);
        else
            json_array_append_new(others, other_json(&repeat));
        steady_repeat_release(&repeat);
    }
    finding_judge(finding, steady_verdicts[verdict]);
    put_count(finding, "repeats", (double)repeats);
    put_count(finding, "repeats_steady", (double)steady);
    put(finding, "others", others);
    if (repeats > 1 && (verdict == STEADY_REACHED || verdict == STEADY_NOT_REACHED))
        steady_words_repeats(finding, repeats, steady);
    if (says)
        return finding;
    json_decref(finding);
    return NULL;
}

json_t *steady_json(const struct evidence *evidence)
{
    struct study study;
    json_t *findings = json_array();
    study_init(&study, evidence);
    for (size_t i = 0; i < evidence->groups->count; i++) {
        json_t *finding = finding_of(&evidence->groups->items[i], &study);
        if (finding)
            json_array_append_new(findings, finding);
    }
    study_release(&study);
    return findings_json(findings);
}
