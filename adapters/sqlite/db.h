/* db.h - what a trial's SQLite files and connections are in memory.
 *
 * A db is the main thread's, a conn its stream's; `handle` of a conn is guarded by its
 * mutex where another thread may look at it (interrupt, stats).  Conns live in db until
 * close, so that an interrupt that races with disconnect finds valid memory. */
#ifndef ADAPTERS_SQLITE_DB_H
#define ADAPTERS_SQLITE_DB_H

#include <pthread.h>
#include <stdatomic.h>

#include "adapter.h"
#include "sqlite/options.h"

struct sqlite3;
struct sqlite3_stmt;

struct sqlite_file {
    char *path;
    char *wal_path;
    bool made;               /* by create(): destroy removes only those */
    atomic_int frames_seen;  /* in the WAL at the last commit */
    atomic_int frames_moved; /* of them, how many a checkpoint wrote back */
};

/* Sums since open(), over reconnections; written by the stream alone. */
struct sqlite_counters {
    uint64_t checkpoints;
    uint64_t checkpoint_frames;
    int64_t checkpoint_ns;
    uint64_t busy_waits;
    int64_t busy_wait_ns;
    uint64_t cache_spills;
    uint64_t cache_writes;
};

struct sqlite_db;

struct sqlite_conn {
    _Alignas(64) struct adapter_conn base;
    struct sqlite_db *db;
    struct sqlite_file *file;
    unsigned stream;
    pthread_mutex_t mutex;
    struct sqlite3 *handle; /* NULL: not connected */
    struct sqlite3_stmt *begin, *commit, *rollback;
    struct sqlite3_stmt *insert, *insert_many, *remove; /* insert_many: NULL unless used */
    struct sqlite3_stmt *upsert;                        /* NULL unless keys overlap */
    int64_t wait_since_ns;                              /* busy handler: when this wait began */
    atomic_bool interrupted;
    struct sqlite_counters counters;
};

struct sqlite_db {
    struct adapter_db base;
    const struct adapter_config *config;
    const struct workload *load;
    struct sqlite_settings settings;
    unsigned file_count;
    struct sqlite_file *files;
    unsigned conn_count;
    struct sqlite_conn *conns; /* [streams] */
};

extern const struct adapter sqlite_adapter;

/* db.c: a connection of no stream, settings applied.  OP_BUSY is possible. */
enum op_status sqlite_db_open_file(const struct sqlite_db *db, const struct sqlite_file *file,
                                   struct sqlite3 **handle, struct op_error *why);
/* Runs one statement that gives no rows. */
enum op_status sqlite_db_run(struct sqlite3 *handle, const char *text, const char *what,
                             const char *file, struct op_error *why);

/* db.c: the slots of the main thread. */
enum op_status sqlite_db_open(const struct adapter_config *config, struct adapter_db **out,
                              struct op_error *why);
enum op_status sqlite_db_create(struct adapter_db *handle, struct op_error *why);
enum op_status sqlite_db_destroy(struct adapter_db *handle, struct op_error *why);
void sqlite_db_close(struct adapter_db *handle);

/* conn.c: the slots of a stream. */
enum op_status sqlite_conn_connect(struct adapter_db *handle, unsigned stream,
                                   struct adapter_conn **out, struct op_error *why);
enum op_status sqlite_conn_begin(struct adapter_conn *handle, struct op_error *why);
enum op_status sqlite_conn_insert(struct adapter_conn *handle, const struct row_batch *rows,
                                  struct op_error *why);
enum op_status sqlite_conn_remove(struct adapter_conn *handle, const struct row_batch *keys,
                                  struct op_error *why);
enum op_status sqlite_conn_upsert(struct adapter_conn *handle, const struct row_batch *rows,
                                  struct op_error *why);
enum op_status sqlite_conn_erase(struct adapter_conn *handle, const struct row_batch *keys,
                                 bool *there, struct op_error *why);
enum op_status sqlite_conn_commit(struct adapter_conn *handle, struct op_error *why);
enum op_status sqlite_conn_rollback(struct adapter_conn *handle, struct op_error *why);
void sqlite_conn_disconnect(struct adapter_conn *handle);
void sqlite_conn_interrupt(struct adapter_conn *handle);

/* hook.c: what SQLite calls back on a stream's connection, and its counters. */
void sqlite_hook_install(struct sqlite_conn *conn);
/* Waits for locks as long as sqlite.busy says, from the next statement on. */
void sqlite_hook_wait(struct sqlite_conn *conn, bool wait);
/* Adds the connection's own counters to conn->counters; caller holds the mutex or is the stream. */
void sqlite_hook_harvest(struct sqlite_conn *conn);
enum op_status sqlite_hook_stats(struct adapter_db *handle, const struct adapter_sink *sink,
                                 struct op_error *why);

/* check.c: the slots that look at whole files. */
enum op_status sqlite_check_settle(struct adapter_db *handle, struct op_error *why);
enum op_status sqlite_check_scan(struct adapter_db *handle, unsigned table,
                                 const struct row_visitor *visit, struct op_error *why);
enum op_status sqlite_check_integrity(struct adapter_db *handle, bool *ok, struct op_error *why);
void sqlite_check_observe(struct adapter_db *handle, const struct adapter_sink *sink);

/* forecast.c */
enum op_status sqlite_forecast(const struct adapter_config *config,
                               struct adapter_forecast *forecast, struct op_error *why);

#endif
