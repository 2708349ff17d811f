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

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

#define CHECK(condition)                                                                           \
    do                                                                                             \
        if (!(condition))                                                                          \
            abort();                                                                               \
    while (0)

static void use(const json_t *summary)
{
    static const char *const members[] = {
        "loadline",      "schema",      "run_id",  "label",  "started",  "partial", "workload",
        "workload_hash", "environment", "devices", "trials", "warnings", "events"};
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
            CHECK(json_is_object(phase) && !json_object_get(phase, "histograms"));
            for (const struct metric_row *row = metric_rows; row->path; row++)
                metric_value(phase, row->path);
        }
    }
}

/* What looks at a phase over time may rely on this. */
static void use_courses(const struct courses *courses)
{
    for (size_t c = 0; c < courses->count; c++) {
        const struct course *course = &courses->items[c];
        const struct course *found = courses_find(courses, course->trial, course->phase);
        CHECK(found && found->trial == course->trial && found->phase == course->phase);
        CHECK(courses->mixed || found == course);
        for (size_t i = 0; i < course->series.count; i++) {
            const struct interval *interval = &course->series.items[i];
            CHECK(isfinite(course->start_s) && isfinite(interval->start_s));
            CHECK(interval->seconds >= 0 && interval->commits >= 0 && interval->rows >= 0);
            CHECK(!(interval->retries < 0) && !(interval->bytes < 0) && !(interval->writes < 0));
        }
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    int fd = memfd_create("log", MFD_CLOEXEC);
    CHECK(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    struct err err = {0};
    struct document document;
    int status = document_read(path, &document, &err);
    use_courses(&document.courses);
    if (status == 0)
        use(document.summary);
    else
        CHECK(err.kind == ERR_FAILED && strncmp(err.text, path, strlen(path)) == 0);
    document_release(&document);
    close(fd);
    return 0;
}
