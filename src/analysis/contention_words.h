/* contention_words.h - the verdict and the sentences that follow from the layouts side by side.
 * Pure. */
#ifndef ANALYSIS_CONTENTION_WORDS_H
#define ANALYSIS_CONTENTION_WORDS_H

#include "analysis/contention_row.h"

/* Rows of one finding in rising order of streams, within them of sharing.  Judges it, says what
 * follows, and how it would be known better.  At one stream nothing is shared: such rows count only
 * where there are no others. */
void contention_words(json_t *finding, const struct contention_row *rows, size_t count,
                      const char *engine);

#endif
