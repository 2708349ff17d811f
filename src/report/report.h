/* report.h - a summary document (with "analysis") as something to read.
 *
 * A report reads nothing but the document. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/json.h"

struct report_options {
    int width; /* columns; text stays inside from 60 on */
    bool colour;
    bool utf8;
    const char *result_path; /* shown in the last line; NULL: left out */
};

/* Tables and verdict, as output.md shows them. */
int report_text(FILE *out, const json_t *summary, const struct report_options *options,
                struct err *err);

#endif
