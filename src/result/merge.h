/* merge.h - several cycles of one phase as one phase object.
 *
 * Counts and times are summed, rates and costs computed anew by figures.h, percentiles taken
 * from the merged histograms.  What one cycle does not know, the sum does not know. */
#ifndef RESULT_MERGE_H
#define RESULT_MERGE_H

#include "base/json.h"

/* One object for each name among `phases`, in order of first appearance, each with "cycles":
 * how many.  What ran after the pause (workload.pause) is left out.  NULL when no name occurs
 * twice otherwise.  New reference. */
json_t *merge_cycles(const json_t *phases);

#endif
