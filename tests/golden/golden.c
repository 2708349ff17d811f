/* Compares the report of a result log with what is expected.
 *
 *     golden LOG FORM EXPECTED            prints the first line that differs; 1 if one does
 *     golden --write LOG FORM EXPECTED    writes what is expected from now on
 *
 * FORM: a number of columns, "chart." and one (the text with its chart), markdown, html.verdict,
 * html.drive or html.tables. */
#include <locale.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/parse.h"
#include "expected.h"
#include "report/report.h"
#include "report/text.h"
#include "result/document.h"

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* How a report is asked for. */
struct form {
    const char *name;
    int64_t width; /* 0: of no text */
    bool has_chart;
};

static int form_parse(struct form *form, const char *name, struct err *err)
{
    static const char chart[] = "chart.";
    *form = (struct form){.name = name};
    if (strcmp(name, "markdown") == 0 || strncmp(name, "html.", 5) == 0)
        return 0;
    form->has_chart = strncmp(name, chart, strlen(chart)) == 0;
    return parse_integer(name + (form->has_chart ? strlen(chart) : 0), &form->width, err);
}

static int print(FILE *out, const struct document *document, const struct form *form,
                 const char *path, struct err *err)
{
    const struct report_options options = {.width = (int)form->width,
                                           .utf8 = true,
                                           .result_path = base_name(path),
                                           .courses = form->has_chart ? &document->courses : NULL};
    if (form->width > 0)
        return report_text(out, document->summary, &options, err);
    if (strcmp(form->name, "markdown") == 0)
        return report_markdown(out, document->summary, &options, err);
    enum report_place place = strcmp(form->name, "html.verdict") == 0 ? REPORT_VERDICT
                              : strcmp(form->name, "html.drive") == 0 ? REPORT_DRIVE
                                                                      : REPORT_TABLES;
    return report_html(out, document->summary, place, err);
}

static char *render(const char *path, const struct form *form, struct err *err)
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
    int failed = !memory || print(memory, &document, form, path, err) != 0;
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
    struct form form;
    if (form_parse(&form, argv[argc - 2], &err) != 0)
        return 2;
    char *text = render(log, &form, &err);
    if (!text) {
        puts(err.text);
        return 1;
    }
    bool right = form.width == 0 || is_inside(text, (size_t)form.width);
    right = (writes ? expected_write(path, text) : expected_compare(path, text)) && right;
    free(text);
    return right ? 0 : 1;
}
