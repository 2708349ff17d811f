/* compare_doubts.h - why a comparison names no winner: settings that differ, and results that say
 * of themselves that they are no good measure.  Pure. */
#ifndef ANALYSIS_COMPARE_DOUBTS_H
#define ANALYSIS_COMPARE_DOUBTS_H

#include "analysis/compare_contrast.h"

/* "against" of compare.h, from "differ" and from the results; more bars.  Notes on what does not
 * bar a winner go to the model's. */
void compare_doubts_put(json_t *comparison, struct compare_model *model, struct compare_bars *bars);
/* May this drive be ranked against the first one here? */
bool compare_doubts_allow(const struct compare_model *model, const struct compare_bars *bars,
                          size_t place, size_t drive);

#endif
