#include "cli/summary.h"

#include "analysis/analysis.h"
#include "base/term.h"
#include "result/document.h"

json_t *summary_load(const char *path, const struct asked *asked, struct err *err)
{
    struct document document;
    json_t *summary = NULL;

    if (document_read(path, &document, err) == 0) {
        summary = json_incref(document.summary);
        if (asked != NULL)
            asked_override(summary, asked);
        json_object_set_new(summary, "analysis", analysis_make(summary, &document.courses));
    }
    document_release(&document);
    return summary;
}

struct report_options summary_look(int fd, int width, const char *result_path)
{
    return (struct report_options){
        .width = width > 0 ? width : term_width(fd),
        .colour = term_has_colour(fd),
        .utf8 = term_is_utf8(),
        .result_path = result_path,
    };
}
