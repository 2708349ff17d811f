/* contention_row.h - one layout at one number of streams, and its ratio to the layout that shares
 * most.  Pure. */
#ifndef ANALYSIS_CONTENTION_ROW_H
#define ANALYSIS_CONTENTION_ROW_H

#include "analysis/groups.h"
#include "analysis/waiting.h"
#include "stats/ratio.h"

/* Of the layouts, those that share most first; the two of the last share nothing but the server. */
enum sharing { SHARING_TABLE, SHARING_FILE, SHARING_NOTHING, SHARING_UNKNOWN };

struct contention_row {
    const struct group *group, *against; /* NULL: this is what others are set against */
    const char *layout, *against_layout;
    enum sharing sharing;
    double streams;
    double commits_per_s, fairness, lock_p99_ms; /* medians; NaN unknown */
    double lock_share;                           /* of the streams' time */
    struct waiting waiting;                      /* of a server; where it is known */
    bool has_waiting;
    struct ratio ratio; /* to `against`; of repeats in pairs where they have numbers */
    enum ratio_design design;
    enum ratio_verdict verdict;
    struct ratio_more more;
    size_t repeats;
};

#define CONTENTION_MARGIN 0.05
#define CONTENTION_LEVEL  0.95

enum sharing contention_sharing(const char *layout);
/* `against` NULL: nothing is compared.  Its layout's name is borrowed. */
void contention_row_read(const struct group *group, const char *layout, const struct group *against,
                         const char *against_layout, struct contention_row *row);
/* How many more repeats would tell, the fewer of the two answers; 0: it is told. */
size_t contention_row_more(const struct contention_row *row);
/* "better", "worse", "same", "undetermined". */
const char *contention_verdict(enum ratio_verdict verdict);
/* One of the "rows" of contention.h.  New reference. */
json_t *contention_row_json(const struct contention_row *row);

#endif
