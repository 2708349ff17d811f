#include "report/sections.h"

void section_ceiling(const struct view *view)
{
    (void)view;
}
