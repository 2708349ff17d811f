#include "report/flushed.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Group commit lets many commits share one flush; below this there is none to share. */
#define FLUSHES_PER_COMMIT_LEAST 0.02

enum flushed flushed_judge(const struct group *group)
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
