/* search.h - the invented runs that search the number of streams. */
#ifndef GOLDEN_SEARCH_H
#define GOLDEN_SEARCH_H

/* Writes their logs into the current directory. */
void search_logs(void);

#endif
