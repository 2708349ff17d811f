/* place.h - which combination a number belongs to, inside the sentences of findings.  Pure. */
#ifndef ANALYSIS_PLACE_H
#define ANALYSIS_PLACE_H

#include "analysis/groups.h"

enum { PLACE_TEXT = 240 };
/* "insert at 10 streams, file-per-stream, page_size 8192": cut where it is longer. */
void place_write(const struct group *group, char text[PLACE_TEXT]);
/* As asked for, else as measured; NaN unknown. */
double place_rows_per_commit(const struct group *group);

#endif
