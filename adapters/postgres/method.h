/* method.h - the ways in which a stream's rows travel.  Stream threads.
 *
 * `insert` or `remove` takes a batch, and may keep rows back in buffers of its own; `finish` sends
 * those and waits for all answers.  A transaction that changes from inserts to removes finishes in
 * between, so that rows are changed in the order given. */
#ifndef ADAPTERS_POSTGRES_METHOD_H
#define ADAPTERS_POSTGRES_METHOD_H

#include "postgres/db.h"

struct postgres_way {
    enum op_status (*take)(struct postgres_conn *conn, const struct row_batch *batch,
                           struct op_error *why);
    enum op_status (*finish)(struct postgres_conn *conn, struct op_error *why); /* NULL: nothing */
};

/* method_statement.c */
extern const struct postgres_way postgres_statement_insert, postgres_statement_remove;
enum op_status postgres_statement_upsert(struct postgres_conn *conn, const struct row_batch *rows,
                                         struct op_error *why);
enum op_status postgres_statement_erase(struct postgres_conn *conn, const struct row_batch *keys,
                                        bool *there, struct op_error *why);
/* method_single.c: keeps one row, which postgres_single_commit() sends as a transaction. */
extern const struct postgres_way postgres_single_insert, postgres_single_remove;
enum op_status postgres_single_commit(struct postgres_conn *conn, struct op_error *why);
/* As a statement of a longer transaction after all. */
enum op_status postgres_single_flush(struct postgres_conn *conn, struct op_error *why);
/* method_pipeline.c */
extern const struct postgres_way postgres_pipeline_insert, postgres_pipeline_remove;
/* method_array.c */
extern const struct postgres_way postgres_array_insert, postgres_array_remove;
/* method_range.c */
extern const struct postgres_way postgres_range_remove;
/* method_copy.c */
extern const struct postgres_way postgres_copy_insert;

/* missing.c: rolls back, then looks which of the ids that conn->encode holds as parameters of
 * `sql` (heap, freed here) is not there; OP_FATAL that names it. */
enum op_status postgres_missing(struct postgres_conn *conn, char *sql, uint64_t affected,
                                uint64_t expected, struct op_error *why);

#endif
