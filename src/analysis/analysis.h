/* analysis.h - findings with their evidence, computed anew from a summary document. */
#ifndef ANALYSIS_ANALYSIS_H
#define ANALYSIS_ANALYSIS_H

#include "base/json.h"

/* The "analysis" object of result.md.  New reference. */
json_t *analysis_make(const json_t *summary);

#endif
