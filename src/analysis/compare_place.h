/* compare_place.h - what makes two trials measure the same thing.  Pure. */
#ifndef ANALYSIS_COMPARE_PLACE_H
#define ANALYSIS_COMPARE_PLACE_H

#include "analysis/compare_model.h"

/* Fills the model's places and cells from its sources; the drives are assigned. */
void compare_place_find(struct compare_model *model);
void compare_place_release(struct compare_model *model);

bool compare_place_is_bulk(const struct compare_place *place);
/* Members that say which place is meant: part, phase, factors, streams, rows_per_commit, bulk. */
void compare_place_put(json_t *object, const struct compare_place *place);

/* A key's value as its text: "1000", "4Ki"; NULL where it is neither text nor number.  Heap. */
char *compare_place_text(const json_t *value);
/* The same text for values that mean the same ("1k" and "1000", "1s" and "1000ms").  Heap. */
char *compare_place_normal(const json_t *value);

#endif
