/* view.h - what every section of a report gets, and how it writes. */
#ifndef REPORT_VIEW_H
#define REPORT_VIEW_H

#include "analysis/groups.h"
#include "base/format.h"
#include "report/report.h"
#include "report/sink.h"
#include "report/text.h"

struct families;
struct view {
    struct sink *sink;
    const json_t *summary;
    const struct report_options *options;
    size_t width; /* of a form without columns: what keys of a table may take */
    struct groups groups;
    const struct families *families; /* families.h */
};

/* Parts of a report (sink.h).  Where there is a text it is released, and an empty one is left
 * out. */
void view_title(const struct view *view, const char *const *parts, size_t count);
void view_heading(const struct view *view, struct text *text);
void view_caption(const struct view *view, struct text *text);
void view_line(const struct view *view, const char *label, struct text *text);
void view_line_at(const struct view *view, const char *label, size_t column, struct text *text);
/* A fact that begins with a safe name; names of several stand below each other. */
void view_entry(const struct view *view, const char *label, const char *name, size_t columns,
                struct text *text);
void view_finding(const struct view *view, const char *label, enum sink_voice voice,
                  struct text *text);
void view_point(const struct view *view, const char *label, struct text *text);
void view_note(const struct view *view, struct text *text);
void view_table(const struct view *view, const char *name, const struct table *table);
void view_gap(const struct view *view);

/* What is drawn with characters is written to `out`, then shown as it is. */
struct view_block {
    FILE *out;
    char *data;
    size_t size;
};
void view_block_begin(struct view_block *block);
void view_block_end(const struct view *view, struct view_block *block);

/* The text of a document, safe and not longer than a few lines; heap; NULL becomes "". */
char *view_clean(const struct view *view, const char *text);
/* Adds `before`, then a document's text made safe. */
void view_add_clean(const struct view *view, struct text *text, const char *before,
                    const char *value);

/* Cells; each fills *out and returns it.  NaN is "-". */
const char *view_ms(struct format_text *out, double ms);           /* 0.17, 19.2, 1,234 */
const char *view_percent(struct format_text *out, double share);   /* 0.84 -> 84% */
const char *view_decimals(struct format_text *out, double value);  /* 1.07, 10.5, 1,234 */
const char *view_kib(struct format_text *out, double bytes);       /* 9626 -> 9.4 */
const char *view_seconds(struct format_text *out, double seconds); /* 4.1 */

/* As asked for, else as measured; NaN unknown. */
double view_rows_per_commit(const struct view *view, const struct group *group);
/* The workload's text of a key in this group ("table-per-stream"), or NULL. */
const char *view_key(const struct view *view, const struct group *group, const char *key);
/* "40 streams, shared-table, page_size 4096": what tells this combination from others; heap, safe.
 */
char *view_place(const struct view *view, const struct group *group);
/* Adds one factor, after a comma where the text is not empty; not safe yet. */
void view_add_factor(struct text *text, const char *name, const json_t *value);
/* The most repeats that any group has. */
size_t view_repeats(const struct view *view);

/* From this many rows in a commit on, rows/s is what counts, below it commits/s. */
#define VIEW_BULK_ROWS 100

#endif
