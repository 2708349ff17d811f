#include "cli/progress.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/format.h"
#include "base/term.h"
#include "cli/columns.h"
#include "cli/say.h"

#define LIVE_NS  (100 * NS_PER_MS) /* ten lines a second */
#define PLAIN_NS (5 * NS_PER_S)
#define CHANGE_NS                                                                                  \
    NS_PER_S /* phases shorter than this do not get a line each, or a log file drowns */
enum { PLAIN_WIDTH = 160, LINE_SIZE = 512, PART_COLUMNS = 24 };

/* All of it in words needs WORDS_WIDTH columns, with units as iostat has them (w/s, f/s) and no
 * more than one blank SHORT_WIDTH.  Where less is there something is left out in any case, and what
 * remains is better told in words.  The width alone decides: a line that changed its words with its
 * numbers could not be read. */
enum { WORDS_WIDTH = 119, SHORT_WIDTH = 79 };
enum style { WORDS, SHORT };

enum { ITEMS_MAX = 12, ITEM_SIZE = 128 };
struct item {
    char text[ITEM_SIZE];
    int weight; /* the lightest is left out first; 0: left out */
};
struct line {
    struct item items[ITEMS_MAX];
    size_t count;
    enum style style;
};

static void add(struct line *line, int weight, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void add(struct line *line, int weight, const char *format, ...)
{
    assert(line->count < ITEMS_MAX);
    struct item *item = &line->items[line->count++];
    va_list args;

    va_start(args, format);
    vsnprintf(item->text, sizeof item->text, format, args);
    va_end(args);
    item->weight = weight;
}

/* 1.7k, 12.3k, 123k: one decimal, and never more than five columns. */
static const char *short_number(struct format_text *out, double value)
{
    format_short(out, value);
    char *point = strchr(out->text, '.');
    if (point != NULL && value >= 1000 && strlen(point) == 4) /* 1.70k */
        memmove(point + 2, point + 3, 2);
    return out->text;
}

static void add_rate(struct line *line, int weight, double value, const char *unit,
                     const char *short_unit)
{
    struct format_text number;

    if (line->style == SHORT)
        add(line, weight, "%s %s", short_number(&number, value), short_unit);
    else
        add(line, weight, "%s %s", format_short(&number, value), unit);
}

static void add_streams(struct line *line, const struct run_progress *now)
{
    const char *plural = now->streams == 1 ? "" : "s";

    if (now->search_step > 0 && line->style == SHORT)
        add(line, 5, "step %u %ust", now->search_step, now->streams);
    else if (now->search_step > 0)
        add(line, 5, "search step %u, %u stream%s", now->search_step, now->streams, plural);
    else if (now->streams > 0 && line->style == SHORT)
        add(line, 5, "%ust", now->streams);
    else if (now->streams > 0)
        add(line, 5, "%u stream%s", now->streams, plural);
}

static void add_what(struct line *line, const struct run_progress *now)
{
    char part[ITEM_SIZE / 2] = "";

    if (!isnan(now->done))
        add(line, 9, "%3.0f%%", floor(now->done * 100));
    if (now->trials > 1)
        add(line, line->style == SHORT ? 1 : 4, "%u/%u", now->trial + 1, now->trials);
    if (now->part != NULL)
        columns_copy(part, sizeof part, now->part, PART_COLUMNS);
    if (part[0] != '\0' && line->style == SHORT) {
        add(line, 1, "%s", part);
        part[0] = '\0';
    }
    add(line, 10, "%s%s%s", part, part[0] != '\0' ? " " : "",
        now->phase != NULL ? now->phase : "-");
    add_streams(line, now);
}

/* "3:10 left", "2h05 left" */
static void add_short_time(struct line *line, double left_s)
{
    struct format_text text;
    long minutes = left_s < 1e9 ? lround(left_s / 60) : 0;

    if (left_s < 59.5)
        add(line, 9, "%.0fs left", left_s);
    else if (left_s < 3599.5)
        add(line, 9, "%ld:%02ld left", lround(left_s) / 60, lround(left_s) % 60);
    else if (minutes > 0)
        add(line, 9, "%ldh%02ld left", minutes / 60, minutes % 60);
    else
        add(line, 9, "%s left", format_seconds(&text, left_s));
}

static void add_rates(struct line *line, const struct run_progress *now)
{
    struct format_text text;
    bool is_short = line->style == SHORT;

    add_rate(line, 7, now->rows_per_s, "rows/s", "rows/s");
    add_rate(line, 8, now->commits_per_s, "commits/s", "c/s");
    add_rate(line, 6, now->write_iops, "IOPS", "w/s");
    add_rate(line, 6, now->flushes_per_s, "flushes/s", "f/s");
    add(line, 3, "QD %s",
        format_fixed(&text, now->queue_depth, is_short && now->queue_depth >= 9.95 ? 0 : 1));
    if (!isnan(now->temperature_c))
        add(line, 2, is_short ? "%sC" : "%s C", format_fixed(&text, now->temperature_c, 0));
    if (!isnan(now->left_s) && is_short)
        add_short_time(line, now->left_s);
    else if (!isnan(now->left_s))
        add(line, 9, "%s left", format_seconds(&text, now->left_s));
}

static void join(const struct line *line, char *out, size_t size)
{
    const char *gap = line->style == SHORT ? " " : "  ";
    size_t used = 0;

    out[0] = '\0';
    for (size_t i = 0; i < line->count; i++)
        if (line->items[i].weight > 0 && used < size)
            used += (size_t)snprintf(out + used, size - used, "%s%s", used > 0 ? gap : "",
                                     line->items[i].text);
}

/* False: only one is left. */
static bool drop_lightest(struct line *line)
{
    struct item *lightest = NULL;
    size_t left = 0;

    for (size_t i = 0; i < line->count; i++) {
        struct item *item = &line->items[i];
        if (item->weight == 0)
            continue;
        left++;
        if (lightest == NULL || item->weight <= lightest->weight)
            lightest = item;
    }
    if (left < 2)
        return false;
    lightest->weight = 0;
    return true;
}

void progress_line(const struct run_progress *now, int width, char *out, size_t size)
{
    struct line line = {.style = width >= SHORT_WIDTH && width < WORDS_WIDTH ? SHORT : WORDS};
    char text[ITEMS_MAX * (ITEM_SIZE + 2)], whole[sizeof text];

    add_what(&line, now);
    add_rates(&line, now);
    join(&line, text, sizeof text);
    while (columns_copy(whole, sizeof whole, text, (int)sizeof whole) > width &&
           drop_lightest(&line))
        join(&line, text, sizeof text);
    columns_copy(out, size, text, width);
}

/* What removes the line that stands there. */
static void erasure(const struct progress *progress, int width, char *out, size_t size)
{
    int rows = progress->columns == 0 ? 0 : (progress->columns - 1) / width;

    out[0] = '\0';
    /* A window that became narrower has wrapped the line: go up over all its rows. */
    if (rows > 0)
        snprintf(out, size, "\r\033[%dA\033[J", rows);
    else if (progress->columns > 0)
        snprintf(out, size, "\r\033[J");
}

void progress_clear(struct progress *progress)
{
    char erase[32];

    erasure(progress, term_width(progress->fd), erase, sizeof erase);
    fputs(erase, progress->out);
    fflush(progress->out);
    progress->columns = 0;
}

/* One write a line, or it flickers. */
static void draw_live(struct progress *progress, const struct run_progress *now)
{
    char line[LINE_SIZE], copy[LINE_SIZE], erase[32];
    int width = term_width(progress->fd);

    erasure(progress, width, erase, sizeof erase);
    progress_line(now, width - 1, line, sizeof line);
    fprintf(progress->out, "%s%s", erase, line);
    fflush(progress->out);
    progress->columns = columns_copy(copy, sizeof copy, line, width);
}

/* A terminal that cannot rewrite a line still has its width. */
static int plain_width(const struct progress *progress)
{
    int width = progress->terminal ? term_width(progress->fd) - 1 : PLAIN_WIDTH;

    return width < PLAIN_WIDTH ? width : PLAIN_WIDTH;
}

static void on_progress(void *ctx, const struct run_progress *now)
{
    struct progress *progress = ctx;
    const char *phase = now->phase != NULL ? now->phase : "";
    int64_t at_ns = clock_now_ns(), waited_ns = at_ns - progress->last_ns;

    if (progress->live) {
        if (progress->last_ns != 0 && waited_ns < LIVE_NS)
            return;
        draw_live(progress, now);
    } else {
        char line[LINE_SIZE];
        bool changed = now->trial != progress->trial ||
                       strncmp(phase, progress->phase, sizeof progress->phase - 1) != 0;
        if (progress->last_ns != 0 && waited_ns < (changed ? CHANGE_NS : PLAIN_NS))
            return;
        progress_line(now, plain_width(progress), line, sizeof line);
        fprintf(progress->out, "%s\n", line);
        fflush(progress->out);
    }
    progress->last_ns = at_ns;
    progress->trial = now->trial;
    snprintf(progress->phase, sizeof progress->phase, "%s", phase);
}

static void on_note(void *ctx, const char *kind, const char *text)
{
    struct progress *progress = ctx;

    progress_clear(progress);
    if (progress->terminal)
        say_within(progress->out, kind, text, term_width(progress->fd) - 1);
    else
        say(progress->out, kind, text);
    fflush(progress->out);
}

void progress_init(struct progress *progress, FILE *out, int fd)
{
    const char *terminal = getenv("TERM");

    *progress = (struct progress){
        .watch = {.ctx = progress, .progress = on_progress, .note = on_note},
        .out = out,
        .fd = fd,
        .terminal = term_is_terminal(fd),
        .live = term_is_terminal(fd) && terminal != NULL && terminal[0] != '\0' &&
                strcmp(terminal, "dumb") != 0,
    };
}
