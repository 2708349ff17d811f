#include "report/finding_text.h"
#include "report/sections.h"

void section_ceiling(const struct view *view)
{
    finding_text(view, "CEILING", json_at(view->summary, "analysis.ceiling"));
}
