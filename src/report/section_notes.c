#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/sections.h"

enum { NOTES_SHOWN = 20 };

static void print_note(const struct view *view, const char *label, const char *before,
                       const char *note)
{
    struct text text = {0};
    char *clean = view_clean(view, note);
    text_add(&text, "%s%s", before, clean);
    free(clean);
    view_finding(view, label, VIEW_CALM, &text);
}

static void print_more(const struct view *view, const char *label, size_t count)
{
    struct text text = {0};
    if (count > NOTES_SHOWN) {
        text_add(&text, "... and %zu more in the result file", count - NOTES_SHOWN);
        view_finding(view, label, VIEW_CALM, &text);
    }
}

static void print_warnings(const struct view *view)
{
    const json_t *warnings = json_object_get(view->summary, "warnings");
    size_t index;
    const json_t *warning;
    json_array_foreach(warnings, index, warning)
    {
        if (index < NOTES_SHOWN && json_is_string(warning))
            print_note(view, "warning", "", json_string_value(warning));
    }
    print_more(view, "warning", json_array_size(warnings));
    if (json_is_true(json_object_get(view->summary, "result_on_target")))
        print_note(view, "warning", "", "this result was written to the drive under test");
}

static void print_events(const struct view *view)
{
    const json_t *events = json_object_get(view->summary, "events");
    size_t index, count = 0;
    const json_t *event;
    json_array_foreach(events, index, event)
    {
        const char *kind = json_text_at(event, "kind"), *text = json_text_at(event, "text");
        if (!kind || !text || strcmp(kind, "checkpoint") == 0 || count++ >= NOTES_SHOWN)
            continue;
        struct text line = {0};
        struct format_text at;
        char *clean_kind = view_clean(view, kind), *clean = view_clean(view, text);
        text_add(&line, "%s at %s: %s", clean_kind,
                 format_seconds(&at, json_number_at(event, "at_s")), clean);
        view_finding(view, "event", VIEW_CALM, &line);
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
        {"duration", "at the given duration"},
        {"steady", "at the steady state"},
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

static void print_ends(const struct view *view)
{
    const json_t *trials = json_object_get(view->summary, "trials");
    size_t index, count = 0;
    const json_t *trial;
    json_array_foreach(trials, index, trial)
    {
        const char *ended = json_text_at(trial, "ended_by"), *error = json_text_at(trial, "error");
        if (!ended || strcmp(ended, "done") == 0 || count++ >= NOTES_SHOWN)
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
        view_finding(view, "ended", VIEW_CALM, &line);
        free(clean);
        free(reason);
    }
    print_more(view, "ended", count);
}

void section_notes(const struct view *view)
{
    print_ends(view);
    print_warnings(view);
    print_events(view);
    if (view->options->result_path)
        print_note(view, "result", "", view->options->result_path);
}
