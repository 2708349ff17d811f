#include "analysis/compare_order.h"

#include <stdbool.h>
#include <string.h>

/* When a drive's runs started: ISO 8601 in UTC, so that texts sort by time. */
struct period {
    const char *first, *last; /* NULL: unknown */
};

static struct period period_of(const struct compare_model *model, const struct compare_drive *drive)
{
    struct period period = {NULL, NULL};
    for (size_t i = 0; i < drive->count; i++) {
        const json_t *summary = model->sources[drive->members[i].source].summary;
        const char *started = json_text_at(summary, "started");
        if (!started)
            return (struct period){NULL, NULL};
        if (!period.first || strcmp(started, period.first) < 0)
            period.first = started;
        if (!period.last || strcmp(started, period.last) > 0)
            period.last = started;
    }
    return period;
}

static bool is_before(const struct period *a, const struct period *b)
{
    return a->first && b->first && strcmp(a->last, b->first) < 0;
}

void compare_order_note(struct compare_model *model)
{
    const struct compare_drive *a = &model->drives[0];
    struct period of_a = period_of(model, a);
    for (size_t d = 1; d < model->drive_count; d++) {
        const struct compare_drive *b = &model->drives[d];
        struct period of_b = period_of(model, b);
        bool first = is_before(&of_a, &of_b);
        if (a->count < 2 || b->count < 2 || (!first && !is_before(&of_b, &of_a)))
            continue;
        compare_model_say(model->notes,
                          "all runs of %s came before those of %s: what else changed meanwhile "
                          "would look like the drive; run them in turn, or both in one run "
                          "(--target twice)",
                          first ? a->name : b->name, first ? b->name : a->name);
    }
}
