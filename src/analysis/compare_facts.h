/* compare_facts.h - what may make two results unlike: of a target, and of what was measured there.
 * Pure.
 *
 * A fact is a member of an object: its name as a person reads it, its value as a text, null where
 * the result does not say. */
#ifndef ANALYSIS_COMPARE_FACTS_H
#define ANALYSIS_COMPARE_FACTS_H

#include "analysis/compare_model.h"

/* Machine, file system, engine: where they differ no winner is named.  New reference. */
json_t *compare_facts_setting(const struct compare_source *source, size_t target);
/* Model, link, capacity, fill: drives differ in these by nature.  New reference. */
json_t *compare_facts_nature(const struct compare_source *source, size_t target);
/* Every resolved key of the workload that makes load, and every setting of the engine that is no
 * such key.  New reference. */
json_t *compare_facts_load(const struct group *group);

#endif
