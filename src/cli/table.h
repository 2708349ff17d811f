/* table.h - tables in the terminal, by libsmartcols.  Main thread. */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include <stdio.h>

#include "base/err.h"

struct table;

/* Column titles, ended by NULL.  A leading '>' in a title: numbers, aligned right.  The last
 * column wraps at a terminal's width; elsewhere lines are as long as they need. */
struct table *table_create(FILE *out, const char *const *titles);
/* As many texts as there are titles; copied.  NULL is shown as "-". */
void table_add(struct table *table, const char *const *cells);
/* Prints and destroys; rows are indented by two blanks. */
int table_print(struct table *table, struct err *err);

#endif
