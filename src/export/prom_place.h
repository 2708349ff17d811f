/* prom_place.h - where a sample comes from, as labels: the result, the drive, the trial, the phase.
 *
 * No serial numbers, whatever the document holds. */
#ifndef EXPORT_PROM_PLACE_H
#define EXPORT_PROM_PLACE_H

#include <stddef.h>

#include "export/prom_label.h"
#include "report/report.h"

/* Label sets, no two of which are the same in the end. */
struct prom_place {
    struct prom_labels labels;
    const json_t *phase; /* borrowed; NULL: not of a phase */
};
struct prom_places {
    struct prom_place *items;
    size_t count, capacity;
};

/* A new one that begins with the labels of a result: run_id, label; with several also the file. */
struct prom_labels *prom_place_add(struct prom_places *places, const struct report_source *source,
                                   size_t source_count);
/* What one place has as a JSON object, { "streams": 10, "sqlite.page_size": 4096 }. */
void prom_place_factors(struct prom_labels *labels, const json_t *factors);
/* The text of a target by its number, or NULL. */
const char *prom_place_target(const json_t *summary, double target);
/* All phases of all trials. */
void prom_place_phases(struct prom_places *places, const struct report_source *source,
                       size_t source_count);
/* Of places with the same labels all but the first get another one, entry="2".  A result that is
 * given twice, or a document from elsewhere, has such. */
void prom_place_separate(struct prom_places *places);
void prom_place_release(struct prom_places *places);

#endif
