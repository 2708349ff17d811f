#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "report/findings.h"
#include "report/sections.h"

enum { SHOWN = 6 };

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* The findings of one part and phase; several combinations of one are one line, for the details
 * have a table of them. */
struct family_findings {
    const json_t **items;
    size_t count;
};

static bool same_phase(const json_t *a, const json_t *b)
{
    return same_text(json_text_at(a, "part"), json_text_at(b, "part")) &&
           same_text(json_text_at(a, "phase"), json_text_at(b, "phase"));
}

/* Those like the one at `first`; none where an earlier one is like it. */
static void collect(struct family_findings *family, const json_t *findings, size_t first)
{
    size_t index;
    const json_t *finding;
    family->count = 0;
    json_array_foreach(findings, index, finding)
    {
        if (!same_phase(finding, json_array_get(findings, first)))
            continue;
        if (index < first)
            return;
        family->items[family->count++] = finding;
    }
}

static size_t count_verdicts(const struct family_findings *family, const char *verdict)
{
    size_t count = 0;
    for (size_t i = 0; i < family->count; i++)
        count += same_text(json_text_at(family->items[i], "verdict"), verdict);
    return count;
}

static void print_several(const struct view *view, const struct family_findings *family,
                          const char *label)
{
    struct text text = {0};
    struct format_text from, to, r;
    double low = NAN, high = NAN, least = NAN;
    for (size_t i = 0; i < family->count; i++) {
        if (same_text(json_text_at(family->items[i], "verdict"), "undetermined"))
            continue;
        double slope = json_number_at(family->items[i], "against.writes.slope");
        low = fmin(low, slope);
        high = fmax(high, slope);
        least = fmin(least, json_number_at(family->items[i], "against.writes.r"));
    }
    const char *phase = json_text_at(family->items[0], "phase");
    const char *part = json_text_at(family->items[0], "part");
    view_add_clean(view, &text, "", phase ? phase : "?");
    if (part)
        view_add_clean(view, &text, ", ", part);
    size_t unknown = count_verdicts(family, "undetermined");
    if (isnan(low))
        text_add(&text, ": what one more commit costs cannot be told in any of %zu combinations",
                 family->count);
    else
        text_add(&text,
                 ": one more commit costs %s to %s writes in all; commits explain them in %zu of "
                 "%zu combinations; r %s at least",
                 view_decimals(&from, low), view_decimals(&to, high),
                 count_verdicts(family, "explained"), family->count - unknown,
                 format_fixed(&r, least, 2));
    if (!isnan(low) && unknown > 0)
        text_add(&text, "; %zu more cannot be told", unknown);
    view_finding(view, label, SINK_CALM, &text);
}

/* That latency and rate agree is worth a line where they do not; the average commit's cost stands
 * in the tables. */
static bool is_shown(const json_t *finding, size_t index)
{
    size_t count = json_array_size(json_object_get(finding, "sentences"));
    bool is_law =
        index > 0 && index + 1 == count && json_is_object(json_object_get(finding, "littles_law"));
    if (is_law)
        return json_is_false(json_at(finding, "littles_law.agrees"));
    return index == 0 || !same_text(json_text_at(finding, "verdict"), "undetermined");
}

static void print_one(const struct view *view, const json_t *finding, const char *label)
{
    struct text before = {0};
    size_t index;
    const json_t *sentence;
    char *place = findings_place(view, finding);
    text_add(&before, "%s: ", place);
    json_array_foreach(json_object_get(finding, "sentences"), index, sentence)
    {
        if (is_shown(finding, index))
            findings_line(view, index == 0 ? label : "", index == 0 ? before.data : "",
                          json_string_value(sentence));
    }
    text_release(&before);
    free(place);
}

static const char *first_sentence(const json_t *finding)
{
    return json_string_value(json_array_get(json_object_get(finding, "sentences"), 0));
}

/* Of a short run nothing can be told of any phase, for the same reason: said once.  False: that is
 * not so. */
static bool print_unknown(const struct view *view, const json_t *findings)
{
    const json_t *first = json_array_get(findings, 0);
    size_t index;
    const json_t *finding;
    json_array_foreach(findings, index, finding)
    {
        if (!same_text(json_text_at(finding, "verdict"), "undetermined") ||
            !same_text(first_sentence(finding), first_sentence(first)))
            return false;
    }
    if (!first)
        return false;
    findings_line(view, "cost", "", first_sentence(first));
    const char *certainty = json_text_at(first, "certainty");
    if (certainty)
        findings_line(view, "", "", certainty);
    return true;
}

void section_correlation(const struct view *view)
{
    const json_t *findings = json_at(view->summary, "analysis.correlation.findings");
    size_t count = json_array_size(findings), shown = 0;
    if (print_unknown(view, findings))
        return;
    struct family_findings family = {.items = calloc(count ? count : 1, sizeof *family.items)};
    for (size_t i = 0; family.items && i < count && shown < SHOWN; i++) {
        const char *label = shown == 0 ? "cost" : "";
        collect(&family, findings, i);
        shown += family.count > 0;
        if (family.count > 1)
            print_several(view, &family, label);
        else if (family.count == 1)
            print_one(view, family.items[0], label);
    }
    free(family.items);
}
