/* overlap.h - mixed phases with overlapping keys: what one stream changes in a common set, and
 * which of its changes each key must show.
 *
 * A transaction takes distinct keys of the set in an order of its own, which is never sorted, so
 * that transactions of two streams may lock each other out; each key is upserted or erased with
 * equal chance.
 *
 * Which change of a key was the last?  Acknowledgements arrive in any order.  But an engine holds
 * the lock of a changed row until the transaction ends, so a stream draws a ticket from one counter
 * after each change has returned: for every key, tickets are in the order of its changes.
 * Each stream keeps, for each key, its acknowledged change with the newest ticket; the newest of
 * all streams is what must be there.  An erase that found nothing locks nothing and is no change.
 *
 * A transaction whose commit was lost on the way is in doubt: all of its changes count, or none.
 * overlap_verify() finds out which, and from then on it is like any other.
 *
 * Owner: the stream while a phase runs, the main thread between phases.  Nothing is allocated in a
 * transaction, but for one that becomes in doubt. */
#ifndef DRIVER_OVERLAP_H
#define DRIVER_OVERLAP_H

#include "driver/stage.h"
#include "result/trial.h"

struct outcome;

/* More of them at a time end the trial: each keeps a list of changes. */
enum { OVERLAP_DOUBTS_MAX = 256 };
#define OVERLAP_ERASED UINT64_MAX /* in place of a sequence */

struct overlap_change {
    uint64_t ticket;   /* from 1; 0: no change */
    uint64_t sequence; /* what the row was made of; or OVERLAP_ERASED */
    uint64_t key;      /* its number in the common set */
};

struct overlap_doubt {
    struct overlap_change *changes; /* in order of tickets */
    size_t count;
    uint64_t ticket; /* of its last change; without any, that of the doubt before */
    uint64_t rows;   /* sent: erases that found nothing, too */
};

struct overlap {
    const struct workload *load;
    unsigned stream;
    struct rng rng;
    uint64_t next_sequence;
    struct overlap_change *last;    /* [common_keys]: newest that was acknowledged */
    struct order order;             /* keys of the transaction, and by how much they are turned: */
    uint64_t turn;                  /* in a set of few keys the order alone would favour some */
    uint64_t kinds;                 /* seed of its kinds of change */
    struct overlap_change *changes; /* of this attempt, [rows_per_commit] */
    size_t change_count;
    struct overlap_doubt *doubts; /* [OVERLAP_DOUBTS_MAX] */
    size_t doubt_count;
};

/* May this engine run this workload?  Before any load; ERR_USAGE. */
int overlap_check(const struct adapter *adapter, const struct workload *load, struct err *err);

/* Never NULL. */
struct overlap *overlap_create(const struct workload *load, unsigned stream);
void overlap_destroy(struct overlap *overlap);

/* ---- Stream ---- */

/* The next transaction; all attempts at it have the same keys and kinds of change. */
void overlap_choose(struct overlap *overlap);
/* The key of change `number` of it, below common_keys. */
static inline uint64_t overlap_key(const struct overlap *overlap, uint64_t number)
{
    return (order_at(&overlap->order, number) + overlap->turn) % overlap->load->common_keys;
}
/* Is change `number` of it an erase? */
static inline bool overlap_erases(const struct overlap *overlap, uint64_t number)
{
    return (rng_mix64(overlap->kinds + RNG_STEP * number) & 1) != 0;
}
/* Sends `count` changes, each in a batch of its own. */
void overlap_send(struct stream *stream, uint64_t count, struct outcome *out);
/* A new attempt begins; a change of it took effect. */
void overlap_begin(struct overlap *overlap);
void overlap_changed(struct overlap *overlap, uint64_t key, uint64_t ticket, uint64_t sequence);
/* The attempt was committed; or its outcome is unknown (false: too many of them). */
void overlap_commit(struct overlap *overlap);
bool overlap_commit_in_doubt(struct overlap *overlap, uint64_t rows);

/* ---- Main thread, between phases: overlap_verify.c ---- */

/* Scans the common table, settles what is in doubt, compares.  Fills the rows of *record; -1: the
 * scan failed.  Stopped early: nothing is settled. */
int overlap_verify(struct stage *stage, const volatile int *stop, struct verify_record *record,
                   struct err *err);

#endif
