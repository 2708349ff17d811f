/* csv_samples.h - the table of intervals: what happened from one sample to the next. */
#ifndef EXPORT_CSV_SAMPLES_H
#define EXPORT_CSV_SAMPLES_H

#include "export/csv_place.h"

void csv_samples_header(struct csv_line *line, const struct csv_factors *factors);
/* The lines of a phase, the one at `number` in its trial's list; none where it has no course. */
void csv_samples_write(struct csv_line *line, const struct csv_factors *factors,
                       const struct csv_place *place, size_t number);
void csv_samples_describe(csv_column_visit visit, void *ctx);

#endif
