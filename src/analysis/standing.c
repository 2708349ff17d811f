#include "analysis/standing.h"

#include <math.h>
#include <string.h>

/* Group commit lets many commits share one flush; below this there is none to share. */
#define FLUSHES_PER_COMMIT_LEAST 0.02

const char *standing_risk(const struct group *group)
{
    const json_t *settings = json_object_get(group->trials[0], "engine_settings");
    const char *risk = json_string_value(json_object_get(settings, "durability"));
    return risk && *risk ? risk : NULL;
}

/* A commit waits for the log: where that lies on a device of its own, its flushes count. */
static double flushes_per_commit(const struct group *group)
{
    if (!group_log_apart(group))
        return group_median(group, "per_commit.flushes");
    double commits = group_median(group, "commits");
    return commits > 0 ? group_median(group, "wal.flushes") / commits : NAN;
}

enum flushed standing_flushed(const struct group *group)
{
    const json_t *asked = json_object_get(group->trials[0], "commit_flushes");
    const char *cache = json_text_at(group_log_device(group), "write_cache");
    double flushes = flushes_per_commit(group);
    bool seen = flushes > FLUSHES_PER_COMMIT_LEAST;
    if (json_is_false(asked) || standing_risk(group))
        return FLUSHED_NOT_ASKED;
    bool unseen = group_is_elsewhere(group) && !group_log_apart(group); /* nobody knows where */
    if (!json_is_true(asked) || unseen || group_memory(group))
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
    if (group_is_elsewhere(group))
        return STANDING_ELSEWHERE;
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
