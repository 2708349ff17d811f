#include "result/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "device/commit_rows.h"
#include "result/header_devices.h"
#include "result/keys.h"

void trace_init(struct trace *trace, struct courses *courses)
{
    *trace = (struct trace){.courses = courses};
    sample_line_names_init(&trace->names);
}

static void forget_phases(struct trace *trace)
{
    for (size_t i = 0; i < trace->phase_count; i++) {
        sample_line_release(&trace->phases[i].start);
        sample_line_release(&trace->phases[i].end);
        sample_line_release(&trace->phases[i].settled);
    }
    trace->phase_count = 0;
}

void trace_release(struct trace *trace)
{
    forget_phases(trace);
    sample_line_release(&trace->line);
    series_release(&trace->scratch);
    free(trace->phases);
    free(trace->devices);
    trace->phases = NULL;
    trace->devices = NULL;
}

/* ---- the trial ---- */

static void set_target(struct trace *trace, const json_t *header, double target)
{
    if (trace->devices && trace->target == target)
        return;
    sample_line_release(&trace->line);
    free(trace->devices);
    trace->target = target;
    trace->devices = header_devices_read(header, target);
    sample_line_init(&trace->line, trace->devices);
}

static bool asks_for_warmup(const json_t *header, const json_t *start)
{
    const char *text = keys_text(header, start, "workload.warmup");
    struct err ignored;
    int64_t warmup_ns;
    return text && parse_duration(text, &warmup_ns, &ignored) == 0 && warmup_ns > 0;
}

void trace_begin(struct trace *trace, const json_t *header, const json_t *start)
{
    double target = json_number_at(start, "target");
    struct commit_rows rows;
    forget_phases(trace);
    set_target(trace, header, isnan(target) ? 0 : target);
    trace->sample_count = 0;
    trace->trial = NAN;
    trace->streams = 0;
    trace->has_warmup = asks_for_warmup(header, start);
    trace->bytes = commit_rows_find(trace->devices, &rows) ? 0 : NAN;
    trace->last = NULL;
    trace->passed_over = false;
}

bool trace_read(struct trace *trace, const char *text, size_t size)
{
    return sample_line_read(&trace->line, &trace->names, trace->devices, text, size);
}

/* ---- its courses ---- */

static void *grown(void *items, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return items;
    *capacity = *capacity ? 2 * *capacity : 16;
    void *larger = reallocarray(items, *capacity, size);
    if (!larger)
        abort();
    return larger;
}

static struct course *add_course(struct trace *trace, const struct sample *first)
{
    struct courses *courses = trace->courses;
    courses->items =
        grown(courses->items, courses->count, &courses->capacity, sizeof *courses->items);
    struct course *course = &courses->items[courses->count++];
    if (courses->count > 1)
        courses->mixed |= course[-1].trial > first->trial ||
                          (course[-1].trial == first->trial && course[-1].phase >= first->phase);
    *course = (struct course){.trial = first->trial,
                              .phase = first->phase,
                              .cycle = first->cycle,
                              .start_s = NAN,
                              .bytes_before = NAN};
    return course;
}

static struct trace_phase *add_phase(struct trace *trace, const struct sample *first)
{
    trace->phases =
        grown(trace->phases, trace->phase_count, &trace->phase_capacity, sizeof *trace->phases);
    struct trace_phase *phase = &trace->phases[trace->phase_count++];
    *phase = (struct trace_phase){.phase = first->phase,
                                  .cycle = first->cycle,
                                  .counts = !trace->has_warmup,
                                  .course = trace->courses->count};
    add_course(trace, first);
    return phase;
}

/* Samples of one phase lie side by side. */
static struct trace_phase *phase_of(struct trace *trace, const struct sample *sample)
{
    struct trace_phase *last =
        trace->phase_count > 0 ? &trace->phases[trace->phase_count - 1] : NULL;
    if (last && last->phase == sample->phase && last->cycle == sample->cycle)
        return last;
    return add_phase(trace, sample);
}

/* The line's sample moves to where it is kept; the one that was there takes the next line. */
static void keep(struct trace *trace, struct sample_line *place)
{
    struct sample_line old = *place;
    *place = trace->line;
    trace->line = old;
    trace->last = place->sample;
    trace->passed_over = false;
    if (!trace->line.sample)
        sample_line_init(&trace->line, trace->devices);
}

static double middle_s(const struct sample *sample)
{
    return ((double)sample->t0_ns + (double)(sample->t1_ns - sample->t0_ns) / 2) / 1e9;
}

/* Bytes since the last sample, whatever lay between: a settling, a verification. */
static double bytes_between(struct trace *trace, const struct sample *now)
{
    if (!trace->last)
        return 0;
    trace->scratch.count = 0;
    series_add(&trace->scratch, trace->devices, trace->last, trace->last, now);
    return trace->scratch.items[0].bytes;
}

/* Counting begins with this sample, maybe anew. */
static void begin_counting(struct trace *trace, struct trace_phase *phase)
{
    const struct sample *now = trace->line.sample;
    struct course *course = &trace->courses->items[phase->course];
    trace->bytes += bytes_between(trace, now);
    course->start_s = middle_s(now);
    course->bytes_before = trace->bytes;
    course_clear(course);
    memset(phase->seen, 0, sizeof phase->seen);
    phase->counts |= now->mark == SAMPLE_WARM;
    keep(trace, &phase->start);
    sample_line_release(&phase->end);
}

/* Time and work never run back in a run; in a file that was tampered with they may. */
static bool runs_on(const struct sample *before, const struct sample *now)
{
    return middle_s(now) >= middle_s(before) && now->commits >= before->commits &&
           now->rows >= before->rows;
}

static void add_interval(struct trace *trace, struct trace_phase *phase,
                         const struct sample_line *before)
{
    struct series *series = &trace->courses->items[phase->course].series;
    const struct sample_line *now = &trace->line;
    series_add(series, trace->devices, phase->start.sample, before->sample, now->sample);
    struct interval *made = &series->items[series->count - 1];
    if (!before->has_retries || !now->has_retries || now->sample->retries < before->sample->retries)
        made->retries = NAN;
    if (!before->has_cpu || !now->has_cpu)
        made->client_s = NAN;
}

/* The text's own copy; NULL: not asked for, or of another stretch of time than the interval. */
static char *latencies_of(const struct trace *trace, const struct sample_line *before)
{
    const struct scan_text *text = &trace->line.latencies;
    if (!trace->keeps_latencies || text->size == 0 || trace->passed_over ||
        trace->last != before->sample)
        return NULL;
    char *copy = malloc(text->size + 1);
    if (!copy)
        abort();
    copy[scan_text_copy(text, copy)] = 0;
    return copy;
}

/* False: nobody looked. */
static bool waits_of(const struct sample *sample, double seen[WAITS_GROUPS])
{
    bool looked = false;
    memset(seen, 0, WAITS_GROUPS * sizeof *seen);
    for (size_t i = 0; i < sample->gauge_count; i++) {
        looked |= strncmp(sample->gauges[i].name, "wait_", strlen("wait_")) == 0;
        waits_add_gauge(seen, sample->gauges[i].name, sample->gauges[i].value);
    }
    return looked;
}

static void count_interval(struct trace *trace, struct trace_phase *phase)
{
    const struct sample_line *before = phase->end.sample ? &phase->end : &phase->start;
    const struct sample *now = trace->line.sample;
    bool counts = phase->counts && runs_on(before->sample, now);
    double seen[WAITS_GROUPS];
    bool looked = waits_of(now, seen);
    if (counts) {
        struct course *course = &trace->courses->items[phase->course];
        add_interval(trace, phase, before);
        course_add_latencies(course, latencies_of(trace, before));
        course_add_waits(course, looked ? seen : NULL);
    }
    /* The same difference serves both, but where a damaged log has a settling between the two. */
    if (counts && trace->last == before->sample) {
        const struct series *series = &trace->courses->items[phase->course].series;
        trace->bytes += series->items[series->count - 1].bytes;
    } else {
        trace->bytes += bytes_between(trace, now);
    }
    for (size_t g = 0; g < WAITS_GROUPS; g++)
        phase->seen[g] += seen[g];
    keep(trace, &phase->end);
}

void trace_add(struct trace *trace)
{
    const struct sample *now = trace->line.sample;
    if (trace->sample_count++ == 0)
        trace->trial = trace->line.trial;
    if (now->stream_count > trace->streams)
        trace->streams = now->stream_count;
    if (!trace->line.has_work) {
        trace->passed_over = true;
        return;
    }
    struct trace_phase *phase = phase_of(trace, now);
    if (now->mark == SAMPLE_SETTLED) {
        trace->bytes += bytes_between(trace, now);
        keep(trace, &phase->settled);
    } else if (!phase->start.sample || now->mark == SAMPLE_WARM) {
        begin_counting(trace, phase);
    } else {
        count_interval(trace, phase);
    }
}
