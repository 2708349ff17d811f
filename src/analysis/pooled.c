#include "analysis/pooled.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "result/correlate.h"
#include "result/rounds.h"

/* Appends copies of the intervals. */
static void append(struct series *all, const struct series *part)
{
    if (part->count == 0)
        return;
    struct interval *items = reallocarray(all->items, all->count + part->count, sizeof *all->items);
    if (!items)
        abort();
    memcpy(items + all->count, part->items, part->count * sizeof *items);
    all->items = items;
    all->count += part->count;
    all->capacity = all->count;
    all->has_wal |= part->has_wal;
}

/* Those of all cycles of the phase before any pause; returns how many cycles. */
static size_t collect(const struct group *group, size_t at, const struct courses *courses,
                      struct series *all)
{
    double trial = json_number_at(group->trials[at], "index");
    size_t index, cycles = 0;
    const json_t *phase;
    if (!courses || !(trial >= 0 && trial < 1e9))
        return 0;
    json_array_foreach(json_object_get(group->trials[at], "phases"), index, phase)
    {
        const char *name = json_text_at(phase, "name");
        const struct course *course = courses_find(courses, (unsigned)trial, (unsigned)index);
        if (!course || !name || strcmp(name, group->phase) != 0 || rounds_is_after_pause(phase))
            continue;
        append(all, &course->series);
        cycles++;
    }
    return cycles;
}

json_t *pooled_correlation(const struct group *group, size_t at, const struct courses *courses)
{
    struct series all = {.items = NULL};
    size_t cycles = collect(group, at, courses, &all);
    json_t *correlation = cycles > 1
                              ? correlate_json(&all)
                              : json_incref(json_object_get(group->phases[at], "correlation"));
    free(all.items);
    return correlation;
}
