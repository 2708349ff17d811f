/* fault.h - which call of an engine goes wrong, and how: section fault of the keys.
 *
 * A plan is read at open and does not change; the counts of calls are shared by all threads. */
#ifndef ADAPTERS_FAULT_FAULT_H
#define ADAPTERS_FAULT_FAULT_H

#include <stdatomic.h>

#include "adapter.h"

extern const struct key fault_options[];

/* The slots of struct adapter that can fail, in the order of a trial. */
enum fault_call {
    FAULT_NONE,
    FAULT_FORECAST,
    FAULT_PATHS,
    FAULT_OPEN,
    FAULT_FACTS,
    FAULT_CREATE,
    FAULT_MAINTAIN,
    FAULT_SETTLE,
    FAULT_STATS,
    FAULT_SCAN,
    FAULT_INTEGRITY,
    FAULT_DESTROY,
    FAULT_CONNECT,
    FAULT_BEGIN,
    FAULT_INSERT,
    FAULT_REMOVE,
    FAULT_UPSERT,
    FAULT_ERASE,
    FAULT_EXECUTE,
    FAULT_COMMIT,
    FAULT_ROLLBACK,
    FAULT_CLEAN,
    FAULT_CALLS
};

enum fault_row {
    FAULT_ROW_NONE,
    FAULT_ROW_DROP,    /* an insert leaves its first row out: lost */
    FAULT_ROW_CORRUPT, /* an insert flips a byte of its first row: wrong */
    FAULT_ROW_KEEP,    /* a remove leaves its first row there: surplus */
};

struct fault_plan {
    enum fault_call call;
    enum fault_row row;
    enum op_status status; /* OP_OK: the call is only delayed */
    bool after;            /* the effect comes first */
    bool always;           /* this call and all later ones */
    uint64_t nth;          /* from 1, over all streams */
    int64_t delay_ns;
    atomic_uint_fast64_t calls;   /* of `call` */
    atomic_uint_fast64_t batches; /* of the kind that `row` alters */
};

void fault_plan_read(struct fault_plan *plan, const struct workload *load);
/* The engine inside: config->inner, else the one that fault.inner names; NULL and *why: neither. */
const struct adapter *fault_plan_inner(const struct adapter_config *config, struct op_error *why);

/* Counts one call; does it go wrong? */
bool fault_plan_hits(struct fault_plan *plan, enum fault_call call);
/* Counts one batch of the kind that `row` alters; is it this one's turn? */
bool fault_plan_hits_row(struct fault_plan *plan, enum fault_row row);
void fault_plan_delay(const struct fault_plan *plan);
enum op_status fault_plan_fail(const struct fault_plan *plan, struct op_error *why);

#endif
