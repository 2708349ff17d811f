/* along.h - the groups that differ in one factor alone: a ladder of streams, the layouts side by
 * side, the targets.  Pure. */
#ifndef ANALYSIS_ALONG_H
#define ANALYSIS_ALONG_H

#include "analysis/groups.h"

struct along {
    const struct group **groups; /* [count] in rising order of the factor's number, else in order of
                                  * appearance */
    const json_t **values;       /* [count], the factor's */
    size_t count, capacity;      /* at least 2 different values */
};

struct alongs {
    struct along *items; /* one for each part x phase x combination of the other factors */
    size_t count, capacity;
};

/* `factor`: "streams", "layout", "target". */
void alongs_init(struct alongs *alongs, const struct groups *groups, const char *factor);
/* Same with at least `least` different values: 1 keeps what stands alone too. */
void alongs_init_from(struct alongs *alongs, const struct groups *groups, const char *factor,
                      size_t least);
void alongs_release(struct alongs *alongs);

#endif
