#include <stdio.h>
#include <stdlib.h>

#include "report/findings.h"
#include "report/sections.h"

enum { SHOWN = 4 };

void section_contention(const struct view *view)
{
    const json_t *findings = json_at(view->summary, "analysis.contention.findings");
    size_t index, count = json_array_size(findings);
    const json_t *finding;
    json_array_foreach(findings, index, finding)
    {
        struct text before = {0};
        if (index == SHOWN) {
            text_add(&before, "... and %zu combinations more, in --json", count - index);
            view_finding(view, "", SINK_CALM, &before);
            return;
        }
        char *place = findings_place(view, finding);
        text_add(&before, "%s: ", place);
        findings_print(view, index == 0 ? "sharing" : "", before.data, finding);
        text_release(&before);
        free(place);
    }
}
