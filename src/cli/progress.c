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
enum { PLAIN_WIDTH = 100, LINE_SIZE = 512, PART_COLUMNS = 24 };

enum { ITEMS_MAX = 12, ITEM_SIZE = 128 };
struct item {
    char text[ITEM_SIZE];
    int weight; /* the lightest is left out first; 0: left out */
};
struct line {
    struct item items[ITEMS_MAX];
    size_t count;
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

static void add_rate(struct line *line, int weight, double value, const char *unit)
{
    struct format_text number;
    add(line, weight, "%s %s", format_short(&number, value), unit);
}

static void add_what(struct line *line, const struct run_progress *now)
{
    char part[ITEM_SIZE / 2] = "";

    if (!isnan(now->done))
        add(line, 9, "%3.0f%%", floor(now->done * 100));
    if (now->trials > 1)
        add(line, 4, "%u/%u", now->trial + 1, now->trials);
    if (now->part != NULL)
        columns_copy(part, sizeof part, now->part, PART_COLUMNS);
    add(line, 10, "%s%s%s", part, now->part != NULL ? " " : "",
        now->phase != NULL ? now->phase : "-");
    if (now->search_step > 0)
        add(line, 5, "search step %u, %u stream%s", now->search_step, now->streams,
            now->streams == 1 ? "" : "s");
    else if (now->streams > 0)
        add(line, 5, "%u stream%s", now->streams, now->streams == 1 ? "" : "s");
}

static void add_rates(struct line *line, const struct run_progress *now)
{
    struct format_text text;

    add_rate(line, 7, now->rows_per_s, "rows/s");
    add_rate(line, 8, now->commits_per_s, "commits/s");
    add_rate(line, 6, now->write_iops, "IOPS");
    add_rate(line, 6, now->flushes_per_s, "flushes/s");
    add(line, 3, "QD %s", format_fixed(&text, now->queue_depth, 1));
    if (!isnan(now->temperature_c))
        add(line, 2, "%s C", format_fixed(&text, now->temperature_c, 0));
    if (!isnan(now->left_s))
        add(line, 9, "%s left", format_seconds(&text, now->left_s));
}

static void join(const struct line *line, char *out, size_t size)
{
    size_t used = 0;

    out[0] = '\0';
    for (size_t i = 0; i < line->count; i++)
        if (line->items[i].weight > 0 && used < size)
            used += (size_t)snprintf(out + used, size - used, "%s%s", used > 0 ? "  " : "",
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
    struct line line = {.count = 0};
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
        progress_line(now, PLAIN_WIDTH, line, sizeof line);
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
    if (progress->live)
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
        .live = term_is_terminal(fd) && terminal != NULL && terminal[0] != '\0' &&
                strcmp(terminal, "dumb") != 0,
    };
}
