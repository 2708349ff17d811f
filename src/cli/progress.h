/* progress.h - what a person sees on stderr while a run goes.  Main thread.
 *
 * At a terminal one live line, rewritten at most ten times a second and removed at the
 * end; elsewhere a plain line every five seconds and at a change of phase. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "driver/run.h"

/* One line about `now`, at most `width` columns: from 119 on all of it in words, from 79 on all of
 * it with short units (40st streams, c/s commits/s, w/s writes/s, f/s flushes/s), below in words
 * what matters most.  What was not measured is "-"; an unknown temperature or time left is left
 * out. Pure. */
void progress_line(const struct run_progress *now, int width, char *out, size_t size);

struct progress {
    struct run_watch watch; /* hand this to run_execute() */
    FILE *out;
    int fd;
    bool terminal;   /* a width is to be kept */
    bool live;       /* a terminal that can rewrite a line */
    int64_t last_ns; /* of the line before; 0: none yet */
    int columns;     /* of the live line that stands there; 0: none */
    unsigned trial;  /* of the line before */
    char phase[32];
};

/* `fd` is what lies under `out`. */
void progress_init(struct progress *progress, FILE *out, int fd);
/* Removes the live line. */
void progress_clear(struct progress *progress);

#endif
