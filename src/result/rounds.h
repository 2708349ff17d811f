/* rounds.h - a trial's cycles as rounds, the unit of a steady state.  Pure.
 *
 * A round is consecutive whole cycles of phases until their counted time reaches steady.round: one
 * cycle, or steady.round, whichever is longer.  Rounds after the pause (workload.pause) are rounds
 * of their own.  The last one may be short: it is `partial` when it did not reach steady.round and
 * is shorter than half of it, or holds no whole cycle; nobody judges a partial round.
 *
 *     "rounds": [ { "round": 0, "cycles": [first, last], "start_s": since the run's start,
 *                   "elapsed_s": counted, "bytes": written by the devices of data and WAL, settling
 *                   included, "bytes_total": those of all rounds until its end,
 *                   "after_pause": false, "partial": false,
 *                   "phases": { "insert": { "commits_per_s", "rows_per_s", "p99_ms", "commits",
 *                                           "elapsed_s" }, ... } } ]
 *
 * Percentiles are of the transactions, from the merged histograms where a round has several cycles.
 * What one phase does not know, its round does not know (null). */
#ifndef RESULT_ROUNDS_H
#define RESULT_ROUNDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/json.h"

/* Phases [from, to) of a trial's list. */
struct rounds_slice {
    size_t from, to;
    double elapsed_s; /* counted */
    bool full;        /* whole cycles, steady.round or longer */
    bool partial, after_pause;
};

/* The round that begins with phases[from], which begins a cycle; false: there is no such phase.
 * Reads times alone: cheap. */
bool rounds_find(const json_t *phases, size_t from, double round_s, struct rounds_slice *slice);
/* Its object, as number `round` after rounds that wrote `bytes_before`.  New reference. */
json_t *rounds_one(const json_t *phases, const struct rounds_slice *slice, size_t round,
                   double bytes_before);
/* "rounds" of the phases of a trial's record ("histograms" still there).  New reference; NULL where
 * there is one cycle only. */
json_t *rounds_json(const json_t *phases, double round_s);
/* steady.round of a trial, in seconds; `header`: the log's, or a summary.  Results that do not know
 * the key have its default, 60. */
double rounds_length_s(const json_t *header, const json_t *trial);

/* Did the phase run after the pause? */
bool rounds_is_after_pause(const json_t *phase);

#endif
