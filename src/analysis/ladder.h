/* ladder.h - one load at rising numbers of streams, each with its figures: what ceiling and scaling
 * are read from.  Pure. */
#ifndef ANALYSIS_LADDER_H
#define ANALYSIS_LADDER_H

#include "analysis/along.h"
#include "analysis/rates.h"
#include "base/format.h"
#include "stats/median.h"
#include "stats/ratio.h"

struct rung {
    double streams;
    const struct group *group;
    double rates[RATES]; /* medians over the repeats; rows and commits while all streams ran */
    double whole[RATES]; /* all three over the whole phase: to set beside each other */
    double flushes_per_s, p50_ms, p99_ms;
    double elapsed_s, trial_elapsed_s;         /* of the phase; of all phases of its trial */
    double elapsed_ratio, trial_elapsed_ratio; /* to the first rung's; NaN: not the same rows a
                                                * stream, or cut by something else than the rows */
};

struct ladder {
    struct rung *rungs; /* [count], by streams; without those whose number of streams is none */
    size_t count;
    enum rate main; /* by which it is judged: rows/s with many rows in a commit, else commits/s */
    double rows_per_commit; /* as asked for, else as measured; NaN: unknown, or they vary */
    bool is_search;         /* made by a search */
    const char *spoilt;     /* why nothing follows from the rates, a sentence; NULL: they count */
};

void ladder_init(struct ladder *ladder, const struct along *along);
void ladder_release(struct ladder *ladder);

/* A rate over the repeats of a rung, with the exact interval of its median. */
void ladder_median(const struct rung *rung, enum rate rate, struct median *median);
/* What `to` gains on `from`: repeats paired by their number. */
void ladder_ratio(const struct rung *from, const struct rung *to, enum rate rate,
                  struct ratio *ratio);

/* "flushed commits/s", or what else the group's commits were worth. */
const char *ladder_commits(const struct group *group);
/* " (12,000-12,600)", or "" where there is no interval. */
const char *ladder_interval(struct format_text *out, double low, double high);
/* The short name under which a report shows the last sentence; "labels" has one for each. */
void ladder_label(json_t *finding, const char *label);

#endif
