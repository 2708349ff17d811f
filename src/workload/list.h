/* list.h - "1, 10, 20" as its elements.  Pure. */
#ifndef WORKLOAD_LIST_H
#define WORKLOAD_LIST_H

#include <stddef.h>

#include "base/err.h"

struct list {
    char **items; /* heap, each NUL-terminated */
    size_t count;
};

/* Splits at commas outside double quotes, trims, takes the quotes off.  An empty element
 * or a quote that is not around a whole element fails with ERR_USAGE; *list is then empty.
 * Aborts when memory is out. */
int list_split(struct list *list, const char *text, struct err *err);
void list_append(struct list *list, const char *item, size_t size);
/* The elements with ", " between them.  Heap. */
char *list_join(const struct list *list);
void list_release(struct list *list);

#endif
