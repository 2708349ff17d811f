/* compare_contrast.h - facts beside facts: what is the same, what differs, and does it matter?
 * Pure. */
#ifndef ANALYSIS_COMPARE_CONTRAST_H
#define ANALYSIS_COMPARE_CONTRAST_H

#include "analysis/compare_model.h"

/* What stands against a winner, and where; [place * drive_count + drive], of drive 0 as well. */
struct compare_bars {
    bool *drives; /* [drive_count]: everywhere */
    bool *cells;  /* [place_count * drive_count] */
};

/* "same" and "differ" of compare.h into the comparison, its "against" of the kind "settings", and
 * the bars of those. */
void compare_contrast_put(json_t *comparison, const struct compare_model *model,
                          const struct compare_options *options, struct compare_bars *bars);

#endif
