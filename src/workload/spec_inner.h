/* spec_inner.h - what spec.c, the other spec_*.c share. */
#ifndef WORKLOAD_SPEC_INNER_H
#define WORKLOAD_SPEC_INNER_H

#include <stdbool.h>

#include "workload/list.h"
#include "workload/spec.h"

struct values {
    struct list list; /* empty: not given at this level */
    unsigned line;    /* of the file; 0: none */
};

struct part {
    char *name;
    unsigned line;
    struct values *own; /* [key_count] */
};

struct spec {
    /* The tables' rows but the wildcards, then the keys that a wildcard let in, which are ours. */
    const struct key **keys;
    size_t key_count;
    size_t table_count;           /* of them, rows of tables */
    const struct key **wildcards; /* rows whose name ends in ".*" */
    size_t wildcard_count;
    struct values *fallback, *file, *options; /* [key_count] */
    struct part *parts;                       /* [part] sections */
    size_t part_count;
};

/* Where a value was written, for messages. */
struct origin {
    const char *file; /* NULL: an option */
    unsigned line;
    const char *option;
};

/* All values that `text` holds for a key, each checked.  Messages begin with the origin. */
int values_parse(struct list *list, const struct key *key, const char *text,
                 const struct origin *origin, struct err *err);

/* Two checked values of a key that mean the same: 1000 and 1k. */
bool values_same(const struct key *key, const char *a, const char *b);

/* The index of a key by its full name; -1 with a sentence that suggests the right one.  The first
 * use of a name that a wildcard lets in makes it a key: arrays by key are then longer. */
int spec_find(struct spec *spec, const char *name, size_t *key, struct err *err);
/* Rows of `table`, unless it was added before. */
void spec_add_table(struct spec *spec, const struct key *table);
/* Takes away the keys of wildcards that no option has set; file and parts must be gone. */
void spec_drop_unused(struct spec *spec);
/* Fails unless some key lies in this section. */
int spec_check_section(const struct spec *spec, const char *section, struct err *err);
/* What holds for every part unless the part has its own: never empty. */
const struct values *spec_common(const struct spec *spec, size_t key);
/* The part's own values where they count; NULL: spec_common() holds. */
const struct values *spec_override(const struct spec *spec, size_t part, size_t key);

/* What no key can say alone: a delete phase without rows to delete, say. */
int spec_check(const struct workload *load, struct err *err);

/* Zeroed; never NULL. */
void *spec_zeroed(size_t count, size_t size);
struct values *spec_level_create(const struct spec *spec);
void spec_level_destroy(const struct spec *spec, struct values *level);
void spec_forget_file(struct spec *spec);

#endif
