/* findings.h - findings (analysis/finding.h) as lines of a report. */
#ifndef REPORT_FINDINGS_H
#define REPORT_FINDINGS_H

#include "report/view.h"

/* "insert, bulk, page_size 4,096": part, phase and factors of a finding; heap, safe. */
char *findings_place(const struct view *view, const json_t *finding);
/* A line for each of its sentences and for how it would be known better: `label` before the first
 * one, then `before` (safe, may be ""). */
void findings_print(const struct view *view, const char *label, const char *before,
                    const json_t *finding);
/* The finding of a group in analysis.NAME.findings, or NULL.  `hint` is where to look first, 0 at
 * the beginning: findings mostly stand in the order of the groups. */
const json_t *findings_find(const struct view *view, const char *name, const struct group *group,
                            size_t *hint);
/* One sentence of a document. */
void findings_line(const struct view *view, const char *label, const char *before,
                   const char *sentence);

#endif
