#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/steady_repeat.h"
#include "report/findings.h"
#include "report/sections.h"
#include "report/steady_table.h"

enum { FULL_MOST = 2, BRIEF_MOST = 6, PHASES_MOST = 8 };

/* The findings of one part and combination of factors: its phases. */
struct subject {
    const json_t *findings[PHASES_MOST];
    size_t count;
};

static const char *verdict_of(const json_t *finding)
{
    const char *verdict = json_text_at(finding, "verdict");
    return verdict ? verdict : "";
}

static bool is(const json_t *finding, const char *verdict)
{
    return strcmp(verdict_of(finding), verdict) == 0;
}

static bool asked(const json_t *finding)
{
    return json_is_true(json_object_get(finding, "asked"));
}

/* Its sentence with the label, or NULL; borrowed, not safe yet. */
static const char *said(const json_t *finding, const char *label)
{
    size_t index;
    const json_t *own;
    json_array_foreach(json_object_get(finding, "labels"), index, own)
    {
        const char *text = json_string_value(own);
        if (text && strcmp(text, label) == 0)
            return json_string_value(json_array_get(json_object_get(finding, "sentences"), index));
    }
    return NULL;
}

static bool same_subject(const json_t *a, const json_t *b)
{
    return json_equal(json_object_get(a, "part"), json_object_get(b, "part")) &&
           json_equal(json_object_get(a, "factors"), json_object_get(b, "factors"));
}

/* From the finding at `first` on; those of one subject stand side by side. */
static void subject_take(struct subject *subject, const json_t *list, size_t first)
{
    subject->count = 0;
    for (size_t i = first; i < json_array_size(list) && subject->count < PHASES_MOST; i++) {
        const json_t *finding = json_array_get(list, i);
        if (i > first && !same_subject(finding, subject->findings[0]))
            break;
        subject->findings[subject->count++] = finding;
    }
}

/* "insert, page_size 4,096: " where there is more than one finding; heap, safe. */
static char *place_of(const struct view *view, const json_t *finding, size_t count)
{
    struct text text = {0};
    char *place = count > 1 ? findings_place(view, finding) : NULL;
    text_add(&text, place ? "%s: " : "", place);
    free(place);
    return text.data;
}

/* ---- until = steady ---- */

/* The first of the subject's findings that says it, and how many do. */
static void point(const struct view *view, const struct subject *subject, const char *label)
{
    for (size_t i = 0; i < subject->count; i++) {
        const char *sentence = said(subject->findings[i], label);
        const char *phase = json_text_at(subject->findings[i], "phase");
        struct text text = {0};
        if (!sentence)
            continue;
        view_add_clean(view, &text, "", phase ? phase : "?");
        view_add_clean(view, &text, ": ", sentence);
        view_point(view, label, &text);
    }
}

static void print_rule(const struct view *view, const struct subject *subject, bool alone)
{
    const json_t *first = subject->findings[0];
    const char *rule = said(first, "rule");
    char *place = place_of(view, first, alone ? 1 : 2);
    struct text text = {0};
    view_add_clean(view, &text, place, rule ? rule : verdict_of(first));
    view_finding(view, "STEADY", is(first, "steady") ? SINK_CALM : SINK_LOUD, &text);
    free(place);
}

static void print_full(const struct view *view, const struct subject *subject, bool alone)
{
    static const char *const labels[] = {"window", "cliff", "levels", "slow", "stalls", "pause"};
    print_rule(view, subject, alone);
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        point(view, subject, labels[i]);
    const char *certainty = json_text_at(subject->findings[0], "certainty");
    struct text text = {0};
    view_add_clean(view, &text, "", certainty);
    view_point(view, "surer", &text);
    steady_table_print(view, subject->findings, subject->count);
}

static void print_asked(const struct view *view, const json_t *list)
{
    struct subject subject;
    size_t shown = 0, more = 0, size = json_array_size(list);
    for (size_t i = 0; i < size; i += subject.count) {
        subject_take(&subject, list, i);
        bool alone = subject.count == size;
        if (!asked(subject.findings[0]))
            continue;
        if (shown < FULL_MOST)
            print_full(view, &subject, alone);
        else if (shown < FULL_MOST + BRIEF_MOST)
            print_rule(view, &subject, alone);
        else
            more++;
        shown++;
    }
    struct text text = {0};
    if (more > 0)
        text_add(&text, "and %zu more: the JSON summary has them all", more);
    view_finding(view, "STEADY", SINK_CALM, &text);
}

/* ---- other runs: three lines at most ---- */

struct tally {
    size_t burst, judged, steady, with_cliff;
    const json_t *first_judged, *cliff, *slow;
};

static void count(struct tally *tally, const json_t *list)
{
    size_t index;
    const json_t *finding;
    double stalled_s = 0;
    *tally = (struct tally){.burst = 0};
    json_array_foreach(list, index, finding)
    {
        double own_s = json_number_at(finding, "stalled_s");
        bool is_burst = is(finding, "burst");
        if (asked(finding) || is(finding, "undetermined"))
            continue;
        tally->burst += is_burst;
        tally->judged += !is_burst;
        tally->steady += is(finding, "steady");
        if (!is_burst && !tally->first_judged)
            tally->first_judged = finding;
        tally->with_cliff += said(finding, "cliff") != NULL;
        if (said(finding, "cliff") && !tally->cliff)
            tally->cliff = finding;
        if (own_s > stalled_s || (!tally->slow && said(finding, "slow")))
            tally->slow = finding;
        stalled_s = fmax(stalled_s, own_s);
    }
}

/* What all phases wrote, with their settling, as far as it is known. */
static double written(const struct view *view, double *seconds)
{
    double bytes = 0;
    *seconds = 0;
    for (size_t i = 0; i < view->groups.count; i++) {
        const struct group *group = &view->groups.items[i];
        for (size_t k = 0; k < group->count; k++) {
            double own = steady_repeat_bytes(group->phases[k]);
            double elapsed_s = json_number_at(group->phases[k], "elapsed_s");
            bytes += isnan(own) ? 0 : own;
            *seconds += isnan(elapsed_s) ? 0 : elapsed_s;
        }
    }
    return bytes;
}

static void print_burst(const struct view *view)
{
    double seconds, bytes = written(view, &seconds);
    struct text text = {0};
    struct format_text size, time;
    if (bytes > 0)
        text_add(&text, "%s in %s says nothing of sustained load: --until steady",
                 format_bytes(&size, bytes), format_seconds(&time, seconds));
    view_finding(view, "BURST", SINK_CALM, &text);
}

static void print_judged(const struct view *view, const struct tally *tally, size_t all)
{
    struct text text = {0};
    const json_t *first = tally->first_judged;
    const char *rule = said(first, "rule");
    bool same = tally->steady == 0 || tally->steady == tally->judged;
    if (all > tally->judged || !same || tally->judged > PHASES_MOST)
        text_add(&text, "%zu of %zu phases were steady at their end; the JSON summary has them all",
                 tally->steady, all);
    else
        view_add_clean(view, &text, "", rule);
    if (tally->steady < all)
        text_add(&text, "; --until steady goes on until the rule holds");
    view_finding(view, "STEADY", SINK_CALM, &text);
}

static void print_line(const struct view *view, const char *label, const json_t *finding,
                       const char *sentence, size_t all)
{
    char *place = place_of(view, finding, all);
    if (sentence)
        findings_line(view, label, place, sentence);
    free(place);
}

static void print_others(const struct view *view, const json_t *list)
{
    struct tally tally;
    size_t all = json_array_size(list);
    count(&tally, list);
    if (tally.judged > 0)
        print_judged(view, &tally, tally.judged + tally.burst);
    else if (tally.burst > 0)
        print_burst(view);
    print_line(view, "cliff", tally.cliff, said(tally.cliff, "cliff"), all);
    const char *stalls = said(tally.slow, "stalls");
    print_line(view, stalls ? "stalls" : "slow", tally.slow,
               stalls ? stalls : said(tally.slow, "slow"), all);
}

void section_steady(const struct view *view)
{
    const json_t *list = json_at(view->summary, "analysis.steady.findings");
    print_asked(view, list);
    print_others(view, list);
}
