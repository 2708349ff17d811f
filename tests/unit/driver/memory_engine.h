/* memory_engine.h - an engine for the driver's tests: it keeps rows in arrays, fails where a
 * script says so, and watches over the contract of adapter.h while it is called.
 *
 *     struct memory_db *db = memory_create(&load);
 *     memory_fault(db, (struct memory_fault){.slot = MEMORY_BEGIN, .nth = 2, .times = 1, ...});
 *     stage_open(&stage, &memory_adapter, &db->base, &load, ...);
 *     ...
 *     assert_string_equal(db->violation, "");
 *     memory_destroy(db);
 *
 * Rows become visible at commit.  A commit that fails after its effect, but for OP_LOST, is undone
 * by rollback: to the driver it has not happened.  Nothing here asserts for cmocka, so that
 * streams may call it.  A stream's rows and conn belong to its thread, the main thread looks while
 * the streams stand at the gate.  Each test program includes it once. */
#ifndef TESTS_MEMORY_ENGINE_H
#define TESTS_MEMORY_ENGINE_H

#include "unit/driver/memory_common.h"

static inline void memory_violate(struct memory_conn *c, const char *what)
{
    struct memory_db *db = c->db;
    pthread_mutex_lock(&db->lock);
    if (db->violation[0] == '\0') {
        int used =
            snprintf(db->violation, sizeof db->violation, "stream %u: %s; calls:", c->number, what);
        for (size_t k = c->call_count > 12 ? c->call_count - 12 : 0; k < c->call_count; k++)
            used += snprintf(db->violation + used, sizeof db->violation - (size_t)used, " %s=%d",
                             memory_slot_names[c->calls[k].slot], (int)c->calls[k].status);
    }
    pthread_mutex_unlock(&db->lock);
}

static inline enum op_status memory_record(struct memory_conn *c, enum memory_slot slot,
                                           int64_t from_ns, enum op_status status)
{
    if ((c->call_count & (c->call_count - 1)) == 0)
        c->calls =
            realloc(c->calls, (c->call_count == 0 ? 1 : 2 * c->call_count) * sizeof *c->calls);
    c->calls[c->call_count++] = (struct memory_call){slot, status, from_ns, clock_now_ns()};
    return status;
}

/* The fault that hits this call, or NULL; every fault counts. */
static inline struct memory_fault *memory_hit(struct memory_conn *c, enum memory_slot slot)
{
    struct memory_fault *hit = NULL;
    for (size_t i = 0; i < c->db->fault_count; i++) {
        struct memory_fault *f = &c->db->faults[i];
        if (f->slot != slot || (f->stream >= 0 && (unsigned)f->stream != c->number))
            continue;
        uint64_t call = atomic_fetch_add(&f->calls, 1) + 1;
        if (hit != NULL || call < f->nth || call - f->nth >= f->times)
            continue;
        atomic_fetch_add(&f->hits, 1);
        hit = f;
    }
    return hit;
}

/* The call failed by itself: the fault is for the next one. */
static inline void memory_miss(struct memory_fault *fault)
{
    atomic_fetch_sub(&fault->calls, 1);
    atomic_fetch_sub(&fault->hits, 1);
}

/* Sleeps as the fault says.  False: interrupted. */
static inline bool memory_delay(struct memory_conn *c, const struct memory_fault *fault)
{
    int64_t until_ns = fault == NULL ? 0 : clock_now_ns() + fault->delay_ns;
    for (int64_t now_ns = 0; fault != NULL && (now_ns = clock_now_ns()) < until_ns;) {
        if (atomic_load(&c->interrupted))
            return false;
        clock_sleep_until(until_ns - now_ns > NS_PER_MS ? now_ns + NS_PER_MS : until_ns);
    }
    return true;
}

/* The transaction's rows change sides: at commit, and back again. */
static inline void memory_apply(struct memory_conn *c)
{
    for (size_t i = 0; i < c->pending_count; i++)
        c->pending[i]->present = !c->pending[i]->present;
    c->applied = !c->applied;
}

static inline void memory_end_transaction(struct memory_conn *c)
{
    memory_end_common(c, c->applied ? MEMORY_KEEP : MEMORY_UNDO);
    for (size_t i = 0; i < c->pending_count; i++)
        c->pending[i]->pending = false;
    c->pending_count = 0;
    c->applied = false;
}

static inline struct memory_row *memory_slot_of(struct memory_conn *c, int64_t id)
{
    if (row_id_stream(id) != (int64_t)c->number || row_id_sequence(id) >= memory_capacity(c->db))
        return NULL;
    return &c->rows[row_id_sequence(id)];
}

static inline enum op_status memory_change(struct memory_conn *c, const struct row_batch *rows,
                                           enum memory_slot slot, struct op_error *why)
{
    size_t bytes = rows->payload_bytes;
    for (size_t i = 0; i < rows->count; i++) {
        struct memory_row *row = memory_slot_of(c, rows->ids[i]);
        if (row == NULL || row->pending || row->present != (slot == MEMORY_REMOVE))
            return op_fail(why, OP_FATAL, 0, "row %lld is %s", (long long)rows->ids[i],
                           slot == MEMORY_REMOVE ? "not there" : "there already");
        row->pending = true;
        c->pending[c->pending_count++] = row;
        if (slot == MEMORY_REMOVE)
            continue;
        row->id = rows->ids[i];
        row->stream = rows->stream;
        for (unsigned k = 0; k < rows->key_columns; k++)
            row->keys[k] = row_batch_keys(rows, i)[k];
        free(row->payload);
        row->payload = malloc(bytes + 1);
        memcpy(row->payload, row_batch_payload(rows, i), bytes);
    }
    return OP_OK;
}

/* Is this call allowed now?  Says what is wrong, or NULL. */
static inline const char *memory_forbids(const struct memory_conn *c, enum memory_slot slot)
{
    if (slot == MEMORY_CONNECT)
        return c->state == MEMORY_OUT ? NULL : "connect while connected";
    if (c->state == MEMORY_OUT || !atomic_load(&c->live))
        return "a call on a conn that is not connected";
    if (c->state == MEMORY_FAILED && slot != MEMORY_ROLLBACK)
        return "a failed call, and no rollback after it";
    if (c->state == MEMORY_SPENT && slot != MEMORY_DISCONNECT)
        return "no disconnect after a loss or an end";
    if (c->state == MEMORY_IDLE && slot != MEMORY_BEGIN && slot != MEMORY_DISCONNECT)
        return "a call outside of a transaction";
    if (c->state == MEMORY_OPEN && slot == MEMORY_BEGIN)
        return "begin in a transaction";
    if (c->state == MEMORY_OPEN && slot == MEMORY_DISCONNECT)
        return "disconnect in a transaction";
    if (slot == MEMORY_EXECUTE && (c->batches == 0 || c->executed))
        return "execute of no batch, or twice";
    if (slot == MEMORY_COMMIT && !c->executed)
        return "commit without execute";
    if (slot >= MEMORY_INSERT && slot <= MEMORY_ERASE && c->executed)
        return "a batch after execute";
    if ((slot == MEMORY_INSERT || slot == MEMORY_REMOVE) && c->batches != 0 &&
        c->inserting != (slot == MEMORY_INSERT))
        return "insert and remove in one transaction";
    return NULL;
}

static inline void memory_take_line(struct memory_conn *c)
{
    int nobody = 0;
    if (c->db->one_line &&
        !atomic_compare_exchange_strong(&c->db->holder, &nobody, (int)c->number + 1))
        memory_violate(c, "begin while another stream of the line is in a transaction");
}

static inline void memory_give_line(struct memory_conn *c)
{
    if (c->db->one_line)
        atomic_store(&c->db->holder, 0);
}

/* What the call does when nothing goes wrong. */
static inline enum op_status memory_effect_of(struct memory_conn *c, enum memory_slot slot,
                                              const struct row_batch *rows, bool *there,
                                              struct op_error *why)
{
    switch (slot) {
    case MEMORY_INSERT:
    case MEMORY_REMOVE:
        return memory_change(c, rows, slot, why);
    case MEMORY_UPSERT:
    case MEMORY_ERASE:
        return memory_change_common(c, rows, there, why);
    case MEMORY_EXECUTE:
        c->executed = true;
        break;
    case MEMORY_COMMIT:
        memory_apply(c);
        break;
    case MEMORY_ROLLBACK:
        if (c->applied && !c->lost)
            memory_apply(c);
        memory_end_transaction(c);
        break;
    default:
        break;
    }
    return OP_OK;
}

/* Where the conn stands after the call. */
static inline void memory_follow(struct memory_conn *c, enum memory_slot slot,
                                 enum op_status status)
{
    bool ends = status == OP_LOST || status == OP_FATAL || status == OP_NO_SPACE;
    if (status == OP_OK && slot == MEMORY_BEGIN) {
        c->state = MEMORY_OPEN;
        c->batches = 0;
        c->executed = false;
    } else if (status == OP_OK && slot == MEMORY_COMMIT) {
        memory_end_transaction(c);
        c->state = MEMORY_IDLE;
    } else if (slot == MEMORY_ROLLBACK) {
        /* What failed before decides: after a loss only disconnect, even if this went well. */
        bool again =
            status == OP_OK && (c->failed_with == OP_OK || op_is_retryable(c->failed_with));
        c->state = again ? MEMORY_IDLE : MEMORY_SPENT;
    } else if (status != OP_OK) {
        c->state = MEMORY_FAILED;
    }
    c->failed_with = c->state == MEMORY_FAILED ? status : OP_OK;
    c->lost = c->lost || (ends && status == OP_LOST);
}

/* Every call on a conn that can fail. */
static inline enum op_status memory_call_there(struct adapter_conn *handle, enum memory_slot slot,
                                               const struct row_batch *rows, bool *there,
                                               struct op_error *why)
{
    struct memory_conn *c = (struct memory_conn *)handle;
    int64_t from_ns = clock_now_ns();
    const char *forbidden = memory_forbids(c, slot);
    enum op_status status = OP_OK;
    if (forbidden != NULL) {
        memory_violate(c, forbidden);
        return op_fail(why, OP_FATAL, 0, "%s", forbidden);
    }
    if (slot == MEMORY_BEGIN)
        memory_take_line(c);
    struct memory_fault *fault = memory_hit(c, slot);
    bool fails = fault != NULL && fault->status != OP_OK;
    if (!memory_delay(c, fault))
        status = op_fail(why, OP_FATAL, 0, "interrupted");
    else if (!fails || fault->effect == MEMORY_AFTER)
        status = memory_effect_of(c, slot, rows, there, why);
    if (fails && status == OP_OK)
        status = op_fail(why, fault->status, 0, "scripted %s", memory_slot_names[slot]);
    else if (fails && fault->times != MEMORY_ALWAYS)
        memory_miss(fault); /* a deadlock of its own came first */
    memory_follow(c, slot, status);
    if (slot >= MEMORY_INSERT && slot <= MEMORY_ERASE) {
        c->inserting = slot == MEMORY_INSERT;
        c->batches++;
    }
    if (slot == MEMORY_ROLLBACK || (slot == MEMORY_COMMIT && status == OP_OK))
        memory_give_line(c);
    return memory_record(c, slot, from_ns, status);
}

static inline enum op_status memory_call(struct adapter_conn *conn, enum memory_slot slot,
                                         const struct row_batch *rows, struct op_error *why)
{
    return memory_call_there(conn, slot, rows, NULL, why);
}

static enum op_status memory_connect(struct adapter_db *handle, unsigned stream,
                                     struct adapter_conn **out, struct op_error *why)
{
    struct memory_db *db = (struct memory_db *)handle;
    struct memory_conn *c = &db->conns[stream];
    int64_t from_ns = clock_now_ns();
    const char *forbidden = memory_forbids(c, MEMORY_CONNECT);
    if (forbidden != NULL)
        memory_violate(c, forbidden);
    struct memory_fault *fault = memory_hit(c, MEMORY_CONNECT);
    memory_delay(c, fault);
    if (fault != NULL && fault->status != OP_OK)
        return memory_record(c, MEMORY_CONNECT, from_ns,
                             op_fail(why, fault->status, 0, "scripted connect"));
    c->state = MEMORY_IDLE;
    c->lost = false;
    atomic_store(&c->interrupted, false);
    atomic_store(&c->live, true);
    *out = &c->base;
    return memory_record(c, MEMORY_CONNECT, from_ns, OP_OK);
}

static void memory_disconnect(struct adapter_conn *handle)
{
    struct memory_conn *c = (struct memory_conn *)handle;
    int64_t from_ns = clock_now_ns();
    const char *forbidden = memory_forbids(c, MEMORY_DISCONNECT);
    if (forbidden != NULL)
        memory_violate(c, forbidden);
    memory_end_transaction(c); /* what a rollback did not undo was never applied */
    atomic_store(&c->live, false);
    c->state = MEMORY_OUT;
    memory_record(c, MEMORY_DISCONNECT, from_ns, OP_OK);
}

static enum op_status memory_begin(struct adapter_conn *conn, struct op_error *why)
{
    return memory_call(conn, MEMORY_BEGIN, NULL, why);
}

static enum op_status memory_insert(struct adapter_conn *conn, const struct row_batch *rows,
                                    struct op_error *why)
{
    return memory_call(conn, MEMORY_INSERT, rows, why);
}

static enum op_status memory_remove(struct adapter_conn *conn, const struct row_batch *keys,
                                    struct op_error *why)
{
    return memory_call(conn, MEMORY_REMOVE, keys, why);
}

static enum op_status memory_upsert(struct adapter_conn *conn, const struct row_batch *rows,
                                    struct op_error *why)
{
    return memory_call(conn, MEMORY_UPSERT, rows, why);
}

static enum op_status memory_erase(struct adapter_conn *conn, const struct row_batch *keys,
                                   bool *there, struct op_error *why)
{
    return memory_call_there(conn, MEMORY_ERASE, keys, there, why);
}

static enum op_status memory_execute(struct adapter_conn *conn, struct op_error *why)
{
    return memory_call(conn, MEMORY_EXECUTE, NULL, why);
}

static enum op_status memory_commit(struct adapter_conn *conn, struct op_error *why)
{
    return memory_call(conn, MEMORY_COMMIT, NULL, why);
}

static enum op_status memory_rollback(struct adapter_conn *conn, struct op_error *why)
{
    return memory_call(conn, MEMORY_ROLLBACK, NULL, why);
}

static void memory_interrupt(struct adapter_conn *handle)
{
    struct memory_conn *c = (struct memory_conn *)handle;
    if (!atomic_load(&c->live))
        memory_violate(c, "interrupt of a conn that is not connected");
    atomic_store(&c->interrupted, true);
}

static int memory_lock_domain(const struct adapter_db *handle, unsigned stream)
{
    (void)stream;
    return ((const struct memory_db *)handle)->one_line ? 0 : -1;
}

/* Everything that a scan of one table shows, in order of id. */
static inline size_t memory_collect(struct memory_db *db, unsigned table,
                                    const struct memory_row **found)
{
    size_t count = 0;
    for (unsigned i = 0; i < db->load->streams; i++)
        for (size_t k = 0; k < memory_capacity(db); k++)
            if (layout_table_of_stream(db->load, i) == table && db->conns[i].rows[k].present)
                found[count++] = &db->conns[i].rows[k];
    for (size_t k = 0; k < db->load->common_keys && table == 0; k++)
        if (memory_seen(db, k)->present)
            found[count++] = memory_seen(db, k);
    for (size_t k = 0; k < db->extra_count && table == db->extra_table; k++)
        found[count++] = &db->extras[k];
    return count;
}

static int memory_compare(const void *left, const void *right)
{
    const struct memory_row *a = *(const struct memory_row *const *)left;
    const struct memory_row *b = *(const struct memory_row *const *)right;
    return a->id < b->id ? -1 : a->id > b->id;
}

static inline bool memory_show(const struct memory_db *db, const struct row_visitor *visit,
                               const struct memory_row *row)
{
    struct row shown = {.id = row->id,
                        .stream = row->stream,
                        .keys = row->keys,
                        .payload = {row->payload, db->load->shape.payload_bytes}};
    return visit->row(visit->ctx, &shown);
}

static enum op_status memory_scan(struct adapter_db *handle, unsigned table,
                                  const struct row_visitor *visit, struct op_error *why)
{
    struct memory_db *db = (struct memory_db *)handle;
    size_t most = db->load->streams * memory_capacity(db) + MEMORY_EXTRAS + db->load->common_keys;
    const struct memory_row **found = malloc(most * sizeof(struct memory_row *));
    size_t count = memory_collect(db, table, found);
    const struct memory_row *late = NULL;
    bool go_on = true;
    if (count > 1)
        qsort(found, count, sizeof(struct memory_row *), memory_compare);
    for (size_t k = 0; k < count && go_on; k++) {
        if (found[k]->id == db->late_id)
            late = found[k];
        else
            go_on = memory_show(db, visit, found[k]);
        if (go_on && found[k]->id == db->twice_id)
            go_on = memory_show(db, visit, found[k]);
    }
    if (go_on && late != NULL)
        memory_show(db, visit, late);
    free(found);
    return db->scan_status == OP_OK ? OP_OK : op_fail(why, db->scan_status, 0, "scripted scan");
}

static enum op_status memory_integrity(struct adapter_db *handle, bool *ok, struct op_error *why)
{
    *ok = !((const struct memory_db *)handle)->broken;
    if (!*ok)
        op_fail(why, OP_OK, 0, "page 7 is torn");
    return OP_OK;
}

static const struct adapter memory_adapter = {
    .name = "memory",
    .summary = "keeps rows in arrays, for tests",
    .caps = ADAPTER_ROLLBACK | ADAPTER_KEEPS_ROWS | ADAPTER_HIDDEN,
    .scan = memory_scan,
    .integrity = memory_integrity,
    .lock_domain = memory_lock_domain,
    .connect = memory_connect,
    .begin = memory_begin,
    .insert = memory_insert,
    .remove = memory_remove,
    .upsert = memory_upsert,
    .erase = memory_erase,
    .execute = memory_execute,
    .commit = memory_commit,
    .rollback = memory_rollback,
    .disconnect = memory_disconnect,
    .interrupt = memory_interrupt,
};

#endif
