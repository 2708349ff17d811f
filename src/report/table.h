/* table.h - a table of figures that stays inside a number of columns.
 *
 * Columns stand two blanks apart where there is room, else one.  Two lines of headings; a heading
 * of the upper line may span several columns.  Where all do not fit, those are left out that are
 * shown elsewhere too; where that is not enough, none is: the table goes on below itself, its key
 * columns repeated.  Layout by libsmartcols. */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { TABLE_COLUMNS_MAX = 32 };

enum table_align { TABLE_LEFT, TABLE_RIGHT };

struct table_column {
    const char *upper, *lower; /* headings */
    enum table_align align;
    int rank;   /* 0: shown here only; else shown elsewhere too, the highest is left out first */
    int spread; /* the upper heading stands over this column and so many after it */
    enum table_empty {
        TABLE_KEPT,
        TABLE_DROPPED
    } empty; /* when all its cells are "-", and those of the columns under its heading */
};

struct table;

struct table *table_create(const struct table_column *columns, size_t count);
void table_destroy(struct table *table);
/* The first `count` columns say what a line is about: they stand before every part. */
void table_keys(struct table *table, size_t count);
void table_row(struct table *table);
/* The next cell of the last row; copied; safe text. */
void table_cell(struct table *table, const char *text);
size_t table_rows(const struct table *table);
void table_print(const struct table *table, FILE *out, size_t width);

/* For forms that have no columns: the whole table. */
size_t table_columns(const struct table *table);
const struct table_column *table_column(const struct table *table, size_t c);
/* False: all cells under its heading are empty, and then may be left out. */
bool table_shows(const struct table *table, size_t c);
/* How many columns stand under the upper heading that begins at column c, itself included. */
size_t table_span(const struct table *table, size_t c);
/* "" where the row has no such cell.  Borrowed. */
const char *table_text(const struct table *table, size_t row, size_t c);
/* Both headings of one column as one: "rows/commit", "flush ms"; heap. */
char *table_heading(const struct table *table, size_t c);

#endif
