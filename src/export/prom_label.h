/* prom_label.h - the labels of one sample: name="value",...  Values are made safe (report/text.h),
 * since such a text is also read at a terminal, then escaped as OpenMetrics wants it. */
#ifndef EXPORT_PROM_LABEL_H
#define EXPORT_PROM_LABEL_H

#include <stddef.h>

struct prom_labels {
    char *data; /* without braces; NULL: none */
    size_t size, capacity;
};

/* Leaves out a value that is NULL or "", which mean the same there.  `name` must be a valid one
 * that is not there yet. */
void prom_label_add(struct prom_labels *labels, const char *name, const char *value);
/* The same with a name from elsewhere ("sqlite.page_size"): sqlite_page_size; where another one is
 * called so, or "entry", "le", "quantile": factor_sqlite_page_size, then factor_sqlite_page_size_2,
 * and so on. */
void prom_label_add_any(struct prom_labels *labels, const char *name, const char *value);
void prom_label_add_number(struct prom_labels *labels, const char *name, double value);
void prom_label_release(struct prom_labels *labels);

#endif
