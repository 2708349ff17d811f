/* evidence.h - what every finding is made from.  All borrowed. */
#ifndef ANALYSIS_EVIDENCE_H
#define ANALYSIS_EVIDENCE_H

#include "analysis/groups.h"
#include "result/asked.h"
#include "result/course.h"

struct evidence {
    const json_t *summary;
    const struct groups *groups;
    const struct courses *courses; /* NULL or empty: no samples */
    const json_t *steady;          /* that finding, made before what builds on it; NULL: none */
    struct asked asked;
};

/* Seed of every bootstrap: the same result file always says the same. */
#define EVIDENCE_SEED UINT64_C(20131)

#endif
