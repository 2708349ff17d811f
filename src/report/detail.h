/* detail.h - the tables behind the verdict: of one family each, with the gap below. */
#ifndef REPORT_DETAIL_H
#define REPORT_DETAIL_H

#include <stdbool.h>

#include "report/families.h"

/* Is there anything of a drive to show? */
bool detail_knows_drive(const struct family *family);
/* Under a table of data writes, where several streams make them an upper bound. */
void detail_note_writes(const struct view *view, const struct family *family);

/* Do data and WAL lie on different devices somewhere?  Then their costs take a line each. */
bool detail_has_roles(const struct family *family);
void detail_roles(const struct view *view, const struct family *family);

void detail_times(const struct view *view, const struct family *family);   /* lock, rows, COMMIT */
void detail_costs(const struct view *view, const struct family *family);   /* of a commit */
void detail_load(const struct view *view, const struct family *family);    /* queue, CPU, floor */
void detail_waits(const struct view *view, const struct family *family);   /* of a sweep */
void detail_slopes(const struct view *view, const struct family *family);  /* commits, counters */
void detail_wal(const struct view *view, const struct family *family);     /* growing, reused */
void detail_retries(const struct view *view, const struct family *family); /* what was repeated */

#endif
