/* headline.h - what the verdict speaks of: the best combination of the first phase.
 *
 * Only what stands alike is compared (standing.h): a rate without flushes never wins over one with
 * them, loadline itself never over a drive. */
#ifndef REPORT_HEADLINE_H
#define REPORT_HEADLINE_H

#include "analysis/standing.h"
#include "report/view.h"

struct headline {
    const struct group *commit; /* few rows in a commit: commits/s count; or NULL */
    const struct group *bulk;   /* many: rows/s count; or NULL */
    const struct group *main;   /* the one of both that comes first; NULL: nothing was measured */
    enum standing standing;     /* the main one's */
    size_t combinations;        /* of its standing and kind, among which it is the highest */
    const struct group *others[STANDINGS]; /* the highest of the main one's kind that stand lower */
};

void headline_find(const struct view *view, struct headline *headline);
/* "commits_per_s" or "rows_per_s": by what the main one is the highest. */
const char *headline_rate(const struct headline *headline);

#endif
