/* programs.h - where PostgreSQL's programs are looked for; cluster.h has the call for everybody
 * else.  Main thread. */
#ifndef ADAPTERS_POSTGRES_PROGRAMS_H
#define ADAPTERS_POSTGRES_PROGRAMS_H

#include "adapter.h"

enum { POSTGRES_PROGRAMS_OLDEST = 13 };

struct postgres_places {
    const char *given;    /* this directory and no other; NULL: look */
    const char *search;   /* as $PATH; may be NULL */
    const char *versions; /* directory with N/bin in it, as Debian has it */
};

enum op_status postgres_programs_search(const struct postgres_places *places, char **directory,
                                        int *version, struct op_error *why);

/* "postgres (PostgreSQL) 15.18 (Debian ..)" -> 15; 0: not such a line.  Pure. */
int postgres_programs_version(const char *line);

#endif
