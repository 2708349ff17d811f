#include "report/table.h"

#include <assert.h>
#include <libsmartcols.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "report/text.h"

struct row {
    char *cells[TABLE_COLUMNS_MAX];
    size_t count;
};

struct table {
    struct table_column columns[TABLE_COLUMNS_MAX];
    size_t column_count, key_count;
    struct row *rows;
    size_t row_count;
};

/* What is shown, and how wide. */
struct layout {
    bool shown[TABLE_COLUMNS_MAX];
    size_t widths[TABLE_COLUMNS_MAX];
    size_t gap; /* blanks between columns */
};

struct table *table_create(const struct table_column *columns, size_t count)
{
    assert(count <= TABLE_COLUMNS_MAX);
    struct table *table = calloc(1, sizeof *table);
    if (!table)
        abort();
    memcpy(table->columns, columns, count * sizeof *columns);
    table->column_count = count;
    return table;
}

void table_destroy(struct table *table)
{
    if (!table)
        return;
    for (size_t r = 0; r < table->row_count; r++)
        for (size_t c = 0; c < table->rows[r].count; c++)
            free(table->rows[r].cells[c]);
    free(table->rows);
    free(table);
}

void table_keys(struct table *table, size_t count)
{
    assert(count <= table->column_count);
    table->key_count = count;
}

void table_row(struct table *table)
{
    struct row *rows = realloc(table->rows, (table->row_count + 1) * sizeof *rows);
    if (!rows)
        abort();
    table->rows = rows;
    table->rows[table->row_count++] = (struct row){.count = 0};
}

size_t table_rows(const struct table *table)
{
    return table->row_count;
}

void table_cell(struct table *table, const char *text)
{
    struct row *row = &table->rows[table->row_count - 1];
    assert(row->count < table->column_count);
    row->cells[row->count++] = fs_path("%s", text);
}

/* ---- for forms that have no columns ---- */

size_t table_columns(const struct table *table)
{
    return table->column_count;
}

const struct table_column *table_column(const struct table *table, size_t c)
{
    return &table->columns[c];
}

size_t table_span(const struct table *table, size_t c)
{
    size_t span = (size_t)table->columns[c].spread + 1;
    return span < table->column_count - c ? span : table->column_count - c;
}

const char *table_text(const struct table *table, size_t row, size_t c)
{
    return c < table->rows[row].count ? table->rows[row].cells[c] : "";
}

/* The upper heading of a column: its own, or that which spans it. */
static const char *upper_of(const struct table *table, size_t c)
{
    size_t first = 0;
    while (first + table_span(table, first) <= c)
        first += table_span(table, first);
    return table->columns[first].upper;
}

char *table_heading(const struct table *table, size_t c)
{
    const char *upper = upper_of(table, c), *lower = table->columns[c].lower;
    size_t size = strlen(upper);
    if (size > 0 && upper[size - 1] == '-') /* a word in two */
        return fs_path("%.*s%s", (int)size - 1, upper, lower);
    bool joins = size == 0 || *lower == '\0' || upper[size - 1] == '/' || *lower == '/';
    return fs_path("%s%s%s", upper, joins ? "" : " ", lower);
}

/* ---- layout ---- */

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static bool is_empty(const struct table *table, size_t c)
{
    for (size_t r = 0; r < table->row_count; r++)
        if (c < table->rows[r].count && strcmp(table->rows[r].cells[c], "-") != 0)
            return false;
    return true;
}

/* Columns under one heading go together. */
static bool is_dropped(const struct table *table, size_t c)
{
    size_t first = 0;
    while (first + (size_t)table->columns[first].spread < c)
        first += (size_t)table->columns[first].spread + 1;
    size_t last = first + (size_t)table->columns[first].spread;
    bool dropped = true;
    for (size_t i = first; i <= last && i < table->column_count; i++)
        dropped &= table->columns[i].empty == TABLE_DROPPED && is_empty(table, i);
    return dropped;
}

bool table_shows(const struct table *table, size_t c)
{
    return !is_dropped(table, c);
}

static void measure(const struct table *table, struct layout *layout)
{
    for (size_t c = 0; c < table->column_count; c++) {
        const struct table_column *column = &table->columns[c];
        size_t width = text_columns(column->lower);
        if (column->spread == 0)
            width = larger(width, text_columns(column->upper));
        for (size_t r = 0; r < table->row_count; r++)
            if (c < table->rows[r].count)
                width = larger(width, text_columns(table->rows[r].cells[c]));
        layout->widths[c] = width;
        layout->shown[c] = !is_dropped(table, c);
    }
}

/* A heading over several columns has all the room that it needs. */
static void widen(const struct table *table, struct layout *layout)
{
    for (size_t c = 0; c < table->column_count; c += (size_t)table->columns[c].spread + 1) {
        size_t end = c + (size_t)table->columns[c].spread + 1, width = 0;
        end = end < table->column_count ? end : table->column_count;
        for (size_t i = c; i < end; i++)
            if (layout->shown[i])
                width += layout->widths[i] + (width > 0 ? layout->gap : 0);
        size_t needed = text_columns(table->columns[c].upper);
        for (size_t i = end; width > 0 && width<needed; i = i> c ? i : end)
            if (layout->shown[--i]) { /* a blank to each, from the last on */
                layout->widths[i]++;
                width++;
            }
    }
}

static size_t total_width(const struct table *table, const struct layout *layout)
{
    size_t total = 0;
    for (size_t c = 0; c < table->column_count; c++)
        total += layout->shown[c] ? layout->widths[c] + (total > 0 ? layout->gap : 0) : 0;
    return total;
}

/* For figures that no drive has: cells are cut rather than lines. */
static void narrow(const struct table *table, struct layout *layout, size_t width)
{
    enum { COLUMN_LEAST = 4 };
    while (total_width(table, layout) > width) {
        size_t widest = 0;
        for (size_t c = 0; c < table->column_count; c++)
            if (layout->shown[c] &&
                (!layout->shown[widest] || layout->widths[c] > layout->widths[widest]))
                widest = c;
        if (layout->widths[widest] <= COLUMN_LEAST)
            return;
        layout->widths[widest]--;
    }
}

/* Leaves out what is shown elsewhere too until the rest fits.  False: it does not. */
static bool choose(const struct table *table, struct layout *layout, size_t width)
{
    const struct layout measured = *layout;
    layout->gap = 2;
    widen(table, layout);
    if (total_width(table, layout) > width) {
        *layout = measured;
        layout->gap = 1;
        widen(table, layout);
    }
    while (total_width(table, layout) > width) {
        size_t worst = table->column_count;
        for (size_t c = 0; c < table->column_count; c++)
            if (layout->shown[c] && table->columns[c].rank > 0 &&
                (worst == table->column_count ||
                 table->columns[c].rank >= table->columns[worst].rank))
                worst = c;
        if (worst == table->column_count)
            return false;
        layout->shown[worst] = false;
    }
    return true;
}

/* From column `from` on, what fits beside the keys; columns under one heading stay together.
 * Returns the first column that is not in it: the next part's. */
static size_t take_part(const struct table *table, const struct layout *all, size_t from,
                        size_t width, struct layout *part)
{
    *part = *all;
    for (size_t c = table->key_count; c < table->column_count; c++)
        part->shown[c] = false;
    size_t c = from;
    while (c < table->column_count) {
        size_t next = c + (size_t)table->columns[c].spread + 1;
        for (size_t i = c; i < next && i < table->column_count; i++)
            part->shown[i] = all->shown[i];
        if (c > from && total_width(table, part) > width) {
            for (size_t i = c; i < next && i < table->column_count; i++)
                part->shown[i] = false;
            return c;
        }
        c = next;
    }
    return c;
}

static size_t count_parts(const struct table *table, const struct layout *all, size_t width)
{
    struct layout part;
    size_t count = 0;
    for (size_t c = table->key_count; c < table->column_count; count++)
        c = take_part(table, all, c, width, &part);
    return count;
}

/* Columns that the upper heading of column c stands over, in characters. */
static size_t span_width(const struct table *table, const struct layout *layout, size_t c)
{
    size_t width = 0;
    size_t last = c + (size_t)table->columns[c].spread;
    for (size_t i = c; i <= last && i < table->column_count; i++)
        width += layout->shown[i] ? layout->widths[i] + (width > 0 ? layout->gap : 0) : 0;
    return width;
}

static void pad(struct text *line, size_t count)
{
    if (count > 0)
        text_add(line, "%*s", (int)count, "");
}

static void print_upper(const struct table *table, const struct layout *layout, FILE *out)
{
    struct text line = {0};
    for (size_t c = 0; c < table->column_count;) {
        const struct table_column *column = &table->columns[c];
        size_t width = span_width(table, layout, c);
        size_t used = text_columns(column->upper);
        if (width > 0 && line.size > 0)
            pad(&line, layout->gap);
        if (width >= used && width > 0) {
            size_t left = column->spread > 0             ? (width - used + 1) / 2
                          : column->align == TABLE_RIGHT ? width - used
                                                         : 0;
            pad(&line, left);
            text_add(&line, "%s", column->upper);
            pad(&line, width - used - left);
        } else
            pad(&line, width);
        c += (size_t)column->spread + 1;
    }
    while (line.size > 0 && line.data[line.size - 1] == ' ')
        line.data[--line.size] = '\0';
    if (line.size > 0)
        fprintf(out, "%s\n", line.data);
    text_release(&line);
}

static void fill(const struct table *table, const struct layout *layout,
                 struct libscols_table *columns)
{
    for (size_t c = 0; c < table->column_count; c++)
        if (layout->shown[c])
            scols_table_new_column(columns, table->columns[c].lower, (double)layout->widths[c],
                                   table->columns[c].align == TABLE_RIGHT ? SCOLS_FL_RIGHT : 0);
    for (size_t r = 0; r <= table->row_count; r++) { /* row 0: the lower headings */
        struct libscols_line *line = scols_table_new_line(columns, NULL);
        size_t at = 0;
        for (size_t c = 0; line && c < table->column_count; c++) {
            if (!layout->shown[c])
                continue;
            const char *cell = r == 0                         ? table->columns[c].lower
                               : c < table->rows[r - 1].count ? table->rows[r - 1].cells[c]
                                                              : "";
            char *cut = text_clean(cell, TEXT_UTF8, layout->widths[c]);
            scols_line_set_data(line, at++, cut);
            free(cut);
        }
    }
}

static void print_part(const struct table *table, const struct layout *layout, FILE *out,
                       size_t width)
{
    print_upper(table, layout, out);
    struct libscols_table *columns = scols_new_table();
    if (!columns)
        abort();
    scols_table_set_stream(columns, out);
    scols_table_enable_noheadings(columns, 1);
    scols_table_enable_noencoding(columns, 1); /* the cells are safe already */
    scols_table_set_termforce(columns, SCOLS_TERMFORCE_NEVER);
    scols_table_set_termwidth(columns, width);
    scols_table_set_column_separator(columns, layout->gap == 2 ? "  " : " ");
    fill(table, layout, columns);
    scols_print_table(columns);
    scols_unref_table(columns);
}

void table_print(const struct table *table, FILE *out, size_t width)
{
    struct layout layout, part;
    measure(table, &layout);
    struct layout all = layout;
    if (choose(table, &layout, width) || table->key_count == table->column_count) {
        narrow(table, &layout, width);
        print_part(table, &layout, out, width);
        return;
    }
    all.gap = 2;
    widen(table, &all);
    size_t count = count_parts(table, &all, width), even = width;
    while (even > 1 && count_parts(table, &all, even - 1) == count)
        even--;
    for (size_t c = table->key_count; c < table->column_count;) {
        bool is_first = c == table->key_count;
        c = take_part(table, &all, c, even, &part);
        if (total_width(table, &part) > width)
            part.gap = 1;
        narrow(table, &part, width);
        if (!is_first)
            fputc('\n', out);
        print_part(table, &part, out, width);
    }
}
