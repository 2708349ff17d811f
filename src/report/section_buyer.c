#include "report/sections.h"

void section_buyer(const struct view *view)
{
    (void)view;
}
