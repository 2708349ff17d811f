/* ledger.h - what one stream has put into the database and taken out again, in constant
 * memory however many rows there are: which row comes next, and which must be there now.
 *
 * Each insert phase makes one generation of up to `rows` rows with sequences of its own; a delete
 * phase takes the rows of one generation, the oldest (or the newest with
 * row.delete_order = newest).  Orders are bijections with inverses, so the question "is
 * this row expected?" needs no list.  Of a mixed phase only the number of changes is kept here.
 *
 * Owner: the stream while a phase runs, the main thread between phases. */
#ifndef DRIVER_LEDGER_H
#define DRIVER_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "workload/row.h"
#include "workload/workload.h"

enum ledger_state { LEDGER_ABSENT, LEDGER_PRESENT, LEDGER_MAYBE };

struct ledger_generation {
    uint64_t inserted;      /* positions 0 .. inserted-1 of the key order were committed */
    uint64_t removed;       /* positions 0 .. removed-1 of the removal order likewise */
    uint64_t removal_count; /* what the removal order runs over; 0: no delete began */
};

/* A transaction whose commit was lost on the way: all of it is there, or nothing. */
struct ledger_doubt {
    size_t generation;
    enum phase_kind kind;
    uint64_t from, to;      /* positions, of the key order or of the removal order */
    enum ledger_state fate; /* MAYBE until a scan has told: of its rows, present or absent */
};

struct ledger {
    const struct workload *load;
    unsigned stream;
    struct ledger_generation *generations;
    size_t generation_count;
    struct ledger_doubt *doubts;
    size_t doubt_count;
    /* The phase that runs. */
    enum phase_kind kind;
    size_t current; /* index of its generation; generation_count: nothing to do */
    struct order keys, removal;
    uint64_t done, goal; /* positions */
};

void ledger_init(struct ledger *ledger, const struct workload *load, unsigned stream);
void ledger_release(struct ledger *ledger);

/* Main thread: gets ready for a phase. */
void ledger_begin(struct ledger *ledger, enum phase_kind kind);
static inline uint64_t ledger_left(const struct ledger *ledger)
{
    return ledger->goal - ledger->done;
}
/* Goes past the next positions whose rows are known to be absent, so that the transaction that
 * follows has a row; returns what is left. */
uint64_t ledger_pass_over(struct ledger *ledger);
/* Appends to the batch the rows at positions from done + offset on, at most `limit` positions and
 * as many as fit; returns the number of positions used (rows known to be absent are passed over
 * by a delete). */
uint64_t ledger_fill(struct ledger *ledger, uint64_t offset, uint64_t limit,
                     struct row_batch *batch);
/* The next `positions` were committed; or their outcome is unknown. */
void ledger_commit(struct ledger *ledger, uint64_t positions);
void ledger_commit_in_doubt(struct ledger *ledger, uint64_t positions);

/* Main thread, between phases: must this row be there?  ABSENT for sequences never used. */
enum ledger_state ledger_state(const struct ledger *ledger, uint64_t sequence);
/* A scan found a row in doubt (or did not). */
void ledger_settle_doubt(struct ledger *ledger, uint64_t sequence, bool found);
/* Rows whose fate no scan has told yet. */
uint64_t ledger_rows_in_doubt(const struct ledger *ledger);
/* Sequences used so far are below this. */
uint64_t ledger_limit(const struct ledger *ledger);
/* The first sequence >= `sequence` that may be present (quickly over generations that are gone);
 * ledger_limit() if there is none. */
uint64_t ledger_next(const struct ledger *ledger, uint64_t sequence);

#endif
