/* buyer_rate.h - how many commits a drive carries: at one stream, over time, under the service
 * level.  Pure. */
#ifndef ANALYSIS_BUYER_RATE_H
#define ANALYSIS_BUYER_RATE_H

#include "analysis/evidence.h"
#include "analysis/standing.h"

/* Only commits of the fewest rows and of the best standing stand beside each other; phases that
 * failed verification, or that the drive never saw, are left out. */
struct buyer_choice {
    const struct group *group; /* NULL: none */
    double commits_per_s;      /* median over the repeats */
};

/* Flushed commits at one stream; of several combinations the one with the highest rate. */
void buyer_rate_one_stream(const struct groups *groups, struct buyer_choice *choice);
/* The same at any number of streams, flushed or, where none are, of the best standing there is. */
void buyer_rate_highest(const struct groups *groups, struct buyer_choice *choice);
/* The highest of those whose percentile of whole phases lies within the service level; `best_ms`:
 * the lowest percentile of any, NaN where none is known. */
void buyer_rate_under_slo(const struct groups *groups, const struct asked *asked,
                          struct buyer_choice *choice, double *best_ms);

/* What the last rounds of a long run carried. */
struct buyer_sustained {
    struct buyer_choice choice;
    bool steady;          /* steady state was reached */
    double percentile_ms; /* the service level's; NaN: none asked, or not known */
    bool has_rounds;      /* some trial has enough of them */
};
/* From the finding on the steady state (steady.h) where it says so, else from the rounds of the
 * trials: the mean of the last STEADY_WINDOW full ones.  With a service level, of those within. */
void buyer_rate_sustained(const struct evidence *evidence, struct buyer_sustained *sustained);

/* "flushed commits/s" as far as it was earned. */
const char *buyer_rate_words(const struct group *group);
/* Of whole phases, "p99"; NaN unknown. */
double buyer_rate_percentile(const struct group *group, const char *percentile);

#endif
