/* finding.h - what all findings have.
 *
 *     { "part", "phase", "factors", "verdict": "knee", "sentences": [...], "certainty": null, ... }
 *
 * `verdict` is one word of the finding's own list, "undetermined" where too little is known.  A
 * sentence is what a person reads: it holds the numbers that it rests on.  `certainty` says how to
 * know it better ("6 repeats more would separate these"), null where nothing is in doubt. */
#ifndef ANALYSIS_FINDING_H
#define ANALYSIS_FINDING_H

#include "analysis/groups.h"

/* Of a group's part and phase; factors without those named in `left_out` (NULL-terminated; NULL:
 * all stay).  verdict "undetermined", no sentences.  New reference. */
json_t *finding_create(const struct group *group, const char *const *left_out);
void finding_judge(json_t *finding, const char *verdict);
void finding_say(json_t *finding, const char *format, ...) __attribute__((format(printf, 2, 3)));
void finding_doubt(json_t *finding, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* { "verdict": that of the first determined one, "findings": [...] }; NULL (null) where the list
 * is empty.  Steals the list. */
json_t *findings_json(json_t *list);

#endif
