/* check.h - what the slots that look at whole tables share.  Main thread. */
#ifndef ADAPTERS_POSTGRES_CHECK_H
#define ADAPTERS_POSTGRES_CHECK_H

#include "postgres/db.h"

/* CHECKPOINT on db->admin, counted as ours; nothing where the role may not. */
enum op_status postgres_check_checkpoint(struct postgres_db *db, struct op_error *why);

#endif
