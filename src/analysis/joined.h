/* joined.h - a trial's phases of one name as one course: all cycles one after the other, second by
 * second.  Pure.
 *
 * Only while all streams ran: a tail of few streams is another load.  What ran after the pause
 * (workload.pause) is left out. */
#ifndef ANALYSIS_JOINED_H
#define ANALYSIS_JOINED_H

#include "analysis/rates.h"

/* A second, or one interval where those are longer. */
struct joined_second {
    double at_s;    /* since the run's start */
    double seconds; /* true length; what lies between two cycles does not count */
    double commits_per_s;
    double bytes;         /* that the drive had taken since the trial began, at its start; NaN */
    double temperature_c; /* the highest in it; NaN */
    double growing; /* share of its time in which the WAL grew; NaN: the engine does not say */
    size_t piece;   /* in which it begins */
};

/* One cycle's. */
struct joined_piece {
    const struct course *course;
    const json_t *phase;
    size_t count; /* of the course's intervals: those while all streams ran */
};

struct joined {
    struct joined_second *seconds; /* [count] */
    size_t count, capacity;
    struct joined_piece *pieces; /* [piece_count] */
    size_t piece_count, piece_capacity;
    double begin_s;   /* when the trial's first phase of any name began, since the run's start */
    double counted_s; /* of all intervals */
    double end_bytes; /* that the drive had taken at the end; NaN */
};

/* The course of a phase, or NULL; `trial` is the trial's "index". */
const struct course *joined_course(const struct rates_index *index, double trial, size_t phase);

/* Can an interval be used: numbers that are finite and not below 0? */
bool joined_is_sound(const struct interval *interval);

void joined_init(struct joined *joined, const struct rates_index *index, const json_t *trial,
                 const char *phase);
void joined_release(struct joined *joined);

/* Of commits/s over the seconds [from, to); NaN: none. */
double joined_median(const struct joined *joined, size_t from, size_t to);

#endif
