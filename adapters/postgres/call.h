/* call.h - a stream's prepared statements: sent, answered, counted.  Stream threads.
 *
 * BEGIN travels with the first statement of a transaction, in one round trip: measured with two
 * rows a transaction that is 1.2 times as many transactions and a quarter less of client CPU.  An
 * error of BEGIN's is the statement's. */
#ifndef ADAPTERS_POSTGRES_CALL_H
#define ADAPTERS_POSTGRES_CALL_H

#include "postgres/db.h"

/* Sends a prepared statement with the parameters of conn->encode and does not wait.
 * `doing`: the verb for messages ("INSERT into"), a literal. */
enum op_status postgres_call_send(struct postgres_conn *conn, const char *statement,
                                  const char *doing, struct op_error *why);
/* Waits for its answer: rows affected.  None was sent: OP_OK, *affected stays. */
enum op_status postgres_call_collect(struct postgres_conn *conn, uint64_t *affected,
                                     struct op_error *why);
/* Both. */
enum op_status postgres_call(struct postgres_conn *conn, const char *statement, const char *doing,
                             uint64_t *affected, struct op_error *why);
/* A statement that commits by itself. */
enum op_status postgres_call_alone(struct postgres_conn *conn, const char *statement,
                                   const char *doing, uint64_t *affected, struct op_error *why);
enum op_status postgres_call_commit(struct postgres_conn *conn, struct op_error *why);

/* The steps of a pipeline, which the caller entered and syncs: a statement more (BEGIN before the
 * first), the oldest one's answer, the end. */
enum op_status postgres_call_queue(struct postgres_conn *conn, const char *statement,
                                   const char *doing, struct op_error *why);
enum op_status postgres_call_answer(struct postgres_conn *conn, uint64_t *affected,
                                    struct op_error *why);
enum op_status postgres_call_leave(struct postgres_conn *conn, struct op_error *why);

/* "DOING TABLE: ..." */
enum op_status postgres_call_fail(struct postgres_conn *conn, const PGresult *result,
                                  const char *doing, struct op_error *why);
/* OP_FATAL where the server says another number of rows than was asked for. */
enum op_status postgres_call_check(const struct postgres_conn *conn, uint64_t affected,
                                   uint64_t expected, struct op_error *why);
enum op_status postgres_call_no_row(const struct postgres_conn *conn, int64_t id,
                                    struct op_error *why);
/* Rows that a command tag tells of. */
uint64_t postgres_call_rows(PGresult *result);

#endif
