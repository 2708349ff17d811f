/* analysis.h - findings with their evidence, computed anew from a summary document. */
#ifndef ANALYSIS_ANALYSIS_H
#define ANALYSIS_ANALYSIS_H

#include "base/json.h"
#include "result/course.h"

/* The "analysis" object of result.md.  `courses`: the samples, NULL where they are not known:
 * what needs them is undetermined then.  New reference. */
json_t *analysis_make(const json_t *summary, const struct courses *courses);

#endif
