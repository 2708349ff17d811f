/* A histogram log read by the reference implementation (Debian's libhdrhistogram-java): every line
 * is there, and its counts are the phases'. */
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/fs.h"
#include "base/rng.h"
#include "export/hlog.h"
#include "measure/hist.h"
#include "result/document.h"
#include "result/log.h"
#include "result/record.h"
#include "unit/export/hlog_scene.h"

#define JAR "/usr/share/java/hdrhistogram.jar"

struct tag {
    char name[80];
    long intervals, count;
    long long max_ns, start_ms, end_ms;
};

static void write_file(const char *path, const struct document *document)
{
    struct err err;
    struct report_source source = {"x.jsonl", document->summary, &document->courses};
    FILE *out = fopen(path, "we");
    assert_non_null(out);
    assert_int_equal(hlog_write(out, &source, &err), 0);
    assert_int_equal(fclose(out), 0);
}

/* What the reader says; returns how many tags. */
static size_t read_by_java(const char *path, double *start_s, struct tag *tags, size_t room)
{
    char *command = fs_path("java -Duser.language=en -cp %s %s/unit/export/HlogCounts.java %s", JAR,
                            TESTS_DIR, path);
    FILE *pipe = popen(command, "r");
    char line[256];
    size_t count = 0;
    assert_non_null(pipe);
    assert_non_null(fgets(line, sizeof line, pipe));
    *start_s = strtod(line, NULL);
    while (count < room && fgets(line, sizeof line, pipe)) {
        struct tag *tag = &tags[count++];
        int fields = sscanf(line, "%79s %ld %ld %lld %lld %lld", tag->name, &tag->intervals,
                            &tag->count, &tag->max_ns, &tag->start_ms, &tag->end_ms);
        assert_int_equal(fields, 6);
    }
    assert_int_equal(pclose(pipe), 0);
    free(command);
    return count;
}

static const struct tag *find(const struct tag *tags, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(tags[i].name, name) == 0)
            return &tags[i];
    fail_msg("no line with %s", name);
    return NULL;
}

/* All cycles of a trial's phases of one name, from the document. */
static long counted(const struct document *document, size_t trial, const char *name)
{
    size_t index;
    const json_t *phase;
    double count = 0;
    const json_t *of = json_array_get(json_object_get(document->summary, "trials"), trial);
    json_array_foreach(json_object_get(of, "phases"), index, phase)
    {
        if (strcmp(json_text_at(phase, "name"), name) == 0)
            count += json_number_at(phase, "latency_ms.commit.count");
    }
    return (long)count;
}

static void every_line_is_read(void **state)
{
    (void)state;
    static const struct {
        const char *name, *phase;
        size_t trial;
        long intervals;
    } expected[] = {
        {"trial0.insert.commit", "insert", 0, HLOG_TICKS},
        {"trial0.insert.transaction", "insert", 0, 1},
        {"trial0.insert.lock_wait", "insert", 0, 1},
        {"trial0.insert.statement", "insert", 0, 1},
        {"trial0.delete.commit", "delete", 0, 1},
        {"trial0.delete.transaction", "delete", 0, 1},
        {"trial0.delete.lock_wait", "delete", 0, 1},
        {"trial0.delete.statement", "delete", 0, 1},
        {"trial1.insert.commit", "insert", 1, 2 * HLOG_TICKS},
        {"trial1.insert.transaction", "insert", 1, 2},
        {"trial1.insert.statement", "insert", 1, 2},
        {"trial1.delete.commit", "delete", 1, 2},
        {"trial1.delete.transaction", "delete", 1, 2},
        {"trial1.delete.statement", "delete", 1, 2},
    };
    enum { EXPECTED = sizeof expected / sizeof *expected };
    struct document document;
    struct tag tags[EXPECTED + 8];
    double start_s;
    char *path = fs_path("/tmp/hlog_java-%d.hlog", (int)getpid());
    hlog_scene_read(&document, 2);
    write_file(path, &document);
    size_t count = read_by_java(path, &start_s, tags, sizeof tags / sizeof *tags);
    unlink(path);
    free(path);
    assert_int_equal(count, EXPECTED);
    assert_true(start_s == HLOG_STARTED_S);
    for (size_t i = 0; i < EXPECTED; i++) {
        const struct tag *tag = find(tags, count, expected[i].name);
        assert_int_equal(tag->intervals, expected[i].intervals);
        assert_int_equal(tag->count, counted(&document, expected[i].trial, expected[i].phase));
        assert_true(tag->max_ns > 9000000 && tag->max_ns < 10100000);
    }
    const struct tag *first = find(tags, count, "trial0.insert.commit");
    assert_int_equal(first->start_ms, (long long)(HLOG_STARTED_S * 1000) + 1500);
    assert_int_equal(first->end_ms, (long long)(HLOG_STARTED_S * 1000) + 3500);
    document_release(&document);
}

int main(void)
{
    if (access(JAR, R_OK) != 0 || system("command -v javac >/dev/null 2>&1") != 0) {
        printf("SKIPPED: needs a JDK and " JAR " (Debian's libhdrhistogram-java)\n");
        return 77;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_line_is_read)};
    setlocale(LC_ALL, "C.UTF-8");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
