/* listing.h - tables in the terminal, by libsmartcols.  Main thread. */
#ifndef CLI_LISTING_H
#define CLI_LISTING_H

#include <stdio.h>

#include "base/err.h"

struct listing;

/* Column titles, ended by NULL.  A leading '>' in a title: numbers, aligned right.  The last
 * column wraps at a terminal's width; elsewhere lines are as long as they need. */
struct listing *listing_create(FILE *out, const char *const *titles);
/* As many texts as there are titles; copied.  NULL is shown as "-". */
void listing_add(struct listing *listing, const char *const *cells);
/* Prints and destroys; rows are indented by two blanks. */
int listing_print(struct listing *listing, struct err *err);

#endif
