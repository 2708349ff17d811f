/* compare_verdict.h - a comparison in sentences: which drive for what, and what is not known. */
#ifndef ANALYSIS_COMPARE_VERDICT_H
#define ANALYSIS_COMPARE_VERDICT_H

#include "analysis/compare_model.h"

/* "verdict" of compare.h, from "groups" and "against".  New reference. */
json_t *compare_verdict_json(const json_t *comparison, const struct compare_model *model);

#endif
