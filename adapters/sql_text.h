/* sql_text.h - statements of sql/ with their {placeholders} filled in.  Pure, but for the heap. */
#ifndef ADAPTERS_SQL_TEXT_H
#define ADAPTERS_SQL_TEXT_H

#include "base/embedded.h"
#include "workload/row.h"

/* One {placeholder} and what takes its place. */
struct sql_value {
    const char *name;
    const char *text;
};

/* The statement of file `name`, as it is written; asserts that the file is there. */
const char *sql_text_raw(const struct embedded *files, const char *name);

/* The same without lines of comment, each placeholder replaced (asserts that it is among `values`,
 * which end with a NULL name).  Heap, the caller frees; NULL when memory is out. */
char *sql_text_expand(const struct embedded *files, const char *name,
                      const struct sql_value *values);

/* One piece for each key column, ", " between them: "k#" gives "k1, k2", with every # the column's
 * number, counted from `first`. */
struct sql_list {
    char text[ROW_KEYS_MAX * 40];
};
struct sql_list sql_text_list(const char *piece, unsigned first, unsigned count);

#endif
