#include "driver/ledger.h"

#include <assert.h>
#include <stdlib.h>

#include "base/rng.h"

void ledger_init(struct ledger *ledger, const struct workload *load, unsigned stream)
{
    *ledger = (struct ledger){.load = load, .stream = stream};
}

void ledger_release(struct ledger *ledger)
{
    free(ledger->generations);
    free(ledger->doubts);
}

static void *grow(void *array, size_t count, size_t item_size)
{
    /* By doubling, at powers of two. */
    if (count != 0 && (count & (count - 1)) != 0)
        return array;
    void *larger = realloc(array, (count == 0 ? 1 : 2 * count) * item_size);
    if (larger == NULL)
        abort();
    return larger;
}

static uint64_t order_seed(const struct ledger *l, size_t generation, uint64_t purpose)
{
    uint64_t seed = rng_mix64(l->load->shape.seed + RNG_STEP * purpose);
    seed = rng_mix64(seed + RNG_STEP * (l->stream + 1));
    return rng_mix64(seed + RNG_STEP * (generation + 1));
}

static void key_order(const struct ledger *l, size_t generation, struct order *order)
{
    order_init(order, l->load->key_order, l->load->rows, order_seed(l, generation, 1));
}

static void removal_order(const struct ledger *l, size_t generation, struct order *order)
{
    order_init(order, l->load->delete_order, l->generations[generation].removal_count,
               order_seed(l, generation, 2));
}

static bool is_live(const struct ledger_generation *g)
{
    return g->inserted > 0 && (g->removal_count == 0 || g->removed < g->removal_count);
}

static size_t choose_generation(const struct ledger *l)
{
    size_t count = l->generation_count;
    for (size_t i = 0; i < count; i++) {
        size_t g = l->load->delete_order == ORDER_DESCENDING ? count - 1 - i : i;
        if (is_live(&l->generations[g]))
            return g;
    }
    return count;
}

void ledger_begin(struct ledger *l, enum phase_kind kind)
{
    l->kind = kind;
    l->done = l->goal = 0;
    if (kind == PHASE_INSERT) {
        size_t g = l->generation_count;
        l->generations = grow(l->generations, g, sizeof *l->generations);
        l->generations[g] = (struct ledger_generation){0};
        l->generation_count++;
        l->current = g;
        key_order(l, g, &l->keys);
        l->goal = l->load->rows;
        return;
    }
    if (kind == PHASE_MIXED) { /* which rows is overlap.c's: here they are counted */
        l->goal = l->load->rows;
        return;
    }
    l->current = choose_generation(l);
    if (l->current == l->generation_count)
        return;
    struct ledger_generation *g = &l->generations[l->current];
    if (g->removal_count == 0)
        g->removal_count = g->inserted;
    key_order(l, l->current, &l->keys);
    removal_order(l, l->current, &l->removal);
    l->done = g->removed;
    l->goal = g->removal_count;
}

static const struct ledger_doubt *find_doubt(const struct ledger *l, size_t generation,
                                             enum phase_kind kind, uint64_t position)
{
    for (size_t i = 0; i < l->doubt_count; i++) {
        const struct ledger_doubt *d = &l->doubts[i];
        if (d->generation == generation && d->kind == kind && position >= d->from &&
            position < d->to)
            return d;
    }
    return NULL;
}

static uint64_t sequence_at(const struct ledger *l, uint64_t position)
{
    return l->current * l->load->rows + order_at(&l->keys, position);
}

/* A delete's row that was never seen: its insert was lost on the way. */
static bool was_never_there(const struct ledger *l, size_t generation, uint64_t position)
{
    if (l->doubt_count == 0)
        return false;
    const struct ledger_doubt *d = find_doubt(l, generation, PHASE_INSERT, position);
    return d != NULL && d->fate != LEDGER_PRESENT;
}

uint64_t ledger_pass_over(struct ledger *l)
{
    while (l->kind == PHASE_DELETE && l->doubt_count != 0 && ledger_left(l) > 0 &&
           was_never_there(l, l->current, order_at(&l->removal, l->done)))
        ledger_commit(l, 1);
    return ledger_left(l);
}

uint64_t ledger_fill(struct ledger *l, uint64_t offset, uint64_t limit, struct row_batch *batch)
{
    uint64_t used = 0;
    assert(offset + limit <= ledger_left(l));
    if (l->kind == PHASE_INSERT) {
        for (; used < limit && batch->count < batch->capacity; used++)
            row_batch_add(batch, &l->load->shape, sequence_at(l, l->done + offset + used));
        return used;
    }
    for (; used < limit && batch->count < batch->capacity; used++) {
        uint64_t position = order_at(&l->removal, l->done + offset + used);
        if (was_never_there(l, l->current, position))
            continue;
        row_batch_add_id(batch, sequence_at(l, position));
    }
    return used;
}

void ledger_commit(struct ledger *l, uint64_t positions)
{
    l->done += positions;
    if (l->kind == PHASE_MIXED)
        return;
    struct ledger_generation *g = &l->generations[l->current];
    if (l->kind == PHASE_INSERT)
        g->inserted = l->done;
    else
        g->removed = l->done;
}

void ledger_commit_in_doubt(struct ledger *l, uint64_t positions)
{
    l->doubts = grow(l->doubts, l->doubt_count, sizeof *l->doubts);
    l->doubts[l->doubt_count++] = (struct ledger_doubt){.generation = l->current,
                                                        .kind = l->kind,
                                                        .from = l->done,
                                                        .to = l->done + positions,
                                                        .fate = LEDGER_MAYBE};
    ledger_commit(l, positions);
}

enum ledger_state ledger_state(const struct ledger *l, uint64_t sequence)
{
    size_t generation = sequence / l->load->rows;
    if (generation >= l->generation_count)
        return LEDGER_ABSENT;
    const struct ledger_generation *g = &l->generations[generation];
    struct order keys, removal;
    key_order(l, generation, &keys);
    uint64_t position = order_position(&keys, sequence % l->load->rows);
    if (position >= g->inserted)
        return LEDGER_ABSENT;
    const struct ledger_doubt *doubt =
        l->doubt_count == 0 ? NULL : find_doubt(l, generation, PHASE_INSERT, position);
    enum ledger_state put = doubt == NULL ? LEDGER_PRESENT : doubt->fate;
    if (put == LEDGER_ABSENT || g->removal_count == 0 || position >= g->removal_count)
        return put;
    removal_order(l, generation, &removal);
    uint64_t rank = order_position(&removal, position);
    if (rank >= g->removed)
        return put;
    doubt = l->doubt_count == 0 ? NULL : find_doubt(l, generation, PHASE_DELETE, rank);
    if (doubt == NULL || doubt->fate == LEDGER_ABSENT)
        return LEDGER_ABSENT;
    return doubt->fate == LEDGER_PRESENT ? put : LEDGER_MAYBE;
}

void ledger_settle_doubt(struct ledger *l, uint64_t sequence, bool found)
{
    size_t generation = sequence / l->load->rows;
    if (generation >= l->generation_count)
        return;
    struct ledger_generation *g = &l->generations[generation];
    struct order keys, removal;
    key_order(l, generation, &keys);
    uint64_t position = order_position(&keys, sequence % l->load->rows);
    struct ledger_doubt *doubt =
        (struct ledger_doubt *)find_doubt(l, generation, PHASE_INSERT, position);
    if (doubt != NULL && doubt->fate == LEDGER_MAYBE)
        doubt->fate = found ? LEDGER_PRESENT : LEDGER_ABSENT;
    if (g->removal_count == 0 || position >= g->removal_count)
        return;
    removal_order(l, generation, &removal);
    doubt = (struct ledger_doubt *)find_doubt(l, generation, PHASE_DELETE,
                                              order_position(&removal, position));
    if (doubt != NULL && doubt->fate == LEDGER_MAYBE)
        doubt->fate = found ? LEDGER_PRESENT : LEDGER_ABSENT;
}

uint64_t ledger_rows_in_doubt(const struct ledger *l)
{
    uint64_t rows = 0;
    for (size_t i = 0; i < l->doubt_count; i++) {
        const struct ledger_doubt *d = &l->doubts[i];
        struct order removal;
        if (d->fate != LEDGER_MAYBE)
            continue;
        if (d->kind == PHASE_DELETE)
            removal_order(l, d->generation, &removal);
        for (uint64_t at = d->from; at < d->to; at++)
            rows += d->kind == PHASE_INSERT ||
                    !was_never_there(l, d->generation, order_at(&removal, at));
    }
    return rows;
}

uint64_t ledger_limit(const struct ledger *l)
{
    return l->generation_count * l->load->rows;
}

static bool has_doubt(const struct ledger *l, size_t generation)
{
    for (size_t i = 0; i < l->doubt_count; i++)
        if (l->doubts[i].generation == generation)
            return true;
    return false;
}

uint64_t ledger_next(const struct ledger *l, uint64_t sequence)
{
    uint64_t rows = l->load->rows;
    for (; sequence < ledger_limit(l); sequence++) {
        size_t generation = sequence / rows;
        const struct ledger_generation *g = &l->generations[generation];
        bool gone = g->inserted == 0 || (g->removal_count != 0 && g->removed == g->inserted);
        if (gone && !has_doubt(l, generation)) {
            sequence = (generation + 1) * rows - 1;
            continue;
        }
        if (ledger_state(l, sequence) != LEDGER_ABSENT)
            return sequence;
    }
    return ledger_limit(l);
}
