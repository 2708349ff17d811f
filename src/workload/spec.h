/* spec.h - what a person asked for: every key with its list of values, by part.
 *
 * Built-in default < workload file < [part] sections < options; the later option wins.
 *
 *     spec_create(tables) -> spec_read(file) -> spec_set(option)... -> plan_create(spec)
 */
#ifndef WORKLOAD_SPEC_H
#define WORKLOAD_SPEC_H

#include <stddef.h>

#include "base/err.h"
#include "base/json.h"
#include "workload/workload.h"

struct spec;

/* `tables` ends with NULL; key_core is added by itself.  Never NULL. */
struct spec *spec_create(const struct key *const *tables);
void spec_destroy(struct spec *spec);

/* Reads a workload file's text.  `name` is for messages ("workloads/x.ini").  An unknown
 * key, a bad value or a duplicate fails with ERR_USAGE, file and line. */
int spec_read(struct spec *spec, const char *text, size_t size, const char *name, struct err *err);
/* One option, "SECTION.KEY" and its values ("1, 10, 20").  `origin` is how the person
 * wrote it ("--streams", "-s"), for messages.  Overrides in every part. */
int spec_set(struct spec *spec, const char *key, const char *values, const char *origin,
             struct err *err);

/* Parts: at least one; the only part of a file without [part] sections has name NULL. */
size_t spec_part_count(const struct spec *spec);
const char *spec_part_name(const struct spec *spec, size_t part);

/* All keys, in table order, then those that a wildcard row (key.h) let in, in the order of their
 * first use; and the values of one in one part (count >= 1). */
size_t spec_key_count(const struct spec *spec);
const struct key *spec_key(const struct spec *spec, size_t key);
const char *const *spec_values(const struct spec *spec, size_t part, size_t key, size_t *count);

/* The workload with value choice[key] of each key; checks what no single key can
 * (a delete phase without rows to delete, ids that do not fit, ...).  Heap. */
int spec_resolve(const struct spec *spec, size_t part, const size_t *choice, struct workload **load,
                 struct err *err);
void workload_destroy(struct workload *load);

/* { "SECTION.KEY": "text" or [..], ...}; parts add {"parts": [{"name": .., overrides}]}. New
 * reference. */
json_t *spec_json(const struct spec *spec);
/* The names of the keys that in some part are anything but just their built-in value, in table
 * order: ["workload.rows", ...]; "1k" is no other value than "1000".  New reference. */
json_t *spec_differs_json(const struct spec *spec);

#endif
