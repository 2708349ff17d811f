/* csv_place.h - the first columns of both tables: which result, trial and phase a line is of, and
 * what varied. */
#ifndef EXPORT_CSV_PLACE_H
#define EXPORT_CSV_PLACE_H

#include "export/csv.h"
#include "export/csv_field.h"

/* All borrowed. */
struct csv_place {
    const struct report_source *source;
    const json_t *trial, *phase;
};

/* The varying factors of all results, each once, sorted by name. */
struct csv_factors {
    json_t *seen;       /* holds the names */
    const char **names; /* [count] */
    size_t count;
};

/* Without those that other columns of the table tell.  Aborts when memory is out. */
void csv_place_factors(struct csv_factors *factors, const struct report_source *sources,
                       size_t count);
void csv_place_factors_release(struct csv_factors *factors);

/* `others`: the table's other columns, until a NULL; a factor called like one of them gets the full
 * name of its key ("workload.rows"). */
void csv_place_header(struct csv_line *line, enum csv_table table,
                      const struct csv_factors *factors, const char *const *others);
void csv_place_write(struct csv_line *line, enum csv_table table, const struct csv_factors *factors,
                     const struct csv_place *place);
void csv_place_describe(enum csv_table table, csv_column_visit visit, void *ctx);

#endif
