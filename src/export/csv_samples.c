#include "export/csv_samples.h"

#include <math.h>
#include <stdint.h>

#include "measure/hist.h"
#include "result/waits.h"

struct moment {
    const struct course *course;
    size_t number; /* of the interval */
    const struct interval *interval;
    double bytes_total;
    const struct hist *latencies; /* NULL: not known */
};

/* ---- what each column holds ---- */

static double per_second(const struct moment *row, double value)
{
    return row->interval->seconds > 0 ? value / row->interval->seconds : NAN;
}

static double quotient(double value, double by)
{
    return by > 0 ? value / by : NAN;
}

static double start_s(const struct moment *row)
{
    return row->course->start_s + row->interval->start_s;
}

static double phase_s(const struct moment *row)
{
    return row->interval->start_s;
}

static double seconds(const struct moment *row)
{
    return row->interval->seconds;
}

static double commits(const struct moment *row)
{
    return row->interval->commits;
}

static double rows(const struct moment *row)
{
    return row->interval->rows;
}

static double commits_per_s(const struct moment *row)
{
    return per_second(row, row->interval->commits);
}

static double rows_per_s(const struct moment *row)
{
    return per_second(row, row->interval->rows);
}

static double writes(const struct moment *row)
{
    return row->interval->writes;
}

static double flushes(const struct moment *row)
{
    return row->interval->flushes;
}

static double bytes(const struct moment *row)
{
    return row->interval->bytes;
}

static double bytes_total(const struct moment *row)
{
    return row->bytes_total;
}

static double queue_depth(const struct moment *row)
{
    return per_second(row, row->interval->device.waiting_ms / 1000);
}

static double in_flight(const struct moment *row)
{
    return row->interval->in_flight;
}

static double flush_ms(const struct moment *row)
{
    return quotient(row->interval->device.flush_ms, row->interval->device.flushes);
}

/* The kernel counts a flush among the writes, and its time too. */
static double write_ms(const struct moment *row)
{
    const struct interval_device *device = &row->interval->device;
    double ms = device->write_ms - device->flush_ms;
    return quotient(ms < 0 ? 0 : ms, device->writes - device->flushes);
}

static double commit_count(const struct moment *row)
{
    return row->latencies ? (double)row->latencies->count : NAN;
}

static double commit_p50_ms(const struct moment *row)
{
    return row->latencies ? hist_quantile_ms(row->latencies, 0.5) : NAN;
}

static double commit_p99_ms(const struct moment *row)
{
    return row->latencies ? hist_quantile_ms(row->latencies, 0.99) : NAN;
}

static double commit_max_ms(const struct moment *row)
{
    return row->latencies ? hist_max_ms(row->latencies) : NAN;
}

static double cpu_client_share(const struct moment *row)
{
    return per_second(row, row->interval->client_s);
}

static double host_busy(const struct moment *row)
{
    return row->interval->host_busy;
}

static double temperature_c(const struct moment *row)
{
    return row->interval->temperature_c;
}

static double wal_bytes(const struct moment *row)
{
    return row->interval->wal_bytes;
}

static double retries(const struct moment *row)
{
    return row->interval->retries;
}

static double waiting(const struct moment *row, enum waits_group group)
{
    return row->course->waits ? row->course->waits[row->number * WAITS_GROUPS + group] : NAN;
}

#define WAIT(function, group)                                                                      \
    static double function(const struct moment *row)                                               \
    {                                                                                              \
        return waiting(row, group);                                                                \
    }
WAIT(wait_cpu, WAITS_CPU)
WAIT(wait_flush, WAITS_FLUSH)
WAIT(wait_group, WAITS_GROUP)
WAIT(wait_log_insert, WAITS_LOG_INSERT)
WAIT(wait_extend, WAITS_EXTEND)
WAIT(wait_row, WAITS_ROW)
WAIT(wait_buffer, WAITS_BUFFER)
WAIT(wait_file, WAITS_FILE)
WAIT(wait_client, WAITS_CLIENT)
WAIT(wait_other, WAITS_OTHER)

/* ---- the columns ---- */

#define COLUMN(name, unit, help)                                                                   \
    {                                                                                              \
#name, unit, help, name                                                                    \
    }

static const struct column {
    const char *name, *unit, *help;
    double (*value)(const struct moment *row);
} columns[] = {
    COLUMN(start_s, "s", "when the interval began, since the run's start"),
    COLUMN(phase_s, "s", "the same since the phase's start, or the end of its warm-up"),
    COLUMN(seconds, "s", "its true length"),
    COLUMN(commits, "", "acknowledged commits"),
    COLUMN(rows, "", "rows in them"),
    COLUMN(commits_per_s, "commits/s", "commits by the true length"),
    COLUMN(rows_per_s, "rows/s", "rows by the true length"),
    COLUMN(writes, "", "writes completed by the devices of data and log, flushes included"),
    COLUMN(flushes, "", "flushes executed by their whole disks"),
    COLUMN(bytes, "bytes", "written to these devices"),
    COLUMN(bytes_total, "bytes", "the same since the trial's first sample, settling included"),
    COLUMN(queue_depth, "", "requests in the data device at one time, mean"),
    COLUMN(in_flight, "", "requests in flight at the interval's end"),
    COLUMN(flush_ms, "ms", "mean time of a flush of the data device"),
    COLUMN(write_ms, "ms", "mean time of a write with data to it"),
    COLUMN(commit_count, "", "COMMITs that were timed"),
    COLUMN(commit_p50_ms, "ms", "COMMIT alone: median, of 20 or more"),
    COLUMN(commit_p99_ms, "ms", "COMMIT alone: 99% are not above, of 1000 or more"),
    COLUMN(commit_max_ms, "ms", "COMMIT alone: the longest, rounded up by less than 1%"),
    COLUMN(cpu_client_share, "CPUs",
           "CPU time of loadline and the engine inside it, by the length"),
    COLUMN(host_busy, "", "busy share of all CPUs, 0 to 1"),
    COLUMN(temperature_c, "C", "of the first disk at the interval's end"),
    COLUMN(wal_bytes, "bytes", "size of the write-ahead log at the interval's end"),
    COLUMN(retries, "", "transactions repeated"),
    COLUMN(wait_cpu, "streams", "seen at work, waiting for nothing"),
    COLUMN(wait_flush, "streams", "seen writing or flushing the log"),
    COLUMN(wait_group, "streams", "seen waiting for another one's flush"),
    COLUMN(wait_log_insert, "streams", "seen waiting for room in the log's buffer"),
    COLUMN(wait_extend, "streams", "seen waiting to extend a table"),
    COLUMN(wait_row, "streams", "seen waiting for row and transaction locks"),
    COLUMN(wait_buffer, "streams", "seen waiting for a page that another one uses"),
    COLUMN(wait_file, "streams", "seen waiting for data files"),
    COLUMN(wait_client, "streams", "the server was seen waiting for loadline"),
    COLUMN(wait_other, "streams", "seen in other waits"),
};
enum { COLUMNS = sizeof columns / sizeof *columns };

void csv_samples_header(struct csv_line *line, const struct csv_factors *factors)
{
    const char *names[COLUMNS + 1] = {NULL};
    for (size_t i = 0; i < COLUMNS; i++)
        names[i] = columns[i].name;
    csv_place_header(line, CSV_SAMPLES, factors, names);
    for (size_t i = 0; i < COLUMNS; i++)
        csv_field_text(line, names[i]);
    csv_field_end(line);
}

static const struct course *course_of(const struct csv_place *place, size_t number)
{
    double trial = json_number_at(place->trial, "index");
    if (!place->source->courses || !(trial >= 0 && trial <= UINT32_MAX))
        return NULL;
    return courses_find(place->source->courses, (unsigned)trial, (unsigned)number);
}

static void decode(struct moment *row, struct hist *room)
{
    struct err ignored;
    const char *text = row->course->latencies ? row->course->latencies[row->number] : NULL;
    row->latencies = text && hist_decode(text, room, &ignored) == 0 ? room : NULL;
}

void csv_samples_write(struct csv_line *line, const struct csv_factors *factors,
                       const struct csv_place *place, size_t number)
{
    struct moment row = {.course = course_of(place, number)};
    if (!row.course)
        return;
    struct hist *room = hist_create();
    row.bytes_total = row.course->bytes_before;
    for (; row.number < row.course->series.count; row.number++) {
        row.interval = &row.course->series.items[row.number];
        row.bytes_total += row.interval->bytes;
        decode(&row, room);
        csv_place_write(line, CSV_SAMPLES, factors, place);
        for (size_t i = 0; i < COLUMNS; i++)
            csv_field_number(line, columns[i].value(&row));
        csv_field_end(line);
    }
    hist_destroy(room);
}

void csv_samples_describe(csv_column_visit visit, void *ctx)
{
    for (size_t i = 0; i < COLUMNS; i++)
        visit(ctx, columns[i].name, columns[i].unit, columns[i].help);
}
