/* A result log may hold anything: it is read, or refused with a sentence that names it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "result/document.h"
#include "result/keys.h"
#include "result/metric.h"
#include "result/waits.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

#define CHECK(condition)                                                                           \
    do                                                                                             \
        if (!(condition))                                                                          \
            abort();                                                                               \
    while (0)

static void use(const json_t *summary, enum document_detail detail)
{
    static const char *const members[] = {
        "loadline", "schema",   "run_id",        "label",           "started",
        "partial",  "workload", "workload_hash", "environment",     "devices",
        "trials",   "warnings", "events",        "workload_differs"};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        CHECK(json_object_get(summary, members[i]));
    size_t t, p;
    const json_t *trial, *phase;
    json_array_foreach(json_object_get(summary, "trials"), t, trial)
    {
        CHECK(json_is_array(json_object_get(trial, "phases")));
        keys_number(summary, trial, "row.payload");
        json_array_foreach(json_object_get(trial, "phases"), p, phase)
        {
            CHECK(json_is_object(phase));
            CHECK(detail == DOCUMENT_LATENCIES || !json_object_get(phase, "histograms"));
            for (const struct metric_row *row = metric_rows; row->path; row++)
                metric_value(phase, row->path);
        }
    }
}

/* An interval's latencies are some text, its waits are numbers of streams or not known. */
static void use_detail(const struct course *course, enum document_detail detail)
{
    CHECK(detail == DOCUMENT_LATENCIES || !course->latencies);
    for (size_t i = 0; i < course->series.count; i++) {
        CHECK(!course->latencies || !course->latencies[i] || strlen(course->latencies[i]) > 0);
        for (size_t g = 0; course->waits && g < WAITS_GROUPS; g++)
            CHECK(!(course->waits[i * WAITS_GROUPS + g] < 0));
    }
}

/* What looks at a phase over time may rely on this. */
static void use_courses(const struct courses *courses, enum document_detail detail)
{
    for (size_t c = 0; c < courses->count; c++) {
        const struct course *course = &courses->items[c];
        const struct course *found = courses_find(courses, course->trial, course->phase);
        CHECK(found && found->trial == course->trial && found->phase == course->phase);
        CHECK(courses->mixed || found == course);
        use_detail(course, detail);
        for (size_t i = 0; i < course->series.count; i++) {
            const struct interval *interval = &course->series.items[i];
            CHECK(isfinite(course->start_s) && isfinite(interval->start_s));
            CHECK(interval->seconds >= 0 && interval->commits >= 0 && interval->rows >= 0);
            CHECK(!(interval->retries < 0) && !(interval->bytes < 0) && !(interval->writes < 0));
        }
    }
}

static void read_once(const unsigned char *data, size_t size, enum document_detail detail)
{
    int fd = memfd_create("log", MFD_CLOEXEC);
    CHECK(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    struct err err = {0};
    struct document document;
    int status = document_read_detail(path, detail, &document, &err);
    use_courses(&document.courses, detail);
    if (status == 0)
        use(document.summary, detail);
    else
        CHECK(err.kind == ERR_FAILED && strncmp(err.text, path, strlen(path)) == 0);
    document_release(&document);
    close(fd);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    read_once(data, size, DOCUMENT_PLAIN);
    read_once(data, size, DOCUMENT_LATENCIES);
    return 0;
}
