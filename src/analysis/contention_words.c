#include "analysis/contention_words.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "analysis/finding.h"
#include "analysis/number.h"

enum { SENTENCE = 600, RATIOS_SHOWN = 4 };
#define LOCK_SHARE_TOLD 0.05 /* of the streams' time */
#define UNFAIR          0.90 /* Jain's index */

struct story {
    json_t *finding;
    const struct contention_row *rows;
    size_t count;
    bool sqlite, postgres;
    double streams_least; /* rows with fewer are not told of */
};

__attribute__((format(printf, 3, 4))) static void add(char *text, size_t size, const char *format,
                                                      ...)
{
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

/* What streams have there, in the engine's own terms. */
static const char *things(const struct story *s, const char *layout)
{
    switch (contention_sharing(layout)) {
    case SHARING_TABLE:
        return "one shared table";
    case SHARING_FILE:
        return s->sqlite ? "separate tables in one SQLite file" : "separate tables";
    case SHARING_NOTHING:
        return s->postgres ? "separate databases" : "separate files";
    case SHARING_UNKNOWN:
        break;
    }
    return layout;
}

static bool is_told(const struct story *s, const struct contention_row *row)
{
    return row->streams >= s->streams_least;
}

static bool is_row_of(const struct story *s, const struct contention_row *row, const char *layout)
{
    return row->against && is_told(s, row) && strcmp(row->layout, layout) == 0;
}

/* The verdict of one layout over all its streams. */
static const char *layout_verdict(const struct story *s, const char *layout)
{
    size_t seen[RATIO_SAME + 1] = {0}, kinds = 0;
    enum ratio_verdict last = RATIO_UNDETERMINED;
    for (size_t i = 0; i < s->count; i++)
        if (is_row_of(s, &s->rows[i], layout))
            seen[s->rows[i].verdict]++;
    for (enum ratio_verdict v = RATIO_HIGHER; v <= RATIO_SAME; v++)
        if (seen[v] > 0) {
            kinds++;
            last = v;
        }
    static const char *const words[] = {[RATIO_UNDETERMINED] = "undetermined",
                                        [RATIO_HIGHER] = "separate-better",
                                        [RATIO_LOWER] = "separate-worse",
                                        [RATIO_SAME] = "same"};
    return kinds > 1 ? "mixed" : words[last];
}

static const struct contention_row *last_row(const struct story *s, const char *layout)
{
    const struct contention_row *last = NULL;
    for (size_t i = 0; i < s->count; i++)
        if (is_row_of(s, &s->rows[i], layout))
            last = &s->rows[i];
    return last;
}

/* "x3.4 (3.2-3.6) at 16 streams, x1.5 at 4": those with the most streams first; all: of every
 * verdict, with its word. */
static void add_ratios(char *text, const struct story *s, const char *layout, bool with_words)
{
    struct format_text ratio, low, high;
    size_t shown = 0;
    for (size_t i = s->count; i-- > 0 && shown < RATIOS_SHOWN;) {
        const struct contention_row *row = &s->rows[i];
        if (!is_row_of(s, row, layout))
            continue;
        add(text, SENTENCE, "%sx%s", shown > 0 ? ", " : "",
            number_decimals(&ratio, row->ratio.ratio));
        if (!isnan(row->ratio.low) && !isnan(row->ratio.high))
            add(text, SENTENCE, " (%s-%s)", number_decimals(&low, row->ratio.low),
                number_decimals(&high, row->ratio.high));
        add(text, SENTENCE, " at %.0f%s", row->streams,
            shown > 0           ? ""
            : row->streams == 1 ? " stream"
                                : " streams");
        if (with_words)
            add(text, SENTENCE, " (%s)", contention_verdict(row->verdict));
        shown++;
    }
}

/* Why it is so, where the engine's making says it. */
static const char *why(const struct story *s, const struct contention_row *row, const char *verdict)
{
    bool helps = strcmp(verdict, "separate-better") == 0;
    if (s->sqlite && row->sharing == SHARING_FILE)
        return helps ? "one writer per file all the same" : "one writer per file";
    if (s->sqlite && row->sharing == SHARING_NOTHING && helps)
        return "a writer for each file";
    if (s->postgres && row->sharing == SHARING_NOTHING && !helps)
        return "all databases of a server share its WAL";
    return "";
}

static void say_layout(const struct story *s, const struct contention_row *row)
{
    const char *verdict = layout_verdict(s, row->layout), *name = things(s, row->layout);
    const char *reason = why(s, row, verdict), *before = *reason ? ": " : "";
    char ratios[SENTENCE] = "";
    add_ratios(ratios, s, row->layout, strcmp(verdict, "mixed") == 0);
    if (strcmp(verdict, "separate-better") == 0)
        finding_say(s->finding, "%s give %s of what %s carries%s%s", name, ratios,
                    things(s, row->against_layout), before, reason);
    else if (strcmp(verdict, "separate-worse") == 0)
        finding_say(s->finding, "%s carry less: %s%s%s", name, ratios, before, reason);
    else if (strcmp(verdict, "same") == 0)
        finding_say(s->finding, "%s do not help: %s%s%s", name, ratios, before, reason);
    else if (strcmp(verdict, "mixed") == 0)
        finding_say(s->finding, "%s: it depends on the number of streams: %s", name, ratios);
    else if (row->repeats == 1)
        finding_say(s->finding, "%s: %s; one run of each names no winner%s%s%s", name, ratios,
                    *reason ? " (" : "", reason, *reason ? ")" : "");
    else
        finding_say(s->finding, "%s: %s in %zu runs, undetermined%s%s%s", name, ratios,
                    row->repeats, *reason ? " (" : "", reason, *reason ? ")" : "");
}

/* "Lock:extend": what streams were seen waiting for most, of what they wait for others. */
static const char *leading_event(const struct contention_row *row)
{
    enum waits_group most = WAITS_ROW;
    static const enum waits_group groups[] = {WAITS_EXTEND, WAITS_BUFFER, WAITS_LOG_INSERT};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (row->waiting.groups[groups[i]] > row->waiting.groups[most])
            most = groups[i];
    const json_t *leading = json_at(row->group->phases[0], "waits.leading");
    return json_string_value(json_object_get(leading, waits_groups[most]));
}

/* Of the most streams: who waits for whom. */
static void say_waits(const struct story *s)
{
    char text[SENTENCE] = "";
    struct format_text share, p99;
    double streams = s->rows[s->count - 1].streams, most = 0;
    for (size_t i = 0; i < s->count; i++) {
        const struct contention_row *row = &s->rows[i];
        if (row->streams != streams || isnan(row->lock_share))
            continue;
        most = fmax(most, row->lock_share);
        add(text, SENTENCE, "%s%s with %s", *text ? ", " : "",
            number_percent(&share, row->lock_share), things(s, row->layout));
        const char *event =
            row->has_waiting && row->lock_share >= LOCK_SHARE_TOLD ? leading_event(row) : NULL;
        if (event)
            add(text, SENTENCE, " (%.48s)", event);
        else if (!row->has_waiting && !isnan(row->lock_p99_ms) &&
                 row->lock_share >= LOCK_SHARE_TOLD)
            add(text, SENTENCE, " (p99 %s ms)", number_ms(&p99, row->lock_p99_ms));
    }
    if (most >= LOCK_SHARE_TOLD)
        finding_say(s->finding, "of its time each of %.0f stream%s waits for others: %s", streams,
                    streams == 1 ? "" : "s", text);
}

static void say_fairness(const struct story *s)
{
    const struct contention_row *worst = NULL;
    struct format_text index;
    for (size_t i = 0; i < s->count; i++)
        if (s->rows[i].streams > 1 && s->rows[i].fairness < (worst ? worst->fairness : UNFAIR))
            worst = &s->rows[i];
    if (worst)
        finding_say(s->finding,
                    "some streams commit far more than others: fairness %s (Jain) at %.0f streams "
                    "with %s",
                    number_decimals(&index, worst->fairness), worst->streams,
                    things(s, worst->layout));
}

static void doubt(const struct story *s)
{
    const struct contention_row *most = NULL;
    bool hopeless = false, some_told = false;
    for (size_t i = 0; i < s->count; i++) {
        const struct contention_row *row = &s->rows[i];
        size_t more = is_told(s, row) ? contention_row_more(row) : 0;
        some_told |= row->against && is_told(s, row) && row->verdict != RATIO_UNDETERMINED;
        hopeless |= more >= RATIO_MORE_MAX;
        if (more > (most ? contention_row_more(most) : 0) && more < RATIO_MORE_MAX)
            most = row;
    }
    if (!most) {
        if (hopeless)
            finding_doubt(s->finding,
                          "more repeats would not tell them apart: they scatter too much");
        return;
    }
    size_t more = contention_row_more(most);
    const char *plural = more == 1 ? "" : "s";
    bool bare = isnan(most->ratio.low); /* so few that there is no interval at all */
    if (bare)
        finding_doubt(s->finding, "%zu repeat%s more would give intervals (--repeats %zu)", more,
                      plural, most->repeats + more);
    else if (some_told)
        finding_doubt(s->finding,
                      "%zu repeat%s more would tell of %s at %.0f streams (--repeats %zu)", more,
                      plural, things(s, most->layout), most->streams, most->repeats + more);
    else
        finding_doubt(s->finding, "%zu repeat%s more would tell the layouts apart (--repeats %zu)",
                      more, plural, most->repeats + more);
}

void contention_words(json_t *finding, const struct contention_row *rows, size_t count,
                      const char *engine)
{
    struct story s = {.finding = finding,
                      .rows = rows,
                      .count = count,
                      .sqlite = engine && strcmp(engine, "sqlite") == 0,
                      .postgres = engine && strcmp(engine, "postgres") == 0};
    if (count == 0)
        return;
    if (rows[count - 1].streams > 1)
        s.streams_least = 2;
    const struct contention_row *separate = NULL; /* of those that share least */
    for (size_t i = 0; i < count; i++) {
        const struct contention_row *row = &rows[i];
        if (!row->against || !is_told(&s, row) || last_row(&s, row->layout) != row)
            continue;
        say_layout(&s, row);
        if (!separate || row->sharing >= separate->sharing)
            separate = row;
    }
    if (separate)
        finding_judge(finding, layout_verdict(&s, separate->layout));
    say_waits(&s);
    say_fairness(&s);
    doubt(&s);
}
