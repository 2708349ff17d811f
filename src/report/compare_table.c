#include "report/compare_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum column { DRIVE, FIRST, OTHER, FIRST_RANGE, OTHER_RANGE, RATIO, INTERVAL, VERDICT, COLUMNS };

/* 268k rather than 268,000. */
#define SHORT_FROM 99950

enum { NAME_LEAST = 12, INDENT = 2, RANGES_INDENT = 21 };

struct layout {
    bool shown[COLUMNS];
    size_t widths[COLUMNS], name, gap;
    enum { NUMBERS_WHOLE, NUMBERS_SHORT } numbers;
    bool is_tight; /* no blanks in an interval */
};

struct cells {
    struct format_text texts[COLUMNS];
};

static const struct {
    const char *several, *pair, *lone; /* headings with more drives, two, one */
    bool is_left;
} headings[COLUMNS] = {
    [DRIVE] = {"", "", "", true},
    [FIRST] = {"A", "A", "A", false},
    [OTHER] = {"other", "B", "", false},
    [FIRST_RANGE] = {"A's runs", "A's runs", "runs", false},
    [OTHER_RANGE] = {"its runs", "B's runs", "", false},
    [RATIO] = {"/A", "B/A", "", false},
    [INTERVAL] = {"95% interval", "95% interval", "", false},
    [VERDICT] = {"", "", "", true},
};

const char *compare_table_ratio(struct format_text *out, double ratio)
{
    if (ratio > 0 && ratio < 0.000995) {
        snprintf(out->text, sizeof out->text, "%.1e", ratio);
        return out->text;
    }
    if (isnan(ratio) || ratio >= 99.95 || ratio < 0.00995)
        return ratio >= 9995 ? format_short(out, ratio) : format_digits(out, ratio);
    return format_fixed(out, ratio, ratio >= 9.995 ? 1 : ratio >= 0.0995 ? 2 : 3);
}

static const char *figure(struct format_text *out, double value, const struct layout *layout)
{
    if (value > 0 && value < 0.0000995) { /* format_digits would write all its zeros */
        snprintf(out->text, sizeof out->text, "%.1e", value);
        return out->text;
    }
    bool is_short =
        layout->numbers == NUMBERS_SHORT ? fabs(value) >= 1000 : fabs(value) >= SHORT_FROM;
    return is_short ? format_short(out, value) : format_digits(out, value);
}

static void put_range(struct format_text *out, const json_t *of, double scale,
                      const struct layout *layout)
{
    struct format_text low, high;
    double from = scale * json_number_at(of, "low"), to = scale * json_number_at(of, "high");
    struct layout both = *layout; /* the lower end is written as the higher one */
    if (to >= SHORT_FROM)
        both.numbers = NUMBERS_SHORT;
    if (json_number_at(of, "count") > 1)
        snprintf(out->text, sizeof out->text, "%.20s-%.20s", figure(&low, from, &both),
                 figure(&high, to, &both));
    else
        snprintf(out->text, sizeof out->text, "-");
}

static void put_interval(struct format_text *out, const json_t *ratio, bool is_tight)
{
    struct format_text low, high;
    double from = json_number_at(ratio, "low"), to = json_number_at(ratio, "high");
    if (isnan(from) || isnan(to))
        snprintf(out->text, sizeof out->text, "-");
    else
        snprintf(out->text, sizeof out->text, "%.20s%s%.20s", compare_table_ratio(&low, from),
                 is_tight ? "-" : " - ", compare_table_ratio(&high, to));
}

/* "B worse", "same": whose word it is only where one is better. */
static void put_verdict(struct format_text *out, const struct compare_row *row)
{
    const char *verdict = json_text_at(row->ratio, "verdict");
    bool names = verdict && strcmp(verdict, "same") != 0 && strcmp(verdict, "undetermined") != 0 &&
                 strcmp(verdict, "not ranked") != 0;
    snprintf(out->text, sizeof out->text, "%.3s%s%.30s", names ? row->drive : "", names ? " " : "",
             verdict ? verdict : "");
}

static void fill(struct cells *cells, const struct compare_row *row, const struct layout *layout)
{
    struct format_text shown;
    double first = row->scale * json_number_at(row->first, "median");
    double other = row->scale * json_number_at(row->other, "median");
    snprintf(cells->texts[DRIVE].text, sizeof shown.text, "%.3s", row->drive);
    figure(&cells->texts[FIRST], first, layout);
    figure(&cells->texts[OTHER], other, layout);
    put_range(&cells->texts[FIRST_RANGE], row->first, row->scale, layout);
    put_range(&cells->texts[OTHER_RANGE], row->other, row->scale, layout);
    compare_table_ratio(&cells->texts[RATIO], json_number_at(row->ratio, "ratio"));
    put_interval(&cells->texts[INTERVAL], row->ratio, layout->is_tight);
    put_verdict(&cells->texts[VERDICT], row);
}

static const char *heading(enum column column, size_t drives)
{
    return drives > 2    ? headings[column].several
           : drives == 2 ? headings[column].pair
                         : headings[column].lone;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static void measure(const struct compare_rows *rows, struct layout *layout)
{
    layout->name = NAME_LEAST;
    for (int c = 0; c < COLUMNS; c++)
        layout->widths[c] = text_columns(heading((enum column)c, rows->drive_count));
    for (size_t s = 0; s < rows->count; s++) {
        layout->name = larger(layout->name, text_columns(rows->sections[s].title));
        for (size_t r = 0; r < rows->sections[s].count; r++) {
            struct cells cells;
            fill(&cells, &rows->sections[s].rows[r], layout);
            layout->name = larger(layout->name, text_columns(rows->sections[s].rows[r].name));
            for (int c = 0; c < COLUMNS; c++)
                layout->widths[c] = larger(layout->widths[c], text_columns(cells.texts[c].text));
        }
    }
}

/* Columns that all but the names take, gaps included. */
static size_t taken(const struct layout *layout)
{
    size_t sum = 0;
    for (int c = 0; c < COLUMNS; c++)
        sum += layout->shown[c] ? layout->gap + layout->widths[c] : 0;
    return sum;
}

static void choose(const struct compare_rows *rows, size_t width, struct layout *layout)
{
    static const struct {
        bool ranges, is_tight, is_short;
        size_t gap;
    } tries[] = {{true, false, false, 2},
                 {false, false, false, 2},
                 {false, false, false, 1},
                 {false, true, false, 1},
                 {false, true, true, 1}};
    enum { TRIES = sizeof tries / sizeof *tries };
    size_t drives = rows->drive_count;
    for (size_t i = 0; i < TRIES; i++) {
        *layout = (struct layout){.gap = tries[i].gap,
                                  .is_tight = tries[i].is_tight,
                                  .numbers = tries[i].is_short ? NUMBERS_SHORT : NUMBERS_WHOLE};
        for (int c = 0; c < COLUMNS; c++)
            layout->shown[c] = c == FIRST || (drives > 1 && c != DRIVE);
        layout->shown[DRIVE] = drives > 2;
        layout->shown[FIRST_RANGE] = tries[i].ranges;
        layout->shown[OTHER_RANGE] = tries[i].ranges && drives > 1;
        measure(rows, layout);
        /* Long titles may stand on lines of their own; names of the headline set fit. */
        size_t wanted = i + 1 < TRIES ? 23 : NAME_LEAST;
        wanted = layout->name < wanted ? layout->name : wanted;
        if (taken(layout) + wanted <= width)
            break;
    }
    /* Figures that no drive has may leave no room: then names stand above them. */
    size_t room = width > taken(layout) + INDENT ? width - taken(layout) : INDENT;
    layout->name = layout->name < room ? layout->name : room;
}

static void pad(FILE *out, size_t count)
{
    fprintf(out, "%*s", (int)count, "");
}

/* What stands in the name's column, on a line of its own where it is wider. */
static void print_name(FILE *out, const char *name, const struct layout *layout, size_t width)
{
    size_t columns = text_columns(name);
    if (columns > layout->name) {
        text_print(out, "", 0, name, width, "", "");
        columns = 0;
    } else
        fputs(name, out);
    pad(out, layout->name - columns);
}

static void print_cells(FILE *out, const char *const *texts, const struct layout *layout)
{
    size_t behind = 0; /* blanks that only what follows needs */
    for (int c = 0; c < COLUMNS; c++) {
        if (!layout->shown[c])
            continue;
        size_t columns = text_columns(texts[c]);
        size_t left = layout->widths[c] > columns ? layout->widths[c] - columns : 0;
        behind += layout->gap + (headings[c].is_left ? 0 : left);
        if (columns > 0) {
            pad(out, behind);
            fputs(texts[c], out);
            behind = 0;
        }
        behind += headings[c].is_left ? left : (columns > 0 ? 0 : columns);
    }
    fputc('\n', out);
}

static void print_section(FILE *out, size_t width, const struct compare_rows *rows, size_t at,
                          const struct layout *layout)
{
    const struct compare_section *section = &rows->sections[at];
    const char *texts[COLUMNS];
    const char *last = NULL;
    print_name(out, section->title, layout, width);
    for (int c = 0; c < COLUMNS; c++)
        texts[c] = heading((enum column)c, rows->drive_count);
    print_cells(out, texts, layout);
    for (size_t r = 0; r < section->count; r++) {
        const struct compare_row *row = &section->rows[r];
        struct cells cells;
        fill(&cells, row, layout);
        for (int c = 0; c < COLUMNS; c++)
            texts[c] = cells.texts[c].text;
        bool is_again = last && strcmp(last, row->name) == 0 && rows->drive_count > 2;
        print_name(out, is_again ? "" : row->name, layout, width);
        print_cells(out, texts, layout);
        last = row->name;
    }
}

/* Ratios need two drives, a column of names three. */
static bool has_column(const struct compare_rows *rows, int c)
{
    return rows->drive_count > (c == DRIVE ? 2 : c == FIRST || c == FIRST_RANGE ? 0 : 1);
}

/* For forms that have no columns: a table for each section, all that is known in it. */
static void print_whole(const struct view *view, const struct compare_rows *rows)
{
    struct table_column columns[COLUMNS + 1] = {{.upper = "", .lower = "metric", TABLE_LEFT}};
    const struct layout plain = {.numbers = NUMBERS_WHOLE};
    size_t used = 1;
    for (int c = 0; c < COLUMNS; c++)
        if (has_column(rows, c))
            columns[used++] = (struct table_column){
                .upper = "",
                .lower = c == DRIVE     ? "drive"
                         : c == VERDICT ? "verdict"
                                        : heading((enum column)c, rows->drive_count),
                .align = headings[c].is_left ? TABLE_LEFT : TABLE_RIGHT,
                .empty = TABLE_DROPPED};
    for (size_t s = 0; s < rows->count; s++) {
        const struct compare_section *section = &rows->sections[s];
        struct table *table = table_create(columns, used);
        for (size_t r = 0; r < section->count; r++) {
            struct cells cells;
            fill(&cells, &section->rows[r], &plain);
            table_row(table);
            table_cell(table, section->rows[r].name);
            for (int c = 0; c < COLUMNS; c++)
                if (has_column(rows, c))
                    table_cell(table, cells.texts[c].text);
        }
        view_table(view, section->title, table);
        table_destroy(table);
    }
}

enum compare_ranges compare_table_print(const struct view *view, const struct compare_rows *rows)
{
    struct layout layout = {.shown[FIRST_RANGE] = true};
    if (view->sink->form->has_columns) {
        struct view_block block;
        choose(rows, view->width, &layout);
        view_block_begin(&block);
        for (size_t s = 0; s < rows->count; s++) {
            fputs(s > 0 ? "\n" : "", block.out);
            print_section(block.out, view->width, rows, s, &layout);
        }
        view_block_end(view, &block);
    } else
        print_whole(view, rows);
    if (rows->left > 0) {
        struct text text = {0};
        text_add(&text, "... and %zu more combinations: --json shows all", rows->left);
        view_line(view, "", &text);
    }
    return layout.shown[FIRST_RANGE] ? COMPARE_RANGES_SHOWN : COMPARE_RANGES_LEFT;
}

static void add_runs(struct text *text, const char *drive, const json_t *of, double scale)
{
    const struct layout plain = {.numbers = NUMBERS_WHOLE};
    struct format_text range;
    put_range(&range, of, scale, &plain);
    text_add(text, "%s%s %s", text->size > 0 ? "; " : "", drive, range.text);
}

void compare_table_ranges(const struct view *view, const struct compare_rows *rows)
{
    struct view_block block;
    view_block_begin(&block);
    fputs("lowest and highest of the runs\n", block.out);
    for (size_t s = 0; s < rows->count; s++) {
        const struct compare_section *section = &rows->sections[s];
        text_print(block.out, "", 0, section->title, view->width, "", "");
        for (size_t r = 0; r < section->count;) {
            struct text text = {0};
            const struct compare_row *row = &section->rows[r];
            const char *first = json_text_at(row->first, "drive");
            add_runs(&text, first ? first : "A", row->first, row->scale);
            for (; r < section->count && strcmp(section->rows[r].name, row->name) == 0; r++)
                if (section->rows[r].ratio)
                    add_runs(&text, section->rows[r].drive, section->rows[r].other, row->scale);
            struct text label = {0};
            text_add(&label, "  %s", row->name);
            bool is_long = text_columns(label.data) >= RANGES_INDENT;
            if (is_long)
                text_print(block.out, "", 0, label.data, view->width, "", "");
            text_print(block.out, is_long ? "" : label.data, RANGES_INDENT, text.data, view->width,
                       "", "");
            text_release(&label);
            text_release(&text);
        }
    }
    view_block_end(view, &block);
}
