/* adapter.h - the contract between the load driver and a database engine.
 *
 * To add an engine: write adapters/NAME/NAME.c that defines one
 * `const struct adapter NAME_adapter`, add its line to registry.c, and add its
 * statements under sql/NAME/.  tests/contract/ then runs the same suite on it.
 *
 * Life of a trial, in call order; db and connections live across all phases:
 *
 *   main thread     forecast, paths -> open -> facts -> create -> settle -> stats
 *   stream threads  connect
 *   each phase      maintain -> settle -> stats; barrier;
 *                   streams { begin (insert|remove|upsert|erase)+ execute commit }*;
 *                   settle -> stats -> scan
 *   stream threads  disconnect
 *   main thread     destroy -> close
 *   sampler thread  { observe }* on a connection of its own, if it needs one
 *   any thread      interrupt
 *
 * Threads: db calls come from the main thread while no stream runs a transaction, but
 * for observe and interrupt.  A conn belongs to the stream that connected it.
 * interrupt may race with disconnect: the adapter guards that pair.
 *
 * Memory: the caller owns every argument and keeps it alive for the call (config and
 * its workload: until close).  After connect() an adapter makes no allocation of its own.
 *
 * Failure: every call that can fail returns an op_status; when it is not OP_OK the
 * adapter has filled *why.  After a failed begin, insert, remove, upsert, erase, execute or
 * commit the driver calls rollback exactly once; rollback leaves the conn ready for begin, or
 * returns OP_LOST or OP_FATAL.  After OP_LOST the driver disconnects, and connects
 * again.  Adapters never retry, sleep, print or exit: retry, back-off and waiting in
 * line are the driver's, the same and measured for every engine.
 */
#ifndef ADAPTER_H
#define ADAPTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "workload/key.h"
#include "workload/row.h"
#include "workload/workload.h"

/* What the driver should do next, not what the engine calls it. */
enum op_status {
    OP_OK = 0,
    OP_BUSY,     /* lock not granted: SQLITE_BUSY, 55P03          retry  */
    OP_CONFLICT, /* serialization failure: SQLITE_BUSY_SNAPSHOT, 40001 retry  */
    OP_DEADLOCK, /* chosen as victim: 40P01                       retry  */
    OP_NO_SPACE, /* SQLITE_FULL, ENOSPC, 53100            stop the trial */
    OP_LOST,     /* connection gone: 08xxx, 57P01; from commit() the
                  * outcome is unknown: its rows go to `in_doubt` */
    OP_FATAL,    /* everything else, 23505 included:    stop the trial   */
    OP_STATUS_COUNT
};

static inline bool op_is_retryable(enum op_status status)
{
    return status == OP_BUSY || status == OP_CONFLICT || status == OP_DEADLOCK;
}

struct op_error {
    int native;       /* the engine's own number, 0 if it has none */
    char sqlstate[6]; /* "" where the engine has none */
    char text[320];
};

/* Fills *why and returns `status`, so that an adapter can write `return op_fail(...)`. */
enum op_status op_fail(struct op_error *why, enum op_status status, int native, const char *format,
                       ...) __attribute__((format(printf, 4, 5)));

enum adapter_caps {
    ADAPTER_ROLLBACK = 1 << 0,    /* rollback undoes; a raw file cannot */
    ADAPTER_LOCAL_FILES = 1 << 1, /* its files are in config->directory, on this host's disks */
    ADAPTER_KEEPS_ROWS = 1 << 2,  /* scan() finds what was inserted; `null` keeps nothing */
    ADAPTER_HIDDEN = 1 << 3,      /* for tests: `list engines` leaves it out */
    ADAPTER_OTHER_USER = 1 << 4,  /* its server may run as another user: folders of ours above
                                   * the trial's can then be passed through (mode 0711) */
};

enum metric_kind { METRIC_COUNTER, METRIC_GAUGE };
enum device_role { DEVICE_DATA, DEVICE_WAL, DEVICE_TEMP };

/* What a stream of a database server is waiting for: the groups of the servers' own events. */
enum wait_group {
    WAIT_CPU,        /* working, waiting for nothing */
    WAIT_FLUSH,      /* writes or flushes the log itself: the leader of a group commit */
    WAIT_GROUP,      /* for another one's flush */
    WAIT_LOG_INSERT, /* for room in the log's buffer */
    WAIT_EXTEND,     /* to make a table larger */
    WAIT_ROW,        /* row and transaction locks */
    WAIT_BUFFER,     /* for a page that another one uses */
    WAIT_FILE,       /* data files */
    WAIT_CLIENT,     /* for us */
    WAIT_OTHER,
    WAIT_GROUPS
};

/* Where an adapter puts what it finds; names live until close. */
struct adapter_sink {
    void *ctx;
    void (*metric)(void *ctx, const char *name, enum metric_kind kind, double value);
    void (*fact)(void *ctx, const char *name, const char *text); /* version, effective settings */
    void (*path)(void *ctx, enum device_role role, const char *path);
    /* How often since open() a stream was seen in this wait; NULL: nobody asks. */
    void (*wait)(void *ctx, const char *event, enum wait_group group, double observations);
};

/* Called for every row that scan() finds; false stops the scan (which is then OP_OK). */
struct row_visitor {
    void *ctx;
    bool (*row)(void *ctx, const struct row *row);
};

struct adapter_config {
    const char *target;          /* what followed the scheme: path or connection string */
    const char *directory;       /* the trial's own directory, absolute, exists; NULL without
                                  * ADAPTER_LOCAL_FILES.  Never parse it as a URI. */
    const char *log_directory;   /* likewise, on the path that the engine's `log_key` names; NULL:
                                  * the log lies with the data */
    const struct workload *load; /* layout, row shape, indexes, seed, settings; immutable */
    const struct adapter *inner; /* what a decorator wraps; else NULL */
    const volatile int *stop;    /* turns nonzero at a signal: long calls of the main thread then
                                  * return soon, with any failure; NULL: none comes */
};

static inline bool adapter_is_stopped(const struct adapter_config *config)
{
    return config->stop != NULL && *config->stop != 0;
}

/* What a trial with this configuration will do, known before anything is made. */
struct adapter_forecast {
    bool commit_flushes; /* a commit returns after it made the drive flush */
    bool begin_locks;    /* begin() takes the writer's lock, so that its time is lock wait */
    bool single_call;    /* commit() carries out the whole transaction in one statement: the
                          * statement has no time of its own */
    double write_bytes[PHASE_KINDS]; /* estimate: device bytes that one stream's phase of
                                      * load->rows writes, settle included; not below the truth */
    double space_bytes;              /* estimate: room that one stream's load->rows rows need */
};

struct adapter;

/* Handles.  An engine embeds one as the first member of its own struct, so a
 * decorator can hold another engine's handle without knowing what it is. */
struct adapter_db { /* one per trial */
    const struct adapter *ops;
};
struct adapter_conn { /* one per stream */
    const struct adapter *ops;
};

struct adapter {
    const char *name;
    const char *scheme;  /* what a target begins with; NULL: the name */
    const char *summary; /* one line for `list` */
    uint32_t caps;
    const struct key *options; /* keys "NAME.x"; ends with a NULL name; or NULL */
    const char *log_key;       /* the key with a directory for the log alone; NULL: none */

    /* Main thread, nothing made yet.  Checks what the engine's keys say together (an
     * exclusive lock with several streams on one file): OP_FATAL, with the remedy. */
    enum op_status (*forecast)(const struct adapter_config *config,
                               struct adapter_forecast *forecast, struct op_error *why);
    /* Where files will lie; `directory` and `log_directory` are those of the target.  A server
     * that runs already is asked. */
    enum op_status (*paths)(const struct adapter_config *config, const struct adapter_sink *sink,
                            struct op_error *why);
    enum op_status (*open)(const struct adapter_config *config, struct adapter_db **db,
                           struct op_error *why);
    /* Names: "version", then the effective settings, one fact each.  "durability" says why a
     * commit is not flushed ("fsync is off"), where the forecast thought that it is. */
    enum op_status (*facts)(struct adapter_db *db, const struct adapter_sink *sink,
                            struct op_error *why);
    enum op_status (*create)(struct adapter_db *db, struct op_error *why);
    /* Push out of the engine's own buffers what was written, without changing how
     * the next phase will write: SQLite checkpoints with RESTART, never TRUNCATE
     * (a WAL that grows again costs twice the flushes). */
    enum op_status (*settle)(struct adapter_db *db, struct op_error *why);
    /* Optional (NULL).  Before a phase: what the engine should do in the pause rather than in the
     * phase (VACUUM, CHECKPOINT), by its keys. */
    enum op_status (*maintain)(struct adapter_db *db, enum phase_kind next, struct op_error *why);
    /* Cumulative counters, waits, and gauges since open(). */
    enum op_status (*stats)(struct adapter_db *db, const struct adapter_sink *sink,
                            struct op_error *why);
    /* Every row of one table (layout.h), in order of id, on a fresh connection; the
     * driver compares. */
    enum op_status (*scan)(struct adapter_db *db, unsigned table, const struct row_visitor *visit,
                           struct op_error *why);
    /* The engine's own check: PRAGMA integrity_check, amcheck.  *ok false: *why has its words. */
    enum op_status (*integrity)(struct adapter_db *db, bool *ok, struct op_error *why);
    /* Removes exactly what create() made, by unlink or DROP, never by DELETE. */
    enum op_status (*destroy)(struct adapter_db *db, struct op_error *why);
    void (*close)(struct adapter_db *db);
    /* Streams with the same number wait for the same lock (one SQLite file, say) in the
     * driver's ticket queue, first come, first served.  -1: none.  Below the number of streams. */
    int (*lock_domain)(const struct adapter_db *db, unsigned stream);

    /* Optional (NULL).  Main thread, no db open: removes what a killed run of this engine left in
     * config->directory (a trial's), or on the server that config->target names; stops a server
     * of ours that still runs there.  OP_BUSY: a run uses it.  *removed: how many things. */
    enum op_status (*clean)(const struct adapter_config *config, unsigned *removed,
                            struct op_error *why);

    /* Sampler thread: cheap gauges of this moment (WAL size, wait events).  Never waits for a
     * server: what was asked at one call is read at the next. */
    void (*observe)(struct adapter_db *db, const struct adapter_sink *sink);

    /* Stream thread.  A transaction takes several calls, each with one batch. */
    enum op_status (*connect)(struct adapter_db *db, unsigned stream, struct adapter_conn **conn,
                              struct op_error *why);
    enum op_status (*begin)(struct adapter_conn *conn, struct op_error *why);
    enum op_status (*insert)(struct adapter_conn *conn, const struct row_batch *rows,
                             struct op_error *why);
    /* Every id must have been there: OP_FATAL that names the first that was not. */
    enum op_status (*remove)(struct adapter_conn *conn, const struct row_batch *keys,
                             struct op_error *why);
    /* Optional (NULL): row.keys = overlapping.  Inserts each row, or replaces the one with its id,
     * in the order given, each under a lock that is held until the transaction ends. */
    enum op_status (*upsert)(struct adapter_conn *conn, const struct row_batch *rows,
                             struct op_error *why);
    /* Optional (NULL), likewise.  Removes each id that is there; there[i] says which were. */
    enum op_status (*erase)(struct adapter_conn *conn, const struct row_batch *keys, bool *there,
                            struct op_error *why);
    /* Optional (NULL).  After the last batch of a transaction: sends what was kept back, and
     * waits until it is done. */
    enum op_status (*execute)(struct adapter_conn *conn, struct op_error *why);
    enum op_status (*commit)(struct adapter_conn *conn, struct op_error *why);
    enum op_status (*rollback)(struct adapter_conn *conn, struct op_error *why);
    void (*disconnect)(struct adapter_conn *conn);

    /* Any thread: make a call in progress on conn return soon. */
    void (*interrupt)(struct adapter_conn *conn);
};

/* registry.c: every engine, NULL-terminated. */
extern const struct adapter *const adapter_registry[];
const struct adapter *adapter_find(const char *scheme); /* NULL: no such engine */

#endif
