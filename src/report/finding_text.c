#include "report/finding_text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "report/families.h"

enum {
    FULL_MOST = 2, /* of different parts */
    BRIEF_MOST = 6,
    FACTORS_MOST = 3
};

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* The first line of the tables that the finding is about; NULL: the view has none. */
static const struct group *group_of(const struct view *view, const json_t *finding)
{
    for (size_t i = 0; i < view->groups.count; i++) {
        const struct group *group = &view->groups.items[i];
        const char *name;
        json_t *value;
        if (!same_text(group->part, json_text_at(finding, "part")) ||
            !same_text(group->phase, json_text_at(finding, "phase")))
            continue;
        bool same = true;
        json_object_foreach(json_object_get(finding, "factors"), name, value)
        {
            same = same && json_equal(value, json_object_get(group->factors, name));
        }
        if (same)
            return group;
    }
    return NULL;
}

/* ", shared-table": or where those are many and the lines of the tables have numbers, " as #1". */
static void add_factors(const struct view *view, struct text *text, const json_t *finding)
{
    json_t *factors = json_object_get(finding, "factors"), *value;
    const char *name;
    if (json_object_size(factors) > FACTORS_MOST) {
        const struct group *group = group_of(view, finding);
        char *place = group ? families_place(view, group) : NULL;
        bool numbered = place && *place == '#';
        if (numbered)
            text_add(text, " as %s", place);
        free(place);
        if (numbered)
            return;
    }
    struct text all = {0};
    json_object_foreach(factors, name, value)
    {
        view_add_factor(&all, name, value);
    }
    if (all.size > 0)
        view_add_clean(view, text, ", ", all.data);
    text_release(&all);
}

/* "insert of bulk, shared-table: " */
static void add_place(const struct view *view, struct text *text, const json_t *finding)
{
    const char *part = json_text_at(finding, "part"), *phase = json_text_at(finding, "phase");
    view_add_clean(view, text, "", phase ? phase : "?");
    if (part)
        view_add_clean(view, text, " of ", part);
    add_factors(view, text, finding);
    text_add(text, ": ");
}

static const char *text_of(const json_t *finding, const char *list, size_t at)
{
    const char *text = json_string_value(json_array_get(json_object_get(finding, list), at));
    return text ? text : "";
}

enum detail { DETAIL_FULL, DETAIL_BRIEF };

static void print_head(const struct view *view, const char *label, const json_t *finding,
                       enum detail detail)
{
    struct text text = {0};
    const char *certainty = json_text_at(finding, "certainty");
    add_place(view, &text, finding);
    if (json_array_size(json_object_get(finding, "sentences")) > 0) {
        view_add_clean(view, &text, "", text_of(finding, "sentences", 0));
        if (detail == DETAIL_BRIEF && strcmp(text_of(finding, "labels", 1), "beyond") == 0)
            view_add_clean(view, &text, "; ", text_of(finding, "sentences", 1));
    } else {
        text_add(&text, "undetermined");
        if (certainty)
            view_add_clean(view, &text, "; ", certainty);
    }
    view_finding(view, label, SINK_CALM, &text);
}

static void print_points(const struct view *view, const json_t *finding)
{
    size_t count = json_array_size(json_object_get(finding, "sentences"));
    const char *certainty = json_text_at(finding, "certainty");
    struct text text = {0};
    for (size_t i = 1; i < count; i++) {
        view_add_clean(view, &text, "", text_of(finding, "sentences", i));
        char *label = view_clean(view, text_of(finding, "labels", i));
        view_point(view, label, &text);
        free(label);
    }
    if (count == 0 || !certainty)
        return;
    view_add_clean(view, &text, "", certainty);
    view_point(view, "surer", &text);
}

void finding_text(const struct view *view, const char *label, const json_t *findings)
{
    const json_t *list = json_object_get(findings, "findings"), *finding;
    size_t i, full = 0, brief = 0, count = json_array_size(list);
    const json_t *parts[FULL_MOST];
    json_array_foreach(list, i, finding)
    {
        const json_t *part = json_object_get(finding, "part");
        bool seen = full == FULL_MOST;
        for (size_t k = 0; k < full && !seen; k++)
            seen = json_equal((json_t *)parts[k], (json_t *)part);
        if (seen && brief == BRIEF_MOST)
            continue;
        print_head(view, label, finding, seen ? DETAIL_BRIEF : DETAIL_FULL);
        if (seen) {
            brief++;
            continue;
        }
        print_points(view, finding);
        parts[full++] = part;
    }
    struct text text = {0};
    if (full + brief < count)
        text_add(&text, "and %zu more: the JSON summary has them all", count - full - brief);
    view_finding(view, label, SINK_CALM, &text);
}
