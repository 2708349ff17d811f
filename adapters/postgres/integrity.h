/* integrity.h - are tables and indexes sound, by the server's own means.  Main thread.
 *
 * amcheck where the role may use it (each index's order, and each row in each index); else the rows
 * are counted by each index and by the table, and compared. */
#ifndef ADAPTERS_POSTGRES_INTEGRITY_H
#define ADAPTERS_POSTGRES_INTEGRITY_H

#include "postgres/db.h"

/* Which of the two, for a person; asks db->admin. */
const char *postgres_integrity_name(const struct postgres_db *db);

#endif
