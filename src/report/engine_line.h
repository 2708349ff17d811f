/* engine_line.h - the header's line about the engine: version, the settings that decide what a
 * commit is worth, and the load. */
#ifndef REPORT_ENGINE_LINE_H
#define REPORT_ENGINE_LINE_H

#include "report/view.h"

void engine_line_print(const struct view *view);

#endif
