#include <string.h>

#include "report/finding_text.h"
#include "report/sections.h"

/* The ceiling has said already how far a search came. */
static bool is_said(const json_t *finding)
{
    const char *verdict = json_text_at(finding, "verdict");
    return json_is_true(json_object_get(finding, "search")) && verdict &&
           (strcmp(verdict, "rising") == 0 || strcmp(verdict, "undetermined") == 0);
}

void section_scaling(const struct view *view)
{
    json_t *kept = json_pack("{s:[]}", "findings"), *finding;
    json_t *list = json_object_get(kept, "findings");
    size_t i;
    json_array_foreach(json_at(view->summary, "analysis.scaling.findings"), i, finding)
    {
        if (!is_said(finding))
            json_array_append(list, finding);
    }
    finding_text(view, "SCALING", kept);
    json_decref(kept);
}
