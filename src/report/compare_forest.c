#include "report/compare_forest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/compare_table.h"

/* Wider ratios end in an arrow. */
#define FOREST_MOST 100.0

enum { LABEL_MOST = 24, PLOT_LEAST = 24, PLOT_MOST = 90 };

enum mark {
    MARK_BLANK,
    MARK_ONE,
    MARK_LINE,
    MARK_LOW,
    MARK_HIGH,
    MARK_POINT,
    MARK_LESS,
    MARK_MORE
};

static const char *const marks[][2] = {
    [MARK_BLANK] = {" ", " "},
    [MARK_ONE] = {":", "\xE2\x94\x82"},
    [MARK_LINE] = {"-", "\xE2\x94\x80"},
    [MARK_LOW] = {"|", "\xE2\x94\x9C"},
    [MARK_HIGH] = {"|", "\xE2\x94\xA4"},
    [MARK_POINT] = {"o", "\xE2\x97\x8F"},
    [MARK_LESS] = {"<", "<"},
    [MARK_MORE] = {">", ">"},
};

struct axis {
    double low, high; /* logarithms */
    size_t label, width;
    bool utf8;
};

static void widen(struct axis *axis, double ratio)
{
    if (!(ratio > 0) || isinf(ratio))
        return;
    double value = log(fmin(fmax(ratio, 1 / FOREST_MOST), FOREST_MOST));
    axis->low = fmin(axis->low, value);
    axis->high = fmax(axis->high, value);
}

/* False: no row has a ratio. */
static bool axis_init(struct axis *axis, const struct view *view, const struct compare_rows *rows)
{
    bool any = false;
    *axis = (struct axis){.low = log(0.9), .high = log(1.1), .utf8 = view->options->utf8};
    for (size_t s = 0; s < rows->count; s++)
        for (size_t r = 0; r < rows->sections[s].count; r++) {
            const struct compare_row *row = &rows->sections[s].rows[r];
            size_t columns = text_columns(row->name) + (rows->drive_count > 2 ? 2 : 0);
            double ratio = json_number_at(row->ratio, "ratio");
            axis->label = columns > axis->label ? columns : axis->label;
            any |= !isnan(ratio);
            widen(axis, ratio);
            widen(axis, json_number_at(row->ratio, "low"));
            widen(axis, json_number_at(row->ratio, "high"));
        }
    axis->label = axis->label < LABEL_MOST ? axis->label : LABEL_MOST;
    size_t before = axis->label + 3;
    axis->width = view->width > before + PLOT_LEAST ? view->width - before : PLOT_LEAST;
    axis->width = axis->width < PLOT_MOST ? axis->width : PLOT_MOST;
    return any;
}

static size_t place_of(const struct axis *axis, double ratio)
{
    double share = (log(ratio) - axis->low) / (axis->high - axis->low);
    double at = round(share * (double)(axis->width - 1));
    return (size_t)fmin(fmax(at, 0), (double)(axis->width - 1));
}

/* ---- the scale above ---- */

static bool fits(const char *line, size_t width, size_t from, size_t size)
{
    if (from + size > width)
        return false;
    for (size_t i = from > 0 ? from - 1 : 0; i < from + size + 1 && i < width; i++)
        if (line[i] != ' ')
            return false;
    return true;
}

/* The nicest numbers first, as many as have room. */
static void print_scale(FILE *out, const struct axis *axis)
{
    static const double ticks[] = {1,    10,   0.1, 100, 0.01, 0.5, 2,    0.2, 5,   0.05, 20,  50,
                                   0.02, 0.25, 4,   1.5, 0.7,  0.8, 1.25, 0.9, 1.1, 0.95, 1.05};
    char *line = calloc(axis->width + 1, 1);
    if (!line)
        abort();
    memset(line, ' ', axis->width);
    for (size_t i = 0; i < sizeof ticks / sizeof *ticks; i++) {
        char text[16];
        size_t size = (size_t)snprintf(text, sizeof text, "%g", ticks[i]);
        if (log(ticks[i]) < axis->low || log(ticks[i]) > axis->high)
            continue;
        size_t at = place_of(axis, ticks[i]), from = at >= size / 2 ? at - size / 2 : 0;
        from = from + size > axis->width ? axis->width - size : from;
        if (fits(line, axis->width, from, size))
            memcpy(line + from, text, size);
    }
    size_t end = axis->width;
    while (end > 0 && line[end - 1] == ' ')
        line[--end] = '\0';
    fprintf(out, "%-*s%s\n", (int)axis->label + 3, "", line);
    free(line);
}

/* ---- a row ---- */

static void draw(const struct axis *axis, const json_t *ratio, enum mark *line)
{
    double point = json_number_at(ratio, "ratio");
    double low = json_number_at(ratio, "low"), high = json_number_at(ratio, "high");
    for (size_t i = 0; i < axis->width; i++)
        line[i] = MARK_BLANK;
    line[place_of(axis, 1)] = MARK_ONE;
    if (low > 0 && high > 0) {
        size_t from = place_of(axis, low), to = place_of(axis, high);
        for (size_t i = from; i <= to; i++)
            line[i] = MARK_LINE;
        line[from] = low < 1 / FOREST_MOST ? MARK_LESS : MARK_LOW;
        line[to] = high > FOREST_MOST ? MARK_MORE : MARK_HIGH;
    }
    if (point > 0)
        line[place_of(axis, point)] = point < 1 / FOREST_MOST ? MARK_LESS
                                      : point > FOREST_MOST   ? MARK_MORE
                                                              : MARK_POINT;
}

static void print_row(FILE *out, const struct axis *axis, const struct compare_row *row,
                      bool names_drive)
{
    enum mark *line = calloc(axis->width, sizeof *line);
    struct text label = {0};
    if (!line)
        abort();
    draw(axis, row->ratio, line);
    text_add(&label, "%s%s%s", names_drive ? row->drive : "", names_drive ? " " : "", row->name);
    char *cut = text_clean(label.data, axis->utf8 ? TEXT_UTF8 : TEXT_ASCII, axis->label);
    fprintf(out, "  %s%*s", cut, (int)(axis->label - text_columns(cut)) + 1, "");
    size_t end = axis->width;
    while (end > 0 && line[end - 1] == MARK_BLANK)
        end--;
    for (size_t i = 0; i < end; i++)
        fputs(marks[line[i]][axis->utf8], out);
    fputc('\n', out);
    free(cut);
    text_release(&label);
    free(line);
}

void compare_forest_print(const struct view *view, const struct compare_rows *rows)
{
    struct axis axis;
    if (!axis_init(&axis, view, rows))
        return;
    struct text text = {0};
    text_add(&text, "ratio to A, 95%% intervals, logarithmic scale");
    view_finding(view, "forest", SINK_CALM, &text);
    struct view_block block;
    view_block_begin(&block);
    print_scale(block.out, &axis);
    for (size_t s = 0; s < rows->count; s++) {
        text_print(block.out, "", 0, rows->sections[s].title, view->width, "", "");
        for (size_t r = 0; r < rows->sections[s].count; r++)
            if (!isnan(json_number_at(rows->sections[s].rows[r].ratio, "ratio")))
                print_row(block.out, &axis, &rows->sections[s].rows[r], rows->drive_count > 2);
    }
    view_block_end(view, &block);
    view_gap(view);
}
