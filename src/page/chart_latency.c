#include "page/chart_latency.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/standing.h"
#include "result/put.h"
#include "result/rounds.h"

/* ---- which groups ---- */

struct candidate {
    size_t group, phase; /* phase: the first group of its name */
    enum standing standing;
};

static int by_importance(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->standing != y->standing)
        return x->standing < y->standing ? -1 : 1;
    if (x->phase != y->phase)
        return x->phase < y->phase ? -1 : 1;
    return (x->group > y->group) - (x->group < y->group);
}

static size_t first_of_name(const struct groups *groups, const char *name)
{
    size_t first = 0;
    while (strcmp(groups->items[first].phase, name) != 0)
        first++;
    return first;
}

static bool is_alike(const struct candidate *a, const struct candidate *b)
{
    return a->standing == b->standing && a->phase == b->phase;
}

/* The best standing and the first phase come first; of too many alike some, evenly. */
static void choose(const struct groups *groups, bool *chosen)
{
    struct candidate *list = chart_room(groups->count, sizeof *list);
    for (size_t i = 0; i < groups->count; i++)
        list[i] = (struct candidate){i, first_of_name(groups, groups->items[i].phase),
                                     standing_of(&groups->items[i])};
    qsort(list, groups->count, sizeof *list, by_importance);
    size_t left = LATENCY_CURVES;
    for (size_t from = 0, to; from < groups->count && left > 0; from = to) {
        for (to = from; to < groups->count && is_alike(&list[from], &list[to]);)
            to++;
        size_t count = to - from, take = count < left ? count : left;
        for (size_t i = 0; i < take; i++)
            chosen[list[from + (take > 1 ? i * (count - 1) / (take - 1) : 0)].group] = true;
        left -= take;
    }
    free(list);
}

/* ---- curves ---- */

static double share_above(const struct hist *hist, uint64_t up_to)
{
    enum { DIGITS = 6 };
    return chart_digits((double)(hist->count - up_to) / (double)hist->count, DIGITS);
}

static void add_point(json_t *points, double ms, double share)
{
    enum { DIGITS = 6 };
    json_t *point = json_array();
    json_array_append_new(point, json_measured(chart_digits(ms, DIGITS)));
    json_array_append_new(point, json_measured(share));
    json_array_append_new(points, point);
}

static size_t count_buckets(const struct hist *hist)
{
    size_t count = 0;
    for (uint32_t i = hist->low; i <= hist->high; i++)
        count += hist->counts[i] > 0;
    return count;
}

/* Does one of the marked quantiles lie between the two counts? */
static bool is_marked(const struct hist *hist, uint64_t before, uint64_t up_to)
{
    static const double marks[] = {0.5, 0.99, 0.999};
    bool marked = false;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        double rank = ceil(marks[i] * (double)hist->count);
        marked |= rank > (double)before && rank <= (double)up_to;
    }
    return marked;
}

json_t *latency_points(const struct hist *hist)
{
    enum { TAIL = LATENCY_POINTS / 3, BODY = LATENCY_POINTS - TAIL - 6 };
    json_t *points = json_array();
    if (hist->count == 0)
        return points;
    size_t buckets = count_buckets(hist), body = buckets > TAIL ? buckets - TAIL : 0, seen = 0;
    size_t step = body / BODY + 1;
    uint64_t before = 0, up_to = 0;
    add_point(points, (double)hist_lowest_ns(hist->low) / 1e6, 1);
    for (uint32_t i = hist->low; i <= hist->high; i++, before = up_to) {
        if (hist->counts[i] == 0)
            continue;
        up_to += hist->counts[i];
        seen++;
        double ms = fmin((double)(hist_lowest_ns(i) + hist_width_ns(i) - 1), (double)hist->max_ns);
        if (i == hist->high)
            add_point(points, ms / 1e6, share_above(hist, before));
        if (i == hist->high || seen > body || seen % step == 0 || is_marked(hist, before, up_to))
            add_point(points, ms / 1e6, share_above(hist, up_to));
    }
    return points;
}

static json_t *curve_json(size_t group, const char *kind, const struct hist *hist)
{
    json_t *object = json_object();
    put_count(object, "group", (double)group);
    put_text(object, "kind", kind);
    put_count(object, "count", (double)hist->count);
    put(object, "points", latency_points(hist));
    return object;
}

/* Adds a phase's transactions; false: they are not known. */
static bool add_transactions(struct hist *total, struct hist *part, const json_t *phase)
{
    struct err ignored;
    const char *text = json_text_at(phase, "histograms.transaction");
    return text && hist_decode(text, part, &ignored) == 0 && (hist_add(total, part), true);
}

/* Of the transactions of all repeats and cycles; NULL: not known. */
static json_t *transactions_json(const struct chart *chart, size_t group)
{
    struct hist *total = hist_create(), *part = hist_create();
    double max_ms = NAN;
    bool is_known = true;
    for (size_t i = 0; is_known && i < chart->phase_count; i++) {
        const struct chart_phase *phase = &chart->phases[i];
        if (phase->group != group || rounds_is_after_pause(phase->phase))
            continue;
        is_known = add_transactions(total, part, phase->phase);
        max_ms = fmax(max_ms, json_number_at(phase->phase, "latency_ms.transaction.max"));
    }
    if (max_ms * 1e6 < (double)total->max_ns) /* decoded, it is its bucket's end */
        total->max_ns = (int64_t)(max_ms * 1e6);
    json_t *curve = is_known && total->count > 0 ? curve_json(group, "transaction", total) : NULL;
    hist_destroy(total);
    hist_destroy(part);
    return curve;
}

void latency_init(struct latency *latency, const struct chart *chart)
{
    size_t count = chart->groups.count;
    bool *chosen = chart_room(count, sizeof *chosen);
    *latency = (struct latency){.chart = chart,
                                .hists = chart_room(count, sizeof *latency->hists),
                                .curves = chart_room(count, sizeof *latency->curves)};
    choose(&chart->groups, chosen);
    for (size_t i = 0; i < count; i++) {
        latency->curves[i] = chosen[i] ? transactions_json(chart, i) : NULL;
        latency->hists[i] = chosen[i] && !latency->curves[i] ? hist_create() : NULL;
    }
    free(chosen);
}

void latency_release(struct latency *latency)
{
    for (size_t i = 0; i < latency->chart->groups.count; i++) {
        if (latency->hists[i])
            hist_destroy(latency->hists[i]);
        json_decref(latency->curves[i]);
    }
    free(latency->hists);
    free(latency->curves);
    *latency = (struct latency){.chart = NULL};
}

void latency_take(struct latency *latency, const struct chart_phase *phase, const struct hist *hist)
{
    if (hist && phase->group != CHART_NONE && latency->hists[phase->group] &&
        !rounds_is_after_pause(phase->phase))
        hist_add(latency->hists[phase->group], hist);
}

json_t *latency_json(struct latency *latency)
{
    json_t *list = json_array();
    for (size_t i = 0; i < latency->chart->groups.count; i++) {
        const struct hist *hist = latency->hists[i];
        if (latency->curves[i])
            json_array_append(list, latency->curves[i]);
        else if (hist && hist->count > 0)
            json_array_append_new(list, curve_json(i, "commit", hist));
    }
    return list;
}
