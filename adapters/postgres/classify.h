/* classify.h - what PostgreSQL's errors mean to the driver.  Any thread. */
#ifndef ADAPTERS_POSTGRES_CLASSIFY_H
#define ADAPTERS_POSTGRES_CLASSIFY_H

#include <libpq-fe.h>

#include "adapter.h"

/* Pure.  `connected`: PQstatus() is CONNECTION_OK (looked at first: the SQLSTATE is NULL when the
 * connection is gone).  40001 conflict, 40P01 deadlock, 55P03 busy, 53100 no space, class 08 and
 * 57P01-57P05 lost; with `connecting` also 53300 (too many connections) and 57P03 (starting up)
 * are OP_BUSY.  23505 and all else: fatal. */
enum postgres_when { POSTGRES_RUNNING, POSTGRES_CONNECTING };
enum op_status postgres_classify(bool connected, const char *sqlstate, enum postgres_when when);

/* "WHAT: server's primary message (SQLSTATE)", hint and detail where they help, never a password;
 * fills why->sqlstate; returns its class.  `result` NULL: the connection's own message. */
enum op_status postgres_fail(PGconn *handle, const PGresult *result, struct op_error *why,
                             const char *what);
enum op_status postgres_connect_fail(PGconn *handle, struct op_error *why, const char *what);

#endif
