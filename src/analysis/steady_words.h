/* steady_words.h - what a repeat's course says, in sentences (finding.h), each with its label in
 * "labels": "rule", "window", "lost", "cliff", "levels", "slow", "stalls", "pause".
 * Pure. */
#ifndef ANALYSIS_STEADY_WORDS_H
#define ANALYSIS_STEADY_WORDS_H

#include "analysis/steady_repeat.h"

/* `cause`: of the cliff, as in "changes" ("evidence" and "cause"); NULL where there is no cliff. */
void steady_words_say(json_t *finding, const struct steady_repeat *repeat, const json_t *cause);
/* Of several repeats; its label is "repeats". */
void steady_words_repeats(json_t *finding, size_t repeats, size_t steady);

#endif
