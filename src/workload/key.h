/* key.h - the table of keys: what a workload can say.
 *
 * One row is one key of a workload file, of `-s SECTION.KEY=VALUE`, of the long options
 * and of the help texts.  The core's rows are in key.c, an engine's rows are in its
 * adapter; all are handed to spec_create().
 *
 * A row whose name ends in ".*" ("postgres.conf.*": KEY_TEXT, optional, fallback "-") is a
 * wildcard: any name of letters, digits, _ and . may stand for the *, and is a key of its own as
 * soon as it is used. */
#ifndef WORKLOAD_KEY_H
#define WORKLOAD_KEY_H

#include <stdbool.h>

#include "base/err.h"

enum key_type {
    KEY_COUNT,    /* parse_count */
    KEY_SIZE,     /* parse_size */
    KEY_DURATION, /* parse_duration; min and max in seconds */
    KEY_SHARE,    /* parse_share; min and max as fractions */
    KEY_INTEGER,  /* parse_integer */
    KEY_NUMBER,   /* parse_number */
    KEY_CHOICE,   /* one of `choices` */
    KEY_PHASES,   /* names of phases; the one key whose commas do not make a list */
    KEY_TEXT,
};

struct key {
    const char *name; /* "workload.rows"; NULL ends a table */
    enum key_type type;
    const char *fallback; /* the built-in value; "-" = not set (allowed only with `optional`) */
    bool optional;        /* "-" is a value: not set */
    double min, max;      /* both 0: no bound */
    const char *const *choices; /* NULL-terminated, for KEY_CHOICE */
    const char *word;           /* may stand for a number ("auto"), or NULL: then it is NaN */
    const char *option;         /* long option without dashes, or NULL */
    const char *help;           /* one line */
};

extern const struct key key_core[];

/* Is `text` one value of this key?  The sentence in *err says what would be right. */
int key_check(const struct key *key, const char *text, struct err *err);
/* The same for a message that has named key and value already ("workload.streams = 0: ..."). */
int key_check_value(const struct key *key, const char *text, struct err *err);
/* The choice that this one is another word for ("database-per-stream" is "file-per-stream"), or
 * `text` itself. */
const char *key_canonical(const struct key *key, const char *text);
/* A checked value as a number: a count or size as it is, a duration in seconds, a share as
 * fraction; NaN for "-" and for what is no number. */
double key_number(const struct key *key, const char *text);

#endif
