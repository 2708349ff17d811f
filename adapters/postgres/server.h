/* server.h - the server process of a private cluster: started, ready, ended.
 *
 * Main thread.  A thread of its own waits for the child, so that a postmaster that was killed is
 * reaped at once: as a zombie it would keep its number, and pg_ctl would not start another. */
#ifndef ADAPTERS_POSTGRES_SERVER_H
#define ADAPTERS_POSTGRES_SERVER_H

#include "postgres/cluster.h"
#include "postgres/owner.h"

struct postgres_server;

/* `postgres -D data`, our own child: it gets SIGQUIT (an immediate shutdown) when we are killed.
 * The call does not wait until it is ready. */
enum op_status postgres_server_start(const char *programs, const char *data,
                                     const struct postgres_owner *owner,
                                     struct postgres_server **server, struct op_error *why);
/* Waits for "ready" in postmaster.pid.  OP_BUSY: *stop turned nonzero.  Else OP_FATAL with *why
 * empty where the server ended, so that its log has the reason. */
enum op_status postgres_server_await(struct postgres_server *server, const volatile int *stop,
                                     struct op_error *why);
/* All that it printed; heap. */
char *postgres_server_text(const struct postgres_server *server);
/* Ends our child if it still runs: immediate, then SIGKILL; within 0.6 s, if it can be. */
void postgres_server_kill(struct postgres_server *server);
/* The same, and frees. */
void postgres_server_destroy(struct postgres_server *server);

/* The postmaster that runs on the directory `data`, whoever started it; 0: none.  By
 * postmaster.pid, and only if that process stands in `data` and belongs to its owner. */
pid_t postgres_server_find(const char *data);
/* Ends whatever server runs on `data`, in steps: the one asked for, immediate, SIGKILL; and `own`
 * (may be NULL), which may not have come as far as to write postmaster.pid.  *stop (may be NULL)
 * nonzero: all of it within 1.7 s.  OP_FATAL: one still runs. */
enum op_status postgres_server_stop(const char *data, struct postgres_server *own,
                                    enum postgres_stop how, const volatile int *stop,
                                    struct op_error *why);

#endif
