/* report.h - a summary document (with "analysis") as something to read.
 *
 * A report reads nothing but the document, and the samples for its one small chart.  Every form has
 * the same sections in the same words: sections write to a sink (sink.h), which knows the form. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/json.h"
#include "result/course.h"

/* A result file as every form takes it.  All borrowed. */
struct report_source {
    const char *path;              /* as given; NULL: not told */
    const json_t *summary;         /* with "analysis" */
    const struct courses *courses; /* NULL: no samples */
};

struct report_options {
    int width; /* columns; text stays inside from 60 on */
    bool colour;
    bool utf8;
    const char *result_path;       /* shown in the last line; NULL: left out */
    const struct courses *courses; /* for the small chart; NULL: none */
};

/* Tables and verdict, as output.md shows them. */
int report_text(FILE *out, const json_t *summary, const struct report_options *options,
                struct err *err);

/* The same for an issue or a blog: headings, lists and pipe tables (GitHub Flavored Markdown).  Of
 * the options only result_path counts.  Nothing of the document can become markup. */
int report_markdown(FILE *out, const json_t *summary, const struct report_options *options,
                    struct err *err);

/* Where a section stands on a page, which has the verdict first. */
enum report_place { REPORT_VERDICT, REPORT_DRIVE, REPORT_TABLES };
/* The sections of one place as HTML without scripts, styles or ids; markup: sink_html.c. */
int report_html(FILE *out, const json_t *summary, enum report_place place, struct err *err);

struct sink;
struct view;
/* For what shows a few sections in a form of its own (sink.h): calls `visit` with a view of the
 * document that writes to `sink`. */
void report_visit(struct sink *sink, const json_t *summary,
                  void (*visit)(const struct view *view, void *ctx), void *ctx);

#endif
