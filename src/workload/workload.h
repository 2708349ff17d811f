/* workload.h - what one trial does: every key resolved to one value, immutable.
 *
 * Made by spec_resolve(); read by adapters, driver and result. */
#ifndef WORKLOAD_WORKLOAD_H
#define WORKLOAD_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "workload/key.h"
#include "workload/order.h"
#include "workload/row.h"

enum phase_kind { PHASE_INSERT, PHASE_DELETE, PHASE_MIXED, PHASE_KINDS };
const char *phase_name(enum phase_kind kind); /* "insert", "delete", "mixed" */

enum layout { LAYOUT_SHARED_TABLE, LAYOUT_TABLE_PER_STREAM, LAYOUT_FILE_PER_STREAM };
const char *layout_name(enum layout layout); /* "shared-table", ... */

/* Whose keys a stream writes: its own, or those of a common set. */
enum row_keys { ROW_KEYS_OWN, ROW_KEYS_OVERLAPPING };

enum {
    WORKLOAD_PHASES_MAX = 16,
    WORKLOAD_STREAMS_MAX = 10000,
    WORKLOAD_COMMON_KEYS_MAX = 1000000,
};

/* One resolved key: its table row and the text of its one value. */
struct setting {
    const struct key *key;
    const char *text;
};

struct workload {
    enum phase_kind phases[WORKLOAD_PHASES_MAX];
    size_t phase_count;
    uint64_t rows; /* per stream and cycle */
    uint64_t rows_per_commit;
    unsigned streams;  /* streams_auto: of this step; search_streams_max until steps are made */
    bool streams_auto; /* the plan searches the number of streams (plan/search.h) */
    enum layout layout;
    unsigned files;
    int64_t duration_ns; /* 0: not set */
    bool until_steady;
    int64_t pause_ns; /* 0: none */
    int64_t warmup_ns;
    double rate; /* transactions/s offered in all; 0: closed loop */
    struct row_shape shape;
    enum row_keys row_keys;
    uint64_t common_keys; /* ids row_id(0, 0) .. row_id(0, common_keys - 1), where they overlap */
    enum order_kind key_order;
    enum order_kind delete_order;
    unsigned indexes; /* secondary indexes, on k1 .. kn; key columns are max(1, indexes) */
    int64_t interval_ns;
    int64_t floor_ns;    /* 0: off */
    int64_t baseline_ns; /* 0: off */
    int64_t cooldown_ns; /* before a trial; 0: none */
    double cooldown_c;   /* or until the drive is below this; NaN: not asked */
    bool trim;           /* fstrim before a trial */
    int64_t search_step_ns, search_step_max_ns, search_time_ns;
    unsigned search_steps, search_streams_max;
    int64_t steady_round_ns;
    unsigned steady_rounds;
    double steady_write_bytes; /* NaN: auto */
    bool smart;                /* ask the drives what they count */
    uint64_t limit_write_bytes;
    double limit_free_share; /* 0 to 1 */
    /* Every key of every table, in table order; then the names that a wildcard let in. */
    const struct setting *settings;
    size_t setting_count;
};

/* The text of any key, engine sections included ("sqlite.page_size"). Asserts that the
 * key is in a table.  "-" = not set. */
const char *workload_text(const struct workload *load, const char *key);
/* The value of a checked key as a number: a count or size as it is, a duration in
 * seconds, a share as fraction, "-" as NaN. */
double workload_number(const struct workload *load, const char *key);
/* The same with this number of streams: a step of a search.  It borrows the texts of `load`, which
 * must outlive it; workload_destroy() frees it. */
struct workload *workload_with_streams(const struct workload *load, unsigned streams);

#endif
