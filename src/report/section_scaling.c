#include "report/sections.h"

void section_scaling(const struct view *view)
{
    (void)view;
}
