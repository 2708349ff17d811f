#include "driver/steadiness.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "stats/changepoint.h"

/* A gate above this share of limit.write_bytes would leave no room for the rounds behind it. */
#define GATE_OF_LIMIT 0.5

double steadiness_gate(const struct workload *load, double disk_bytes, double filesystem_bytes,
                       bool *cut)
{
    double most = GATE_OF_LIMIT * (double)load->limit_write_bytes;
    *cut = false;
    if (!isnan(load->steady_write_bytes))
        return load->steady_write_bytes;
    double gate = (isnan(disk_bytes) ? filesystem_bytes : disk_bytes) / 3;
    *cut = gate > most;
    return *cut ? most : gate;
}

static double *new_values(size_t count)
{
    double *values = calloc(count, sizeof *values);
    if (values == NULL)
        abort();
    return values;
}

static bool runs(const struct workload *load, enum phase_kind kind)
{
    for (size_t i = 0; i < load->phase_count; i++)
        if (load->phases[i] == kind)
            return true;
    return false;
}

void steadiness_init(struct steadiness *s, const struct workload *load, double gate_bytes)
{
    *s = (struct steadiness){.load = load, .gate_bytes = gate_bytes};
    for (int kind = 0; kind < PHASE_KINDS; kind++) {
        if (!runs(load, (enum phase_kind)kind))
            continue;
        s->phases[kind].commits_per_s = new_values(load->steady_rounds);
        s->phases[kind].p99_ms = new_values(load->steady_rounds);
    }
}

void steadiness_release(struct steadiness *s)
{
    for (int kind = 0; kind < PHASE_KINDS; kind++) {
        free(s->phases[kind].commits_per_s);
        free(s->phases[kind].p99_ms);
        free(s->phases[kind].intervals);
    }
    *s = (struct steadiness){.load = NULL};
}

/* ---- what passes ---- */

static void add_interval(struct steadiness_phase *phase, double commits_per_s)
{
    if (phase->count == phase->capacity) {
        phase->capacity = phase->capacity ? 2 * phase->capacity : 256;
        phase->intervals =
            reallocarray(phase->intervals, phase->capacity, sizeof *phase->intervals);
        if (phase->intervals == NULL)
            abort();
    }
    phase->intervals[phase->count++] = commits_per_s;
}

/* Pieces of an interval, at a phase's end, go to the next one: a rate of a moment is noise. */
void steadiness_see_phase(struct steadiness *s, enum phase_kind kind, const struct series *series)
{
    struct steadiness_phase *phase = &s->phases[kind];
    double least_s = (double)s->load->interval_ns / 2e9;
    for (size_t i = 0; i < series->count; i++) {
        phase->pending_commits += series->items[i].commits;
        phase->pending_s += series->items[i].seconds;
        if (!(phase->pending_s >= least_s) || phase->pending_s <= 0)
            continue;
        add_interval(phase, phase->pending_commits / phase->pending_s);
        phase->pending_commits = phase->pending_s = 0;
    }
}

/* Only the window's intervals are kept. */
static void close_intervals(struct steadiness_phase *phase)
{
    size_t before = 0, oldest = phase->lengths[0];
    for (size_t i = 0; i < STEADY_WINDOW; i++)
        before += phase->lengths[i];
    memmove(phase->lengths, phase->lengths + 1, (STEADY_WINDOW - 1) * sizeof *phase->lengths);
    phase->lengths[STEADY_WINDOW - 1] = phase->count - before;
    if (oldest > 0)
        memmove(phase->intervals, phase->intervals + oldest,
                (phase->count - oldest) * sizeof *phase->intervals);
    phase->count -= oldest;
}

void steadiness_see_round(struct steadiness *s, const json_t *round)
{
    assert(s->rounds < s->load->steady_rounds);
    for (int kind = 0; kind < PHASE_KINDS; kind++) {
        struct steadiness_phase *phase = &s->phases[kind];
        if (phase->commits_per_s == NULL)
            continue;
        const json_t *figures =
            json_object_get(json_object_get(round, "phases"), phase_name((enum phase_kind)kind));
        phase->commits_per_s[s->rounds] = json_number_at(figures, "commits_per_s");
        phase->p99_ms[s->rounds] = json_number_at(figures, "p99_ms");
        close_intervals(phase);
    }
    s->bytes_total = json_number_at(round, "bytes_total");
    s->rounds++;
}

/* ---- the rule ---- */

static void say(char why[STEADINESS_WHY], const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void say(char why[STEADINESS_WHY], const char *format, ...)
{
    size_t used = strlen(why);
    va_list args;
    if (used > 0)
        used += (size_t)snprintf(why + used, STEADINESS_WHY - used, "; ");
    if (used >= STEADINESS_WHY)
        return;
    va_start(args, format);
    vsnprintf(why + used, STEADINESS_WHY - used, format, args);
    va_end(args);
}

static void judge_window(const double *values, size_t last, const char *phase, const char *what,
                         char why[STEADINESS_WHY])
{
    struct steady window;
    steady_window(values, last, &window);
    if (window.holds)
        return;
    if (isnan(window.range))
        say(why, "%s %s of a round are unknown or 0", phase, what);
    else if (window.range > STEADY_RANGE_MAX)
        say(why, "range of %s %s %.0f%% > %.0f%%", phase, what, ceil(window.range * 100),
            STEADY_RANGE_MAX * 100);
    else
        say(why, "trend of %s %s %.0f%% > %.0f%%", phase, what, ceil(window.fit_range * 100),
            STEADY_FIT_MAX * 100);
}

static bool is_known(const double *values, size_t last)
{
    for (size_t i = last + 1 - STEADY_WINDOW; i <= last; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

/* A level needs a tenth of a round, or it is a stall. */
static size_t shortest_level(size_t count)
{
    size_t shortest = count / (10 * STEADY_WINDOW);
    return shortest < 2 ? 2 : shortest;
}

/* The change after which every level is another than all before it; -1: there is none. */
static int lasting_change(const struct changepoint *changes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double low = changes[0].before, high = low, low_after = INFINITY, high_after = 0;
        for (size_t k = 0; k < count; k++) {
            double level = changes[k].after;
            if (k < i) {
                low = fmin(low, level);
                high = fmax(high, level);
            } else {
                low_after = fmin(low_after, level);
                high_after = fmax(high_after, level);
            }
        }
        if (high_after < low * (1 - STEADINESS_CHANGE) ||
            low_after > high * (1 + STEADINESS_CHANGE))
            return (int)i;
    }
    return -1;
}

static void judge_change(const struct steadiness_phase *phase, const char *name,
                         char why[STEADINESS_WHY])
{
    struct changepoint changes[CHANGEPOINT_MAX];
    struct changepoint_options options = {shortest_level(phase->count), STEADINESS_CHANGE};
    struct format_text before, after;
    size_t count = changepoint_find(phase->intervals, phase->count, &options, changes);
    int lasting = lasting_change(changes, count);
    if (lasting >= 0)
        say(why, "%s commits/s changed from %s to %s inside the last %d rounds", name,
            format_short(&before, changes[lasting].before),
            format_short(&after, changes[lasting].after), STEADY_WINDOW);
}

static void judge_gate(const struct steadiness *s, char why[STEADINESS_WHY])
{
    struct format_text written, gate;
    if (s->bytes_total < s->gate_bytes) /* false where either is unknown */
        say(why, "the drive took %s, less than steady.write_bytes = %s",
            format_bytes(&written, s->bytes_total), format_bytes(&gate, s->gate_bytes));
}

bool steadiness_holds(const struct steadiness *s, char why[STEADINESS_WHY])
{
    why[0] = '\0';
    if (s->rounds < STEADY_WINDOW) {
        say(why, "%d full rounds are needed", STEADY_WINDOW);
        return false;
    }
    size_t last = s->rounds - 1;
    for (int kind = 0; kind < PHASE_KINDS; kind++) {
        const struct steadiness_phase *phase = &s->phases[kind];
        const char *name = phase_name((enum phase_kind)kind);
        if (phase->commits_per_s == NULL)
            continue;
        judge_window(phase->commits_per_s, last, name, "commits/s", why);
        if (is_known(phase->p99_ms, last))
            judge_window(phase->p99_ms, last, name, "p99", why);
        judge_change(phase, name, why);
    }
    judge_gate(s, why);
    return why[0] == '\0';
}
