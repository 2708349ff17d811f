/* csv_field.h - the fields of a line, one after the other.
 *
 * Texts come from anywhere: they are made safe (report/text.h), then quoted as RFC 4180 wants it.
 * LC_NUMERIC must be C. */
#ifndef EXPORT_CSV_FIELD_H
#define EXPORT_CSV_FIELD_H

#include <stdbool.h>
#include <stdio.h>

#include "base/json.h"

struct csv_line {
    FILE *out;
    bool begun; /* a field has been written */
};

/* A text that a spreadsheet would take for a formula gets an apostrophe.  NULL: empty. */
void csv_field_text(struct csv_line *line, const char *text);
/* Up to 15 significant digits, integers all of theirs.  NaN and infinite: empty. */
void csv_field_number(struct csv_line *line, double value);
/* A text or a number as it is, "true", "false"; others are empty. */
void csv_field_json(struct csv_line *line, const json_t *value);
void csv_field_end(struct csv_line *line);

#endif
