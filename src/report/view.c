#include "report/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "result/keys.h"

enum { LINE_COLUMN = 8, CLEAN_COLUMNS = 600 };

void view_title(const struct view *view, const char *const *parts, size_t count)
{
    view->sink->form->title(view->sink, parts, count);
}

void view_heading(const struct view *view, struct text *text)
{
    if (text->size > 0)
        view->sink->form->heading(view->sink, text->data);
    text_release(text);
}

void view_caption(const struct view *view, struct text *text)
{
    if (text->size > 0)
        view->sink->form->caption(view->sink, text->data);
    text_release(text);
}

void view_line_at(const struct view *view, const char *label, size_t column, struct text *text)
{
    if (text->size > 0)
        view->sink->form->fact(view->sink, label, column, text->data);
    text_release(text);
}

void view_line(const struct view *view, const char *label, struct text *text)
{
    view_line_at(view, label, LINE_COLUMN, text);
}

void view_entry(const struct view *view, const char *label, const char *name, size_t columns,
                struct text *text)
{
    view->sink->form->entry(view->sink, label, name, columns, text->size > 0 ? text->data : "");
    text_release(text);
}

void view_finding(const struct view *view, const char *label, enum sink_voice voice,
                  struct text *text)
{
    if (text->size > 0)
        view->sink->form->finding(view->sink, label, voice, text->data);
    text_release(text);
}

void view_point(const struct view *view, const char *label, struct text *text)
{
    if (text->size > 0)
        view->sink->form->point(view->sink, label, text->data);
    text_release(text);
}

void view_note(const struct view *view, struct text *text)
{
    if (text->size > 0)
        view->sink->form->note(view->sink, text->data);
    text_release(text);
}

void view_table(const struct view *view, const char *name, const struct table *table)
{
    view->sink->form->table(view->sink, name, table);
}

void view_gap(const struct view *view)
{
    view->sink->form->gap(view->sink);
}

void view_block_begin(struct view_block *block)
{
    *block = (struct view_block){NULL, NULL, 0};
    block->out = open_memstream(&block->data, &block->size);
    if (!block->out)
        abort();
}

void view_block_end(const struct view *view, struct view_block *block)
{
    fclose(block->out);
    if (block->size > 0)
        view->sink->form->block(view->sink, block->data);
    free(block->data);
}

char *view_clean(const struct view *view, const char *text)
{
    return text_clean(text ? text : "", view->options->utf8 ? TEXT_UTF8 : TEXT_ASCII,
                      CLEAN_COLUMNS);
}

void view_add_clean(const struct view *view, struct text *text, const char *before,
                    const char *value)
{
    char *clean = view_clean(view, value);
    text_add(text, "%s%s", before, clean);
    free(clean);
}

const char *view_ms(struct format_text *out, double ms)
{
    if (ms > 0 && ms < 0.0005) { /* not nothing */
        snprintf(out->text, sizeof out->text, "<0.001");
        return out->text;
    }
    int decimals = ms < 0.1 ? 3 : ms < 10 ? 2 : 1;
    return ms >= 999.5 ? format_grouped(out, ms)
                       : format_fixed(out, ms, ms >= 99.95 ? 0 : decimals);
}

const char *view_percent(struct format_text *out, double share)
{
    struct format_text number;
    snprintf(out->text, sizeof out->text, isnan(share) ? "%s" : "%s%%",
             format_fixed(&number, share * 100, 0));
    return out->text;
}

const char *view_kib(struct format_text *out, double bytes)
{
    double kib = bytes / 1024;
    return kib >= 99.95 ? format_grouped(out, kib) : format_fixed(out, kib, 1);
}

const char *view_seconds(struct format_text *out, double seconds)
{
    return seconds >= 999.95 ? format_grouped(out, seconds)
                             : format_fixed(out, seconds, seconds < 0.95 ? 2 : 1);
}

const char *view_decimals(struct format_text *out, double value)
{
    return value >= 99.95 ? format_grouped(out, value)
                          : format_fixed(out, value, value >= 9.995 ? 1 : 2);
}

const char *view_key(const struct view *view, const struct group *group, const char *key)
{
    return keys_text(view->summary, group->trials[0], key);
}

double view_rows_per_commit(const struct view *view, const struct group *group)
{
    double asked = keys_number(view->summary, group->trials[0], "workload.rows_per_commit");
    if (!isnan(asked))
        return asked;
    double commits = group_median(group, "commits");
    return commits > 0 ? group_median(group, "rows") / commits : NAN;
}

void view_add_factor(struct text *text, const char *name, const json_t *value)
{
    struct format_text number;
    const char *shown = json_is_number(value) ? format_digits(&number, json_number_value(value))
                                              : json_string_value(value);
    if (json_is_integer(value))
        shown = format_grouped(&number, json_number_value(value));
    if (!shown)
        shown = "?";
    text_add(text, text->size ? ", " : "");
    if (strcmp(name, "streams") == 0)
        text_add(text, "%s stream%s", shown, json_number_value(value) == 1 ? "" : "s");
    else if (strcmp(name, "layout") == 0)
        text_add(text, "%s", shown);
    else {
        const char *dot = strrchr(name, '.');
        text_add(text, "%s %s", dot ? dot + 1 : name, shown);
    }
}

char *view_place(const struct view *view, const struct group *group)
{
    struct text text = {0};
    const char *name;
    json_t *value;
    if (!json_object_get(group->factors, "streams")) {
        double streams = group_median(group, "stream_count");
        if (streams > 0)
            text_add(&text, "%.0f stream%s", streams, streams > 1 ? "s" : "");
    }
    json_object_foreach((json_t *)group->factors, name, value)
    {
        view_add_factor(&text, name, value);
    }
    char *clean = view_clean(view, text.data);
    text_release(&text);
    return clean;
}

size_t view_repeats(const struct view *view)
{
    size_t most = 0;
    for (size_t i = 0; i < view->groups.count; i++)
        if (view->groups.items[i].count > most)
            most = view->groups.items[i].count;
    return most;
}
