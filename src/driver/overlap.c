#include "driver/overlap.h"

#include <stdlib.h>
#include <string.h>

#include "driver/stream.h"

int overlap_check(const struct adapter *adapter, const struct workload *load, struct err *err)
{
    if (load->row_keys == ROW_KEYS_OWN || (adapter->upsert != NULL && adapter->erase != NULL))
        return 0;
    return err_set(err, ERR_USAGE,
                   "the engine %s cannot replace rows, as row.keys = overlapping asks for; use "
                   "another engine, or row.keys = own",
                   adapter->name);
}

/* Zeroed, and touched: no page is faulted in while the clock runs. */
static void *allocate(uint64_t count, size_t size)
{
    size_t bytes = ((size_t)count * size + 63) / 64 * 64;
    void *memory = aligned_alloc(64, bytes);
    if (memory == NULL)
        abort();
    memset(memory, 0, bytes);
    return memory;
}

struct overlap *overlap_create(const struct workload *load, unsigned stream)
{
    struct overlap *o = allocate(1, sizeof *o);
    *o = (struct overlap){.load = load, .stream = stream};
    o->rng.state = rng_mix64(load->shape.seed + RNG_STEP * (stream + 1));
    o->last = allocate(load->common_keys, sizeof *o->last);
    o->changes = allocate(load->rows_per_commit, sizeof *o->changes);
    o->doubts = allocate(OVERLAP_DOUBTS_MAX, sizeof *o->doubts);
    return o;
}

void overlap_destroy(struct overlap *o)
{
    if (o == NULL)
        return;
    for (size_t i = 0; i < o->doubt_count; i++)
        free(o->doubts[i].changes);
    free(o->doubts);
    free(o->changes);
    free(o->last);
    free(o);
}

void overlap_choose(struct overlap *o)
{
    order_init(&o->order, ORDER_RANDOM, o->load->common_keys, rng_next(&o->rng));
    o->turn = rng_below(&o->rng, o->load->common_keys);
    o->kinds = rng_next(&o->rng);
}

void overlap_begin(struct overlap *o)
{
    o->change_count = 0;
}

void overlap_changed(struct overlap *o, uint64_t key, uint64_t ticket, uint64_t sequence)
{
    o->changes[o->change_count++] =
        (struct overlap_change){.ticket = ticket, .sequence = sequence, .key = key};
}

void overlap_commit(struct overlap *o)
{
    for (size_t i = 0; i < o->change_count; i++)
        o->last[o->changes[i].key] = o->changes[i];
    o->change_count = 0;
}

bool overlap_commit_in_doubt(struct overlap *o, uint64_t rows)
{
    if (o->doubt_count == OVERLAP_DOUBTS_MAX)
        return false;
    struct overlap_doubt *doubt = &o->doubts[o->doubt_count];
    *doubt = (struct overlap_doubt){.count = o->change_count, .rows = rows};
    if (o->change_count > 0)
        doubt->ticket = o->changes[o->change_count - 1].ticket;
    else if (o->doubt_count > 0)
        doubt->ticket = doubt[-1].ticket;
    o->doubt_count++;
    doubt->changes = allocate(o->change_count + 1, sizeof *doubt->changes);
    memcpy(doubt->changes, o->changes, o->change_count * sizeof *doubt->changes);
    o->change_count = 0;
    return true;
}

/* One change: what is sent is made anew for each attempt, so that a row which should have been
 * rolled back is told from the one that took its place. */
static enum op_status change(struct stream *s, uint64_t number, struct op_error *why)
{
    struct overlap *o = s->overlap;
    const struct adapter *adapter = s->stage->adapter;
    uint64_t key = overlap_key(o, number);
    uint64_t sequence = o->next_sequence++;
    bool there = true;
    enum op_status status;
    s->batch->count = 0;
    if (overlap_erases(o, number)) {
        row_batch_add_key(s->batch, row_id(0, key));
        sequence = OVERLAP_ERASED;
        status = adapter->erase(s->conn, s->batch, &there, why);
    } else {
        row_batch_add_as(s->batch, &o->load->shape, row_id(0, key), sequence);
        status = adapter->upsert(s->conn, s->batch, why);
    }
    if (status == OP_OK && there)
        overlap_changed(o, key, atomic_fetch_add(s->stage->tickets, 1) + 1, sequence);
    return status;
}

void overlap_send(struct stream *s, uint64_t count, struct outcome *out)
{
    out->rows = 0;
    overlap_begin(s->overlap);
    while (out->rows < count) {
        out->call = phase_name(PHASE_MIXED);
        out->status = change(s, out->rows, &out->why);
        if (out->status != OP_OK)
            return;
        out->rows++;
        if (out->rows < count && stream_is_cut_short(s)) {
            stream_cut_short(out);
            return;
        }
    }
}
