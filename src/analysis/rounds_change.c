#include "analysis/rounds_change.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/joined.h"
#include "analysis/rounds_rule.h"
#include "base/parse.h"
#include "result/keys.h"
#include "result/rounds.h"

#define INTERVAL_S 0.1 /* of results that do not know the key */

static double interval_s(const json_t *summary, const json_t *trial)
{
    const char *text = keys_text(summary, trial, "run.interval");
    int64_t interval_ns;
    struct err ignored;
    if (!text || parse_duration(text, &interval_ns, &ignored) != 0 || interval_ns <= 0)
        return INTERVAL_S;
    return (double)interval_ns / 1e9;
}

static void *sized(void *items, size_t count, size_t size)
{
    items = reallocarray(items, count ? count : 1, size);
    if (!items) {
        fputs("loadline: out of memory\n", stderr);
        abort();
    }
    return items;
}

/* The intervals as they are gathered. */
struct gathering {
    struct rounds_change *change;
    size_t count, capacity;
    double least_s, commits, seconds; /* the pieces that wait */
};

static void add_course(struct gathering *g, const struct series *series)
{
    for (size_t i = 0; i < series->count; i++) {
        if (!joined_is_sound(&series->items[i]))
            continue;
        g->commits += series->items[i].commits;
        g->seconds += series->items[i].seconds;
        if (!(g->seconds >= g->least_s))
            continue;
        if (g->count == g->capacity) {
            g->capacity = g->capacity ? 2 * g->capacity : 256;
            g->change->values = sized(g->change->values, g->capacity, sizeof *g->change->values);
        }
        g->change->values[g->count++] = g->commits / g->seconds;
        g->commits = g->seconds = 0;
    }
}

static double last_cycle(const json_t *round)
{
    return json_number_value(json_array_get(json_object_get(round, "cycles"), 1));
}

void rounds_change_init(struct rounds_change *change, const json_t *summary, const json_t *trial,
                        const json_t *const *rounds, size_t count, const char *phase,
                        const struct rates_index *index)
{
    double number = json_number_at(trial, "index");
    *change = (struct rounds_change){.ends = sized(NULL, count, sizeof *change->ends)};
    struct gathering g = {.change = change, .least_s = interval_s(summary, trial) / 2};
    bool known = true;
    size_t place, round = 0;
    const json_t *own;
    json_array_foreach(json_object_get(trial, "phases"), place, own)
    {
        const char *name = json_text_at(own, "name");
        double cycle = json_number_at(own, "cycle");
        if (!name || strcmp(name, phase) != 0 || rounds_is_after_pause(own))
            continue;
        for (; round < count && cycle > last_cycle(rounds[round]); round++)
            change->ends[round] = g.count;
        if (round == count)
            break;
        const struct course *course = joined_course(index, number, place);
        known = known && course && course->series.count > 0;
        if (course)
            add_course(&g, &course->series);
    }
    for (; round < count; round++)
        change->ends[round] = g.count;
    change->count = known && g.count > 0 ? count : 0;
}

void rounds_change_release(struct rounds_change *change)
{
    free(change->values);
    free(change->ends);
    *change = (struct rounds_change){.count = 0};
}

/* A level needs a tenth of a round, or it is a stall. */
static size_t shortest_level(size_t count)
{
    size_t shortest = count / (10 * STEADY_WINDOW);
    return shortest < 2 ? 2 : shortest;
}

/* Is every level from this change on another than all before it? */
static bool lasts(const struct changepoint *changes, size_t count, size_t change)
{
    double low = changes[0].before, high = low, low_after = INFINITY, high_after = 0;
    for (size_t i = 0; i < change; i++) {
        low = fmin(low, changes[i].after);
        high = fmax(high, changes[i].after);
    }
    for (size_t i = change; i < count; i++) {
        low_after = fmin(low_after, changes[i].after);
        high_after = fmax(high_after, changes[i].after);
    }
    return high_after < low * (1 - ROUNDS_RULE_CHANGE) ||
           low_after > high * (1 + ROUNDS_RULE_CHANGE);
}

bool rounds_change_lasts(const struct rounds_change *change, size_t last, struct changepoint *found)
{
    struct changepoint changes[CHANGEPOINT_MAX];
    if (last >= change->count || last + 1 < STEADY_WINDOW)
        return false;
    size_t from = last + 1 > STEADY_WINDOW ? change->ends[last - STEADY_WINDOW] : 0;
    size_t values = change->ends[last] - from;
    struct changepoint_options options = {shortest_level(values), ROUNDS_RULE_CHANGE};
    size_t count = changepoint_find(change->values + from, values, &options, changes);
    for (size_t i = 0; i < count; i++) {
        if (!lasts(changes, count, i))
            continue;
        *found = changes[i];
        return true;
    }
    return false;
}
