#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "report/rights.h"
#include "report/sections.h"

enum { NOTES_SHOWN = 20 };

static void print_note(const struct view *view, const char *label, const char *before,
                       const char *note)
{
    struct text text = {0};
    char *clean = view_clean(view, note);
    text_add(&text, "%s%s", before, clean);
    free(clean);
    view_finding(view, label, SINK_CALM, &text);
}

static void print_more(const struct view *view, const char *label, size_t count)
{
    struct text text = {0};
    if (count > NOTES_SHOWN) {
        text_add(&text, "... and %zu more in the result file", count - NOTES_SHOWN);
        view_finding(view, label, SINK_CALM, &text);
    }
}

/* Several trials or places may warn of the same. */
static bool is_repeated(const json_t *warnings, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (json_equal(json_array_get(warnings, i), json_array_get(warnings, index)))
            return true;
    return false;
}

static void print_warnings(const struct view *view)
{
    const json_t *warnings = json_object_get(view->summary, "warnings");
    size_t index;
    const json_t *warning;
    json_array_foreach(warnings, index, warning)
    {
        if (index < NOTES_SHOWN && json_is_string(warning) && !is_repeated(warnings, index))
            print_note(view, "warning", "", json_string_value(warning));
    }
    print_more(view, "warning", json_array_size(warnings));
    if (json_is_true(json_object_get(view->summary, "result_on_target")))
        print_note(view, "note", "", "this result was written to the drive under test");
}

/* Disturbed trials have a line of their own, and so has what drives say; a checkpoint that took
 * long is for programs. */
static bool is_told_elsewhere(const char *kind)
{
    return strcmp(kind, "checkpoint") == 0 || strcmp(kind, "disturbed") == 0 ||
           strcmp(kind, "smart change") == 0 || strcmp(kind, "steady") == 0;
}

static void print_events(const struct view *view)
{
    const json_t *events = json_object_get(view->summary, "events");
    size_t index, count = 0;
    const json_t *event;
    json_array_foreach(events, index, event)
    {
        const char *kind = json_text_at(event, "kind"), *text = json_text_at(event, "text");
        if (!kind || !text || is_told_elsewhere(kind) || count++ >= NOTES_SHOWN)
            continue;
        struct text line = {0};
        struct format_text at;
        char *clean_kind = view_clean(view, kind), *clean = view_clean(view, text);
        text_add(&line, "%s at %s: %s", clean_kind,
                 format_seconds(&at, json_number_at(event, "at_s")), clean);
        view_finding(view, "event", SINK_CALM, &line);
        free(clean_kind);
        free(clean);
    }
    print_more(view, "event", count);
}

static const char *ended_text(const char *ended)
{
    static const struct {
        const char *name, *text;
    } texts[] = {
        {"write_bytes", "early: limit.write_bytes was reached"},
        {"free_space", "early: limit.free_space was reached"},
        {"no_space", "early: no space left on the target"},
        {"signal", "early: stopped by a signal"},
        {"error", "early: it failed"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(ended, texts[i].name) == 0)
            return texts[i].text;
    return ended;
}

/* Did the trial end as the workload asks?  Then there is nothing to tell. */
static bool ended_as_asked(const char *ended)
{
    return strcmp(ended, "done") == 0 || strcmp(ended, "duration") == 0 ||
           strcmp(ended, "steady") == 0;
}

static void print_ends(const struct view *view)
{
    const json_t *trials = json_object_get(view->summary, "trials");
    size_t index, count = 0;
    const json_t *trial;
    json_array_foreach(trials, index, trial)
    {
        const char *ended = json_text_at(trial, "ended_by"), *error = json_text_at(trial, "error");
        if (!ended || ended_as_asked(ended) || count++ >= NOTES_SHOWN)
            continue;
        struct text line = {0};
        double number = json_number_at(trial, "index");
        char *clean = view_clean(view, error), *reason = view_clean(view, ended_text(ended));
        if (json_array_size(trials) > 1)
            text_add(&line, "trial %.0f ended %s", number + 1, reason);
        else
            text_add(&line, "%s", reason);
        if (*clean && !strstr(reason, clean))
            text_add(&line, " (%s)", clean);
        view_finding(view, "ended", SINK_CALM, &line);
        free(clean);
        free(reason);
    }
    print_more(view, "ended", count);
}

/* What the first disturbed trial was told; borrowed, or NULL. */
static const char *disturbed_sentence(const struct view *view)
{
    size_t index;
    const json_t *event;
    json_array_foreach(json_object_get(view->summary, "events"), index, event)
    {
        const char *kind = json_text_at(event, "kind");
        if (kind && strcmp(kind, "disturbed") == 0)
            return json_text_at(event, "text");
    }
    return NULL;
}

static void print_disturbed(const struct view *view)
{
    const json_t *trials = json_object_get(view->summary, "trials");
    struct text line = {0};
    size_t index, count = 0;
    const json_t *trial;
    json_array_foreach(trials, index, trial)
    {
        if (!json_is_true(json_object_get(trial, "disturbed")) || count++ >= NOTES_SHOWN)
            continue;
        text_add(&line, "%s%.0f", count == 1 ? "disturbed: trial " : ", ",
                 json_number_at(trial, "index") + 1);
    }
    if (count == 0)
        return;
    char *clean = view_clean(view, disturbed_sentence(view));
    text_add(&line, "%s of %zu%s%s", count > NOTES_SHOWN ? ", ..." : "", json_array_size(trials),
             *clean ? "; " : "", clean);
    free(clean);
    view_finding(view, "foreign", SINK_CALM, &line);
}

/* How often the drive was still busy when the wait for it after such a phase was given up. */
static size_t count_unsettled(const struct view *view, const char *name, size_t *all)
{
    size_t t, p, count = 0;
    const json_t *trial, *phase;
    *all = 0;
    json_array_foreach(json_object_get(view->summary, "trials"), t, trial)
    {
        json_array_foreach(json_object_get(trial, "phases"), p, phase)
        {
            const char *other = json_text_at(phase, "name");
            if (!other || strcmp(other, name) != 0 || isnan(json_number_at(phase, "settle_s")))
                continue;
            ++*all;
            count += json_is_false(json_object_get(phase, "settled"));
        }
    }
    return count;
}

static void print_unsettled(const struct view *view)
{
    for (size_t i = 0; i < view->groups.count; i++) {
        const char *name = view->groups.items[i].phase;
        bool is_first = true;
        for (size_t k = 0; k < i; k++)
            is_first &= strcmp(view->groups.items[k].phase, name) != 0;
        size_t all, count = is_first ? count_unsettled(view, name, &all) : 0;
        if (count == 0)
            continue;
        struct text text = {0};
        char *clean = view_clean(view, name);
        text_add(&text, "the drive was never at rest after %s", clean);
        if (all > 1)
            text_add(&text, " (%zu of %zu times)", count, all);
        text_add(&text, ": its settle bytes are a lower bound");
        view_finding(view, "settle", SINK_CALM, &text);
        free(clean);
    }
}

void section_notes(const struct view *view)
{
    print_ends(view);
    print_unsettled(view);
    print_disturbed(view);
    rights_print(view);
    print_warnings(view);
    print_events(view);
}

void section_result(const struct view *view)
{
    if (view->options->result_path)
        print_note(view, "result", "", view->options->result_path);
}
