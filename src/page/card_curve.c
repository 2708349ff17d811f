#include "page/card_curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"

enum { CELLS = 160, TICKS = 4, STREAMS_LEAST = 3 };

static struct card_point *make_points(size_t count)
{
    struct card_point *points = calloc(count > 0 ? count : 1, sizeof *points);
    if (!points)
        abort();
    return points;
}

void card_curve_release(struct card_curve *curve)
{
    free(curve->points);
    *curve = (struct card_curve){.points = NULL};
}

/* ---- over streams ---- */

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* The group's factors without the streams: what a ladder has in common. */
static bool same_but_streams(const json_t *group_factors, const json_t *finding_factors)
{
    json_t *left =
        json_is_object(group_factors) ? json_copy((json_t *)group_factors) : json_object();
    json_object_del(left, "streams");
    bool same = json_is_object(finding_factors) ? json_equal(left, (json_t *)finding_factors)
                                                : json_object_size(left) == 0;
    json_decref(left);
    return same;
}

static const json_t *points_of(const struct group *group, const json_t *summary)
{
    size_t index;
    const json_t *finding;
    json_array_foreach(json_at(summary, "analysis.scaling.findings"), index, finding)
    {
        if (same_text(json_text_at(finding, "part"), group->part) &&
            same_text(json_text_at(finding, "phase"), group->phase) &&
            same_but_streams(group->factors, json_object_get(finding, "factors")))
            return json_object_get(finding, "points");
    }
    return NULL;
}

static void find_streams(struct card_curve *curve, const struct group *group, const json_t *summary)
{
    const char *rate = curve->is_bulk ? "rows_per_s" : "commits_per_s";
    const json_t *list = points_of(group, summary), *point;
    size_t index;
    if (json_array_size(list) < STREAMS_LEAST)
        return;
    curve->points = make_points(json_array_size(list));
    json_array_foreach(list, index, point)
    {
        double x = json_number_at(point, "streams"), y = json_number_at(point, rate);
        if (x > 0 && y >= 0 && isfinite(x) && isfinite(y))
            curve->points[curve->count++] = (struct card_point){.x = x, .y = y};
    }
    curve->over_streams = true;
}

/* ---- over time ---- */

/* The phases of one name, one after the other, as one time. */
struct joined_time {
    const struct course **courses;
    double *starts; /* [count + 1]: of each, without what lies between them */
    size_t count;
};

static double length_of(const struct series *series)
{
    const struct interval *last = &series->items[series->count - 1];
    return last->start_s + last->seconds;
}

static void join(struct joined_time *time, const struct group *group, const struct courses *courses)
{
    double trial = group->count > 0 ? json_number_at(group->trials[0], "index") : NAN;
    const json_t *phases = group->count > 0 ? json_object_get(group->trials[0], "phases") : NULL;
    size_t index, room = json_array_size(phases);
    const json_t *phase;
    *time = (struct joined_time){.courses = calloc(room + 1, sizeof *time->courses),
                                 .starts = calloc(room + 1, sizeof *time->starts)};
    if (!time->courses || !time->starts)
        abort();
    if (!courses || !(trial >= 0) || trial > 1e6)
        return;
    json_array_foreach(phases, index, phase)
    {
        const struct course *course = courses_find(courses, (unsigned)trial, (unsigned)index);
        double length;
        if (!course || course->series.count == 0 ||
            !same_text(json_text_at(phase, "name"), group->phase))
            continue;
        length = length_of(&course->series);
        if (!(length > 0) || !isfinite(length))
            continue;
        time->courses[time->count] = course;
        time->starts[time->count + 1] = time->starts[time->count] + length;
        time->count++;
    }
}

/* Work and seconds of the stretch [from, to) of one course. */
static void add_stretch(const struct series *series, double from, double to, bool rows,
                        double *work, double *seconds)
{
    for (size_t i = 0; i < series->count && series->items[i].start_s < to; i++) {
        const struct interval *interval = &series->items[i];
        double begin = fmax(from, interval->start_s);
        double end = fmin(to, interval->start_s + interval->seconds);
        double done = rows ? interval->rows : interval->commits;
        if (!(end > begin) || !(interval->seconds > 0) || !(done >= 0))
            continue;
        *work += done * (end - begin) / interval->seconds;
        *seconds += end - begin;
    }
}

/* Means over stretches of equal length, by true time: a spike keeps its area. */
static void find_time(struct card_curve *curve, const struct joined_time *time)
{
    double length = time->starts[time->count];
    size_t intervals = 0, cells;
    for (size_t i = 0; i < time->count; i++)
        intervals += time->courses[i]->series.count;
    cells = intervals < CELLS ? intervals : CELLS;
    curve->points = make_points(cells);
    for (size_t c = 0; c < cells; c++) {
        double from = length * (double)c / (double)cells;
        double to = length * (double)(c + 1) / (double)cells;
        double work = 0, seconds = 0;
        for (size_t i = 0; i < time->count; i++)
            if (time->starts[i] < to && time->starts[i + 1] > from)
                add_stretch(&time->courses[i]->series, from - time->starts[i], to - time->starts[i],
                            curve->is_bulk, &work, &seconds);
        if (seconds > 0)
            curve->points[curve->count++] =
                (struct card_point){.x = (from + to) / 2, .y = work / seconds};
    }
}

void card_curve_find(struct card_curve *curve, const struct headline *headline,
                     const json_t *summary, const struct courses *courses)
{
    *curve = (struct card_curve){.is_bulk = headline->main && !headline->commit};
    if (!headline->main)
        return;
    find_streams(curve, headline->main, summary);
    if (curve->count > 0)
        return;
    struct joined_time time;
    free(curve->points);
    join(&time, headline->main, courses);
    find_time(curve, &time);
    free(time.courses);
    free(time.starts);
}

/* ---- drawing ---- */

/* 1, 2 or 5 times a power of ten, so that at most TICKS steps reach `most`. */
static double step_of(double most)
{
    double power = pow(10, floor(log10(most / TICKS)));
    static const double factors[] = {1, 2, 5, 10};
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
        if (factors[i] * power * TICKS >= most)
            return factors[i] * power;
    return 10 * power;
}

/* A round number without needless zeros: 500, 10k, 2.5M. */
static const char *tick(struct format_text *out, double value)
{
    static const char *const units[] = {"", "k", "M", "G", "T"};
    size_t unit = 0;
    while (value >= 1000 && unit + 1 < sizeof units / sizeof *units) {
        value /= 1000;
        unit++;
    }
    snprintf(out->text, sizeof out->text, "%.4g%s", value, units[unit]);
    return out->text;
}

struct scale {
    double least, most; /* of x, in its own measure */
    double top;         /* of y */
    bool is_log;        /* x */
};

static struct scale scale_of(const struct card_curve *curve)
{
    const double far = 50; /* times the least number of streams: they were doubled */
    struct scale scale = {.least = curve->points[0].x, .most = curve->points[curve->count - 1].x};
    double highest = 0;
    for (size_t i = 0; i < curve->count; i++)
        highest = fmax(highest, curve->points[i].y);
    scale.top = highest > 0 ? highest * 1.08 : 1;
    scale.is_log = curve->over_streams && scale.most > far * scale.least;
    if (!scale.is_log)
        scale.least = 0;
    return scale;
}

static double x_of(const struct scale *scale, const struct card_box *box, double x)
{
    double share =
        scale->is_log ? log(x / scale->least) / log(scale->most / scale->least) : x / scale->most;
    return box->left + box->width * share;
}

static double y_of(const struct scale *scale, const struct card_box *box, double y)
{
    return box->top + box->height * (1 - y / scale->top);
}

static void draw_grid(const struct scale *scale, const struct card_box *box, struct text *svg)
{
    double step = step_of(scale->top);
    for (double value = 0; value <= scale->top; value += step) {
        struct format_text label;
        double y = y_of(scale, box, value);
        text_add(svg, "<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/>\n", box->left, y,
                 box->left + box->width);
        text_add(svg, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
                 box->left - 10, y + 6, tick(&label, value));
    }
}

static void draw_x(const struct card_curve *curve, const struct scale *scale,
                   const struct card_box *box, struct text *svg)
{
    const double apart = 44; /* so that numbers do not touch */
    double step = step_of(scale->most), last = -INFINITY, value = 0;
    for (size_t i = 0; curve->over_streams ? i < curve->count : value <= scale->most; i++) {
        struct format_text label;
        double x = x_of(scale, box, curve->over_streams ? curve->points[i].x : value);
        if (x - last >= apart) {
            text_add(
                svg,
                "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n", x,
                box->top + box->height + 26,
                curve->over_streams ? format_grouped(&label, curve->points[i].x)
                                    : tick(&label, value));
            last = x;
        }
        value += step;
    }
    text_add(svg, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
             box->left + box->width, box->top + box->height + 50,
             curve->over_streams ? "streams" : "seconds of the phase");
    text_add(svg, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\">%s</text>\n", box->left,
             box->top - 14, curve->is_bulk ? "rows/s" : "commits/s");
}

void card_curve_draw(const struct card_curve *curve, const struct card_box *box, struct text *svg)
{
    if (curve->count < 2)
        return;
    struct scale scale = scale_of(curve);
    draw_grid(&scale, box, svg);
    draw_x(curve, &scale, box, svg);
    text_add(svg, "<path class=\"curve\" d=\"");
    for (size_t i = 0; i < curve->count; i++)
        text_add(svg, "%s%.1f %.1f", i == 0 ? "M" : "L", x_of(&scale, box, curve->points[i].x),
                 y_of(&scale, box, curve->points[i].y));
    text_add(svg, "\"/>\n");
    for (size_t i = 0; curve->over_streams && i < curve->count; i++)
        text_add(svg, "<circle class=\"point\" cx=\"%.1f\" cy=\"%.1f\" r=\"6\"/>\n",
                 x_of(&scale, box, curve->points[i].x), y_of(&scale, box, curve->points[i].y));
}
