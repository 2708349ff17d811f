/* prom_facts.h - what is no metric of a phase: the result, its drives, its verdicts, as gauges that
 * are 1 and say it in labels (the way of node_exporter's *_info). */
#ifndef EXPORT_PROM_FACTS_H
#define EXPORT_PROM_FACTS_H

#include "export/prom_place.h"

void prom_facts_results(struct prom_places *places, const struct report_source *source,
                        size_t source_count);
void prom_facts_devices(struct prom_places *places, const struct report_source *source,
                        size_t source_count);
/* Each finding of "analysis", with what it was found of. */
void prom_facts_verdicts(struct prom_places *places, const struct report_source *source,
                         size_t source_count);

#endif
