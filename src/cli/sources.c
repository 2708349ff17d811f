#include "cli/sources.h"

#include <stdlib.h>

#include "analysis/analysis.h"

static int read_one(struct document *document, const char *path, enum sources_kind kind,
                    const struct asked *asked, struct err *err)
{
    enum document_detail detail = kind == SOURCES_LATENCIES ? DOCUMENT_LATENCIES : DOCUMENT_PLAIN;

    if (document_read_detail(path, detail, document, err) != 0)
        return -1;
    if (asked != NULL)
        asked_override(document->summary, asked);
    if (kind == SOURCES_SUMMARY)
        courses_release(&document->courses);
    else
        json_object_set_new(document->summary, "analysis",
                            analysis_make(document->summary, &document->courses));
    return 0;
}

int sources_read(struct sources *sources, char *const *paths, size_t count, enum sources_kind kind,
                 const struct asked *asked, struct err *err)
{
    *sources = (struct sources){.documents = calloc(count, sizeof *sources->documents),
                                .items = calloc(count, sizeof *sources->items)};
    if (sources->documents == NULL || sources->items == NULL)
        abort();
    for (; sources->count < count; sources->count++) {
        struct document *document = &sources->documents[sources->count];
        if (read_one(document, paths[sources->count], kind, asked, err) != 0) {
            document_release(document);
            return -1;
        }
        sources->items[sources->count] = (struct report_source){
            .path = paths[sources->count],
            .summary = document->summary,
            .courses = kind == SOURCES_SUMMARY ? NULL : &document->courses,
        };
    }
    return 0;
}

void sources_release(struct sources *sources)
{
    for (size_t i = 0; i < sources->count; i++)
        document_release(&sources->documents[i]);
    free(sources->documents);
    free(sources->items);
    *sources = (struct sources){.count = 0};
}

json_t *sources_compare(const struct sources *sources, const struct compare_options *options,
                        struct err *err)
{
    struct compare_input *inputs = calloc(sources->count, sizeof *inputs);

    if (inputs == NULL)
        abort();
    for (size_t i = 0; i < sources->count; i++)
        inputs[i] = (struct compare_input){sources->items[i].path, sources->items[i].summary};
    json_t *comparison = compare_json(inputs, sources->count, options, err);
    free(inputs);
    return comparison;
}
