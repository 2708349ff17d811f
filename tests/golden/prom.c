/* Compares the OpenMetrics text of result logs with what is expected.
 *
 *     golden_prom EXPECTED LOG...            prints the first line that differs; 1 if one does
 *     golden_prom --write EXPECTED LOG...    writes the text that is expected from now on */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/fs.h"
#include "export/prom.h"
#include "result/document.h"

enum { LOGS_MAX = 8 };

/* Heap, or NULL. */
static char *render(char **paths, size_t count, struct err *err)
{
    struct document documents[LOGS_MAX] = {{.summary = NULL}};
    struct report_source sources[LOGS_MAX];
    size_t read = 0, size;
    char *text = NULL;
    int failed = -1;
    for (; read < count; read++) {
        if (document_read(paths[read], &documents[read], err) != 0)
            goto out;
        json_t *summary = documents[read].summary;
        const char *slash = strrchr(paths[read], '/');
        json_object_set_new(summary, "analysis", analysis_make(summary, &documents[read].courses));
        sources[read] = (struct report_source){.path = slash != NULL ? slash + 1 : paths[read],
                                               .summary = summary};
    }
    FILE *memory = open_memstream(&text, &size);
    if (memory == NULL)
        goto out;
    failed = prom_write(memory, sources, count, err);
    fclose(memory);
out:
    for (size_t i = 0; i <= read && i < count; i++)
        document_release(&documents[i]);
    if (failed != 0)
        free(text);
    return failed == 0 ? text : NULL;
}

static bool is_equal(const char *text, const char *expected)
{
    for (int line = 1; *text || *expected; line++) {
        size_t a = strcspn(text, "\n"), b = strcspn(expected, "\n");
        if (a != b || memcmp(text, expected, a) != 0) {
            printf("line %d\nis       %.*s\nexpected %.*s\n", line, (int)a, text, (int)b, expected);
            return false;
        }
        text += a + (text[a] == '\n');
        expected += b + (expected[b] == '\n');
    }
    return true;
}

static bool write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "we");
    bool right = file != NULL && fputs(text, file) != EOF;
    return file != NULL && fclose(file) == 0 && right;
}

static bool compare_file(const char *path, const char *text)
{
    struct err err;
    char *expected = NULL;
    size_t size;
    if (fs_read(path, 16 << 20, &expected, &size, &err) != 0) {
        puts(err.text);
        return false;
    }
    bool right = is_equal(text, expected);
    free(expected);
    return right;
}

int main(int argc, char **argv)
{
    bool writes = argc > 1 && strcmp(argv[1], "--write") == 0;
    char **rest = argv + (writes ? 2 : 1);
    int count = argc - (int)(rest - argv) - 1;
    struct err err = {.text = "out of memory"};
    if (count < 1 || count > LOGS_MAX)
        return 2;
    char *text = render(rest + 1, (size_t)count, &err);
    if (text == NULL) {
        puts(err.text);
        return 1;
    }
    bool right = writes ? write_file(rest[0], text) : compare_file(rest[0], text);
    free(text);
    return right ? 0 : 1;
}
