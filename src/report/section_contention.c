#include "report/sections.h"

void section_contention(const struct view *view)
{
    (void)view;
}
