#include "analysis/rounds_rule.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/rounds_change.h"
#include "base/format.h"
#include "result/keys.h"
#include "result/rounds.h"

#define GATE_OF_DISK  (1.0 / 3)
#define GATE_OF_LIMIT 0.5  /* of limit.write_bytes, at most */
#define ROUNDING_S    1e-6 /* a time that was written as text and read again */

enum { CHANGES_MOST = 40 }; /* windows of one trial that are looked through for a change */

static void *memory(size_t count, size_t size)
{
    void *block = calloc(count ? count : 1, size);
    if (!block) {
        fputs("loadline: out of memory\n", stderr);
        abort();
    }
    return block;
}

/* ---- what is judged ---- */

static bool is_judged(const json_t *round, bool asked, double round_s)
{
    if (!json_is_object(round) || json_is_true(json_object_get(round, "partial")) ||
        json_is_true(json_object_get(round, "after_pause")))
        return false;
    return !asked || !(json_number_at(round, "elapsed_s") < round_s - ROUNDING_S);
}

static void take_rounds(struct rounds_rule *rule, const json_t *summary)
{
    const json_t *rounds = json_object_get(rule->trial, "rounds"), *round;
    size_t index, size = json_array_size(rounds);
    double round_s = rounds_length_s(summary, rule->trial);
    rule->rounds = memory(size, sizeof *rule->rounds);
    rule->bytes_total = memory(size, sizeof *rule->bytes_total);
    rule->holds = memory(size, sizeof *rule->holds);
    json_array_foreach(rounds, index, round)
    {
        if (!is_judged(round, rule->asked, round_s))
            continue;
        rule->bytes_total[rule->count] = json_number_at(round, "bytes_total");
        rule->rounds[rule->count++] = round;
    }
}

static void take_phases(struct rounds_rule *rule)
{
    const char *name;
    json_t *value;
    if (rule->count == 0)
        return;
    json_object_foreach(json_object_get(rule->rounds[0], "phases"), name, value)
    {
        if (rule->phase_count == ROUNDS_RULE_PHASES)
            break;
        struct rounds_rule_phase *phase = &rule->phases[rule->phase_count++];
        *phase = (struct rounds_rule_phase){name, memory(rule->count, sizeof *phase->commits_per_s),
                                            memory(rule->count, sizeof *phase->p99_ms)};
        for (size_t i = 0; i < rule->count; i++) {
            const json_t *own = json_object_get(json_object_get(rule->rounds[i], "phases"), name);
            phase->commits_per_s[i] = json_number_at(own, "commits_per_s");
            phase->p99_ms[i] = json_number_at(own, "p99_ms");
        }
    }
}

static double disk_bytes(const json_t *summary, const json_t *trial)
{
    double target = json_number_at(trial, "target");
    size_t index;
    const json_t *device;
    json_array_foreach(json_object_get(summary, "devices"), index, device)
    {
        double of = json_number_at(device, "target");
        const char *role = json_text_at(device, "role");
        if (role && strcmp(role, "data") == 0 && (isnan(of) || isnan(target) || of == target)) {
            double bytes = json_number_at(device, "size_bytes");
            return bytes > 0 ? bytes : NAN;
        }
    }
    return NAN;
}

/* As the run had it, or as it would have. */
static double gate_of(const json_t *summary, const json_t *trial, bool asked)
{
    double gate = json_number_at(trial, "steady.gate_bytes");
    if (asked || !isnan(gate))
        return gate;
    gate = keys_number(summary, trial, "steady.write_bytes");
    if (!isnan(gate))
        return gate;
    gate = disk_bytes(summary, trial) * GATE_OF_DISK;
    double most = keys_number(summary, trial, "limit.write_bytes") * GATE_OF_LIMIT;
    return gate > most ? most : gate;
}

/* ---- the rule ---- */

/* Of one round; `why` NULL: nobody asks. */
struct judging {
    struct rounds_rule *rule;
    size_t last;
    char *why;
    bool fails, unknown;
};

static void fail(struct judging *j, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void fail(struct judging *j, const char *format, ...)
{
    j->fails = true;
    if (!j->why)
        return;
    size_t used = strlen(j->why);
    if (used > 0)
        used += (size_t)snprintf(j->why + used, ROUNDS_RULE_WHY - used, "; ");
    if (used >= ROUNDS_RULE_WHY)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(j->why + used, ROUNDS_RULE_WHY - used, format, args);
    va_end(args);
}

static bool is_known(const double *values, size_t last)
{
    for (size_t i = last + 1 - STEADY_WINDOW; i <= last; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

static void judge_window(struct judging *j, const double *values, const char *phase,
                         const char *what)
{
    struct steady window;
    steady_window(values, j->last, &window);
    if (window.holds)
        return;
    j->unknown |= !is_known(values, j->last);
    if (isnan(window.range))
        fail(j, "%.40s %s of a round are unknown or 0", phase, what);
    else if (window.range > STEADY_RANGE_MAX)
        fail(j, "range of %.40s %s %.0f%% > %.0f%%", phase, what, ceil(window.range * 100),
             STEADY_RANGE_MAX * 100);
    else
        fail(j, "trend of %.40s %s %.0f%% > %.0f%%", phase, what, ceil(window.fit_range * 100),
             STEADY_FIT_MAX * 100);
}

static void judge_gate(struct judging *j)
{
    struct format_text written, gate;
    double bytes = j->rule->bytes_total[j->last];
    if (bytes < j->rule->gate_bytes) /* false where either is unknown */
        fail(j, "the drive took %s, less than steady.write_bytes = %s",
             format_bytes(&written, bytes), format_bytes(&gate, j->rule->gate_bytes));
}

static bool judge_change(struct judging *j, const struct rounds_change *change, const char *phase)
{
    struct changepoint found;
    struct format_text before, after;
    if (!rounds_change_lasts(change, j->last, &found))
        return false;
    fail(j, "%.40s commits/s changed from %s to %s inside the last %d rounds", phase,
         format_short(&before, found.before), format_short(&after, found.after), STEADY_WINDOW);
    return true;
}

static void judge_rates(struct judging *j, const struct rounds_rule_phase *phase)
{
    judge_window(j, phase->commits_per_s, phase->name, "commits/s");
    if (is_known(phase->p99_ms, j->last))
        judge_window(j, phase->p99_ms, phase->name, "p99");
}

static bool changes_known(const struct rounds_rule *rule, const struct rounds_change *changes)
{
    for (size_t i = 0; i < rule->phase_count; i++)
        if (changes[i].count == 0)
            return false;
    return rule->phase_count > 0;
}

static enum rounds_rule_answer answer_of(const struct judging *j)
{
    return j->unknown ? RULE_UNKNOWN : j->fails ? RULE_NO : RULE_YES;
}

static void judge_last(struct rounds_rule *rule, const struct rounds_change *changes)
{
    struct judging j = {.rule = rule, .last = rule->count - 1, .why = rule->why};
    bool changed = false;
    for (size_t i = 0; i < rule->phase_count; i++) {
        judge_rates(&j, &rule->phases[i]);
        changed |= judge_change(&j, &changes[i], rule->phases[i].name);
    }
    judge_gate(&j);
    if (changes_known(rule, changes))
        rule->change = changed ? RULE_YES : RULE_NO;
    rule->holds[j.last] = answer_of(&j);
}

/* To look for a change is dear: only where all else holds. */
static void judge_earlier(struct rounds_rule *rule, const struct rounds_change *changes)
{
    size_t looked = 0;
    for (size_t last = STEADY_WINDOW - 1; last + 1 < rule->count; last++) {
        struct judging j = {.rule = rule, .last = last};
        for (size_t i = 0; i < rule->phase_count; i++)
            judge_rates(&j, &rule->phases[i]);
        judge_gate(&j);
        if (!j.fails && looked++ < CHANGES_MOST)
            for (size_t i = 0; i < rule->phase_count; i++)
                judge_change(&j, &changes[i], rule->phases[i].name);
        rule->holds[last] = answer_of(&j);
    }
}

void rounds_rule_init(struct rounds_rule *rule, const json_t *summary, const json_t *trial,
                      const struct rates_index *index)
{
    const char *until = keys_text(summary, trial, "workload.until");
    struct rounds_change changes[ROUNDS_RULE_PHASES] = {{.count = 0}};
    *rule = (struct rounds_rule){.trial = trial, .change = RULE_UNKNOWN};
    rule->asked =
        json_is_true(json_at(trial, "steady.asked")) || (until && strcmp(until, "steady") == 0);
    rule->gate_bytes = gate_of(summary, trial, json_is_object(json_object_get(trial, "steady")));
    take_rounds(rule, summary);
    take_phases(rule);
    if (rule->count < STEADY_WINDOW) {
        snprintf(rule->why, sizeof rule->why, "%d full rounds are needed", STEADY_WINDOW);
        return;
    }
    for (size_t i = 0; i < rule->phase_count; i++)
        rounds_change_init(&changes[i], summary, trial, rule->rounds, rule->count,
                           rule->phases[i].name, index);
    judge_earlier(rule, changes);
    judge_last(rule, changes);
    for (size_t i = 0; i < rule->phase_count; i++)
        rounds_change_release(&changes[i]);
}

void rounds_rule_release(struct rounds_rule *rule)
{
    for (size_t i = 0; i < rule->phase_count; i++) {
        free(rule->phases[i].commits_per_s);
        free(rule->phases[i].p99_ms);
    }
    free(rule->rounds);
    free(rule->bytes_total);
    free(rule->holds);
    *rule = (struct rounds_rule){.count = 0};
}

size_t rounds_rule_since(const struct rounds_rule *rule)
{
    size_t since = rule->count;
    while (since > 0 && rule->holds[since - 1] == RULE_YES)
        since--;
    return since;
}

const struct rounds_rule_phase *rounds_rule_phase(const struct rounds_rule *rule, const char *name)
{
    for (size_t i = 0; i < rule->phase_count; i++)
        if (strcmp(rule->phases[i].name, name) == 0)
            return &rule->phases[i];
    return NULL;
}
