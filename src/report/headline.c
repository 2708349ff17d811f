#include "report/headline.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum kind { KIND_COMMIT, KIND_BULK, KINDS };

static const char *const rates[KINDS] = {"commits_per_s", "rows_per_s"};

struct ranks {
    const struct group *best[KINDS][STANDINGS];
    double most[KINDS][STANDINGS];
    size_t counts[KINDS][STANDINGS];
};

static void find_ranks(const struct view *view, struct ranks *ranks)
{
    *ranks = (struct ranks){0};
    for (size_t i = 0; i < view->groups.count; i++) {
        const struct group *group = &view->groups.items[i];
        if (strcmp(group->phase, view->groups.items[0].phase) != 0)
            continue;
        bool is_bulk = view_rows_per_commit(view, group) >= VIEW_BULK_ROWS;
        enum kind kind = is_bulk ? KIND_BULK : KIND_COMMIT;
        enum standing standing = standing_of(group);
        struct spread spread;
        group_rate(group, rates[kind], &spread);
        ranks->counts[kind][standing]++;
        if (isnan(spread.median) ||
            (ranks->best[kind][standing] && spread.median <= ranks->most[kind][standing]))
            continue;
        ranks->best[kind][standing] = group;
        ranks->most[kind][standing] = spread.median;
    }
}

static enum standing first_standing(const struct ranks *ranks, enum kind kind)
{
    int standing = 0;
    while (standing < STANDINGS && !ranks->best[kind][standing])
        standing++;
    return (enum standing)standing;
}

void headline_find(const struct view *view, struct headline *h)
{
    struct ranks ranks;
    find_ranks(view, &ranks);
    *h = (struct headline){.standing = STANDINGS};
    enum standing commit = first_standing(&ranks, KIND_COMMIT);
    enum standing bulk = first_standing(&ranks, KIND_BULK);
    if (commit < STANDINGS)
        h->commit = ranks.best[KIND_COMMIT][commit];
    if (bulk < STANDINGS)
        h->bulk = ranks.best[KIND_BULK][bulk];
    bool is_commit = h->commit && !((standing_is_loose(commit) || commit == STANDING_ELSEWHERE) &&
                                    bulk < commit);
    enum kind kind = is_commit ? KIND_COMMIT : KIND_BULK;
    if (!is_commit)
        h->commit = NULL;
    h->main = is_commit ? h->commit : h->bulk;
    h->standing = is_commit ? commit : bulk;
    if (!h->main)
        return;
    h->combinations = ranks.counts[kind][h->standing];
    for (int s = (int)h->standing + 1; s < STANDINGS; s++)
        h->others[s] = ranks.best[kind][s];
}

const char *headline_rate(const struct headline *headline)
{
    return rates[headline->commit ? KIND_COMMIT : KIND_BULK];
}
