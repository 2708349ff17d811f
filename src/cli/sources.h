/* sources.h - result files as every form takes them: summary with analysis, samples. */
#ifndef CLI_SOURCES_H
#define CLI_SOURCES_H

#include "analysis/compare.h"
#include "report/report.h"
#include "result/asked.h"
#include "result/document.h"

struct sources {
    struct document *documents;  /* [count] */
    struct report_source *items; /* [count]; borrow from the documents */
    size_t count;
};

/* What is read of a result: its summary alone (no analysis, no samples: they would take most of the
 * memory), all but the latencies of each interval, or these too. */
enum sources_kind { SOURCES_SUMMARY, SOURCES_SAMPLES, SOURCES_LATENCIES };

/* `asked` goes over what the results were asked for; NULL: nothing does.  Release it in either
 * case. */
int sources_read(struct sources *sources, char *const *paths, size_t count, enum sources_kind kind,
                 const struct asked *asked, struct err *err);
void sources_release(struct sources *sources);
/* compare_json() of all of them.  NULL: why is in `err`. */
json_t *sources_compare(const struct sources *sources, const struct compare_options *options,
                        struct err *err);

#endif
