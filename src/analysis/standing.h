/* standing.h - what a group's commits were worth: only like stands beside like.
 *
 * A rate without flushes, or without a drive, wins over no flushed one: "flushed" is a word that
 * must be earned (measurement.md).  Pure. */
#ifndef ANALYSIS_STANDING_H
#define ANALYSIS_STANDING_H

#include <stdbool.h>

#include "analysis/groups.h"

enum flushed {
    FLUSHED_YES,       /* the engine asked, and the drive flushed or has no volatile cache */
    FLUSHED_NOT_SEEN,  /* the engine asked, the cache is volatile, and no flush arrived */
    FLUSHED_NOT_ASKED, /* these settings return from a commit before the drive has flushed, or
                        * there is a risk */
    FLUSHED_UNKNOWN,
};
enum flushed standing_flushed(const struct group *group);
/* Why a commit may be lost ("fsync is off"), as the engine says it of its settings, or NULL. */
const char *standing_risk(const struct group *group);

/* The most comparable first. */
enum standing {
    STANDING_FLUSHED,
    STANDING_UNKNOWN,   /* nothing says whether commits were flushed */
    STANDING_BARE,      /* fsync: no database */
    STANDING_UNFLUSHED, /* not durable */
    STANDING_ELSEWHERE, /* commits waited for another drive than the one under test */
    STANDING_NO_DRIVE,  /* null: loadline itself */
    STANDINGS
};
enum standing standing_of(const struct group *group);
/* The commits did not wait for the drive: its times and its floor say nothing of them. */
bool standing_is_loose(enum standing standing);

#endif
