/* embedded.h - files that were built into the program (cmake/embed.cmake). */
#ifndef BASE_EMBEDDED_H
#define BASE_EMBEDDED_H

#include <stddef.h>

struct embedded {
    const char *name; /* file name without directory; NULL ends a table */
    const char *text; /* NUL-terminated */
    size_t size;      /* without the NUL */
};

extern const struct embedded embedded_workloads[]; /* workloads/ */
extern const struct embedded embedded_sqlite[];    /* sql/sqlite/ */
extern const struct embedded embedded_postgres[];  /* sql/postgres/ */

/* NULL: no file of that name. */
const struct embedded *embedded_find(const struct embedded *table, const char *name);

#endif
