/* summary.h - a result file as the summary document, analysis included. */
#ifndef CLI_SUMMARY_H
#define CLI_SUMMARY_H

#include "base/json.h"
#include "report/report.h"
#include "result/asked.h"

/* What `run` and `report` both show.  `asked` goes over what the result was asked for; NULL:
 * nothing does.  New reference; NULL on failure. */
json_t *summary_load(const char *path, const struct asked *asked, struct err *err);
/* How the terminal behind `fd` wants it; width 0: as wide as the terminal is. */
struct report_options summary_look(int fd, int width, const char *result_path);

#endif
