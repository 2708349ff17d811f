/* look.h - connections of the main thread between phases: which one may ask a database of ours, and
 * the statistics that the streams' sessions still keep back.
 *
 * While no phase runs, the streams stand at the gate and their connections are idle: the main
 * thread may use those. */
#ifndef ADAPTERS_POSTGRES_LOOK_H
#define ADAPTERS_POSTGRES_LOOK_H

#include "postgres/db.h"

/* postgres_db_admin(), after a look whether the server has hung up meanwhile: libpq tells only when
 * it reads. */
enum op_status postgres_look_admin(struct postgres_db *db, struct op_error *why);

struct postgres_look {
    PGconn *handle;
    bool own;       /* made for this look */
    bool pipelined; /* a stream's, which was in pipeline mode */
};

/* Short statements in the database of `file`: the admin's connection, a stream's, or a new one. */
enum op_status postgres_look_open(struct postgres_db *db, unsigned file, struct postgres_look *look,
                                  struct op_error *why);
void postgres_look_close(struct postgres_look *look);

/* Makes every stream's session, and the admin's, report what it has counted.  A stream whose
 * connection is lost or busy is left out: it counts no more. */
void postgres_look_flush(struct postgres_db *db);
/* The same of one session, before it is closed: its end would report too, but some time later. */
void postgres_look_report(const struct postgres_db *db, PGconn *handle);

#endif
