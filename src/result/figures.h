/* figures.h - every derived figure of a phase: pure, numbers in, numbers out.
 *
 * What is unknown is NaN and stays NaN through every formula; result.md and measurement.md
 * are the source of each.  Used for a phase as it ends, for phases merged over cycles, and
 * for phases put together again from a partial log. */
#ifndef RESULT_FIGURES_H
#define RESULT_FIGURES_H

#include <stdbool.h>

#include "measure/foreign.h"
#include "result/trial.h"
#include "stats/regression.h"

/* What one device did over a phase: plain sums, so that phases can be added up. */
struct device_totals {
    double seconds; /* between the two samples, middle of bracket to middle of bracket */
    double reads, writes, discards, read_bytes, write_bytes; /* of the sampled level */
    double write_merges; /* requests that were joined to others before they were written */
    double read_ms, write_ms, discard_ms;
    double flushes, flush_ms;                                 /* sum of the whole-disk leaves */
    double settle_writes, settle_flushes, settle_write_bytes; /* end of phase -> settled */
    double max_in_flight;                                     /* seen at any sample */
    double temperature_start_c, temperature_max_c;            /* of its first disk */
    struct foreign_share foreign;                             /* what others wrote */
};

/* `settled` NULL: nothing is known about the settle.  max_in_flight, temperatures and what others
 * wrote are left unknown. */
void figures_totals(const struct device *device, const struct sample *start,
                    const struct sample *end, const struct sample *settled,
                    struct device_totals *totals);
void figures_totals_add(struct device_totals *sum, const struct device_totals *part);

/* Commits may cost two devices something: the sums over those of data and WAL (commit_rows.h), the
 * time from the samples; all else is left unknown. */
void figures_sum(const struct device_set *devices, const struct sample *start,
                 const struct sample *end, const struct sample *settled,
                 struct device_totals *totals);

struct device_figures {
    /* Writes that carried data = writes - flushes, never below 0: each flush that is issued is
     * also a write of zero sectors.  An upper bound where flushes were merged. */
    double data_writes;
    double write_iops;          /* data writes per second */
    double write_request_bytes; /* write bytes / data writes */
    double write_await_ms;      /* (write ms - flush ms) / data writes, the flushes' time apart */
    double flush_await_ms;      /* flush ms / flushes */
    double queue_depth;         /* (read + write + discard ms) / interval; not the weighted field,
                                 * which counts flushes twice */
};
void figures_device(const struct device_totals *totals, struct device_figures *figures);

/* What one commit cost; `writes` are all writes completed, the flushes' own included. */
struct commit_cost {
    double writes, data_writes, flushes, bytes;
};
void figures_cost(double commits, double writes, double flushes, double bytes,
                  struct commit_cost *cost);

/* count / seconds; NaN without time. */
double figures_rate(double count, double seconds);
/* Sum of the streams' transaction time / sum of their elapsed time x streams.  NaN when any is
 * unknown (negative transaction_ns). */
double figures_concurrency(const struct stream_record *streams, size_t count);
/* Commits were acknowledged, but none of the devices wrote anything until they had settled: the
 * run measured something else. */
bool figures_elsewhere(double commits, const struct device_totals *sum);
/* Device bytes, settle included, per byte of rows. */
double figures_amplification(const struct device_totals *sum, double rows, double row_bytes);

/* One of the two parts of a phase: intervals in which the WAL grew, or did not. */
struct wal_part {
    double seconds, commits, writes, flushes, bytes;
};
enum wal_state { WAL_GROWING, WAL_RECYCLED };
void figures_wal_part(const struct series *series, enum wal_state state, struct wal_part *part);

enum figures_against { AGAINST_WRITES, AGAINST_FLUSHES, AGAINST_BYTES };
/* x = commits, y = writes, flushes or bytes of the series' intervals; intervals shorter than half
 * of the median one (the last of a phase) are left out: they would be points far off that make any
 * r large. */
void figures_correlation(const struct series *series, enum figures_against against,
                         struct regression *fit);
/* Does the drive follow the commits, and how much later? */
struct figures_lag {
    double seconds, r; /* r at that lag; NaN: too few intervals, or nothing varies */
};
void figures_lag(const struct series *series, enum figures_against against,
                 struct figures_lag *lag);
/* How the commits of an interval vary, of the same intervals: without variation there is no slope
 * to be told. */
struct figures_commits {
    double interval_s;   /* median length */
    double per_interval; /* mean commits */
    double variation;    /* of the commits/s: standard deviation / mean */
};
void figures_commits(const struct series *series, struct figures_commits *commits);

#endif
