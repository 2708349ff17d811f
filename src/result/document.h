/* document.h - a result file as the summary document of result.md.
 *
 * Reads the log's records; an untrusted file may hold anything.  A log without `end` is
 * partial: what was written is used, a trial without its record is put together from
 * its samples (rates and device figures; no percentiles), and "partial" is true. */
#ifndef RESULT_DOCUMENT_H
#define RESULT_DOCUMENT_H

#include "base/json.h"
#include "result/course.h"

struct document {
    json_t *summary; /* without "analysis" */
    struct courses courses;
};

/* What is kept of each sample: with latencies a log takes about as much memory as its file.  Phases
 * keep their "histograms" (hist.h) then, too. */
enum document_detail { DOCUMENT_PLAIN, DOCUMENT_LATENCIES };

/* ERR_FAILED: not readable, or no loadline result.  Release it in either case. */
int document_read(const char *path, struct document *document, struct err *err);
int document_read_detail(const char *path, enum document_detail detail, struct document *document,
                         struct err *err);
void document_release(struct document *document);

#endif
