/* suggest.h - what a person may have meant by a name that does not exist.  Pure. */
#ifndef WORKLOAD_SUGGEST_H
#define WORKLOAD_SUGGEST_H

#include <stddef.h>

#include "workload/key.h"

/* Fewest insertions, deletions, replacements and swaps of neighbours that make `b` of `a`
 * (optimal string alignment); names longer than 63 bytes are far from everything. */
unsigned suggest_distance(const char *a, const char *b);
/* The key whose name, or name without its section, is `name` but for a typing error; NULL. */
const struct key *suggest_key(const struct key *const *keys, size_t count, const char *name);
/* `name` begins like `wildcard` ("postgres.conf.*") but for a typing error: what stands in place of
 * the *; NULL: it does not. */
const char *suggest_wildcard(const char *wildcard, const char *name);
/* Reserved for a later version: a key, a section of which all keys are. */
bool suggest_is_reserved(const char *name);
bool suggest_is_reserved_section(const char *section);

#endif
