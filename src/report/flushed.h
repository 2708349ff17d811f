/* flushed.h - may commits be called "flushed"?  A word that must be earned (measurement.md). */
#ifndef REPORT_FLUSHED_H
#define REPORT_FLUSHED_H

#include "report/view.h"

enum flushed {
    FLUSHED_YES,       /* the engine asked, and the drive flushed or has no volatile cache */
    FLUSHED_NOT_SEEN,  /* the engine asked, the cache is volatile, and no flush arrived */
    FLUSHED_NOT_ASKED, /* these settings return from a commit before the drive has flushed */
    FLUSHED_UNKNOWN,
};
enum flushed flushed_judge(const struct group *group);

#endif
