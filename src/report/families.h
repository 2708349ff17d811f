/* families.h - the groups of a report by the table that shows them, and their key columns.
 *
 * One family holds all phases that have one combination of factors ("singles"), told apart by phase
 * and rows a commit; each part x phase with several combinations is a family of its own (a
 * "sweep"), told apart by the factors that vary in it.  Where those take too much of the width,
 * lines have numbers and families_legend() says what they stand for. */
#ifndef REPORT_FAMILIES_H
#define REPORT_FAMILIES_H

#include "report/table.h"
#include "report/view.h"

enum family_kind { FAMILY_SINGLES, FAMILY_SWEEP };
enum { FAMILY_KEYS_SHOWN = 6 }; /* key columns that a table may have; more become a legend */

struct family {
    enum family_kind kind;
    const struct group **groups; /* [count]; at least one */
    size_t count;
    const char **varying; /* [varying_count]; names of factors; borrowed */
    size_t varying_count;
    bool numbered;
    size_t *numbers; /* [count]; of each group's combination in its part, from 1 */
    char *names[FAMILY_KEYS_SHOWN];
    size_t key_count;
};

struct families {
    struct family *items; /* singles first, then sweeps in order of appearance */
    size_t count;
};

/* Reads view->groups; the view must live on. */
void families_init(struct families *families, const struct view *view);
void families_release(struct families *families);
/* The group itself where its phase has one combination only, else NULL. */
const struct group *families_single(const struct families *families, const struct group *group);
/* view_place(), or where lines have numbers "#12"; heap. */
char *families_place(const struct view *view, const struct group *group);

/* Fills the first `key_count` columns; `label` stands over the name of the phase. */
void family_columns(const struct family *family, const char *label, struct table_column *columns);
/* Starts a row and fills its key cells for groups[at], or leaves them empty. */
void family_row(const struct view *view, const struct family *family, size_t at,
                struct table *table);
void family_more_row(const struct family *family, struct table *table);
/* What the numbers stand for; nothing where there are none. */
void family_legend(const struct view *view, const struct family *family);
/* "8 streams, page_size 4,096": a group's factors, of those that vary in its family; heap. */
char *family_place(const struct view *view, const struct family *family, size_t at);
bool family_varies(const struct family *family, const char *factor);

#endif
