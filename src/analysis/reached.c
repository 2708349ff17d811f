#include "analysis/reached.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "analysis/standing.h"
#include "result/put.h"

static bool same_part(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static void measure(const struct group *group, const char *name, struct spread *spread)
{
    if (strcmp(name, "write_iops") == 0)
        group_spread(group, "data.write_iops", spread);
    else
        group_rate(group, name, spread);
}

/* Rates of commits are compared among those of the best standing; a drive's writes among all. */
static enum standing rank_of(const struct group *group, const char *name)
{
    enum standing standing = standing_of(group);
    bool is_drive = strcmp(name, "write_iops") == 0 && standing != STANDING_NO_DRIVE;
    return is_drive ? STANDING_FLUSHED : standing;
}

static bool is_higher(enum standing rank, double value, enum standing best_rank, double best)
{
    return rank < best_rank || (rank == best_rank && !(value <= best));
}

static json_t *flushed_json(const struct group *group)
{
    switch (standing_flushed(group)) {
    case FLUSHED_YES:
        return json_true();
    case FLUSHED_NOT_SEEN:
    case FLUSHED_NOT_ASKED:
        return json_false();
    case FLUSHED_UNKNOWN:
        break;
    }
    return NULL;
}

/* The group of this part with the highest median; null where none knows the figure. */
static json_t *highest_json(const struct groups *groups, const char *part, const char *name)
{
    const struct group *best = NULL;
    enum standing best_rank = STANDINGS;
    struct spread most = {.median = NAN};
    for (size_t i = 0; i < groups->count; i++) {
        struct spread spread;
        if (!same_part(groups->items[i].part, part))
            continue;
        measure(&groups->items[i], name, &spread);
        enum standing rank = rank_of(&groups->items[i], name);
        if (!isnan(spread.median) && is_higher(rank, spread.median, best_rank, most.median)) {
            best = &groups->items[i];
            best_rank = rank;
            most = spread;
        }
    }
    if (!best)
        return NULL;
    json_t *entry = json_object();
    put_real(entry, "value", most.median);
    put_real(entry, "low", most.low);
    put_real(entry, "high", most.high);
    put_count(entry, "repeats", (double)most.count);
    put_text(entry, "phase", best->phase);
    put(entry, "flushed", flushed_json(best));
    put(entry, "factors", best->factors ? json_deep_copy(best->factors) : json_object());
    return entry;
}

json_t *reached_json(const struct groups *groups)
{
    static const char *const names[] = {"rows_per_s", "commits_per_s", "write_iops"};
    enum { PARTS_MAX = 256 }; /* a bound for strange files */
    json_t *reached = json_array();
    for (size_t i = 0; i < groups->count && json_array_size(reached) < PARTS_MAX; i++) {
        const char *part = groups->items[i].part;
        bool seen = false;
        for (size_t k = 0; k < json_array_size(reached) && !seen; k++)
            seen = same_part(json_text_at(json_array_get(reached, k), "part"), part);
        if (seen)
            continue;
        json_t *entry = json_object();
        put_text(entry, "part", part);
        for (size_t n = 0; n < sizeof names / sizeof *names; n++)
            put(entry, names[n], highest_json(groups, part, names[n]));
        json_array_append_new(reached, entry);
    }
    return reached;
}
