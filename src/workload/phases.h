/* phases.h - the value of workload.phases: "insert, delete", "mixed".  Pure. */
#ifndef WORKLOAD_PHASES_H
#define WORKLOAD_PHASES_H

#include <stddef.h>

#include "base/err.h"
#include "workload/workload.h"

/* Fails with ERR_USAGE and the words that follow "workload.phases = ...: ". */
int phases_parse(const char *text, enum phase_kind kinds[WORKLOAD_PHASES_MAX], size_t *count,
                 struct err *err);

#endif
