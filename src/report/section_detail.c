#include <stdlib.h>

#include "report/detail.h"
#include "report/sections.h"

static void print_title(const struct view *view, const struct family *family)
{
    struct text text = {0};
    const struct group *group = family->groups[0];
    if (!view->sink->form->has_columns && family->kind == FAMILY_SINGLES)
        return; /* the section's own heading says it */
    text_add(&text, "detail");
    if (family->kind == FAMILY_SWEEP)
        text_add(&text, " of %s", group->phase);
    if (family->kind == FAMILY_SWEEP && group->part)
        text_add(&text, " (%s)", group->part);
    struct text safe = {0};
    view_add_clean(view, &safe, "", text.data);
    view_heading(view, &safe);
    view_gap(view);
    text_release(&text);
}

void section_detail(const struct view *view)
{
    view_gap(view);
    for (size_t f = 0; f < view->families->count; f++) {
        const struct family *family = &view->families->items[f];
        print_title(view, family);
        if (family->kind == FAMILY_SINGLES) {
            detail_times(view, family);
            detail_load(view, family);
        } else {
            detail_costs(view, family);
            detail_waits(view, family);
        }
        detail_slopes(view, family);
        detail_wal(view, family);
        detail_retries(view, family);
    }
}
