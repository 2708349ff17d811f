/* compare_rows.h - what the table and the forest plot of a comparison go through: sections (one
 * place each, and the bulk load of the same place) with a row for each metric and drive. */
#ifndef REPORT_COMPARE_ROWS_H
#define REPORT_COMPARE_ROWS_H

#include "report/view.h"

struct compare_row {
    char *name;          /* "p99 ms", "bulk rows/s"; safe */
    const char *drive;   /* "B"; of a lone drive "A" */
    const json_t *first; /* drives[0] of the metric */
    const json_t *other; /* its entry of this drive; of a lone drive `first` */
    const json_t *ratio; /* NULL: of a lone drive, or not measured by both */
    double scale;
};

struct compare_section {
    char *title; /* "insert, 1 stream, 1 row/commit"; safe */
    struct compare_row *rows;
    size_t count, capacity;
};

enum { COMPARE_SECTIONS_SHOWN = 100 };

struct compare_rows {
    struct compare_section *sections;
    size_t count;
    size_t left; /* sections that are not shown */
    size_t drive_count;
};

enum compare_choice { COMPARE_HEADLINE, COMPARE_ALL };

/* Borrows from the comparison. */
void compare_rows_init(struct compare_rows *rows, const struct view *view, const json_t *comparison,
                       enum compare_choice choice);
void compare_rows_release(struct compare_rows *rows);

/* "insert, 10 streams, 1 row/commit, page_size 4096" of an object with the members of a place;
 * heap, safe. */
char *compare_rows_place(const struct view *view, const json_t *place);

#endif
