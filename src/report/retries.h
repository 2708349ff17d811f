/* retries.h - transactions that were repeated and connections made again, in words. */
#ifndef REPORT_RETRIES_H
#define REPORT_RETRIES_H

#include "report/view.h"

/* "1,204 busy, 1 conflict, 2 reconnects" over all repeats of these groups; nothing for none. */
void retries_add(struct text *text, const struct group *groups, size_t count);

#endif
