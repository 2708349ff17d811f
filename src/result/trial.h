/* trial.h - what the driver hands over when a phase or a trial is done, and its JSON.
 *
 * The driver fills these records with raw material; every derived figure is computed in
 * figures.c, the shape is result.md's.  Main thread. */
#ifndef RESULT_TRIAL_H
#define RESULT_TRIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/json.h"
#include "device/device_set.h"
#include "measure/foreign.h"
#include "measure/sample.h"
#include "measure/series.h"
#include "workload/workload.h"

enum { RESULT_METRICS_MAX = 64, RESULT_KEYS_SHOWN = 10, RESULT_WAITS_MAX = 64 };

struct stream_record { /* what is counted: after the warm-up */
    uint64_t rows, commits;
    int64_t elapsed_ns;     /* from the counted start to its last acknowledged commit */
    int64_t transaction_ns; /* sum over its acknowledged transactions */
};

struct metric { /* one engine counter or gauge */
    const char *name;
    bool is_counter;
    double value; /* a counter: its rise over the phase; a gauge: its value at the end */
};

/* One thing that a server's sessions wait for, as its own views name it. */
struct wait_record {
    const char *event;   /* "IO:WALSync" */
    const char *group;   /* one of waits_groups (waits.h); another name counts as "other" */
    double observations; /* how often a stream was seen in it over the phase */
};

struct verify_record {
    bool checked; /* false: stopped by a signal, or an engine that keeps nothing */
    uint64_t expected_rows, found_rows, lost_rows, surplus_rows, wrong_rows;
    uint64_t in_doubt_rows; /* may be there or not: commits whose outcome was lost */
    bool integrity_ok;
    char integrity[320]; /* the engine's words when not ok, else "ok" */
    size_t shown;        /* the first keys that are not right */
    struct {
        int64_t id;
        const char *what;
    } first[RESULT_KEYS_SHOWN]; /* "lost", "surplus", "wrong" */
};

struct phase_record {
    enum phase_kind kind;
    unsigned cycle;
    const struct workload *load;
    const struct device_set *devices;

    int64_t elapsed_ns; /* from the barrier (or warm-up's end) to the last acknowledged commit */
    int64_t settle_ns;
    bool settled; /* false: something was still in flight at the time limit, or skipped */
    size_t stream_count;
    const struct stream_record *streams;
    /* Up to the moment when the first stream finished. */
    int64_t first_elapsed_ns;
    uint64_t first_rows;
    const uint64_t *first_commits; /* [stream_count] */

    const struct hist *transaction, *commit;
    const struct hist *statement; /* NULL: COMMIT carries out the rows too */
    const struct hist *lock_wait; /* NULL: BEGIN takes no lock */
    uint64_t retries[3];          /* busy, conflict, deadlock */
    uint64_t reconnects, in_doubt_rows;

    const struct sample *start, *end;
    const struct sample *settled_sample; /* NULL: not settled (signal) */
    const struct series *series;
    const struct foreign_share *foreign; /* [devices->count]; NULL: unknown */

    size_t metric_count;
    const struct metric *metrics;
    size_t wait_count; /* at most RESULT_WAITS_MAX are taken */
    const struct wait_record *waits;
    double wait_observations; /* of all streams in all waits: what the shares are of; 0: the sum of
                               * the above; nobody observed where that is 0 too */
    struct verify_record verify;
    double floor_commits_per_s; /* before; trial_json() makes it the mean of before and after */
};

enum trial_end {
    ENDED_DONE,
    ENDED_DURATION,
    ENDED_STEADY,
    ENDED_WRITE_BYTES,
    ENDED_FREE_SPACE,
    ENDED_NO_SPACE,
    ENDED_SIGNAL,
    ENDED_ERROR
};
const char *trial_end_name(enum trial_end end); /* "done", "duration", ... */

struct factor_record {
    const char *name, *value;
    double number; /* NaN: text */
};

struct setting_record { /* one effective engine setting */
    const char *name, *text;
};

/* workload.until = steady. */
struct steady_record {
    bool asked, reached;
    unsigned round;    /* of "rounds" (rounds.h): at its end the rule held */
    double gate_bytes; /* that the drive had to take; NaN: unknown */
    const char *why;   /* not reached: what did not hold; NULL */
};

struct trial_record {
    unsigned index, repeat, target;
    const char *part; /* NULL */
    size_t factor_count;
    const struct factor_record *factors;
    unsigned search_step;   /* which step of a search, from 1; 0: no search made the trial */
    const char *search_end; /* in the search's last step: why it ended ("found"); NULL */
    enum trial_end ended_by;
    const char *error;                /* NULL; the sentence when ended_by is error or no space */
    bool begin_locks, commit_flushes; /* the engine's forecast */
    double floor_before, floor_after; /* commits/s of write + fdatasync; NaN */
    int64_t create_ns, remove_ns;
    size_t
        setting_count; /* effective engine settings; "durability" says why a commit may be lost */
    const struct setting_record *settings;
    struct steady_record steady;
    size_t phase_count;
    json_t *phases; /* array, built by phase_json() as phases end; borrowed */
};

/* The object of one phase, every derived figure included; with its four histograms
 * encoded under "histograms". New reference. */
json_t *phase_json(const struct phase_record *phase);
/* The `trial` record of the log ("record": "trial").  New reference. */
json_t *trial_json(const struct trial_record *trial);
/* An `event` record of kind "trial", written before a trial's first sample: with it, a trial that
 * never got its record still says which one it was.  What is only known at its end (ended_by,
 * error, floor_after, remove_ns, phases) is not read.  New reference. */
json_t *trial_start_json(double at_s, const struct trial_record *trial);

#endif
