#include "report/sink.h"

enum { FINDING_INDENT = 9, POINT_INDENT = 12 };

static void section(struct sink *sink, const char *heading, enum sink_fold fold)
{
    (void)sink;
    (void)heading;
    (void)fold;
}

static void line(struct sink *sink, const char *text)
{
    text_print(sink->out, "", 0, text, sink->width, "", "");
}

static void title(struct sink *sink, const char *const *parts, size_t count)
{
    struct text text = {0};
    for (size_t i = 0; i < count; i++)
        text_add(&text, "%s%s", i > 0 ? "  " : "", parts[i]);
    line(sink, text.data);
    text_release(&text);
}

static void fact(struct sink *sink, const char *label, size_t column, const char *text)
{
    text_print(sink->out, label, column, text, sink->width, "", "");
}

static void entry(struct sink *sink, const char *label, const char *name, size_t columns,
                  const char *text)
{
    struct text whole = {0}, before = {0};
    size_t used = text_columns(name);
    if (used > columns) { /* then all of it is one paragraph */
        text_add(&whole, "%s, %s", name, text);
        fact(sink, label, 3, whole.data);
    } else {
        text_add(&before, "%s  %s%*s", label, name, (int)(columns - used), "");
        fact(sink, before.data, columns + 5, text);
    }
    text_release(&whole);
    text_release(&before);
}

static void finding(struct sink *sink, const char *label, enum sink_voice voice, const char *text)
{
    static const char bold[] = "\033[1m", plain[] = "\033[0m";
    bool loud = voice == SINK_LOUD && sink->colour;
    text_print(sink->out, label, FINDING_INDENT, text, sink->width, loud ? bold : "",
               loud ? plain : "");
}

static void point(struct sink *sink, const char *label, const char *text)
{
    char indented[32];
    snprintf(indented, sizeof indented, "  %s", label);
    text_print(sink->out, indented, POINT_INDENT, text, sink->width, "", "");
}

static void note(struct sink *sink, const char *text)
{
    enum { NOTE_INDENT = 8 };
    fact(sink, "note", NOTE_INDENT, text);
}

static void table(struct sink *sink, const char *name, const struct table *shown)
{
    (void)name;
    table_print(shown, sink->out, sink->width);
}

static void block(struct sink *sink, const char *lines)
{
    fputs(lines, sink->out);
}

static void gap(struct sink *sink)
{
    fputc('\n', sink->out);
}

static void finish(struct sink *sink)
{
    (void)sink;
}

struct sink sink_text(FILE *out, size_t width, bool colour)
{
    static const struct sink_form form = {
        .has_columns = true,
        .section = section,
        .title = title,
        .heading = line,
        .caption = line,
        .fact = fact,
        .entry = entry,
        .finding = finding,
        .point = point,
        .note = note,
        .table = table,
        .block = block,
        .gap = gap,
        .finish = finish,
    };
    return (struct sink){.form = &form, .out = out, .width = width, .colour = colour};
}
