#include "report/verdict.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "report/families.h"
#include "report/retries.h"

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

void verdict_others(const struct view *view, const struct headline *h)
{
    static const char *const labels[STANDINGS] = {[STANDING_UNKNOWN] = "unknown",
                                                  [STANDING_BARE] = "bare",
                                                  [STANDING_UNFLUSHED] = "unflushed",
                                                  [STANDING_ELSEWHERE] = "elsewhere",
                                                  [STANDING_NO_DRIVE] = "loadline"};
    static const char *const words[STANDINGS] = {
        [STANDING_UNKNOWN] = ": nothing says whether these were flushed",
        [STANDING_BARE] = " without a database",
        [STANDING_UNFLUSHED] = ", not durable,",
        [STANDING_ELSEWHERE] = " that waited for another drive,",
        [STANDING_NO_DRIVE] = " without a drive (loadline itself)"};
    for (int s = 0; s < STANDINGS; s++) {
        if (!h->others[s])
            continue;
        struct text text = {0};
        struct format_text shown;
        struct spread spread;
        group_rate(h->others[s], headline_rate(h), &spread);
        char *place = families_place(view, h->others[s]);
        text_add(&text, "%s %s%s at %s", format_digits(&shown, spread.median),
                 h->commit ? "commits/s" : "rows/s", words[s], place);
        free(place);
        view_point(view, labels[s], &text);
    }
}

/* ---- reached ---- */

/* The entry with the highest value among the parts; the flushed before the others. */
static const json_t *highest(const json_t *reached, const char *name, const char **part)
{
    const json_t *best = NULL, *entry;
    size_t index;
    json_array_foreach(reached, index, entry)
    {
        const json_t *one = json_object_get(entry, name);
        double value = json_number_at(one, "value"), most = json_number_at(best, "value");
        bool loose = json_is_false(json_object_get(one, "flushed"));
        bool best_loose = json_is_false(json_object_get(best, "flushed"));
        bool is_rate = strcmp(name, "write_iops") != 0;
        if (isnan(value) || (best && is_rate && loose && !best_loose))
            continue;
        if (best && value <= most && !(is_rate && best_loose && !loose))
            continue;
        best = one;
        *part = json_text_at(entry, "part");
    }
    return best;
}

static const struct group *group_of(const struct view *view, const json_t *entry, const char *part)
{
    const json_t *factors = json_object_get(entry, "factors");
    for (size_t i = 0; i < view->groups.count; i++) {
        const struct group *group = &view->groups.items[i];
        bool same_factors = group->factors ? json_equal((json_t *)factors, (json_t *)group->factors)
                                           : json_object_size(factors) == 0;
        if (same_factors && same_text(group->part, part) &&
            same_text(group->phase, json_text_at(entry, "phase")))
            return group;
    }
    return NULL;
}

/* "in delete of bulk at 8 streams, file-per-stream": no more than tells it from others. */
static void add_where(const struct view *view, struct text *text, const struct group *group)
{
    char *phase = view_clean(view, group->phase), *place = families_place(view, group);
    text_add(text, " in %s", phase);
    if (group->part) {
        char *part = view_clean(view, group->part);
        text_add(text, " of %s", part);
        free(part);
    }
    if (json_object_size(group->factors) > 0)
        text_add(text, " at %s", place);
    free(phase);
    free(place);
}

static void point_rate(const struct view *view, const json_t *reached, const char *name,
                       const char *label, const char *more)
{
    const char *part = NULL;
    const json_t *entry = highest(reached, name, &part);
    const struct group *group = entry ? group_of(view, entry, part) : NULL;
    struct text text = {0};
    struct format_text shown;
    if (!group)
        return;
    text_add(&text, "%s%s at most,", format_digits(&shown, json_number_at(entry, "value")), more);
    add_where(view, &text, group);
    if (json_is_false(json_object_get(entry, "flushed")) && standing_of(group) != STANDING_NO_DRIVE)
        text_add(&text, ": not durable");
    view_point(view, label, &text);
}

static void point_iops(const struct view *view, const json_t *reached)
{
    const char *part = NULL;
    const json_t *entry = highest(reached, "write_iops", &part);
    const struct group *group = entry ? group_of(view, entry, part) : NULL;
    struct text text = {0};
    struct format_text rate, size;
    if (!group)
        return;
    text_add(&text, "%s data writes/s of %s KiB at most%s,",
             format_digits(&rate, json_number_at(entry, "value")),
             view_kib(&size, group_median(group, "data.write_request_bytes")),
             group_log_apart(group) ? " on the tables' drive" : "");
    add_where(view, &text, group);
    view_point(view, "IOPS", &text);
}

void verdict_reached(const struct view *view)
{
    const json_t *reached = json_at(view->summary, "analysis.reached");
    bool differ = false; /* rows/s and commits/s */
    for (size_t i = 0; i < view->groups.count; i++)
        differ |= view_rows_per_commit(view, &view->groups.items[i]) != 1;
    if (differ)
        point_rate(view, reached, "rows_per_s", "rows/s", "");
    point_rate(view, reached, "commits_per_s", "commits/s", differ ? "" : " (and rows/s)");
    point_iops(view, reached);
}

void verdict_retries(const struct view *view)
{
    struct text text = {0};
    retries_add(&text, view->groups.items, view->groups.count);
    if (text.size > 0)
        text_add(&text, ": see the detail");
    view_point(view, "retries", &text);
}
