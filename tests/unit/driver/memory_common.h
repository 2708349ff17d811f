/* memory_common.h - the common rows of the engine for the driver's tests (memory_engine.h): changed
 * in place, each under a lock that is held until the transaction ends, with what is needed to undo
 * it.  Streams that wait for each other in a circle are a deadlock; the last to come is told. */
#ifndef TESTS_MEMORY_COMMON_H
#define TESTS_MEMORY_COMMON_H

#include "unit/driver/memory_state.h"

static inline bool memory_closes_circle(const struct memory_db *db, const struct memory_conn *c,
                                        int owner)
{
    for (int steps = 0; owner != 0 && steps <= (int)db->load->streams; steps++) {
        if (owner == (int)c->number + 1)
            return true;
        owner = db->conns[owner - 1].waits_for;
    }
    return false;
}

/* Under common_lock; waits for the row.  OP_OK: it is this stream's until its transaction ends. */
static inline enum op_status memory_take_row(struct memory_conn *c, uint64_t key,
                                             struct op_error *why)
{
    struct memory_db *db = c->db;
    enum op_status status = OP_OK;
    while (status == OP_OK && db->owners[key] != 0 && db->owners[key] != (int)c->number + 1) {
        struct timespec until;
        c->waits_for = db->owners[key];
        if (memory_closes_circle(db, c, c->waits_for)) {
            status =
                op_fail(why, OP_DEADLOCK, 0, "deadlock over row %llu", (unsigned long long)key);
            break;
        }
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += NS_PER_MS;
        until.tv_sec += until.tv_nsec / NS_PER_S;
        until.tv_nsec %= NS_PER_S;
        pthread_cond_timedwait(&db->released, &db->common_lock, &until);
        if (atomic_load(&c->interrupted))
            status = op_fail(why, OP_FATAL, 0, "interrupted");
    }
    c->waits_for = 0;
    if (status == OP_OK)
        db->owners[key] = (int)c->number + 1;
    return status;
}

static inline void memory_fill_row(struct memory_row *row, const struct row_batch *rows)
{
    *row = (struct memory_row){.present = true, .id = rows->ids[0], .stream = rows->stream};
    for (unsigned k = 0; k < rows->key_columns; k++)
        row->keys[k] = row_batch_keys(rows, 0)[k];
    row->payload = malloc(rows->payload_bytes + 1);
    memcpy(row->payload, row_batch_payload(rows, 0), rows->payload_bytes);
}

/* Batches of one row.  `there`: NULL for an upsert. */
static inline enum op_status memory_change_common(struct memory_conn *c,
                                                  const struct row_batch *rows, bool *there,
                                                  struct op_error *why)
{
    struct memory_db *db = c->db;
    uint64_t key = row_id_sequence(rows->ids[0]);
    if (rows->count != 1 || row_id_stream(rows->ids[0]) != 0 || key >= db->load->common_keys)
        return op_fail(why, OP_FATAL, 0, "id %lld is no common one", (long long)rows->ids[0]);
    pthread_mutex_lock(&db->common_lock);
    struct memory_row *row = &db->common[key];
    bool mine = db->owners[key] == (int)c->number + 1;
    enum op_status status = memory_take_row(c, key, why);
    if (status == OP_OK && there != NULL)
        *there = row->present;
    if (status == OP_OK && there != NULL && !row->present) {
        if (!mine) { /* nothing was changed: nothing is locked */
            db->owners[key] = 0;
            pthread_cond_broadcast(&db->released);
        }
    } else if (status == OP_OK) {
        c->undo[c->undo_count++] = (struct memory_undo){.key = key, .row = *row};
        if (there == NULL)
            memory_fill_row(row, rows);
        else
            *row = (struct memory_row){.present = false};
    }
    pthread_mutex_unlock(&db->common_lock);
    return status;
}

/* The row that others see: as it was, while a transaction that changed it is open. */
static inline const struct memory_row *memory_seen(const struct memory_db *db, uint64_t key)
{
    if (db->owners[key] == 0)
        return &db->common[key];
    const struct memory_conn *c = &db->conns[db->owners[key] - 1];
    for (size_t i = 0; i < c->undo_count && !c->applied; i++)
        if (c->undo[i].key == key)
            return &c->undo[i].row;
    return &db->common[key];
}

enum memory_end { MEMORY_KEEP, MEMORY_UNDO };

/* The transaction is over: what it changed stays or is as it was, and is free. */
static inline void memory_end_common(struct memory_conn *c, enum memory_end end)
{
    struct memory_db *db = c->db;
    pthread_mutex_lock(&db->common_lock);
    while (c->undo_count > 0) {
        struct memory_undo *undo = &c->undo[--c->undo_count];
        struct memory_row *row = &db->common[undo->key];
        free(end == MEMORY_UNDO ? row->payload : undo->row.payload);
        if (end == MEMORY_UNDO)
            *row = undo->row;
        db->owners[undo->key] = 0;
    }
    pthread_cond_broadcast(&db->released);
    pthread_mutex_unlock(&db->common_lock);
}

#endif
