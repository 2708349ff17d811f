#include "result/sample_line.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workload/workload.h"

/* In the order in which they are written: the next one is looked for first. */
enum member {
    RECORD,
    T0,
    T1,
    MARK,
    TRIAL,
    PHASE,
    CYCLE,
    COMMITS,
    ROWS,
    BYTES,
    RETRIES,
    STREAMS,
    DISKS,
    GAUGES,
    CPU,
    TEMPERATURE,
    COMMIT,
    MEMBERS
};
static const char *const member_names[MEMBERS] = {
    "record", "t0",      "t1",      "mark",  "trial",  "phase", "cycle",         "commits", "rows",
    "bytes",  "retries", "streams", "disks", "gauges", "cpu",   "temperature_c", "commit"};

enum { PHASE_NUMBERS = 1000000 };

/* What a line has said so far of what must be there. */
enum { HAS_T0 = 1, HAS_T1 = 2, HAS_COMMITS = 4, HAS_ROWS = 8, HAS_WORK = 15 };

struct reading {
    struct scan scan;
    struct sample_line *line;
    struct sample_line_names *names;
    const struct device_set *devices;
    unsigned has;
    bool is_sample;
};

void sample_line_names_init(struct sample_line_names *names)
{
    *names = (struct sample_line_names){.gauge_count = 0};
    for (size_t i = 0; i < MEMBERS; i++)
        names->member_sizes[i] = strlen(member_names[i]);
    for (size_t i = 0; i < DISK_FIELDS; i++)
        names->field_sizes[i] = strlen(disk_field_names[i]);
}

void sample_line_init(struct sample_line *line, const struct device_set *devices)
{
    *line = (struct sample_line){.sample = sample_create(0, devices->name_count)};
    line->stream_room = 1; /* what sample_create() gives for none */
    /* A row is there or not by the first byte of its name alone. */
    for (size_t i = 0; i < devices->name_count; i++)
        snprintf(line->sample->disks[i].name, sizeof line->sample->disks[i].name, "%s",
                 devices->names[i]);
}

void sample_line_release(struct sample_line *line)
{
    sample_destroy(line->sample);
    line->sample = NULL;
}

/* ---- names ---- */

/* The next key's place among `words`; `count`: none of them.  False: no key any more. */
static bool next_word(struct scan *scan, const char *const *words, const size_t *sizes,
                      size_t count, size_t expected, size_t *found)
{
    struct scan_text key;
    *found = expected;
    if (expected < count && scan_key_like(scan, words[expected], sizes[expected]))
        return true;
    if (!scan_key(scan, &key))
        return false;
    for (*found = 0; *found < count && !scan_text_is(&key, words[*found]);)
        ++*found;
    return true;
}

/* The same for names whose sizes are not at hand. */
static size_t place_of(const struct scan_text *key, const char *const *words, size_t count,
                       size_t expected)
{
    if (expected < count && scan_text_is(key, words[expected]))
        return expected;
    for (size_t i = 0; i < count; i++)
        if (scan_text_is(key, words[i]))
            return i;
    return count;
}

/* ---- values ---- */

static uint64_t count_of(struct scan *scan, bool *known)
{
    int64_t value = 0;
    *known = scan_integer(scan, &value);
    return *known && value > 0 ? (uint64_t)value : 0;
}

static double number_of(struct scan *scan)
{
    double value;
    return scan_number(scan, &value) ? value : NAN;
}

static int64_t time_ns(double seconds)
{
    const double most_s = 1e9; /* 30 years, and no overflow */
    if (isnan(seconds))
        return 0;
    return llround(fmax(-most_s, fmin(most_s, seconds)) * 1e9);
}

static enum sample_mark mark_of(struct scan *scan)
{
    struct scan_text text;
    if (!scan_text(scan, &text))
        return SAMPLE_TICK;
    size_t mark = place_of(&text, sample_mark_names, SAMPLE_SETTLED + 1, SAMPLE_TICK);
    return mark <= SAMPLE_SETTLED ? (enum sample_mark)mark : SAMPLE_TICK;
}

/* ---- the streams ---- */

static void more_streams(struct sample_line *line)
{
    struct sample *s = line->sample;
    size_t room = 2 * line->stream_room;
    uint64_t *commits = reallocarray(s->stream_commits, room, sizeof *commits);
    if (!commits)
        abort();
    s->stream_commits = commits;
    uint64_t *rows = reallocarray(s->stream_rows, room, sizeof *rows);
    if (!rows)
        abort();
    s->stream_rows = rows;
    line->stream_room = room;
}

/* As many as fit the largest workload; returns how many. */
static size_t read_counts(struct reading *r, bool are_rows)
{
    size_t count = 0;
    bool known;
    if (!scan_array(&r->scan))
        return 0;
    while (scan_item(&r->scan)) {
        uint64_t value = count_of(&r->scan, &known);
        if (count == WORKLOAD_STREAMS_MAX)
            continue;
        if (count == r->line->stream_room)
            more_streams(r->line);
        struct sample *s = r->line->sample;
        (are_rows ? s->stream_rows : s->stream_commits)[count++] = value;
    }
    return count;
}

static void read_streams(struct reading *r)
{
    static const char *const words[] = {"commits", "rows", "bytes"};
    static const size_t sizes[] = {7, 4, 5};
    struct sample *s = r->line->sample;
    size_t word, expected = 0, commits = 0, rows = 0;
    s->stream_count = 0;
    if (!scan_object(&r->scan))
        return;
    while (next_word(&r->scan, words, sizes, 3, expected, &word)) {
        if (word == 0)
            commits = read_counts(r, false);
        else if (word == 1)
            rows = read_counts(r, true);
        else
            scan_skip(&r->scan);
        expected = word + 1;
    }
    for (; rows < commits; rows++)
        s->stream_rows[rows] = 0;
    s->stream_count = commits;
}

/* ---- the devices ---- */

static void read_disk(struct reading *r, size_t disk)
{
    struct diskstats *row = &r->line->sample->disks[disk];
    size_t field, expected = 0;
    row->present = 0;
    row->name[0] = 0;
    if (!scan_object(&r->scan))
        return;
    row->name[0] = r->devices->names[disk][0];
    while (next_word(&r->scan, disk_field_names, r->names->field_sizes, DISK_FIELDS, expected,
                     &field)) {
        expected = field + 1;
        if (field == DISK_FIELDS) {
            scan_skip(&r->scan);
            continue;
        }
        bool known;
        row->value[field] = count_of(&r->scan, &known);
        row->present = (row->present & ~(UINT32_C(1) << field)) | (uint32_t)known << field;
    }
}

static void forget_disks(struct sample *sample)
{
    for (size_t i = 0; i < sample->disk_count; i++) {
        sample->disks[i].name[0] = 0;
        sample->disks[i].present = 0;
    }
}

static void read_disks(struct reading *r)
{
    struct scan_text key;
    size_t count = r->devices->name_count, expected = 0;
    forget_disks(r->line->sample);
    if (!scan_object(&r->scan))
        return;
    while (scan_key(&r->scan, &key)) {
        size_t disk = place_of(&key, r->devices->names, count, expected);
        if (disk < count)
            read_disk(r, disk);
        else
            scan_skip(&r->scan);
        expected = disk + 1;
    }
}

/* ---- the engine and the machine ---- */

/* The name as it is kept, or NULL: too many, or too long for one of ours. */
static const char *gauge_name(struct sample_line_names *names, const struct scan_text *key)
{
    for (size_t i = 0; i < names->gauge_count; i++)
        if (scan_text_is(key, names->gauges[i]))
            return names->gauges[i];
    if (names->gauge_count == sizeof names->gauges / sizeof *names->gauges ||
        key->size >= sizeof *names->gauges)
        return NULL;
    char *name = names->gauges[names->gauge_count++];
    name[scan_text_copy(key, name)] = 0;
    return name;
}

static void put_gauge(struct sample *sample, const char *name, double value)
{
    for (size_t i = 0; i < sample->gauge_count; i++)
        if (sample->gauges[i].name == name) {
            sample->gauges[i].value = value;
            return;
        }
    if (sample->gauge_count < SAMPLE_GAUGES_MAX && !isnan(value))
        sample->gauges[sample->gauge_count++] = (struct gauge){name, value};
}

static void read_gauges(struct reading *r)
{
    struct scan_text key;
    r->line->sample->gauge_count = 0;
    if (!scan_object(&r->scan))
        return;
    while (scan_key(&r->scan, &key)) {
        const char *name = gauge_name(r->names, &key);
        double value = number_of(&r->scan);
        if (name)
            put_gauge(r->line->sample, name, value);
    }
}

static void read_cpu(struct reading *r)
{
    static const char *const words[] = {"client_s", "host_busy_ticks", "host_total_ticks"};
    static const size_t sizes[] = {8, 15, 16};
    struct sample *s = r->line->sample;
    double client_s = NAN;
    size_t word, expected = 0;
    bool known;
    s->host = (struct host_cpu){0};
    if (scan_object(&r->scan))
        while (next_word(&r->scan, words, sizes, 3, expected, &word)) {
            if (word == 0)
                client_s = number_of(&r->scan);
            else if (word == 1)
                s->host.busy = count_of(&r->scan, &known);
            else if (word == 2)
                s->host.total = count_of(&r->scan, &known);
            else
                scan_skip(&r->scan);
            expected = word + 1;
        }
    s->client_cpu_ns = time_ns(client_s);
    r->line->has_cpu = !isnan(client_s);
}

/* ---- the record ---- */

static int64_t moment_ns(struct reading *r, unsigned which)
{
    double seconds = number_of(&r->scan);
    r->has = isnan(seconds) ? r->has & ~which : r->has | which;
    return time_ns(seconds);
}

static uint64_t work_of(struct reading *r, unsigned which)
{
    bool known;
    uint64_t count = count_of(&r->scan, &known);
    r->has = known ? r->has | which : r->has & ~which;
    return count;
}

static unsigned number_below(struct scan *scan)
{
    bool known;
    return (unsigned)(count_of(scan, &known) % PHASE_NUMBERS);
}

static void read_member(struct reading *r, enum member member)
{
    struct sample *s = r->line->sample;
    struct scan_text text;
    switch (member) {
    case RECORD:
        r->is_sample = scan_text(&r->scan, &text) && scan_text_is(&text, "sample");
        break;
    case T0:
        s->t0_ns = moment_ns(r, HAS_T0);
        break;
    case T1:
        s->t1_ns = moment_ns(r, HAS_T1);
        break;
    case MARK:
        s->mark = mark_of(&r->scan);
        break;
    case TRIAL:
        r->line->trial = number_of(&r->scan);
        break;
    case PHASE:
        s->phase = number_below(&r->scan);
        break;
    case CYCLE:
        s->cycle = number_below(&r->scan);
        break;
    case COMMITS:
        s->commits = work_of(r, HAS_COMMITS);
        break;
    case ROWS:
        s->rows = work_of(r, HAS_ROWS);
        break;
    case RETRIES:
        s->retries = count_of(&r->scan, &r->line->has_retries);
        break;
    case STREAMS:
        read_streams(r);
        break;
    case DISKS:
        read_disks(r);
        break;
    case GAUGES:
        read_gauges(r);
        break;
    case CPU:
        read_cpu(r);
        break;
    case TEMPERATURE:
        s->temperature_c = number_of(&r->scan);
        break;
    case COMMIT:
        if (!scan_text(&r->scan, &r->line->latencies))
            r->line->latencies.size = 0;
        break;
    default: /* bytes follow from rows */
        scan_skip(&r->scan);
    }
}

static void forget(struct sample_line *line)
{
    struct sample *s = line->sample;
    line->trial = NAN;
    line->has_retries = line->has_cpu = false;
    line->latencies.size = 0;
    s->t0_ns = s->t1_ns = s->client_cpu_ns = 0;
    s->mark = SAMPLE_TICK;
    s->trial = s->phase = s->cycle = 0;
    s->commits = s->rows = s->retries = 0;
    s->stream_count = s->gauge_count = 0;
    s->host = (struct host_cpu){0};
    s->temperature_c = NAN;
    forget_disks(s);
}

bool sample_line_read(struct sample_line *line, struct sample_line_names *names,
                      const struct device_set *devices, const char *text, size_t size)
{
    struct reading r = {.line = line, .names = names, .devices = devices};
    size_t member, expected = 0;
    forget(line);
    scan_init(&r.scan, text, size);
    if (!scan_object(&r.scan))
        return false;
    while (next_word(&r.scan, member_names, names->member_sizes, MEMBERS, expected, &member)) {
        read_member(&r, (enum member)member);
        expected = member + 1;
    }
    line->sample->trial = line->trial >= 0 && line->trial < 1e9 ? (unsigned)line->trial : 0;
    line->has_work = r.has == HAS_WORK;
    return r.is_sample && scan_end(&r.scan);
}
