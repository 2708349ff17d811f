/* text.h - text from a document, safe for a terminal, measured and wrapped in columns.
 *
 * Documents come from anywhere: control characters and bytes that are no UTF-8 are shown as \xNN,
 * characters that nobody sees, or that turn the direction of a line, as \u{200B}, never sent.
 * Columns are counted as the terminal does (wide Japanese characters are two). */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum text_charset { TEXT_ASCII, TEXT_UTF8 };

/* A safe copy, at most `columns` wide (0: any), cut with "..." where it is longer; heap. */
char *text_clean(const char *text, enum text_charset charset, size_t columns);
/* Columns of a safe text. */
size_t text_columns(const char *text);

/* A paragraph that grows by printf; lines are broken when it is printed. */
struct text {
    char *data;
    size_t size, capacity;
};
void text_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_release(struct text *text);
/* Prints `label` and the text behind it, broken at blanks to `width`, later lines indented as the
 * first; a word longer than a line is broken too.  `indent` is the column of the text; `before` and
 * `after` stand around the label and take no columns. */
void text_print(FILE *out, const char *label, size_t indent, const char *text, size_t width,
                const char *before, const char *after);

#endif
