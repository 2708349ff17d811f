/* db.h - what a trial's databases and connections are in memory.
 *
 * One struct serves both engines: a private cluster (cluster not NULL) and a server that runs
 * already.  From postgres_db_open() on nothing else tells them apart but `cluster` and `rights`.
 *
 * layout.h's files are databases here.  Table names are qualified: SCHEMA.rows or
 * SCHEMA.rows_NNNN.
 *
 * db is the main thread's, a conn its stream's.  Conns live in db until close; `cancel` and
 * `socket` of a conn are guarded by its mutex, so that an interrupt may race with disconnect. */
#ifndef ADAPTERS_POSTGRES_DB_H
#define ADAPTERS_POSTGRES_DB_H

#include <libpq-fe.h>
#include <pthread.h>
#include <stdatomic.h>

#include "adapter.h"
#include "postgres/classify.h"
#include "postgres/cluster.h"
#include "postgres/options.h"

struct postgres_waits;   /* waits.c */
struct postgres_account; /* account.h */
struct postgres_encode;  /* encode.h: a stream's buffers for binary parameters */

/* What the role that we connect as may do. */
struct postgres_rights {
    bool superuser;
    bool create_database;
    bool checkpoint;    /* superuser, or pg_checkpoint (15 and later) */
    bool read_settings; /* superuser, or pg_read_all_settings */
    bool read_stats;    /* superuser, or pg_read_all_stats / pg_monitor */
};

struct postgres_file {
    char *database; /* its name */
    bool made;      /* the database is ours: destroy drops it */
};

struct postgres_db;

enum postgres_rows { POSTGRES_IDLE, POSTGRES_INSERTS, POSTGRES_REMOVES };

struct postgres_conn {
    _Alignas(64) struct adapter_conn base;
    struct postgres_db *db;
    struct postgres_file *file;
    unsigned stream;
    char table[96]; /* qualified, quoted */
    PGconn *handle; /* NULL: not connected */
    pthread_mutex_t mutex;
    PGcancel *cancel; /* NULL: not connected */
    int socket;       /* of the handle */
    struct postgres_encode *encode;
    char *copy_sql; /* "BEGIN;COPY ..", NULL: no COPY here */
    bool in_copy, in_transaction;
    bool begin_unanswered, synced; /* in a pipeline: what else is to come */
    size_t unanswered;             /* statements sent, without BEGIN */
    size_t unflushed;              /* of them, those whose answers the server was not asked for */
    const char *doing;             /* "INSERT into": what they do */
    enum postgres_rows rows;       /* of the transaction, the last kind */
    size_t pending;                /* rows kept back for execute() or commit() */
    uint64_t expected;             /* rows sent, to hold against the command tag */
    int64_t first, last;           /* a run of ids that is kept back */
};

struct postgres_db {
    struct adapter_db base;
    const struct adapter_config *config;
    const struct workload *load;
    struct postgres_settings settings;
    struct postgres_cluster *cluster; /* NULL: a server that runs already */
    const char *conninfo;             /* the cluster's, or config->target */
    int server_version;               /* PQserverVersion(): 150018 */
    struct postgres_rights rights;
    char run[24];        /* of this db, random: "loadline_1a2b3c4d5e6f" names schema, databases and
                          * tablespace; application_name of streams is run + "_s" */
    char schema[32];     /* = run */
    char tablespace[32]; /* = run; "" without postgres.tablespace */
    bool schema_made, tablespace_made;
    unsigned file_count;
    struct postgres_file *files;
    PGconn *admin; /* main thread, database of file 0 (before create: the one connected to) */
    PGconn *home;  /* the one connected to, while admin is elsewhere: DROP DATABASE needs it */
    bool leaving;  /* destroy: a signal that came stops no connection any more */
    struct postgres_waits *waits;     /* NULL: nobody observes */
    struct postgres_account *account; /* NULL: no counter was asked for yet */
    atomic_bool cancel_hangs;         /* a cancel request was not answered in time */
    unsigned conn_count;
    struct postgres_conn *conns; /* [streams] */
};

extern const struct adapter postgres_adapter;   /* postgres:PATH */
extern const struct adapter postgresql_adapter; /* postgresql://... */

/* ---- connect.c: connections.  Any thread. ---- */

/* `database` NULL: the one that the connection string names.  application_name is run + `suffix`.
 * Gives a connection with client_encoding UTF8, standard settings (search_path pg_catalog,
 * our synchronous_commit where the key is set, no statement_timeout, no lock_timeout,
 * idle timeouts off, jit off) and checks the version (13 or later). */
enum op_status postgres_connect(const struct postgres_db *db, const char *database,
                                const char *suffix, PGconn **handle, struct op_error *why);
/* Runs one statement (or several) that give no rows of interest. */
enum op_status postgres_run(PGconn *handle, const char *sql, const char *what,
                            struct op_error *why);
/* Runs a query without parameters, text results; *result is the caller's to PQclear on OP_OK. */
enum op_status postgres_query(PGconn *handle, const char *sql, const char *what, PGresult **result,
                              struct op_error *why);
/* A setting's value (SHOW), heap; NULL: no right to see it, or no such setting. */
char *postgres_show(PGconn *handle, const char *name);

/* ---- db.c: the slots of the main thread ---- */

enum op_status postgres_db_open(const struct adapter_config *config, struct adapter_db **db,
                                struct op_error *why); /* both: cluster by config->directory */
enum op_status postgres_db_create(struct adapter_db *handle, struct op_error *why);
enum op_status postgres_db_destroy(struct adapter_db *handle, struct op_error *why);
void postgres_db_close(struct adapter_db *handle);
/* db->admin, made anew (with the run's lock) where it was lost: a server that crashed and came
 * back. Main thread; call it before each use of db->admin. */
enum op_status postgres_db_admin(struct postgres_db *db, struct op_error *why);
/* Takes the run's mark of life, an advisory lock, on a connection of the main thread. */
enum op_status postgres_db_hold(const struct postgres_db *db, PGconn *handle, struct op_error *why);

/* db->admin goes to a database of ours, and comes back to where it was. */
enum op_status postgres_db_enter(struct postgres_db *db, const char *database,
                                 struct op_error *why);
enum op_status postgres_db_come_home(struct postgres_db *db, struct op_error *why);
/* One more connection there. */
enum op_status postgres_db_connect_home(struct postgres_db *db, PGconn **handle,
                                        struct op_error *why);
/* What the role of a connection may do. */
enum op_status postgres_db_rights(PGconn *handle, struct postgres_rights *rights,
                                  struct op_error *why);

/* ---- place*.c: what we make on a server, and its marks ---- */

/* The tablespace, and databases where there are several files; db->admin then is in the database
 * of file 0.  A schema goes into the database of each file.  Each has a COMMENT "made by loadline
 * ..." that postgres_place_clean() goes by.  The run's advisory lock (postgres_db_hold) tells a run
 * from its remains: pg_locks shows it in all databases. */
enum op_status postgres_place_make(struct postgres_db *db, struct op_error *why);
enum op_status postgres_place_schema(struct postgres_db *db, PGconn *handle, struct op_error *why);
/* Drops exactly those, and the tables of create(). */
enum op_status postgres_place_remove(struct postgres_db *db, struct op_error *why);
/* The slot `clean` of postgresql://...: what is marked, and of no run that lives. */
enum op_status postgres_place_clean(const struct adapter_config *config, unsigned *removed,
                                    struct op_error *why);
/* The slot `paths` of postgresql://...: data (tablespace or data directory), WAL, where they are
 * on this host; nothing where they are not, or may not be seen. */
enum op_status postgres_place_paths(const struct adapter_config *config,
                                    const struct adapter_sink *sink, struct op_error *why);

/* ---- conn.c: the slots of a stream ---- */

enum op_status postgres_conn_connect(struct adapter_db *handle, unsigned stream,
                                     struct adapter_conn **out, struct op_error *why);
enum op_status postgres_conn_begin(struct adapter_conn *handle, struct op_error *why);
enum op_status postgres_conn_insert(struct adapter_conn *handle, const struct row_batch *rows,
                                    struct op_error *why);
enum op_status postgres_conn_remove(struct adapter_conn *handle, const struct row_batch *keys,
                                    struct op_error *why);
enum op_status postgres_conn_upsert(struct adapter_conn *handle, const struct row_batch *rows,
                                    struct op_error *why);
enum op_status postgres_conn_erase(struct adapter_conn *handle, const struct row_batch *keys,
                                   bool *there, struct op_error *why);
enum op_status postgres_conn_execute(struct adapter_conn *handle, struct op_error *why);
enum op_status postgres_conn_commit(struct adapter_conn *handle, struct op_error *why);
enum op_status postgres_conn_rollback(struct adapter_conn *handle, struct op_error *why);
void postgres_conn_disconnect(struct adapter_conn *handle);
/* interrupt.c */
void postgres_conn_interrupt(struct adapter_conn *handle);

/* ---- check.c: the slots that look at whole tables ---- */

/* CHECKPOINT, where we may; statistics of all streams pushed out (pg_stat_force_next_flush). */
enum op_status postgres_check_settle(struct adapter_db *handle, struct op_error *why);
enum op_status postgres_check_maintain(struct adapter_db *handle, enum phase_kind next,
                                       struct op_error *why);
enum op_status postgres_check_scan(struct adapter_db *handle, unsigned table,
                                   const struct row_visitor *visit, struct op_error *why);
enum op_status postgres_check_integrity(struct adapter_db *handle, bool *ok, struct op_error *why);

/* ---- facts.c, stats.c, waits.c: what the server says of itself ---- */

enum op_status postgres_facts(struct adapter_db *handle, const struct adapter_sink *sink,
                              struct op_error *why);
enum op_status postgres_stats(struct adapter_db *handle, const struct adapter_sink *sink,
                              struct op_error *why);
/* Frees db->account. */
void postgres_stats_close(struct postgres_db *db);
void postgres_waits_observe(struct adapter_db *handle, const struct adapter_sink *sink);
/* Reports what observe() counted, through sink->wait. */
void postgres_waits_report(const struct postgres_db *db, const struct adapter_sink *sink);
void postgres_waits_close(struct postgres_db *db);
/* Pure, table-tested. */
enum wait_group postgres_wait_group(const char *state, const char *type, const char *event);

/* ---- forecast.c ---- */

/* The slots: what the keys say together for this kind of target, then the estimate, which for a
 * private cluster counts the cluster itself in. */
enum op_status postgres_forecast_private(const struct adapter_config *config,
                                         struct adapter_forecast *forecast, struct op_error *why);
enum op_status postgres_forecast_server(const struct adapter_config *config,
                                        struct adapter_forecast *forecast, struct op_error *why);
/* WAL bytes that the largest phase of all streams writes, estimate. */
double postgres_forecast_wal(const struct workload *load, const struct postgres_settings *settings);

#endif
