#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "report/headline.h"
#include "report/sections.h"

enum { LINES_MOST = 6, CELLS_MOST = 96, CELLS_LEAST = 4, NAME_COLUMNS = 16, LEVELS = 8 };

/* A phase with all its cycles, from its first to its last interval. */
struct line {
    const char *name;
    double from_s, to_s;
    double covered_s; /* by its intervals */
    size_t intervals;
    double cells[CELLS_MOST]; /* commits/s, means over the time that was covered; NaN: none was */
    size_t cell_count;
    struct format_text range;
    char span[64];
    char *label; /* heap, safe */
};

struct chart {
    struct line lines[LINES_MOST];
    size_t count;
    const json_t *trial;
    unsigned trial_index;
    const struct courses *courses;
};

static const char *name_of(const struct chart *chart, const struct course *course)
{
    const json_t *phases = json_object_get(chart->trial, "phases");
    return json_text_at(json_array_get(phases, course->phase), "name");
}

static bool is_sound(const struct course *course, const struct interval *interval)
{
    const double longest_s = 1e9;
    double start_s = course->start_s + interval->start_s;
    return fabs(start_s) < longest_s && interval->seconds > 0 && interval->seconds < longest_s &&
           interval->commits >= 0 && isfinite(interval->commits);
}

/* The line of this name; NULL: it is one too many. */
static struct line *line_of(struct chart *chart, const char *name)
{
    for (size_t i = 0; i < chart->count; i++)
        if (strcmp(chart->lines[i].name, name) == 0)
            return &chart->lines[i];
    if (chart->count == LINES_MOST)
        return NULL;
    struct line *line = &chart->lines[chart->count++];
    *line = (struct line){.name = name, .from_s = INFINITY, .to_s = -INFINITY};
    return line;
}

static void find_lines(struct chart *chart)
{
    for (size_t i = 0; i < chart->courses->count; i++) {
        const struct course *course = &chart->courses->items[i];
        const char *name = name_of(chart, course);
        struct line *line =
            course->trial == chart->trial_index && name ? line_of(chart, name) : NULL;
        for (size_t k = 0; line && k < course->series.count; k++) {
            const struct interval *interval = &course->series.items[k];
            if (!is_sound(course, interval))
                continue;
            double start_s = course->start_s + interval->start_s;
            line->from_s = fmin(line->from_s, start_s);
            line->to_s = fmax(line->to_s, start_s + interval->seconds);
            line->covered_s += interval->seconds;
            line->intervals++;
        }
    }
}

/* ---- cells ---- */

/* Spreads the commits of an interval over the cells that it reaches into. */
static void spread(const struct line *line, double start_s, const struct interval *interval,
                   double *commits, double *covered_s)
{
    double cell_s = (line->to_s - line->from_s) / (double)line->cell_count;
    double first = fmax(0, floor((start_s - line->from_s) / cell_s));
    for (size_t c = (size_t)first; c < line->cell_count; c++) {
        double low = line->from_s + (double)c * cell_s;
        double shared_s = fmin(low + cell_s, start_s + interval->seconds) - fmax(low, start_s);
        if (low >= start_s + interval->seconds)
            return;
        if (!(shared_s > 0))
            continue;
        covered_s[c] += shared_s;
        commits[c] += interval->commits * shared_s / interval->seconds;
    }
}

static void fill(const struct chart *chart, struct line *line, size_t room)
{
    double commits[CELLS_MOST] = {0}, covered_s[CELLS_MOST] = {0}, low = NAN, high = NAN;
    struct format_text from, to;
    double mean_s = line->covered_s / (double)line->intervals;
    line->cell_count = (size_t)fmin((double)room, (line->to_s - line->from_s) / mean_s);
    for (size_t i = 0; i < chart->courses->count && line->cell_count > 0; i++) {
        const struct course *course = &chart->courses->items[i];
        const char *name = name_of(chart, course);
        if (course->trial != chart->trial_index || !name || strcmp(name, line->name) != 0)
            continue;
        for (size_t k = 0; k < course->series.count; k++)
            if (is_sound(course, &course->series.items[k]))
                spread(line, course->start_s + course->series.items[k].start_s,
                       &course->series.items[k], commits, covered_s);
    }
    for (size_t c = 0; c < line->cell_count; c++) {
        line->cells[c] = covered_s[c] > 0 ? commits[c] / covered_s[c] : NAN;
        low = fmin(low, line->cells[c]);
        high = fmax(high, line->cells[c]);
    }
    snprintf(line->range.text, sizeof line->range.text, "%.20s-%.20s", format_digits(&from, low),
             format_digits(&to, high));
}

/* "0-30 s", "0-12 min": since the run's start. */
static void put_span(struct line *line)
{
    const double minutes_from = 600, hours_from = 3 * 3600.0, whole_from = 10;
    double unit = line->to_s >= hours_from ? 3600 : line->to_s >= minutes_from ? 60 : 1;
    int decimals = (line->to_s - line->from_s) / unit < whole_from ? 1 : 0;
    struct format_text from, to;
    snprintf(line->span, sizeof line->span, "%.20s-%.20s %s",
             format_fixed(&from, line->from_s / unit, decimals),
             format_fixed(&to, line->to_s / unit, decimals),
             unit > 60  ? "h"
             : unit > 1 ? "min"
                        : "s");
}

/* ---- lines ---- */

static void print_cells(FILE *out, const struct line *line)
{
    double high = 0;
    for (size_t c = 0; c < line->cell_count; c++)
        high = fmax(high, line->cells[c]);
    for (size_t c = 0; c < line->cell_count; c++) {
        double level = high > 0 ? ceil(line->cells[c] / high * LEVELS) : 1;
        if (isnan(line->cells[c]))
            fputc(' ', out);
        else /* U+2581, one eighth, to U+2588, the whole block */
            fprintf(out, "\xE2\x96%c", (char)(0x80 + (int)fmin(fmax(level, 1), LEVELS)));
    }
    fputc('\n', out);
}

static size_t widest(const struct chart *chart, const char *(*text)(const struct line *line))
{
    size_t most = 0;
    for (size_t i = 0; i < chart->count; i++) {
        size_t columns = text_columns(text(&chart->lines[i]));
        most = columns > most ? columns : most;
    }
    return most;
}

static const char *label_text(const struct line *line)
{
    return line->label;
}

static const char *span_text(const struct line *line)
{
    return line->span;
}

static const char *range_text(const struct line *line)
{
    return line->range.text;
}

static void print_chart(const struct view *view, struct chart *chart)
{
    struct view_block block;
    size_t name = widest(chart, label_text), span = widest(chart, span_text);
    /* The longest range is known when cells are made, and their number hangs on its width. */
    enum { RANGE_COLUMNS = 15, BLANKS = 2 + 2 + 2 + 2 };
    size_t taken = BLANKS + name + span + RANGE_COLUMNS;
    size_t room = view->width > taken + CELLS_LEAST ? view->width - taken : CELLS_LEAST;
    for (size_t i = 0; i < chart->count; i++)
        fill(chart, &chart->lines[i], room < CELLS_MOST ? room : CELLS_MOST);
    size_t range = widest(chart, range_text);
    bool is_first = true;
    view_block_begin(&block);
    for (size_t i = 0; i < chart->count; i++) {
        const struct line *line = &chart->lines[i];
        if (line->cell_count < CELLS_LEAST || text_columns(line->range.text) > RANGE_COLUMNS)
            continue;
        if (is_first)
            fputs("over time  commits/s, from 0 to the highest of each line\n", block.out);
        is_first = false;
        fprintf(block.out, "  %s%*s  %*s%s  %*s%s  ", line->label,
                (int)(name - text_columns(line->label)), "", (int)(span - text_columns(line->span)),
                "", line->span, (int)(range - text_columns(line->range.text)), "",
                line->range.text);
        print_cells(block.out, line);
    }
    if (!is_first)
        view_gap(view);
    view_block_end(view, &block);
}

void section_course(const struct view *view)
{
    struct headline headline;
    struct chart chart = {.courses = view->options->courses};
    if (!chart.courses || !view->options->utf8 || !view->sink->form->has_columns)
        return;
    headline_find(view, &headline);
    if (!headline.main)
        return;
    chart.trial = headline.main->trials[0];
    double index = json_number_at(chart.trial, "index");
    if (!(index >= 0 && index <= 1e9))
        return;
    chart.trial_index = (unsigned)index;
    find_lines(&chart);
    size_t kept = 0;
    for (size_t i = 0; i < chart.count; i++) {
        if (chart.lines[i].intervals == 0)
            continue;
        chart.lines[kept] = chart.lines[i];
        chart.lines[kept].label = text_clean(chart.lines[kept].name, TEXT_UTF8, NAME_COLUMNS);
        put_span(&chart.lines[kept++]);
    }
    chart.count = kept;
    if (kept > 0)
        print_chart(view, &chart);
    for (size_t i = 0; i < kept; i++)
        free(chart.lines[i].label);
}
