/* waits.h - when waits are counted.  Main thread, between phases. */
#ifndef ADAPTERS_POSTGRES_WAITS_H
#define ADAPTERS_POSTGRES_WAITS_H

#include "postgres/db.h"

/* From now on observe() counts nothing, and an answer that is on its way is dropped. */
void postgres_waits_pause(struct postgres_db *db);
/* Counts again from the second call of observe() on (at the first one, the mark of a phase's start,
 * no stream works yet).  Makes db->waits and its connection where there are none; without a
 * connection nothing is observed. */
void postgres_waits_resume(struct postgres_db *db);

#endif
