/* stoppable.h - long statements of the main thread that give up when the run is stopped: the
 * server is asked to cancel, and its answer is waited for.  Main thread. */
#ifndef ADAPTERS_POSTGRES_STOPPABLE_H
#define ADAPTERS_POSTGRES_STOPPABLE_H

#include "postgres/db.h"

/* Waits until a result can be taken without waiting.  False: the run was
 * stopped, and the statement is cancelled; the results that are left must still be taken. */
bool postgres_stoppable_wait(const struct postgres_db *db, PGconn *handle);
/* Waits for more of a COPY's data.  False: the run was stopped, and the statement is cancelled. */
bool postgres_stoppable_wait_data(const struct postgres_db *db, PGconn *handle);
void postgres_stoppable_cancel(PGconn *handle);
/* Takes what is left of a statement, a COPY's data included. */
void postgres_stoppable_drain(PGconn *handle);

/* Runs one statement; *result is its rows, the caller's to PQclear on OP_OK.  OP_BUSY: the run was
 * stopped.  `what` begins the message. */
enum op_status postgres_stoppable_query(const struct postgres_db *db, PGconn *handle,
                                        const char *sql, const char *what, PGresult **result,
                                        struct op_error *why);
/* The same, without rows of interest. */
enum op_status postgres_stoppable_run(const struct postgres_db *db, PGconn *handle, const char *sql,
                                      const char *what, struct op_error *why);

#endif
