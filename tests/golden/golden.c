/* Compares the report of a result log with the text that is expected.
 *
 *     golden LOG WIDTH EXPECTED            prints the first line that differs; 1 if one does
 *     golden --write LOG WIDTH EXPECTED    writes the text that is expected from now on */
#include <locale.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/fs.h"
#include "base/parse.h"
#include "report/report.h"
#include "report/text.h"
#include "result/document.h"

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static char *render(const char *path, int width, struct err *err)
{
    struct document document;
    if (document_read(path, &document, err) != 0) {
        document_release(&document);
        return NULL;
    }
    json_t *summary = document.summary;
    json_object_set_new(summary, "analysis", analysis_make(summary, &document.courses));
    char *text = NULL;
    size_t size;
    FILE *memory = open_memstream(&text, &size);
    const struct report_options options = {
        .width = width, .utf8 = true, .result_path = base_name(path)};
    int failed = !memory || report_text(memory, summary, &options, err) != 0;
    if (memory)
        fclose(memory);
    document_release(&document);
    return failed ? NULL : text;
}

static bool is_inside(const char *text, size_t width)
{
    bool inside = true;
    char *copy = strdup(text), *rest = NULL;
    for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        if (text_columns(line) > width) {
            printf("wider than %zu columns: %s\n", width, line);
            inside = false;
        }
    free(copy);
    return inside;
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

int main(int argc, char **argv)
{
    bool writes = argc == 5 && strcmp(argv[1], "--write") == 0;
    if (argc != 4 && !writes)
        return 2;
    const char *log = argv[argc - 3], *path = argv[argc - 1];
    if (!setlocale(LC_ALL, "C.UTF-8")) {
        puts("skipped: there is no locale C.UTF-8 here");
        return 77;
    }
    struct err err;
    int64_t width;
    if (parse_integer(argv[argc - 2], &width, &err) != 0)
        return 2;
    char *text = render(log, (int)width, &err);
    if (!text) {
        puts(err.text);
        return 1;
    }
    bool right = is_inside(text, (size_t)width);
    if (writes) {
        FILE *file = fopen(path, "we");
        right = file && fputs(text, file) != EOF && right;
        if (file)
            fclose(file);
    } else {
        char *expected = NULL;
        size_t size;
        right = fs_read(path, 1 << 20, &expected, &size, &err) == 0 && right;
        right = expected && is_equal(text, expected) && right;
        free(expected);
    }
    free(text);
    return right ? 0 : 1;
}
