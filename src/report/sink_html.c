#include <stdlib.h>
#include <string.h>

#include "report/sink.h"

/* Controls and bytes that are no UTF-8 become visible first; then nothing is left that HTML takes
 * for its own. */
static void put(struct sink *sink, const char *text)
{
    char *clean = text_clean(text, TEXT_UTF8, 0);
    for (const char *c = clean; *c; c++)
        switch (*c) {
        case '&':
            fputs("&amp;", sink->out);
            break;
        case '<':
            fputs("&lt;", sink->out);
            break;
        case '>':
            fputs("&gt;", sink->out);
            break;
        case '"':
            fputs("&quot;", sink->out);
            break;
        case '\'':
            fputs("&#39;", sink->out);
            break;
        default:
            fputc(*c, sink->out);
        }
    free(clean);
}

static void put_in(struct sink *sink, const char *before, const char *text, const char *after)
{
    fputs(before, sink->out);
    put(sink, text);
    fputs(after, sink->out);
}

/* ---- what is open ---- */

static void close_points(struct sink *sink)
{
    if (sink->open == SINK_POINTS) {
        fputs("</ul>", sink->out);
        sink->open = SINK_FINDINGS;
    }
}

static void close_item(struct sink *sink)
{
    close_points(sink);
    if (sink->is_item)
        fputs("</li>\n", sink->out);
    sink->is_item = false;
}

static void close_all(struct sink *sink)
{
    close_item(sink);
    if (sink->open == SINK_FACTS)
        fputs("</dl>\n", sink->out);
    else if (sink->open == SINK_FINDINGS)
        fputs("</ul>\n", sink->out);
    sink->open = SINK_CLOSED;
}

/* Before anything is written: the heading that was waiting for it. */
static void begin(struct sink *sink)
{
    if (!sink->is_pending)
        return;
    close_all(sink);
    put_in(sink, "<h2>", sink->section, "</h2>\n");
    sink->is_pending = false;
}

static void begin_list(struct sink *sink, enum sink_open list, const char *markup)
{
    begin(sink);
    if (sink->open == SINK_POINTS && list == SINK_FINDINGS)
        close_points(sink);
    if (sink->open == list)
        return;
    close_all(sink);
    fputs(markup, sink->out);
    sink->open = list;
}

static void drop_caption(struct sink *sink)
{
    free(sink->caption);
    sink->caption = NULL;
}

/* ---- parts ---- */

static void section(struct sink *sink, const char *heading, enum sink_fold fold)
{
    (void)fold;
    drop_caption(sink);
    if (!heading || (sink->section && strcmp(sink->section, heading) == 0))
        return;
    sink->section = heading;
    sink->is_pending = true;
}

static void note(struct sink *sink, const char *text)
{
    begin(sink);
    close_all(sink);
    put_in(sink, "<p class=\"note\">", text, "</p>\n");
}

static void fact(struct sink *sink, const char *label, size_t column, const char *text)
{
    (void)column;
    if (!*label) {
        note(sink, text);
        return;
    }
    begin_list(sink, SINK_FACTS, "<dl class=\"facts\">\n");
    size_t from = strspn(label, " "), size = strlen(label);
    if (size > 0 && label[size - 1] == ':')
        size--;
    char *name = strndup(label + from, size > from ? size - from : 0);
    put_in(sink, "<dt>", name ? name : "", "</dt>");
    put_in(sink, "<dd>", text, "</dd>\n");
    free(name);
}

static void title(struct sink *sink, const char *const *parts, size_t count)
{
    struct text text = {0};
    for (size_t i = 0; i < count; i++)
        text_add(&text, "%s%s", i > 0 ? " \xC2\xB7 " : "", parts[i]);
    fact(sink, "run", 0, text.data);
    text_release(&text);
}

static void heading(struct sink *sink, const char *text)
{
    begin(sink);
    close_all(sink);
    put_in(sink, "<h3>", text, "</h3>\n");
}

static void caption(struct sink *sink, const char *text)
{
    drop_caption(sink);
    sink->caption = strdup(text);
}

static void entry(struct sink *sink, const char *label, const char *name, size_t columns,
                  const char *text)
{
    struct text whole = {0};
    (void)columns;
    text_add(&whole, "%s, %s", name, text);
    fact(sink, label, 0, whole.data);
    text_release(&whole);
}

static void put_labelled(struct sink *sink, const char *label, const char *text)
{
    put_in(sink, "<b class=\"label\">", label, "</b> ");
    put_in(sink, "<span>", text, "</span>");
}

static void finding(struct sink *sink, const char *label, enum sink_voice voice, const char *text)
{
    begin_list(sink, SINK_FINDINGS, "<ul class=\"findings\">\n");
    close_item(sink);
    fprintf(sink->out, "<li class=\"finding%s%s\">", voice == SINK_LOUD ? " loud" : "",
            *label ? "" : " more");
    put_labelled(sink, label, text);
    sink->is_item = true;
}

static void point(struct sink *sink, const char *label, const char *text)
{
    if (!sink->is_item) /* of no finding */
        finding(sink, "", SINK_CALM, "");
    if (sink->open != SINK_POINTS)
        fputs("\n<ul class=\"points\">\n", sink->out);
    sink->open = SINK_POINTS;
    fputs("<li>", sink->out);
    put_labelled(sink, label, text);
    fputs("</li>\n", sink->out);
}

static void block(struct sink *sink, const char *lines)
{
    begin(sink);
    close_all(sink);
    fputs("<pre>", sink->out);
    for (const char *end; *lines; lines = end + (*end == '\n')) {
        end = strchrnul(lines, '\n');
        char *line = strndup(lines, (size_t)(end - lines));
        put_in(sink, "", line ? line : "", "\n");
        free(line);
    }
    fputs("</pre>\n", sink->out);
}

/* ---- tables ---- */

static bool has_spans(const struct table *table)
{
    for (size_t c = 0; c < table_columns(table); c += table_span(table, c))
        if (table_span(table, c) > 1 && table_shows(table, c))
            return true;
    return false;
}

static void put_heading(struct sink *sink, const struct table *table, size_t c, bool over_two)
{
    char *text = table_heading(table, c);
    fprintf(sink->out, "<th scope=\"col\"%s%s>", over_two ? " rowspan=\"2\"" : "",
            table_column(table, c)->align == TABLE_RIGHT ? " class=\"n\"" : "");
    put_in(sink, "", text, "</th>");
    free(text);
}

static void put_head(struct sink *sink, const struct table *table)
{
    bool two = has_spans(table);
    fputs("<thead>\n<tr>", sink->out);
    for (size_t c = 0; c < table_columns(table); c += table_span(table, c)) {
        size_t span = table_span(table, c);
        if (!table_shows(table, c))
            continue;
        if (span == 1)
            put_heading(sink, table, c, two);
        else {
            fprintf(sink->out, "<th scope=\"colgroup\" colspan=\"%zu\">", span);
            put_in(sink, "", table_column(table, c)->upper, "</th>");
        }
    }
    if (two) {
        fputs("</tr>\n<tr>", sink->out);
        for (size_t c = 0; c < table_columns(table); c += table_span(table, c))
            for (size_t i = c; table_span(table, c) > 1 && i < c + table_span(table, c); i++)
                if (table_shows(table, i)) {
                    bool is_number = table_column(table, i)->align == TABLE_RIGHT;
                    put_in(sink,
                           is_number ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">",
                           table_column(table, i)->lower, "</th>");
                }
    }
    fputs("</tr>\n</thead>\n", sink->out);
}

static void table(struct sink *sink, const char *name, const struct table *shown)
{
    begin(sink);
    close_all(sink);
    fputs("<div class=\"scroll\"><table>\n", sink->out);
    const char *over = sink->caption ? sink->caption : name;
    if (over && *over)
        put_in(sink, "<caption>", over, "</caption>\n");
    drop_caption(sink);
    put_head(sink, shown);
    fputs("<tbody>\n", sink->out);
    for (size_t r = 0; r < table_rows(shown); r++) {
        fputs("<tr>", sink->out);
        for (size_t c = 0; c < table_columns(shown); c++)
            if (table_shows(shown, c))
                put_in(sink,
                       table_column(shown, c)->align == TABLE_RIGHT ? "<td class=\"n\">" : "<td>",
                       table_text(shown, r, c), "</td>");
        fputs("</tr>\n", sink->out);
    }
    fputs("</tbody>\n</table></div>\n", sink->out);
}

static void gap(struct sink *sink)
{
    (void)sink;
}

static void finish(struct sink *sink)
{
    close_all(sink);
    drop_caption(sink);
}

struct sink sink_html(FILE *out)
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
    return (struct sink){.form = &form, .out = out};
}
