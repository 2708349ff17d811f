#include "result/waits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "result/put.h"

const char *const waits_groups[WAITS_GROUPS] = {"cpu", "flush",  "group", "log_insert", "extend",
                                                "row", "buffer", "file",  "client",     "other"};

static size_t group_of(const char *name)
{
    size_t group = 0;
    while (group < WAITS_GROUPS - 1 && (!name || strcmp(name, waits_groups[group]) != 0))
        group++;
    return group;
}

static int by_size(const void *a, const void *b)
{
    const struct wait_record *x = a, *y = b;
    if (x->observations != y->observations)
        return x->observations < y->observations ? 1 : -1;
    return strcmp(x->event, y->event);
}

/* Events that were seen, the largest first; heap.  *count becomes theirs. */
static struct wait_record *seen(const struct wait_record *waits, size_t *count)
{
    struct wait_record *events = calloc(RESULT_WAITS_MAX, sizeof *events);
    size_t found = 0;
    for (size_t i = 0; events && i < *count && found < RESULT_WAITS_MAX; i++)
        if (waits[i].event && waits[i].observations > 0)
            events[found++] = waits[i];
    if (found > 0)
        qsort(events, found, sizeof *events, by_size);
    *count = found;
    return events;
}

static json_t *shares_json(const struct wait_record *events, size_t count, double all)
{
    double sums[WAITS_GROUPS] = {0};
    json_t *object = json_object(), *groups = json_object(), *shares = json_object();
    json_t *leading = json_object();
    for (size_t i = 0; i < count; i++) {
        size_t group = group_of(events[i].group);
        sums[group] += events[i].observations;
        if (!json_object_get(leading, waits_groups[group])) /* they come from the largest */
            put_text(leading, waits_groups[group], events[i].event);
        /* One name may stand for waits of two groups. */
        double before = json_number_value(json_object_get(shares, events[i].event));
        put_real(shares, events[i].event, before + events[i].observations / all);
    }
    for (size_t g = 0; g < WAITS_GROUPS; g++)
        put_real(groups, waits_groups[g], sums[g] / all);
    put_count(object, "observations", all);
    put(object, "groups", groups);
    put(object, "events", shares);
    put(object, "leading", leading);
    return object;
}

json_t *waits_json(const struct wait_record *waits, size_t count, double all)
{
    struct wait_record *events = seen(waits, &count);
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += events[i].observations;
    json_t *object = NULL;
    if (events && sum > 0)
        object = shares_json(events, count, all > sum ? all : sum);
    free(events);
    return object;
}

void waits_add_gauge(double seen[WAITS_GROUPS], const char *name, double value)
{
    static const char prefix[] = "wait_";
    if (strncmp(name, prefix, sizeof prefix - 1) != 0)
        return;
    for (size_t g = 0; g < WAITS_GROUPS; g++)
        if (strcmp(name + sizeof prefix - 1, waits_groups[g]) == 0 && value > 0)
            seen[g] += value;
}

json_t *waits_groups_json(const double seen[WAITS_GROUPS])
{
    double all = 0;
    for (size_t g = 0; g < WAITS_GROUPS; g++)
        all += seen[g];
    if (!(all > 0))
        return NULL;
    json_t *object = json_object(), *groups = json_object();
    put_count(object, "observations", all);
    for (size_t g = 0; g < WAITS_GROUPS; g++)
        put_real(groups, waits_groups[g], seen[g] / all);
    put(object, "groups", groups);
    put(object, "events", json_object());
    put(object, "leading", json_object());
    return object;
}

/* Adds the shares of so many observations to what is counted in `sums`. */
static void add_shares(json_t *sums, const json_t *shares, double observations)
{
    const char *name;
    json_t *share;
    json_object_foreach((json_t *)shares, name, share)
    {
        double before = json_number_value(json_object_get(sums, name)); /* 0 where it is new */
        double more = json_number_value(share) * observations;
        put_real(sums, name, before + (more > 0 ? more : 0));
    }
}

static double share_of(const json_t *sums, const char *name, double all)
{
    return json_number_value(json_object_get(sums, name)) / all;
}

/* Of events that were counted; heap, names belong to `sums`. */
static struct wait_record *events_of(const json_t *sums, size_t *count)
{
    struct wait_record *events = calloc(json_object_size(sums) + 1, sizeof *events);
    const char *name;
    json_t *sum;
    *count = 0;
    json_object_foreach((json_t *)sums, name, sum)
    {
        if (events)
            events[(*count)++] = (struct wait_record){name, NULL, json_number_value(sum)};
    }
    if (*count > 0)
        qsort(events, *count, sizeof *events, by_size);
    return events;
}

/* Of what leads in some phase, what is the largest in all. */
static void add_leading(json_t *leading, const json_t *from, const json_t *events)
{
    const char *group;
    json_t *event;
    json_object_foreach((json_t *)from, group, event)
    {
        const char *old = json_string_value(json_object_get(leading, group));
        const char *new = json_string_value(event);
        if (new && (!old || share_of(events, new, 1) > share_of(events, old, 1)))
            put_text(leading, group, new);
    }
}

static json_t *merged_json(const json_t *groups, const json_t *events, double all)
{
    size_t count;
    json_t *object = json_object(), *shares = json_object();
    put_count(object, "observations", all);
    for (size_t g = 0; g < WAITS_GROUPS; g++)
        put_real(shares, waits_groups[g], share_of(groups, waits_groups[g], all));
    put(object, "groups", shares);
    shares = json_object();
    struct wait_record *sorted = events_of(events, &count);
    for (size_t i = 0; i < count; i++)
        put_real(shares, sorted[i].event, sorted[i].observations / all);
    free(sorted);
    put(object, "events", shares);
    return object;
}

json_t *waits_merge(const json_t *const *phases, size_t count)
{
    json_t *groups = json_object(), *events = json_object(), *merged = NULL;
    double all = 0;
    for (size_t i = 0; i < count; i++) {
        const json_t *waits = json_object_get(phases[i], "waits");
        double observations = json_number_at(waits, "observations");
        if (!(observations > 0))
            continue;
        all += observations;
        add_shares(groups, json_object_get(waits, "groups"), observations);
        add_shares(events, json_object_get(waits, "events"), observations);
    }
    if (all > 0) {
        json_t *leading = json_object();
        for (size_t i = 0; i < count; i++)
            add_leading(leading, json_at(phases[i], "waits.leading"), events);
        merged = merged_json(groups, events, all);
        put(merged, "leading", leading);
    }
    json_decref(groups);
    json_decref(events);
    return merged;
}
