#include <stdlib.h>
#include <string.h>

#include "report/markdown.h"
#include "report/sink.h"

/* Ours before and after, escaped between. */
static void put_at(struct sink *sink, enum markdown_place place, const char *before,
                   const char *text, const char *after)
{
    struct text escaped = {0};
    markdown_add(&escaped, place, text);
    fprintf(sink->out, "%s%s%s", before, escaped.size > 0 ? escaped.data : "", after);
    text_release(&escaped);
}

static void put(struct sink *sink, const char *before, const char *text, const char *after)
{
    put_at(sink, MARKDOWN_INSIDE, before, text, after);
}

static void close_fold(struct sink *sink)
{
    if (sink->is_folded)
        fputs("\n</details>\n", sink->out);
    sink->is_folded = false;
}

/* A blank line before everything but the first. */
static void start(struct sink *sink)
{
    if (!sink->is_first)
        fputc('\n', sink->out);
    sink->is_first = false;
    sink->is_item = false;
    sink->open = SINK_CLOSED;
}

static void put_pending(struct sink *sink)
{
    if (!sink->is_pending)
        return;
    sink->is_pending = false;
    close_fold(sink);
    start(sink);
    if (sink->fold == SINK_FOLDED) {
        put(sink, "<details><summary>", sink->section, "</summary>\n");
        sink->is_folded = true;
    } else
        put(sink, "### ", sink->section, "\n");
}

static void begin(struct sink *sink)
{
    put_pending(sink);
    start(sink);
}

/* Facts and findings are items of one list. */
static void begin_item(struct sink *sink)
{
    put_pending(sink);
    if (sink->open == SINK_CLOSED)
        start(sink);
    sink->open = SINK_FINDINGS;
}

static void drop_caption(struct sink *sink)
{
    free(sink->caption);
    sink->caption = NULL;
}

static void section(struct sink *sink, const char *heading, enum sink_fold fold)
{
    drop_caption(sink);
    if (!heading || (sink->section && strcmp(sink->section, heading) == 0))
        return;
    sink->section = heading;
    sink->is_pending = true;
    sink->fold = fold;
}

static void title(struct sink *sink, const char *const *parts, size_t count)
{
    begin(sink);
    for (size_t i = 0; i < count; i++)
        put(sink, i > 0 ? " \xC2\xB7 " : "## ", parts[i], "");
    fputc('\n', sink->out);
}

static void heading(struct sink *sink, const char *text)
{
    begin(sink);
    put(sink, "#### ", text, "\n");
}

static void caption(struct sink *sink, const char *text)
{
    drop_caption(sink);
    sink->caption = strdup(text);
}

static void note(struct sink *sink, const char *text)
{
    begin(sink);
    put_at(sink, MARKDOWN_START, "", text, "\n");
}

/* "- **label** text" */
static void put_item(struct sink *sink, const char *bullet, const char *label, const char *text)
{
    size_t from = strspn(label, " "), size = strlen(label);
    if (size > from && label[size - 1] == ':')
        size--;
    char *name = strndup(label + from, size > from ? size - from : 0);
    fputs(bullet, sink->out);
    bool has_name = name && *name;
    if (has_name)
        put(sink, "**", name, "** ");
    put_at(sink, has_name ? MARKDOWN_INSIDE : MARKDOWN_START, "", text, "\n");
    free(name);
}

static void fact(struct sink *sink, const char *label, size_t column, const char *text)
{
    (void)column;
    begin_item(sink);
    put_item(sink, "- ", label, text);
}

static void entry(struct sink *sink, const char *label, const char *name, size_t columns,
                  const char *text)
{
    struct text whole = {0};
    text_add(&whole, "%s, %s", name, text);
    fact(sink, label, columns, whole.data);
    text_release(&whole);
}

static void put_loud(struct sink *sink, const char *label, const char *text)
{
    begin(sink);
    struct text whole = {0};
    text_add(&whole, "%s %s", label, text);
    while (whole.size > 0 && whole.data[whole.size - 1] == ' ')
        whole.data[--whole.size] = '\0';
    put(sink, "**", whole.data, "**\n");
    text_release(&whole);
}

static void finding(struct sink *sink, const char *label, enum sink_voice voice, const char *text)
{
    bool goes_on = !*label && sink->is_item;
    if (voice == SINK_LOUD) {
        put_loud(sink, label, text);
        return;
    }
    begin_item(sink);
    put_item(sink, goes_on ? "  - " : "- ", label, text);
    sink->is_item = true;
}

/* Those of a loud finding, a paragraph of its own, stand on the first level. */
static void point(struct sink *sink, const char *label, const char *text)
{
    begin_item(sink);
    put_item(sink, sink->is_item ? "  - " : "- ", label, text);
}

static void table(struct sink *sink, const char *name, const struct table *shown)
{
    const char *over = sink->caption ? sink->caption : name;
    if (over && over[strspn(over, " ")]) {
        begin(sink);
        put(sink, "**", over, "**\n");
    }
    drop_caption(sink);
    begin(sink);
    for (size_t c = 0; c < table_columns(shown); c++)
        if (table_shows(shown, c)) {
            char *text = table_heading(shown, c);
            put(sink, "| ", text, " ");
            free(text);
        }
    fputs("|\n", sink->out);
    for (size_t c = 0; c < table_columns(shown); c++)
        if (table_shows(shown, c))
            fputs(table_column(shown, c)->align == TABLE_RIGHT ? "|--:" : "|---", sink->out);
    fputs("|\n", sink->out);
    for (size_t r = 0; r < table_rows(shown); r++) {
        for (size_t c = 0; c < table_columns(shown); c++)
            if (table_shows(shown, c))
                put(sink, "| ", table_text(shown, r, c), " ");
        fputs("|\n", sink->out);
    }
}

/* A fence is longer than any row of backticks in it; blanks at the start do not matter. */
static void block(struct sink *sink, const char *lines)
{
    size_t most = 2;
    for (const char *c = lines; *c; c++) {
        size_t run = strspn(c, "`");
        most = run > most ? run : most;
        c += run > 0 ? run - 1 : 0;
    }
    begin(sink);
    for (int end = 0; end < 2; end++) {
        for (size_t i = 0; i <= most; i++)
            fputc('`', sink->out);
        fputs(end == 0 ? "text\n" : "\n", sink->out);
        if (end == 0)
            fputs(lines, sink->out);
    }
}

static void gap(struct sink *sink)
{
    (void)sink;
}

static void finish(struct sink *sink)
{
    close_fold(sink);
    drop_caption(sink);
}

struct sink sink_markdown(FILE *out)
{
    static const struct sink_form form = {
        .has_columns = false,
        .section = section,
        .title = title,
        .heading = heading,
        .caption = caption,
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
    return (struct sink){.form = &form, .out = out, .is_first = true};
}
