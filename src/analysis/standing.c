#include "analysis/standing.h"

#include <math.h>
#include <string.h>

/* Group commit lets many commits share one flush; below this there is none to share. */
#define FLUSHES_PER_COMMIT_LEAST 0.02

enum flushed standing_flushed(const struct group *group)
{
    const json_t *asked = json_object_get(group->trials[0], "commit_flushes");
    const char *cache = json_text_at(group_device(group), "write_cache");
    double flushes = group_median(group, "per_commit.flushes");
    bool seen = flushes > FLUSHES_PER_COMMIT_LEAST;
    if (json_is_false(asked))
        return FLUSHED_NOT_ASKED;
    if (!json_is_true(asked))
        return FLUSHED_UNKNOWN;
    if (seen || (cache && strcmp(cache, "write through") == 0))
        return FLUSHED_YES;
    return isnan(flushes) || !cache ? FLUSHED_UNKNOWN : FLUSHED_NOT_SEEN;
}

enum standing standing_of(const struct group *group)
{
    const char *engine = group_engine(group);
    if (engine && strcmp(engine, "null") == 0)
        return STANDING_NO_DRIVE;
    switch (standing_flushed(group)) {
    case FLUSHED_NOT_SEEN:
    case FLUSHED_NOT_ASKED:
        return STANDING_UNFLUSHED;
    case FLUSHED_UNKNOWN:
    case FLUSHED_YES:
        break;
    }
    if (engine && strcmp(engine, "fsync") == 0)
        return STANDING_BARE;
    return standing_flushed(group) == FLUSHED_YES ? STANDING_FLUSHED : STANDING_UNKNOWN;
}

bool standing_is_loose(enum standing standing)
{
    return standing == STANDING_UNFLUSHED || standing == STANDING_NO_DRIVE;
}
