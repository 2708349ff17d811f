/* sink.h - where a report is written to: its parts as one form (text, Markdown, HTML) shows them.
 *
 * Sections speak of titles, facts, findings, tables; a form knows its markup, its escapes and what
 * must be closed.  Every text is UTF-8 from a document: controls were shown as \xNN (text.h) or are
 * shown so here; markup is what the form adds, never what stands in a text.  Main thread; what a
 * write fails at is left to the stream's error flag. */
#ifndef REPORT_SINK_H
#define REPORT_SINK_H

#include <stdbool.h>
#include <stdio.h>

#include "report/table.h"
#include "report/text.h"

enum sink_voice { SINK_CALM, SINK_LOUD };
/* A section that most readers skip may be folded, where the form can. */
enum sink_fold { SINK_UNFOLDED, SINK_FOLDED };
/* What is open at the end of what was written so far. */
enum sink_open { SINK_CLOSED, SINK_FACTS, SINK_FINDINGS, SINK_POINTS };

struct sink;

struct sink_form {
    bool has_columns; /* lines have a width: what has no room is cut, broken or left out */
    /* What follows belongs under this heading (static text); NULL: under the one before.  A form
     * without headings shows none, and a heading that nothing follows is not shown. */
    void (*section)(struct sink *sink, const char *heading, enum sink_fold fold);
    void (*title)(struct sink *sink, const char *const *parts, size_t count);
    void (*heading)(struct sink *sink, const char *text); /* of several tables in a section */
    void (*caption)(struct sink *sink, const char *text); /* of the next table */
    /* A label and its text.  In text it begins in `column`. */
    void (*fact)(struct sink *sink, const char *label, size_t column, const char *text);
    /* A fact that begins with a name; several stand below each other, with room for `columns`. */
    void (*entry)(struct sink *sink, const char *label, const char *name, size_t columns,
                  const char *text);
    /* A finding; the label "" goes on with the one before.  Then its points. */
    void (*finding)(struct sink *sink, const char *label, enum sink_voice voice, const char *text);
    void (*point)(struct sink *sink, const char *label, const char *text);
    void (*note)(struct sink *sink, const char *text); /* below a table */
    /* `name` is shown where the table has no caption, but in text. */
    void (*table)(struct sink *sink, const char *name, const struct table *table);
    void (*block)(struct sink *sink, const char *lines); /* drawn with characters; with its \n */
    void (*gap)(struct sink *sink);                      /* what follows is another subject */
    void (*finish)(struct sink *sink);                   /* closes what is open, releases */
};

struct sink {
    const struct sink_form *form;
    FILE *out;
    size_t width; /* of a form that has columns */
    bool colour;  /* of a terminal */
    /* The form's own: */
    enum sink_open open;
    bool is_item;        /* the last finding's item is open */
    bool is_folded;      /* a fold is open */
    bool is_first;       /* nothing was written yet */
    const char *section; /* the last heading of a section, pending or not */
    bool is_pending;
    enum sink_fold fold; /* of the pending one */
    char *caption;       /* pending; heap */
};

struct sink sink_text(FILE *out, size_t width, bool colour);
/* GitHub Flavored Markdown: headings, lists, pipe tables; folds are <details>. */
struct sink sink_markdown(FILE *out);
/* Headings, lists of facts and findings, tables; no ids, styles or scripts.  Markup as
 * reports/README.md says. */
struct sink sink_html(FILE *out);

#endif
