/* foreign_line.h - what others moved on the drives while phases ran, in the state line. */
#ifndef REPORT_FOREIGN_LINE_H
#define REPORT_FOREIGN_LINE_H

#include "report/view.h"

/* Adds "foreign I/O 3.1%".  Where the log lies on a device of its own: of the more disturbed one,
 * by its name, and of which nothing is known. */
void foreign_line_add(const struct view *view, struct text *text);

#endif
