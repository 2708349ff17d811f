/* environment.h - the machine, and how busy it is.  Linux /proc. */
#ifndef MEASURE_ENVIRONMENT_H
#define MEASURE_ENVIRONMENT_H

#include <stdint.h>

struct environment {
    char kernel[128];
    char cpu_model[128];   /* "" unknown */
    unsigned cpus;         /* online */
    uint64_t memory_bytes; /* 0 unknown */
};

void environment_read(struct environment *environment);

/* The machine's own name, below root ("" = the real system); "" unknown.  Told only with
 * permission. */
enum { ENVIRONMENT_HOST = 128 };
void environment_host(const char *root, char host[ENVIRONMENT_HOST]);

/* Whole machine, from the first line of /proc/stat, in clock ticks. busy is all but
 * idle and iowait (guest time is inside user already).  False: not readable. */
struct host_cpu {
    uint64_t busy, total;
};
int environment_host_cpu(struct host_cpu *cpu); /* 0 or -1 */
/* The same from a text of that line.  Pure. */
int environment_parse_cpu(const char *line, struct host_cpu *cpu);

#endif
