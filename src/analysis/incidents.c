#include "analysis/incidents.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* What the program itself says of its course, or of a whole phase. */
static bool explains(const char *kind)
{
    static const char *const others[] = {"trial",   "steady",   "search",    "pause",
                                         "warning", "cooldown", "disturbed", "smart change"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(kind, others[i]) == 0)
            return false;
    return true;
}

static int by_place(const void *a, const void *b)
{
    const struct incident *x = a, *y = b;
    if (x->trial != y->trial)
        return x->trial < y->trial ? -1 : 1;
    return (x->at_s > y->at_s) - (x->at_s < y->at_s);
}

void incidents_init(struct incidents *incidents, const json_t *summary)
{
    const json_t *events = json_object_get(summary, "events"), *event;
    size_t index, size = json_array_size(events);
    *incidents = (struct incidents){.items = calloc(size ? size : 1, sizeof *incidents->items)};
    if (!incidents->items)
        abort();
    json_array_foreach(events, index, event)
    {
        const char *kind = json_text_at(event, "kind"), *text = json_text_at(event, "text");
        struct incident incident = {json_number_at(event, "trial"), json_number_at(event, "at_s"),
                                    kind, text ? text : ""};
        if (kind && explains(kind) && isfinite(incident.trial) && isfinite(incident.at_s))
            incidents->items[incidents->count++] = incident;
    }
    qsort(incidents->items, incidents->count, sizeof *incidents->items, by_place);
}

void incidents_release(struct incidents *incidents)
{
    free(incidents->items);
    *incidents = (struct incidents){.count = 0};
}

/* The first one that is not before it. */
static size_t first_from(const struct incidents *incidents, double trial, double at_s)
{
    const struct incident key = {.trial = trial, .at_s = at_s};
    size_t low = 0, high = incidents->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (by_place(&incidents->items[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct incident *incidents_find(const struct incidents *incidents, double trial,
                                      double from_s, double to_s)
{
    size_t at = first_from(incidents, trial, from_s);
    if (isnan(from_s) || isnan(to_s) || at >= incidents->count)
        return NULL;
    const struct incident *incident = &incidents->items[at];
    return incident->trial == trial && incident->at_s <= to_s ? incident : NULL;
}

size_t incidents_count(const struct incidents *incidents, double trial, const char *kind)
{
    size_t count = 0;
    for (size_t i = first_from(incidents, trial, -INFINITY);
         i < incidents->count && incidents->items[i].trial == trial; i++)
        count += strcmp(incidents->items[i].kind, kind) == 0;
    return count;
}
