/* postgres.h - the invented runs of a server. */
#ifndef GOLDEN_POSTGRES_H
#define GOLDEN_POSTGRES_H

/* Writes their logs into the current directory. */
void postgres_logs(void);

#endif
