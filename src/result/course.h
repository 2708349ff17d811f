/* course.h - the samples of a result log, phase by phase: what happened from one to the next.
 *
 * The summary document holds no samples; what looks at a phase over time (steady state, bursts,
 * stalls, charts) reads them here.  An interval is that of measure/series.h, with rates by its
 * true length. */
#ifndef RESULT_COURSE_H
#define RESULT_COURSE_H

#include <stdbool.h>
#include <stddef.h>

#include "measure/series.h"

struct course {
    unsigned trial;      /* the trial's "index" */
    unsigned phase;      /* place in the trial's list of phases */
    unsigned cycle;      /* as in the phase object */
    double start_s;      /* of the first interval, since the run's start */
    double bytes_before; /* what the devices of data and WAL had taken since the trial's first
                          * sample, settles included; NaN unknown */
    struct series series;
    /* Where the reader asked for latencies: [series.count], the commit latencies of each interval
     * in HdrHistogram's V2 encoding (measure/hist.h decodes), NULL where they are not known.  NULL:
     * not asked for, or none has any. */
    char **latencies;
    /* [series.count x WAITS_GROUPS]: streams seen in each kind of wait (waits.h) in each interval,
     * NaN where nobody looked in that one; NULL: nobody observed. */
    double *waits;
    size_t latency_room, wait_room; /* intervals that the two have memory for */
};

struct courses {
    struct course *items; /* in the order of the log */
    size_t count, capacity;
    bool mixed; /* not by trial and phase: of a damaged log */
};

void courses_release(struct courses *courses);

/* Forgets the intervals: counting begins anew. */
void course_clear(struct course *course);
/* Of the series' last interval, once for each one that is added.  `latencies` is stolen, NULL: not
 * known; `seen` [WAITS_GROUPS], NULL: nobody looked.  Abort when memory is out. */
void course_add_latencies(struct course *course, char *latencies);
void course_add_waits(struct course *course, const double *seen);

/* The course of a phase of a trial, or NULL. */
const struct course *courses_find(const struct courses *courses, unsigned trial, unsigned phase);

#endif
