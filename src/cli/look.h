/* look.h - how a terminal or a file wants a report's text. */
#ifndef CLI_LOOK_H
#define CLI_LOOK_H

#include "report/report.h"

/* Of what lies behind `fd`; width 0: as wide as the terminal is.  The source is borrowed; NULL:
 * nothing of a result is told. */
struct report_options look_make(int fd, int width, const struct report_source *source);

#endif
