#include "report/finding_text.h"
#include "report/sections.h"

void section_scaling(const struct view *view)
{
    finding_text(view, "SCALING", json_at(view->summary, "analysis.scaling"));
}
