/* memory_state.h - what the engine for the driver's tests holds (memory_engine.h): rows, a script
 * of faults, where each conn stands. */
#ifndef TESTS_MEMORY_STATE_H
#define TESTS_MEMORY_STATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapter.h"
#include "base/clock.h"
#include "workload/layout.h"

enum memory_slot {
    MEMORY_CONNECT,
    MEMORY_BEGIN,
    MEMORY_INSERT,
    MEMORY_REMOVE,
    MEMORY_UPSERT,
    MEMORY_ERASE,
    MEMORY_EXECUTE,
    MEMORY_COMMIT,
    MEMORY_ROLLBACK,
    MEMORY_DISCONNECT,
    MEMORY_SLOTS
};
static const char *const memory_slot_names[] = {"connect",  "begin",     "insert",  "delete",
                                                "upsert",   "erase",     "execute", "commit",
                                                "rollback", "disconnect"};

enum memory_effect { MEMORY_BEFORE, MEMORY_AFTER };
enum { MEMORY_ANY_STREAM = -1, MEMORY_CYCLES = 4, MEMORY_FAULTS = 4, MEMORY_EXTRAS = 8 };
#define MEMORY_ALWAYS UINT64_MAX

struct memory_fault {
    enum memory_slot slot;
    int stream;            /* or MEMORY_ANY_STREAM */
    uint64_t nth, times;   /* from 1, counted from the moment of arming; so many calls fail */
    enum op_status status; /* OP_OK: it is only slow */
    enum memory_effect effect;
    int64_t delay_ns; /* before the call; an interrupt ends it, with OP_FATAL */
    _Atomic uint64_t calls, hits;
};

struct memory_row {
    bool present, pending; /* pending: in the transaction that is open */
    int64_t id, stream;
    int64_t keys[ROW_KEYS_MAX];
    unsigned char *payload;
};

/* A common row as it was. */
struct memory_undo {
    uint64_t key;
    struct memory_row row;
};

/* One call that came back. */
struct memory_call {
    enum memory_slot slot;
    enum op_status status;
    int64_t from_ns, to_ns;
};

enum memory_state {
    MEMORY_OUT,    /* not connected */
    MEMORY_IDLE,   /* ready for begin */
    MEMORY_OPEN,   /* in a transaction */
    MEMORY_FAILED, /* a call failed: rollback must come */
    MEMORY_SPENT,  /* disconnect must come: lost, or a failure that ends the trial */
};

struct memory_conn {
    struct adapter_conn base;
    struct memory_db *db;
    unsigned number;
    _Atomic bool live, interrupted;
    enum memory_state state;
    enum op_status failed_with; /* in state FAILED */
    bool inserting, lost, applied, executed;
    size_t batches; /* of the transaction */
    struct memory_row **pending;
    size_t pending_count;
    struct memory_row *rows;  /* by sequence */
    struct memory_undo *undo; /* [common_keys]: of the transaction that is open, memory_common.h */
    size_t undo_count;
    int waits_for; /* 1 + the stream whose row this one wants; 0: none */
    struct memory_call *calls;
    size_t call_count;
};

struct memory_db {
    struct adapter_db base;
    const struct workload *load;
    struct memory_conn *conns;   /* [streams] */
    bool one_line;               /* all streams in one lock domain */
    _Atomic int holder;          /* in one line: 1 + the stream in a transaction */
    struct memory_row *common;   /* [common_keys], where keys overlap */
    int *owners;                 /* [common_keys]: 1 + the stream that has changed it; 0: none */
    pthread_mutex_t common_lock; /* guards both, and waits_for */
    pthread_cond_t released;
    struct memory_fault faults[MEMORY_FAULTS];
    size_t fault_count;

    /* What scan and integrity do wrong. */
    struct memory_row extras[MEMORY_EXTRAS]; /* found in table extra_table */
    size_t extra_count;
    unsigned extra_table;
    int64_t twice_id; /* shown twice; -1: none */
    int64_t late_id;  /* shown last, out of order */
    bool broken;      /* the integrity check is not ok */
    enum op_status scan_status;

    pthread_mutex_t lock; /* guards violation */
    char violation[400];  /* the first one */
};

static const struct adapter memory_adapter;

static inline size_t memory_capacity(const struct memory_db *db)
{
    return (size_t)db->load->rows * MEMORY_CYCLES;
}

static inline struct memory_db *memory_create(const struct workload *load)
{
    struct memory_db *db = calloc(1, sizeof *db);
    db->base.ops = &memory_adapter;
    db->load = load;
    db->twice_id = db->late_id = -1;
    db->conns = calloc(load->streams, sizeof *db->conns);
    pthread_mutex_init(&db->lock, NULL);
    pthread_mutex_init(&db->common_lock, NULL);
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&db->released, &attr);
    pthread_condattr_destroy(&attr);
    db->common = calloc(load->common_keys + 1, sizeof *db->common);
    db->owners = calloc(load->common_keys + 1, sizeof *db->owners);
    for (unsigned i = 0; i < load->streams; i++) {
        struct memory_conn *c = &db->conns[i];
        c->base.ops = &memory_adapter;
        c->db = db;
        c->number = i;
        c->rows = calloc(memory_capacity(db), sizeof *c->rows);
        c->pending = calloc(memory_capacity(db), sizeof(struct memory_row *));
        c->undo = calloc(load->common_keys + 1, sizeof *c->undo);
    }
    return db;
}

static inline void memory_destroy(struct memory_db *db)
{
    for (unsigned i = 0; i < db->load->streams; i++) {
        for (size_t k = 0; k < memory_capacity(db); k++)
            free(db->conns[i].rows[k].payload);
        free(db->conns[i].rows);
        free(db->conns[i].pending);
        free(db->conns[i].undo);
        free(db->conns[i].calls);
    }
    for (size_t k = 0; k < db->load->common_keys; k++)
        free(db->common[k].payload);
    free(db->common);
    free(db->owners);
    pthread_cond_destroy(&db->released);
    pthread_mutex_destroy(&db->common_lock);
    pthread_mutex_destroy(&db->lock);
    free(db->conns);
    free(db);
}

/* Main thread, streams at the gate or not begun: arms a fault; its calls count from now on. */
static inline struct memory_fault *memory_fault(struct memory_db *db, struct memory_fault fault)
{
    struct memory_fault *f = &db->faults[db->fault_count++];
    f->slot = fault.slot;
    f->stream = fault.stream;
    f->nth = fault.nth;
    f->times = fault.times;
    f->status = fault.status;
    f->effect = fault.effect;
    f->delay_ns = fault.delay_ns;
    atomic_store(&f->calls, 0);
    atomic_store(&f->hits, 0);
    return f;
}

static inline uint64_t memory_held(const struct memory_db *db, unsigned stream)
{
    uint64_t held = 0;
    for (size_t k = 0; k < memory_capacity(db); k++)
        held += db->conns[stream].rows[k].present;
    return held;
}

/* So many calls of this slot came back with OP_OK. */
static inline uint64_t memory_calls(const struct memory_db *db, unsigned stream,
                                    enum memory_slot slot)
{
    uint64_t count = 0;
    for (size_t k = 0; k < db->conns[stream].call_count; k++)
        count +=
            db->conns[stream].calls[k].slot == slot && db->conns[stream].calls[k].status == OP_OK;
    return count;
}

/* A row that nobody inserted. */
static inline void memory_add_extra(struct memory_db *db, int64_t id)
{
    static int64_t payload[64];
    db->extras[db->extra_count++] =
        (struct memory_row){.present = true, .id = id, .payload = (unsigned char *)payload};
}

#endif
