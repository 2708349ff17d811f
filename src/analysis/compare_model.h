/* compare_model.h - results as drives and places: who measured what.  Pure.
 *
 * A place is one part x phase x combination of factors; the keys that vary in any result tell
 * places apart, by the value that each trial had (a list here and one value there meet).  A cell
 * is what one drive measured at one place.  Everything but the model's own arrays is borrowed from
 * the summaries, which must live on. */
#ifndef ANALYSIS_COMPARE_MODEL_H
#define ANALYSIS_COMPARE_MODEL_H

#include "analysis/compare.h"
#include "analysis/groups.h"

enum { COMPARE_DRIVES_MAX = 26 };
#define COMPARE_NO_DRIVE SIZE_MAX

struct compare_source {
    const char *path;
    const json_t *summary;
    struct groups groups;
    size_t target_count; /* at least 1 */
    size_t *drives;      /* [target_count]; COMPARE_NO_DRIVE: the same run was given before */
};

struct compare_member {
    size_t source, target;
};

struct compare_drive {
    char name[4];      /* "A" */
    const char *label; /* NULL */
    struct compare_member *members;
    size_t count, capacity;
};

struct compare_cell {
    const struct group **groups; /* in the order of their sources */
    size_t *sources;
    size_t count, capacity;
};

struct compare_place {
    const char *part; /* NULL */
    const char *phase;
    json_t *factors;            /* of the keys that vary in any result */
    double streams;             /* NaN unknown */
    double rows_per_commit;     /* NaN unknown */
    struct compare_cell *cells; /* [drive_count] */
};

struct compare_model {
    struct compare_source *sources;
    size_t source_count;
    struct compare_drive drives[COMPARE_DRIVES_MAX];
    size_t drive_count;
    struct compare_place *places; /* in order of appearance */
    size_t place_count, place_capacity;
    json_t *notes; /* what a reader should know of the grouping */
};

/* Release it in either case. */
int compare_model_init(struct compare_model *model, const struct compare_input *inputs,
                       size_t count, const struct compare_options *options, struct err *err);
void compare_model_release(struct compare_model *model);

/* Zeroed; aborts when memory is out. */
void *compare_model_alloc(size_t count, size_t size);
/* Adds a sentence to a list of strings. */
void compare_model_say(json_t *list, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
