/* One scan tells who wrote each key last.  Then transactions in doubt are settled, the latest
 * first: of those that share a key, one had ended before the other could change it, so the order of
 * their last tickets is the order in which they took effect.
 *
 * Every key of which a transaction in doubt made the newest change tells whether it took effect: an
 * upsert's row is there or not; an erase is recorded only where there was a row, which would be
 * there still.  The majority decides, and the rest is harm. */
#include <stdlib.h>
#include <string.h>

#include "driver/overlap.h"
#include "driver/verify.h"

/* What a scan found under a key, where it is no ticket. */
#define FOUND_NOTHING UINT64_C(0)
#define FOUND_STRANGE UINT64_MAX

struct look {
    struct stage *stage;
    const struct workload *load;
    struct verify_record *record;
    const volatile int *stop;
    struct overlap_change *newest; /* [common_keys] */
    uint64_t *found;               /* [common_keys]: ticket of the change that is there */
    unsigned char *scratch;
    int64_t last_id;
    bool any;
};

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (memory == NULL)
        abort();
    return memory;
}

static struct overlap *overlap_of(const struct look *l, unsigned stream)
{
    return l->stage->streams[stream].overlap;
}

static bool is_it(const struct look *l, const struct row *row, const struct overlap_change *change)
{
    return change->ticket != 0 && change->sequence != OVERLAP_ERASED &&
           row_is_of(&l->load->shape, row, (unsigned)row->stream, change->sequence, l->scratch);
}

/* The ticket of the change that wrote this row. */
static uint64_t writer_of(const struct look *l, const struct row *row, uint64_t key)
{
    if (row->stream < 0 || row->stream >= (int64_t)l->stage->stream_count)
        return FOUND_STRANGE;
    const struct overlap *o = overlap_of(l, (unsigned)row->stream);
    if (is_it(l, row, &o->last[key]))
        return o->last[key].ticket;
    for (size_t i = 0; i < o->doubt_count; i++)
        for (size_t k = 0; k < o->doubts[i].count; k++)
            if (o->doubts[i].changes[k].key == key && is_it(l, row, &o->doubts[i].changes[k]))
                return o->doubts[i].changes[k].ticket;
    return FOUND_STRANGE;
}

static bool visit(void *ctx, const struct row *row)
{
    struct look *l = ctx;
    uint64_t key = row_id_sequence(row->id);
    bool in_order = !l->any || row->id > l->last_id;
    l->record->found_rows++;
    if (!in_order || row_id_stream(row->id) != 0 || key >= l->load->common_keys) {
        l->record->surplus_rows++;
        verify_show(l->record, row->id, "surplus");
    } else {
        l->found[key] = writer_of(l, row, key);
    }
    if (in_order)
        l->last_id = row->id;
    l->any = true;
    return l->stop == NULL || *l->stop == 0;
}

static void find_newest(struct look *l)
{
    for (unsigned i = 0; i < l->stage->stream_count; i++) {
        const struct overlap *o = overlap_of(l, i);
        for (uint64_t key = 0; key < l->load->common_keys; key++)
            if (o->last[key].ticket > l->newest[key].ticket)
                l->newest[key] = o->last[key];
    }
}

/* Did this transaction take effect?  Later ones are settled. */
static bool took_effect(const struct look *l, const struct overlap_doubt *doubt)
{
    size_t yes = 0, no = 0;
    for (size_t i = 0; i < doubt->count; i++) {
        const struct overlap_change *change = &doubt->changes[i];
        if (change->ticket < l->newest[change->key].ticket)
            continue;
        uint64_t expected = change->sequence == OVERLAP_ERASED ? FOUND_NOTHING : change->ticket;
        if (l->found[change->key] == expected)
            yes++;
        else
            no++;
    }
    return yes >= no;
}

static void settle(struct look *l, struct overlap *o, const struct overlap_doubt *doubt)
{
    if (!took_effect(l, doubt))
        return;
    for (size_t i = 0; i < doubt->count; i++) {
        const struct overlap_change *change = &doubt->changes[i];
        if (change->ticket > l->newest[change->key].ticket)
            l->newest[change->key] = *change;
        if (change->ticket > o->last[change->key].ticket)
            o->last[change->key] = *change;
    }
}

/* The stream of the latest transaction in doubt: its own are in order. */
static struct overlap *latest(const struct look *l)
{
    struct overlap *found = NULL;
    for (unsigned i = 0; i < l->stage->stream_count; i++) {
        struct overlap *o = overlap_of(l, i);
        if (o->doubt_count == 0)
            continue;
        if (found == NULL ||
            o->doubts[o->doubt_count - 1].ticket > found->doubts[found->doubt_count - 1].ticket)
            found = o;
    }
    return found;
}

static void settle_all(struct look *l)
{
    for (struct overlap *o; (o = latest(l)) != NULL;) {
        struct overlap_doubt *doubt = &o->doubts[--o->doubt_count];
        settle(l, o, doubt);
        free(doubt->changes);
    }
}

static void compare(struct look *l)
{
    for (uint64_t key = 0; key < l->load->common_keys; key++) {
        const struct overlap_change *newest = &l->newest[key];
        uint64_t found = l->found[key];
        bool expected = newest->ticket != 0 && newest->sequence != OVERLAP_ERASED;
        const char *harm = NULL;
        l->record->expected_rows += expected;
        if (expected && found == FOUND_NOTHING) {
            l->record->lost_rows++;
            harm = "lost";
        } else if (!expected && found != FOUND_NOTHING) {
            l->record->surplus_rows++;
            harm = "surplus";
        } else if (expected && found != newest->ticket) {
            l->record->wrong_rows++;
            harm = "wrong";
        }
        if (harm != NULL)
            verify_show(l->record, row_id(0, key), harm);
    }
}

int overlap_verify(struct stage *stage, const volatile int *stop, struct verify_record *record,
                   struct err *err)
{
    struct look l = {.stage = stage, .load = stage->load, .record = record, .stop = stop};
    struct row_visitor visitor = {.ctx = &l, .row = visit};
    struct op_error why;
    int result = 0;
    l.newest = allocate((size_t)l.load->common_keys, sizeof *l.newest);
    l.found = allocate((size_t)l.load->common_keys, sizeof *l.found);
    l.scratch = allocate(l.load->shape.payload_bytes, 1);
    for (unsigned i = 0; i < stage->stream_count; i++)
        for (size_t k = 0; k < overlap_of(&l, i)->doubt_count; k++)
            record->in_doubt_rows += overlap_of(&l, i)->doubts[k].rows;
    if (stage->adapter->scan(stage->db, 0, &visitor, &why) != OP_OK) {
        result = err_set(err, ERR_FAILED, "reading back table 0: %s", why.text);
    } else if (stop == NULL || *stop == 0) {
        find_newest(&l);
        settle_all(&l);
        compare(&l);
    }
    free(l.newest);
    free(l.found);
    free(l.scratch);
    return result;
}
