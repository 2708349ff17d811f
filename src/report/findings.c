#include "report/findings.h"

#include <stdlib.h>

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
    view_finding(view, label, VIEW_CALM, &text);
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
