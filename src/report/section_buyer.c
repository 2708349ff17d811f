#include <stdbool.h>
#include <string.h>

#include "report/findings.h"
#include "report/headline.h"
#include "report/sections.h"

static bool is_asked(const struct view *view, const char *what)
{
    const json_t *asked = json_object_get(json_object_get(view->summary, "asked"), what);
    return asked && !json_is_null(asked);
}

/* The verdict has told of one stream already. */
static bool is_in_headline(const struct view *view, const json_t *buyer)
{
    struct headline headline;
    const char *phase = json_text_at(buyer, "flushed_at_one_stream.phase");
    headline_find(view, &headline);
    const struct group *group = headline.main;
    return !phase ||
           (group && strcmp(group->phase, phase) == 0 && group_median(group, "stream_count") == 1);
}

/* A drive that hardly warms is no news: the header has its temperatures. */
#define RISE_TOLD_C 10

static bool is_told(const struct view *view, const json_t *buyer, const char *about)
{
    if (strcmp(about, "commits") == 0)
        return !is_in_headline(view, buyer);
    if (strcmp(about, "sustained") == 0)
        return json_is_object(json_object_get(buyer, "sustained")) || is_asked(view, "slo") ||
               is_asked(view, "price");
    if (strcmp(about, "thermal") == 0)
        return json_number_at(buyer, "thermal.rise_c") >= RISE_TOLD_C;
    return true;
}

void section_buyer(const struct view *view)
{
    static const char *const labels[][2] = {{"commits", "1 stream"}, {"sustained", "lasting"},
                                            {"slo", "level"},        {"flushes", "flushes"},
                                            {"endurance", "wear"},   {"price", "price"},
                                            {"thermal", "heat"}};
    const json_t *buyer = json_at(view->summary, "analysis.buyer");
    const char *last = "";
    size_t index;
    const json_t *point;
    json_array_foreach(json_object_get(buyer, "points"), index, point)
    {
        const char *about = json_text_at(point, "about"), *label = NULL;
        for (size_t i = 0; about && i < sizeof labels / sizeof *labels; i++)
            if (strcmp(labels[i][0], about) == 0)
                label = labels[i][1];
        if (!label || !is_told(view, buyer, about))
            continue;
        findings_line(view, strcmp(label, last) == 0 ? "" : label, "",
                      json_text_at(point, "sentence"));
        last = label;
    }
}
