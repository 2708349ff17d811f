#include "report/findings.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *findings_place(const struct view *view, const json_t *finding)
{
    struct text text = {0};
    const char *name, *phase = json_text_at(finding, "phase"),
                      *part = json_text_at(finding, "part");
    json_t *value;
    text_add(&text, "%s", phase ? phase : "?");
    if (part)
        text_add(&text, ", %s", part);
    json_object_foreach(json_object_get(finding, "factors"), name, value)
    {
        view_add_factor(&text, name, value);
    }
    char *clean = view_clean(view, text.data);
    text_release(&text);
    return clean;
}

void findings_line(const struct view *view, const char *label, const char *before,
                   const char *sentence)
{
    struct text text = {0};
    view_add_clean(view, &text, before, sentence);
    view_finding(view, label, SINK_CALM, &text);
}

void findings_print(const struct view *view, const char *label, const char *before,
                    const json_t *finding)
{
    size_t index;
    const json_t *sentence;
    json_array_foreach(json_object_get(finding, "sentences"), index, sentence)
    {
        findings_line(view, index == 0 ? label : "", index == 0 ? before : "",
                      json_string_value(sentence));
    }
    const char *certainty = json_text_at(finding, "certainty");
    if (certainty)
        findings_line(view, "", "", certainty);
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool is_of(const json_t *finding, const struct group *group)
{
    const json_t *factors = json_object_get(finding, "factors");
    bool same_factors =
        group->factors ? json_equal(factors, group->factors) : json_object_size(factors) == 0;
    return same_factors && same_text(json_text_at(finding, "part"), group->part) &&
           same_text(json_text_at(finding, "phase"), group->phase);
}

const json_t *findings_find(const struct view *view, const char *name, const struct group *group,
                            size_t *hint)
{
    char path[64];
    snprintf(path, sizeof path, "analysis.%s.findings", name);
    const json_t *findings = json_at(view->summary, path);
    size_t count = json_array_size(findings);
    for (size_t i = 0; i < count; i++) {
        const json_t *finding = json_array_get(findings, (*hint + i) % count);
        if (!is_of(finding, group))
            continue;
        *hint = (*hint + i + 1) % count;
        return finding;
    }
    return NULL;
}
