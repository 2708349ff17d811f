/* read_log [--check] FILE - reads a result log and says how many intervals it found: what a report
 * does before it looks at anything.  --check: the intervals of each phase must add up to what the
 * phase's own object says, or it says where they do not and exits 1. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "result/document.h"

/* What the intervals of a phase add up to, or its object says. */
struct sums {
    double commits, rows, writes, bytes, flushes;
};

static void add_intervals(const struct series *series, struct sums *sums)
{
    for (size_t i = 0; i < series->count; i++) {
        sums->commits += series->items[i].commits;
        sums->rows += series->items[i].rows;
        sums->writes += series->items[i].writes;
        sums->bytes += series->items[i].bytes;
        sums->flushes += series->items[i].flushes;
    }
}

static void read_phase(const json_t *phase, struct sums *sums)
{
    const char *name;
    const json_t *device;
    *sums = (struct sums){.commits = json_number_at(phase, "commits"),
                          .rows = json_number_at(phase, "rows")};
    json_object_foreach((json_t *)json_object_get(phase, "devices"), name, device)
    {
        sums->writes += json_number_at(device, "writes");
        sums->bytes += json_number_at(device, "write_bytes");
        sums->flushes += json_number_at(device, "flushes");
    }
    if (json_object_size(json_object_get(phase, "devices")) == 0)
        sums->writes = sums->bytes = sums->flushes = NAN;
}

static int differ(const char *what, double intervals, double phase)
{
    if (intervals == phase || (isnan(intervals) && isnan(phase)))
        return 0;
    printf("%s: %.0f in the intervals, %.0f in the phase\n", what, intervals, phase);
    return 1;
}

static int check_phase(const json_t *trial, size_t place, const json_t *phase,
                       const struct courses *courses)
{
    unsigned index = (unsigned)json_number_at(trial, "index");
    const struct course *course = courses_find(courses, index, (unsigned)place);
    struct sums intervals = {0}, expected;
    if (!course) {
        printf("trial %u, phase %zu: no course\n", index, place);
        return 1;
    }
    add_intervals(&course->series, &intervals);
    read_phase(phase, &expected);
    int wrong = differ("cycle", course->cycle, json_number_at(phase, "cycle"));
    wrong += differ("commits", intervals.commits, expected.commits);
    wrong += differ("rows", intervals.rows, expected.rows);
    wrong += differ("writes", intervals.writes, expected.writes);
    wrong += differ("bytes", intervals.bytes, expected.bytes);
    wrong += differ("flushes", intervals.flushes, expected.flushes);
    if (wrong > 0)
        printf("... in trial %u, phase %zu\n", index, place);
    return wrong;
}

static int check(const struct document *document)
{
    size_t t, p, phases = 0;
    int wrong = 0;
    const json_t *trial, *phase;
    json_array_foreach(json_object_get(document->summary, "trials"), t, trial)
    {
        json_array_foreach(json_object_get(trial, "phases"), p, phase)
        {
            wrong += check_phase(trial, p, phase, &document->courses);
            phases++;
        }
    }
    wrong += differ("phases", (double)document->courses.count, (double)phases);
    return wrong;
}

int main(int argc, char **argv)
{
    struct document document;
    struct err err;
    bool checks = argc == 3 && strcmp(argv[1], "--check") == 0;
    if (argc != 2 && !checks) {
        fputs("usage: read_log [--check] FILE\n", stderr);
        return 2;
    }
    int status = document_read(argv[argc - 1], &document, &err);
    size_t intervals = 0;
    if (status != 0)
        fprintf(stderr, "read_log: %s\n", err.text);
    for (size_t i = 0; i < document.courses.count; i++)
        intervals += document.courses.items[i].series.count;
    printf("%zu courses, %zu intervals\n", document.courses.count, intervals);
    if (status == 0 && checks)
        status = check(&document);
    document_release(&document);
    return status != 0;
}
