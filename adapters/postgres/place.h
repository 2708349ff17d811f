/* place.h - what place*.c share: marks, where a server is, tablespaces.  Main thread. */
#ifndef ADAPTERS_POSTGRES_PLACE_H
#define ADAPTERS_POSTGRES_PLACE_H

#include <sys/types.h>

#include "postgres/db.h"

/* Begins the COMMENT of everything that we make outside a schema of our own. */
#define PLACE_MARK "made by loadline"
/* Names that we give: to schemas and tablespaces; to databases. */
#define PLACE_RUN_PATTERN      "^loadline_[0-9a-f]{12}$"
#define PLACE_DATABASE_PATTERN "^loadline_[0-9a-f]{12}_[0-9]{4,5}$"

/* COMMENT ON KIND name: the mark, the time, what removes it. */
enum op_status place_mark(PGconn *handle, const char *kind, const char *name, struct op_error *why);

/* Drops those of `tables` (qualified names, `count` of them) that are there, some at a time. */
enum op_status place_drop_tables(PGconn *handle, char (*tables)[96], size_t count,
                                 struct op_error *why);
/* What is not ours in it keeps it: no CASCADE. */
enum op_status place_drop_schema(PGconn *handle, const char *schema, struct op_error *why);
enum op_status place_drop_database(PGconn *handle, const char *database, struct op_error *why);
/* Ends the streams of a run that is over, so that nothing waits for their locks. */
void place_end_streams(PGconn *handle, const char *run);

/* ---- place_databases.c: where there are several files ---- */

#define PLACE_DROP_DATABASE "DROP DATABASE IF EXISTS %s WITH (FORCE)"

/* db->admin then is in that of file 0. */
enum op_status place_databases_make(struct postgres_db *db, struct op_error *why);
/* db->admin then is at home. */
enum op_status place_databases_drop(struct postgres_db *db, struct op_error *why);

/* ---- place_host.c: is the server on this host, and what of it can be seen ---- */

struct place_host {
    bool here;        /* its processes are this host's */
    char reason[160]; /* why not: "the server is at 10.0.0.7" */
    uid_t user;       /* who runs it; only if here */
    char user_name[64];
    char *data_directory; /* canonical; NULL: not seen.  Heap. */
};

enum op_status place_host_look(PGconn *handle, struct place_host *host, struct op_error *why);
void place_host_release(struct place_host *host);

/* ---- place_tablespace.c ---- */

/* Could a tablespace be made below `directory`?  Each failure says how to mend it. */
enum op_status place_tablespace_check(PGconn *handle, const char *directory, struct op_error *why);
/* Makes db->tablespace below db->settings.tablespace. */
enum op_status place_tablespace_make(struct postgres_db *db, struct op_error *why);
/* Drops it, and the folder that we made for it. */
enum op_status place_tablespace_drop(PGconn *handle, const char *name, struct op_error *why);

#endif
