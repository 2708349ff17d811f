#include "report/sections.h"

void section_correlation(const struct view *view)
{
    (void)view;
}
