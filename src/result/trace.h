/* trace.h - the samples of one trial as they come by: the courses of its phases (course.h), and
 * what is needed to put the trial together again where its record never came (rebuild.h).
 *
 * A course holds what the running program computed from the same samples: counting begins at the
 * phase's start, or where a warm-up is over; a phase that ended before its warm-up has no
 * intervals.  A sample that lacks its times, commits or rows is passed over, so that the next
 * interval is longer and its latencies are not known; an interval in which time or work runs back
 * is left out.  Memory: two samples and the settled one for each phase of the trial. */
#ifndef RESULT_TRACE_H
#define RESULT_TRACE_H

#include "base/json.h"
#include "result/course.h"
#include "result/sample_line.h"
#include "result/waits.h"

struct trace_phase {
    unsigned phase, cycle;
    bool counts;                            /* no warm-up, or it is over */
    struct sample_line start, end, settled; /* sample NULL: none so far */
    size_t course;                          /* index into the courses */
    double seen[WAITS_GROUPS];              /* streams in each kind of wait, over all samples */
};

struct trace {
    struct courses *courses;
    bool keeps_latencies; /* asked for; set it before the first sample */
    struct sample_line_names names;
    struct device_set *devices; /* of the trial's target; NULL: no trial has begun */
    double target;
    struct sample_line line; /* the next one */
    /* ---- of the trial ---- */
    size_t sample_count; /* all that came, used or not */
    double trial;        /* as its samples say */
    size_t streams;      /* most that a sample held */
    bool has_warmup;
    double bytes;              /* that the devices have taken so far; NaN unknown */
    const struct sample *last; /* that was used; NULL: none */
    bool passed_over;          /* a sample since then was not */
    struct trace_phase *phases;
    size_t phase_count, phase_capacity;
    struct series scratch;
};

void trace_init(struct trace *trace, struct courses *courses);
void trace_release(struct trace *trace);

/* Forgets the trial; the next samples are of another, announced by the event `start` (NULL: none).
 * Both are borrowed until then.  Aborts when memory is out, as does the next. */
void trace_begin(struct trace *trace, const json_t *header, const json_t *start);
/* Reads a line into trace->line; false: it is no sample.  A trial must have begun. */
bool trace_read(struct trace *trace, const char *text, size_t size);
/* Takes trace->line. */
void trace_add(struct trace *trace);

#endif
