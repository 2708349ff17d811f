#include "page/page.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "page/page_data.h"
#include "page/page_parts.h"
#include "page/page_text.h"
#include "report/compare_text.h"

struct page {
    FILE *out;
    const struct report_source *sources;
    size_t count;
    const json_t *comparison;
    const char *lang; /* "": as the browser wants it */
};

/* ---- what fills the places ---- */

static void write_part(FILE *out, enum page_part part)
{
    size_t size;
    const char *text = page_part_text(part, &size);
    fwrite(text, 1, size, out);
}

static void write_name(const struct page *page, const struct report_source *source)
{
    char *name = page_data_name(source);
    page_text_write(page->out, name);
    free(name);
}

/* Does a result before it, or with `others` any other, have the same name? */
static bool is_repeated(const struct page *page, size_t index, bool others)
{
    char *name = page_data_name(&page->sources[index]);
    bool found = false;
    for (size_t i = 0; i < (others ? page->count : index) && !found; i++) {
        char *other = page_data_name(&page->sources[i]);
        found = i != index && strcmp(name, other) == 0;
        free(other);
    }
    free(name);
    return found;
}

/* The names, each once. */
static int fill_title(const struct page *page, struct err *err)
{
    enum { NAMES_MOST = 3 };
    size_t names = 0;
    (void)err;
    for (size_t i = 0; i < page->count; i++) {
        if (is_repeated(page, i, false) || names++ >= NAMES_MOST)
            continue;
        fputs(names > 1 ? ", " : "", page->out);
        write_name(page, &page->sources[i]);
    }
    if (names > NAMES_MOST)
        fprintf(page->out, " and %zu more", names - NAMES_MOST);
    return 0;
}

static int fill_lang(const struct page *page, struct err *err)
{
    (void)err;
    page_text_write(page->out, page->lang);
    return 0;
}

static int fill_version(const struct page *page, struct err *err)
{
    (void)err;
    fputs(LOADLINE_VERSION, page->out);
    return 0;
}

static int fill_licence(const struct page *page, struct err *err)
{
    (void)err;
    page_text_write(page->out, page_part_licence());
    return 0;
}

static int fill_comparison(const struct page *page, struct err *err)
{
    if (!page->comparison)
        return 0;
    fputs("<section class=\"comparison\">\n", page->out);
    if (compare_html(page->out, page->comparison, err) != 0)
        return -1;
    fputs("</section>\n<section class=\"comparison-charts\"></section>\n", page->out);
    return 0;
}

static int fill_section(const struct page *page, const struct report_source *source,
                        enum report_place place, const char *class, struct err *err)
{
    fprintf(page->out, "<section class=\"%s\">\n", class);
    if (report_html(page->out, source->summary, place, err) != 0)
        return -1;
    fputs("</section>\n", page->out);
    return 0;
}

static int fill_result(const struct page *page, size_t index, struct err *err)
{
    const struct report_source *source = &page->sources[index];
    fprintf(page->out, "<article class=\"result\" id=\"r%zu\">\n", index);
    if (fill_section(page, source, REPORT_VERDICT, "verdict", err) != 0 ||
        fill_section(page, source, REPORT_DRIVE, "drive", err) != 0)
        return -1;
    fputs("<section class=\"charts\"></section>\n", page->out);
    if (fill_section(page, source, REPORT_TABLES, "tables", err) != 0)
        return -1;
    fputs("</article>\n", page->out);
    return 0;
}

/* Results of one name are told apart by their files. */
static void fill_heading(const struct page *page, size_t index)
{
    const char *file = page_data_file(&page->sources[index]);
    fputs("<summary>", page->out);
    write_name(page, &page->sources[index]);
    if (file && is_repeated(page, index, true)) {
        fputs(": ", page->out);
        page_text_write(page->out, file);
    }
    fputs("</summary>\n", page->out);
}

static int fill_results(const struct page *page, struct err *err)
{
    if (page->count == 1)
        return fill_result(page, 0, err);
    for (size_t i = 0; i < page->count; i++) {
        bool is_open = i == 0 && !page->comparison;
        fprintf(page->out, "<details class=\"result\"%s>\n", is_open ? " open" : "");
        fill_heading(page, i);
        if (fill_result(page, i, err) != 0)
            return -1;
        fputs("</details>\n", page->out);
    }
    return 0;
}

static int fill_data(const struct page *page, struct err *err)
{
    (void)err;
    json_t *data = page_data(page->sources, page->count, page->comparison);
    char *text = page_data_text(data);
    fputs(text, page->out);
    free(text);
    json_decref(data);
    return 0;
}

/* ---- the template ---- */

enum place_kind { PLACE_PART, PLACE_SUM, PLACE_FILLED };

static const struct place {
    const char *name;
    enum place_kind kind;
    enum page_part part;
    int (*fill)(const struct page *page, struct err *err);
} places[] = {
    {"STYLE", PLACE_PART, PAGE_STYLE, NULL},
    {"SCRIPT", PLACE_PART, PAGE_SCRIPT, NULL},
    {"DYGRAPHS", PLACE_PART, PAGE_DYGRAPHS, NULL},
    {"CATALOG", PLACE_PART, PAGE_CATALOG, NULL},
    {"STYLE_SUM", PLACE_SUM, PAGE_STYLE, NULL},
    {"SCRIPT_SUM", PLACE_SUM, PAGE_SCRIPT, NULL},
    {"DYGRAPHS_SUM", PLACE_SUM, PAGE_DYGRAPHS, NULL},
    {"TITLE", PLACE_FILLED, PAGE_PARTS, fill_title},
    {"LANG", PLACE_FILLED, PAGE_PARTS, fill_lang},
    {"VERSION", PLACE_FILLED, PAGE_PARTS, fill_version},
    {"DYGRAPHS_LICENCE", PLACE_FILLED, PAGE_PARTS, fill_licence},
    {"COMPARISON", PLACE_FILLED, PAGE_PARTS, fill_comparison},
    {"RESULTS", PLACE_FILLED, PAGE_PARTS, fill_results},
    {"DATA", PLACE_FILLED, PAGE_PARTS, fill_data},
};

static const struct place *find_place(const char *name, size_t size)
{
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (strlen(places[i].name) == size && memcmp(places[i].name, name, size) == 0)
            return &places[i];
    return NULL;
}

static int fill_place(const struct page *page, const char *name, size_t size, struct err *err)
{
    const struct place *place = find_place(name, size);
    if (!place)
        return err_set(err, ERR_FAILED,
                       "the page's template has a place {{%.*s}}, which nothing fills", (int)size,
                       name);
    if (place->kind == PLACE_PART)
        write_part(page->out, place->part);
    else if (place->kind == PLACE_SUM)
        fputs(page_part_sum(place->part), page->out);
    else
        return place->fill(page, err);
    return 0;
}

static const char *find_two(const char *from, const char *end, const char *two)
{
    return memmem(from, (size_t)(end - from), two, 2);
}

/* From its beginning to its end: what fills a place is not looked at again. */
static int fill_template(const struct page *page, struct err *err)
{
    size_t size;
    const char *at = page_part_text(PAGE_TEMPLATE, &size), *end = at + size;
    for (const char *open; (open = find_two(at, end, "{{")) != NULL;) {
        const char *close = find_two(open + 2, end, "}}");
        if (!close)
            break;
        fwrite(at, 1, (size_t)(open - at), page->out);
        if (fill_place(page, open + 2, (size_t)(close - open - 2), err) != 0)
            return -1;
        at = close + 2;
    }
    fwrite(at, 1, (size_t)(end - at), page->out);
    return 0;
}

int page_write(FILE *out, const struct report_source *sources, size_t count,
               const json_t *comparison, const struct page_options *options, struct err *err)
{
    const char *lang = options ? options->lang : NULL;
    const struct page page = {out, sources, count, comparison, lang ? lang : ""};
    errno = 0;
    if (fill_template(&page, err) != 0)
        return -1;
    if (fflush(out) != 0 || ferror(out))
        return err_set_errno(err, ERR_FAILED, errno, "the page cannot be written");
    return 0;
}
