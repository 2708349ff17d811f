/* rebuild.h - a trial that was cut off before its record was written, put together again
 * from its samples: rates and device figures; latencies are not known. */
#ifndef RESULT_REBUILD_H
#define RESULT_REBUILD_H

#include "base/json.h"
#include "result/trace.h"

/* `header`: the log's first record; `start`: the event that announced the trial, or NULL; `trace`:
 * its samples.  A trial as in the summary, with "ended_by": null and "partial": true.  New
 * reference. */
json_t *rebuild_trial(const json_t *header, const json_t *start, const struct trace *trace);

#endif
