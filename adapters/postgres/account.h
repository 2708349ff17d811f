/* account.h - the server's counters since the trial began.  Main thread.
 *
 * What the server's catalog has is asked once; from then on a statement a view is all.  A counter
 * that went back (somebody reset the statistics, or the server crashed) goes on from there: no rise
 * is negative. */
#ifndef ADAPTERS_POSTGRES_ACCOUNT_H
#define ADAPTERS_POSTGRES_ACCOUNT_H

#include "postgres/db.h"

/* Asks all views and reports to the sink.  What may not be read is not reported.  OP_OK unless the
 * server is gone. */
enum op_status postgres_account_read(struct postgres_db *db, const struct adapter_sink *sink,
                                     struct op_error *why);
void postgres_account_close(struct postgres_db *db);

/* Checkpoints that somebody or the log's size asked for, as the server counts them; false: not
 * known. */
bool postgres_account_requested(struct postgres_db *db, double *count);
/* One of them was ours: it is left out of the phase's checkpoints. */
void postgres_account_own(struct postgres_db *db);

#endif
