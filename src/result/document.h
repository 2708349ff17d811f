/* document.h - a result file as the summary document of result.md.
 *
 * Reads the log's records; an untrusted file may hold anything.  A log without `end` is
 * partial: what was written is used, a trial without its record is put together from
 * its samples (rates and device figures; no percentiles), and "partial" is true. */
#ifndef RESULT_DOCUMENT_H
#define RESULT_DOCUMENT_H

#include "base/json.h"

/* The summary without "analysis"; new reference in *summary.  ERR_FAILED: not readable, or
 * no loadline result. */
int document_read(const char *path, json_t **summary, struct err *err);

#endif
