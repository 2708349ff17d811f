/* page_make [--lang LANG] RESULT... - writes the page of result logs to standard output: to look at
 * it while its script and style are worked on. */
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/compare.h"
#include "page/page.h"
#include "result/document.h"

static int read_source(const char *path, struct document *document, struct report_source *source,
                       struct err *err)
{
    if (document_read_detail(path, DOCUMENT_LATENCIES, document, err) != 0)
        return -1;
    json_object_set_new(document->summary, "analysis",
                        analysis_make(document->summary, &document->courses));
    *source = (struct report_source){path, document->summary, &document->courses};
    return 0;
}

static json_t *compare(const struct report_source *sources, size_t count, struct err *err)
{
    struct compare_input *inputs = calloc(count, sizeof *inputs);
    const struct compare_options options = {.has_baseline = false};
    for (size_t i = 0; i < count; i++)
        inputs[i] = (struct compare_input){sources[i].path, sources[i].summary};
    json_t *comparison = compare_json(inputs, count, &options, err);
    free(inputs);
    return comparison;
}

static int make(char **paths, size_t count, const char *lang, struct err *err)
{
    struct document *documents = calloc(count, sizeof *documents);
    struct report_source *sources = calloc(count, sizeof *sources);
    const struct page_options options = {.lang = lang};
    json_t *comparison = NULL;
    int status = 0;
    for (size_t i = 0; status == 0 && i < count; i++)
        status = read_source(paths[i], &documents[i], &sources[i], err);
    if (status == 0 && count > 1) {
        comparison = compare(sources, count, err);
        status = comparison ? 0 : -1;
    }
    if (status == 0)
        status = page_write(stdout, sources, count, comparison, &options, err);
    json_decref(comparison);
    for (size_t i = 0; i < count; i++)
        document_release(&documents[i]);
    free(documents);
    free(sources);
    return status;
}

int main(int argc, char **argv)
{
    struct err err;
    const char *lang = NULL;
    int first = 1;
    setlocale(LC_CTYPE, "");
    if (argc > 2 && strcmp(argv[1], "--lang") == 0) {
        lang = argv[2];
        first = 3;
    }
    if (first >= argc) {
        fputs("usage: page_make [--lang en|ja] RESULT... > page.html\n", stderr);
        return 2;
    }
    if (make(argv + first, (size_t)(argc - first), lang, &err) == 0)
        return 0;
    fprintf(stderr, "page_make: %s\n", err.text);
    return 1;
}
