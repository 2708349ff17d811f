/* incidents.h - those events of a result's log that may explain what a drive did: a checkpoint, a
 * limit, a connection lost, a retry storm.  Pure. */
#ifndef ANALYSIS_INCIDENTS_H
#define ANALYSIS_INCIDENTS_H

#include <stddef.h>

#include "base/json.h"

struct incident {
    double trial, at_s;      /* since the run's start */
    const char *kind, *text; /* borrowed from the summary; text may be "" */
};

struct incidents {
    struct incident *items; /* [count], by trial and time */
    size_t count;
};

void incidents_init(struct incidents *incidents, const json_t *summary);
void incidents_release(struct incidents *incidents);

/* The first of the trial in [from_s, to_s], or NULL. */
const struct incident *incidents_find(const struct incidents *incidents, double trial,
                                      double from_s, double to_s);
/* How many of the kind the trial has. */
size_t incidents_count(const struct incidents *incidents, double trial, const char *kind);

#endif
