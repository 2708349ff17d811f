/* finding_text.h - findings (analysis/finding.h) as lines of a report: the first ones with all
 * their sentences as points, each below the label that the finding gives it ("labels"), the others
 * in a line each. */
#ifndef REPORT_FINDING_TEXT_H
#define REPORT_FINDING_TEXT_H

#include "report/view.h"

/* `label`: "CEILING"; `findings`: the summary's "analysis.ceiling".  Nothing where that is null. */
void finding_text(const struct view *view, const char *label, const json_t *findings);

#endif
