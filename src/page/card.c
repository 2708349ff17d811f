#include "page/card.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page/card_curve.h"
#include "page/card_words.h"
#include "report/sections.h"

/* As link previews want it. */
enum { WIDTH = 1200, HEIGHT = 630, LEFT = 64 };
/* Columns that a line of each size has room for, a little less than the box: fonts differ. */
enum { HEAD_COLUMNS = 62, TEXT_COLUMNS = 84, FOOT_COLUMNS = 66 };

static const char style[] =
    "svg{background:#fafaf8;color-scheme:light dark}"
    "text{font-family:system-ui,'Segoe UI',Roboto,'Noto Sans','Noto Sans CJK JP',sans-serif;"
    "fill:#1c2126;font-size:24px}"
    ".paper{fill:#fafaf8}.rate{font-size:104px;font-weight:700;letter-spacing:-2px}"
    ".what{font-size:32px}.muted,.tick{fill:#59636d}.tick,.foot{font-size:20px}"
    ".loud{fill:#a1400a;font-weight:600}.grid{stroke:#e4e7e4;fill:none}"
    ".curve{stroke:#165ec2;stroke-width:4;fill:none;stroke-linejoin:round}.point{fill:#165ec2}"
    "@media (prefers-color-scheme:dark){svg{background:#14181b}.paper{fill:#14181b}"
    "text{fill:#e3e7ea}.muted,.tick{fill:#a0aab3}.loud{fill:#f5a35c}.grid{stroke:#2b3136}"
    ".curve{stroke:#4c8ff2}.point{fill:#4c8ff2}}";

struct card {
    const struct report_source *source;
    struct card_words words;
    struct card_curve curve;
    char number[48]; /* "12,800"; "": the verdict has none */
    char of[48];     /* "highest of 5" */
};

/* ---- text ---- */

static void add_escaped(struct text *svg, const char *text)
{
    for (; *text; text++) {
        const char *entity = *text == '&'   ? "&amp;"
                             : *text == '<' ? "&lt;"
                             : *text == '>' ? "&gt;"
                             : *text == '"' ? "&quot;"
                                            : NULL;
        if (entity)
            text_add(svg, "%s", entity);
        else
            text_add(svg, "%c", *text);
    }
}

static void add_line(struct text *svg, const char *class, double x, double y, const char *text,
                     size_t columns)
{
    char *clean = text_clean(text, TEXT_UTF8, columns);
    text_add(svg, "<text class=\"%s\" x=\"%.0f\" y=\"%.0f\">", class, x, y);
    add_escaped(svg, clean);
    text_add(svg, "</text>\n");
    free(clean);
}

/* Broken at blanks into `lines` lines at most; the last one is cut. */
static void add_lines(struct text *svg, const char *class, double y, const char *text,
                      size_t columns, int lines)
{
    const double height = 42;
    char *whole = text_clean(text, TEXT_UTF8, 0), *at = whole;
    for (int i = 1; *at; i++, y += height) {
        char *end = at, *next = at;
        while (i < lines && *next) {
            next += strcspn(next, " ");
            char kept = *next;
            *next = 0;
            bool fits = text_columns(at) <= columns;
            *next = kept;
            if (!fits)
                break;
            end = next;
            next += strspn(next, " ");
        }
        if (end == at) { /* the last line, or a word longer than a line */
            add_line(svg, class, LEFT, y, at, columns);
            break;
        }
        char kept = *end;
        *end = 0;
        add_line(svg, class, LEFT, y, at, columns);
        *end = kept;
        at = end + strspn(end, " ");
    }
    free(whole);
}

static void add_part(struct text *line, const char *part)
{
    if (part)
        text_add(line, "%s%s", line->size > 0 ? "  \xC2\xB7  " : "", part);
}

/* ---- what it says ---- */

static void read_view(const struct view *view, void *ctx)
{
    struct card *card = ctx;
    struct headline headline;
    struct spread spread;
    struct format_text number;
    section_partial(view);
    section_verdict(view);
    section_steady(view);
    headline_find(view, &headline);
    card_curve_find(&card->curve, &headline, card->source->summary, card->source->courses);
    if (!headline.main)
        return;
    group_rate(headline.main, headline_rate(&headline), &spread);
    /* Only what the sentence itself says. */
    if (!isnan(spread.median) && card->words.verdict &&
        strstr(card->words.verdict, format_digits(&number, spread.median)))
        snprintf(card->number, sizeof card->number, "%s", number.text);
    if (headline.combinations > 1)
        snprintf(card->of, sizeof card->of, "highest of %zu", headline.combinations);
}

static void draw_head(const struct card *card, struct text *svg)
{
    const json_t *summary = card->source->summary;
    const json_t *device = json_array_get(json_object_get(summary, "devices"), 0);
    const char *label = json_text_at(summary, "label"), *model = json_text_at(device, "model");
    double size = json_number_at(device, "size_bytes");
    struct format_text bytes;
    struct text drive = {0}, run = {0};
    add_part(&drive, label);
    add_part(&drive, model ? model : device ? "drive of unknown model" : "no drive under test");
    add_part(&drive, isnan(size) ? NULL : format_bytes(&bytes, size));
    add_part(&drive, json_text_at(device, "link"));
    add_part(&run, json_text_at(summary, "workload.name"));
    add_part(&run, json_text_at(summary, "environment.engine"));
    if (run.data && json_text_at(summary, "environment.engine_version"))
        text_add(&run, " %s", json_text_at(summary, "environment.engine_version"));
    add_part(&run, json_text_at(device, "filesystem"));
    add_line(svg, "what", LEFT, 72, drive.data, HEAD_COLUMNS);
    if (run.data)
        add_line(svg, "muted", LEFT, 110, run.data, TEXT_COLUMNS);
    text_release(&drive);
    text_release(&run);
}

/* The rate stands out; what it is a rate of follows it. */
static void draw_verdict(const struct card *card, struct text *svg)
{
    const char *verdict = card->words.verdict ? card->words.verdict : "nothing was measured";
    const char *at = card->number[0] ? strstr(verdict, card->number) : NULL;
    double y = 160;
    if (at) {
        add_line(svg, "rate", LEFT - 4, y + 58, card->number, 0);
        at += strlen(card->number);
        y += 106;
    }
    struct text what = {0};
    static const char none[] = "none: ";
    if (strncmp(verdict, none, sizeof none - 1) == 0)
        text_add(&what, "no verdict: %s", verdict + sizeof none - 1);
    else
        text_add(&what, "%s", at ? at + strspn(at, " ") : verdict);
    if (at && card->of[0])
        text_add(&what, " (%s)", card->of);
    add_lines(svg, "what", y, what.data, HEAD_COLUMNS, at ? 1 : 4);
    text_release(&what);
    if (card->words.limit) {
        struct text limit = {0};
        text_add(&limit, "limit: %s", card->words.limit);
        add_line(svg, "muted", LEFT, y + 38, limit.data, TEXT_COLUMNS);
        text_release(&limit);
    }
}

/* What a reader must know before the number travels on. */
static void draw_foot(const struct card *card, struct text *svg)
{
    const struct card_words *words = &card->words;
    struct text line = {0};
    const char *version = json_text_at(card->source->summary, "loadline");
    const char *started = json_text_at(card->source->summary, "started");
    const char *loud = words->partial ? words->partial : words->danger;
    if (loud)
        add_line(svg, "foot loud", LEFT, HEIGHT - 26, loud, FOOT_COLUMNS);
    else if (words->lasting)
        add_line(svg, "foot muted", LEFT, HEIGHT - 26, words->lasting, FOOT_COLUMNS);
    text_add(&line, "loadline %s%s%.10s", version ? version : "?", started ? ", " : "",
             started ? started : "");
    char *clean = text_clean(line.data, TEXT_UTF8, 32);
    text_add(svg, "<text class=\"foot muted\" x=\"%d\" y=\"%d\" text-anchor=\"end\">", WIDTH - LEFT,
             HEIGHT - 26);
    add_escaped(svg, clean);
    text_add(svg, "</text>\n");
    free(clean);
    text_release(&line);
}

static void draw(const struct card *card, struct text *svg)
{
    const struct card_box box = {LEFT + 64, 356, WIDTH - 2 * LEFT - 76, 160};
    char *title =
        text_clean(card->words.verdict ? card->words.verdict : "loadline", TEXT_UTF8, 200);
    text_add(svg,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
             "height=\"%d\" role=\"img\">\n<title>",
             WIDTH, HEIGHT, WIDTH, HEIGHT);
    add_escaped(svg, title);
    text_add(svg,
             "</title>\n<style>%s</style>\n<rect class=\"paper\" width=\"%d\" height=\"%d\"/>\n",
             style, WIDTH, HEIGHT);
    free(title);
    draw_head(card, svg);
    draw_verdict(card, svg);
    card_curve_draw(&card->curve, &box, svg);
    draw_foot(card, svg);
    text_add(svg, "</svg>\n");
}

int card_write(FILE *out, const struct report_source *source, struct err *err)
{
    struct card card = {.source = source};
    struct text svg = {0};
    card_words_init(&card.words);
    report_visit(&card.words.sink, source->summary, read_view, &card);
    draw(&card, &svg);
    errno = 0;
    fputs(svg.data, out);
    int status = fflush(out) != 0 || ferror(out) != 0
                     ? err_set_errno(err, ERR_FAILED, errno ? errno : EIO, "write of the card")
                     : 0;
    text_release(&svg);
    card_curve_release(&card.curve);
    card_words_release(&card.words);
    return status;
}
