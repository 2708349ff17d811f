#include "report/sections.h"

void section_steady(const struct view *view)
{
    (void)view;
}
