#include "report/compare_text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/compare_forest.h"
#include "report/compare_head.h"
#include "report/compare_table.h"

enum { WIDTH_LEAST = 60, WIDTH_MOST = 120, WIDTH_OF_PAGES = 80, SHOWN = 20 };

/* ---- verdict ---- */

static void print_verdict(const struct view *view, const json_t *comparison)
{
    struct text text = {0};
    size_t index;
    const json_t *sentence;
    json_array_foreach(json_at(comparison, "verdict.sentences"), index, sentence)
    {
        const char *shown = json_string_value(sentence);
        if (shown)
            view_add_clean(view, &text, text.size > 0 ? " " : "", shown);
    }
    view_finding(view, "VERDICT", SINK_LOUD, &text);
}

/* Short enough for a column. */
static const char *label_of(const char *kind)
{
    static const struct {
        const char *kind, *label;
    } labels[] = {{"verification", "rows"}, {"ended early", "ended"}};
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        if (strcmp(kind, labels[i].kind) == 0)
            return labels[i].label;
    return kind;
}

static void add_reason(const struct view *view, struct text *text, const json_t *entry,
                       size_t groups)
{
    size_t index, places = json_array_size(json_object_get(entry, "places"));
    const json_t *drive;
    json_array_foreach(json_object_get(entry, "drives"), index, drive)
    {
        const char *name = json_string_value(drive);
        text_add(text, "%s%.3s", index > 0 ? ", " : "", name ? name : "?");
    }
    view_add_clean(view, text, ": ", json_text_at(entry, "text"));
    if (places > 0 && places < groups)
        text_add(text, " (in %zu of %zu combinations)", places, groups);
}

/* Settings are listed above already. */
static void print_reasons(const struct view *view, const json_t *comparison)
{
    size_t index, shown = 0;
    const json_t *entry;
    size_t groups = json_array_size(json_object_get(comparison, "groups"));
    json_array_foreach(json_object_get(comparison, "against"), index, entry)
    {
        const char *kind = json_text_at(entry, "kind");
        if (!kind || strcmp(kind, "settings") == 0 || shown++ >= SHOWN)
            continue;
        struct text text = {0};
        add_reason(view, &text, entry, groups);
        view_point(view, label_of(kind), &text);
    }
    if (shown > SHOWN) {
        struct text text = {0};
        text_add(&text, "%zu more reasons: --json shows all", shown - SHOWN);
        view_point(view, "...", &text);
    }
}

static void print_left_out(const struct view *view, const json_t *comparison)
{
    const json_t *list = json_object_get(comparison, "left_out"), *entry;
    size_t index;
    json_array_foreach(list, index, entry)
    {
        if (index == SHOWN)
            break;
        struct text text = {0};
        size_t d;
        const json_t *drive;
        char *place = compare_rows_place(view, entry);
        const char *part = json_text_at(entry, "part");
        text_add(&text, "%s", place);
        if (part)
            view_add_clean(view, &text, ", ", part);
        text_add(&text, ": only ");
        json_array_foreach(json_object_get(entry, "drives"), d, drive)
        {
            const char *name = json_string_value(drive);
            text_add(&text, "%s%.3s", d > 0 ? ", " : "", name ? name : "?");
        }
        text_add(&text, " measured it");
        free(place);
        view_finding(view, "left out", SINK_CALM, &text);
    }
    if (json_array_size(list) > SHOWN) {
        struct text text = {0};
        text_add(&text, "%zu more combinations: --json shows all", json_array_size(list) - SHOWN);
        view_finding(view, "left out", SINK_CALM, &text);
    }
}

static void print_notes(const struct view *view, const json_t *comparison)
{
    size_t index;
    const json_t *note;
    json_array_foreach(json_object_get(comparison, "notes"), index, note)
    {
        struct text text = {0};
        if (index >= SHOWN)
            break;
        view_add_clean(view, &text, "", json_string_value(note));
        view_finding(view, "note", SINK_CALM, &text);
    }
}

/* ---- thresholds ---- */

static bool is_status(const json_t *object, const char *wanted)
{
    const char *status = json_text_at(object, "status");
    return status && strcmp(status, wanted) == 0;
}

static void add_found(struct text *text, const json_t *threshold, const json_t *check)
{
    struct format_text found, limit, of, factor;
    double first = json_number_at(check, "of");
    const char *relation = json_text_at(threshold, "operator");
    text_add(text, "%s %s %s", format_digits(&found, json_number_at(check, "found")),
             relation ? relation : "?", format_digits(&limit, json_number_at(check, "limit")));
    if (!isnan(first))
        text_add(text, " (%s of %s)", format_digits(&factor, json_number_at(threshold, "value")),
                 format_digits(&of, first));
}

static void print_check(const struct view *view, const json_t *threshold, const json_t *check)
{
    struct text text = {0};
    char *place = compare_rows_place(view, check);
    const char *drive = json_text_at(check, "drive"), *reason = json_text_at(check, "reason");
    text_add(&text, "%.3s in %s: ", drive ? drive : "?", place);
    if (reason)
        view_add_clean(view, &text, "", reason);
    else
        add_found(&text, threshold, check);
    view_point(view, is_status(check, "crossed") ? "crossed" : "unknown", &text);
    free(place);
}

/* Nearer to the limit than all others that passed, as a ratio. */
static const json_t *nearest(const json_t *threshold)
{
    size_t index;
    const json_t *check, *best = NULL;
    double least = INFINITY;
    json_array_foreach(json_object_get(threshold, "checks"), index, check)
    {
        double found = json_number_at(check, "found"), limit = json_number_at(check, "limit");
        double distance = fabs(log(found / limit));
        if (!best || distance < least) {
            best = check;
            least = isnan(distance) ? INFINITY : distance;
        }
    }
    return best;
}

static void print_threshold(const struct view *view, const json_t *threshold)
{
    const json_t *checks = json_object_get(threshold, "checks"), *check;
    size_t index, failed = 0, shown = 0;
    struct text text = {0};
    json_array_foreach(checks, index, check)
    {
        failed += is_status(check, "passed") ? 0 : 1;
    }
    view_add_clean(view, &text, "", json_text_at(threshold, "expression"));
    if (failed > 0)
        text_add(&text, ": %s in %zu of %zu",
                 is_status(threshold, "crossed") ? "CROSSED" : "CANNOT BE TOLD, counts as crossed,",
                 failed, json_array_size(checks));
    else {
        const json_t *near = nearest(threshold);
        const char *drive = json_text_at(near, "drive");
        struct format_text found, limit;
        text_add(&text, ": PASSED in %zu of %zu; nearest %.3s, %s with the limit at %s",
                 json_array_size(checks), json_array_size(checks), drive ? drive : "?",
                 format_digits(&found, json_number_at(near, "found")),
                 format_digits(&limit, json_number_at(near, "limit")));
    }
    view_finding(view, "fail-if", failed > 0 ? SINK_LOUD : SINK_CALM, &text);
    json_array_foreach(checks, index, check)
    {
        if (!is_status(check, "passed") && shown++ < SHOWN)
            print_check(view, threshold, check);
    }
    if (shown > SHOWN) {
        text = (struct text){0};
        text_add(&text, "%zu more: --json shows all", shown - SHOWN);
        view_point(view, "...", &text);
    }
}

static void print_thresholds(const struct view *view, const json_t *comparison)
{
    const json_t *list = json_object_get(comparison, "thresholds"), *threshold;
    size_t index;
    json_array_foreach(list, index, threshold)
    {
        print_threshold(view, threshold);
    }
}

/* ---- all ---- */

static bool has_metrics_beyond(const json_t *comparison)
{
    size_t g, m;
    const json_t *group, *metric;
    json_array_foreach(json_object_get(comparison, "groups"), g, group)
    {
        json_array_foreach(json_object_get(group, "metrics"), m, metric)
        {
            if (json_is_false(json_object_get(metric, "headline")))
                return true;
        }
    }
    return false;
}

static void print_findings(const struct view *view, const json_t *comparison)
{
    print_verdict(view, comparison);
    print_reasons(view, comparison);
    print_thresholds(view, comparison);
    print_left_out(view, comparison);
    print_notes(view, comparison);
}

/* In columns: the table, then what it means, then all of it once more as a picture. */
static void print_text(const struct view *view, const json_t *comparison,
                       const struct compare_rows *rows)
{
    compare_head_print(view, comparison);
    enum compare_ranges ranges = compare_table_print(view, rows);
    if (rows->count > 0)
        view_gap(view);
    print_findings(view, comparison);
    if (rows->count > 0)
        view_gap(view);
    compare_forest_print(view, rows);
    if (ranges == COMPARE_RANGES_LEFT && rows->count > 0)
        compare_table_ranges(view, rows);
}

enum picture { PICTURE_SHOWN, PICTURE_ELSEWHERE };

/* The verdict stands before the tables. */
static void print_pages(const struct view *view, const json_t *comparison,
                        const struct compare_rows *rows, enum picture picture)
{
    struct sink *sink = view->sink;
    sink->form->section(sink, "Comparison", SINK_UNFOLDED);
    compare_head_print(view, comparison);
    print_findings(view, comparison);
    sink->form->section(sink, "Figures", SINK_UNFOLDED);
    compare_table_print(view, rows);
    sink->form->section(sink, "Ratios", SINK_FOLDED);
    if (picture == PICTURE_SHOWN)
        compare_forest_print(view, rows);
    sink->form->finish(sink);
}

static int print_all(struct sink *sink, const json_t *comparison,
                     const struct report_options *options, enum picture picture, struct err *err)
{
    const struct view view = {.sink = sink,
                              .options = options,
                              .width = sink->form->has_columns ? sink->width : WIDTH_OF_PAGES};
    struct compare_rows rows;
    compare_rows_init(&rows, &view, comparison,
                      has_metrics_beyond(comparison) ? COMPARE_ALL : COMPARE_HEADLINE);
    if (sink->form->has_columns)
        print_text(&view, comparison, &rows);
    else
        print_pages(&view, comparison, &rows, picture);
    compare_rows_release(&rows);
    errno = 0;
    if (fflush(sink->out) != 0 || ferror(sink->out))
        return err_set_errno(err, ERR_FAILED, errno ? errno : EIO, "write of the comparison");
    return 0;
}

int compare_text(FILE *out, const json_t *comparison, const struct report_options *options,
                 struct err *err)
{
    int width = options->width < WIDTH_LEAST  ? WIDTH_LEAST
                : options->width > WIDTH_MOST ? WIDTH_MOST
                                              : options->width;
    struct sink sink = sink_text(out, (size_t)width, options->colour);
    return print_all(&sink, comparison, options, PICTURE_SHOWN, err);
}

int compare_markdown(FILE *out, const json_t *comparison, struct err *err)
{
    const struct report_options options = {.utf8 = true};
    struct sink sink = sink_markdown(out);
    return print_all(&sink, comparison, &options, PICTURE_SHOWN, err);
}

int compare_html(FILE *out, const json_t *comparison, struct err *err)
{
    const struct report_options options = {.utf8 = true};
    struct sink sink = sink_html(out);
    return print_all(&sink, comparison, &options, PICTURE_ELSEWHERE, err);
}
