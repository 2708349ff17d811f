#include "page/chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/steady_repeat.h"

void *chart_room(size_t count, size_t size)
{
    void *room = calloc(count ? count : 1, size);
    if (!room)
        abort();
    return room;
}

size_t chart_intervals(const struct courses *courses)
{
    size_t count = 0;
    for (size_t i = 0; courses && i < courses->count; i++)
        count += courses->items[i].series.count;
    return count;
}

/* ---- phases ---- */

static size_t count_phases(const json_t *trials)
{
    size_t index, count = 0;
    const json_t *trial;
    json_array_foreach(trials, index, trial)
    {
        count += json_array_size(json_object_get(trial, "phases"));
    }
    return count;
}

static const struct course *course_of(const struct chart *chart, double trial, size_t place)
{
    if (!chart->source->courses || !(trial >= 0 && trial <= UINT32_MAX))
        return NULL;
    return courses_find(chart->source->courses, (unsigned)trial, (unsigned)place);
}

static void add_phase(struct chart *chart, const json_t *trial, size_t place, const json_t *phase)
{
    struct chart_phase *p = &chart->phases[chart->phase_count++];
    double index = json_number_at(trial, "index");
    *p = (struct chart_phase){.trial = trial,
                              .phase = phase,
                              .trial_index = index,
                              .group = CHART_NONE,
                              .course = course_of(chart, index, place),
                              .start_s = NAN,
                              .end_s = NAN,
                              .start_bytes = NAN,
                              .first = chart->count};
    if (!p->course)
        return;
    const struct series *series = &p->course->series;
    p->start_s = p->end_s = p->course->start_s;
    if (series->count > 0)
        p->end_s +=
            series->items[series->count - 1].start_s + series->items[series->count - 1].seconds;
    p->count = (series->count + chart->joined - 1) / chart->joined;
    chart->count += p->count;
}

static void add_phases(struct chart *chart)
{
    const json_t *trials = json_object_get(chart->source->summary, "trials"), *trial, *phase;
    size_t t, p;
    chart->phases = chart_room(count_phases(trials), sizeof *chart->phases);
    json_array_foreach(trials, t, trial)
    {
        json_array_foreach(json_object_get(trial, "phases"), p, phase)
        {
            add_phase(chart, trial, p, phase);
        }
    }
}

/* ---- their groups ---- */

struct member {
    const json_t *trial;
    const char *name;
    size_t group;
};

static int by_member(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    if (x->trial != y->trial)
        return x->trial < y->trial ? -1 : 1;
    return strcmp(x->name, y->name);
}

static void find_groups(struct chart *chart)
{
    const struct groups *groups = &chart->groups;
    size_t count = 0;
    for (size_t g = 0; g < groups->count; g++)
        count += groups->items[g].count;
    struct member *members = chart_room(count, sizeof *members);
    count = 0;
    for (size_t g = 0; g < groups->count; g++)
        for (size_t i = 0; i < groups->items[g].count; i++)
            members[count++] =
                (struct member){groups->items[g].trials[i], groups->items[g].phase, g};
    qsort(members, count, sizeof *members, by_member);
    for (size_t i = 0; i < chart->phase_count; i++) {
        const char *name = json_text_at(chart->phases[i].phase, "name");
        const struct member key = {chart->phases[i].trial, name ? name : "", 0};
        const struct member *found = bsearch(&key, members, count, sizeof *members, by_member);
        chart->phases[i].group = found ? found->group : CHART_NONE;
    }
    free(members);
}

/* ---- what the drive had taken ---- */

static double target_of(const json_t *trial)
{
    double target = json_number_at(trial, "target");
    return isnan(target) ? 0 : target;
}

/* Of all trials of one target: each begins where the one before it ended. */
static void sum_bytes(struct chart *chart, double target)
{
    double before = 0, taken = 0; /* by the trials before, by this one so far */
    const json_t *trial = NULL;
    for (size_t i = 0; i < chart->phase_count; i++) {
        struct chart_phase *p = &chart->phases[i];
        if (target_of(p->trial) != target)
            continue;
        if (p->trial != trial) {
            before += taken;
            taken = 0;
            trial = p->trial;
        }
        if (p->course && !isnan(p->course->bytes_before))
            taken = p->course->bytes_before;
        if (p->course)
            p->start_bytes = before + p->course->bytes_before;
        taken += steady_repeat_bytes(p->phase);
    }
}

static void find_bytes(struct chart *chart)
{
    for (size_t i = 0; i < chart->phase_count; i++) {
        bool is_first = true;
        double target = target_of(chart->phases[i].trial);
        if (i > 0 && target == target_of(chart->phases[i - 1].trial))
            continue;
        for (size_t k = 0; is_first && k < i; k++)
            is_first = target_of(chart->phases[k].trial) != target;
        if (is_first)
            sum_bytes(chart, target);
    }
}

void chart_init(struct chart *chart, const struct report_source *source, size_t joined)
{
    *chart = (struct chart){.source = source, .joined = joined};
    groups_init(&chart->groups, source->summary);
    add_phases(chart);
    find_groups(chart);
    find_bytes(chart);
}

void chart_release(struct chart *chart)
{
    groups_release(&chart->groups);
    free(chart->phases);
    *chart = (struct chart){.source = NULL};
}

/* ---- numbers ---- */

double chart_digits(double value, int digits)
{
    if (!isfinite(value) || value == 0)
        return value;
    double unit = pow(10, digits - 1 - floor(log10(fabs(value))));
    double rounded = isfinite(unit) ? round(value * unit) / unit : value;
    return isfinite(rounded) ? rounded : value;
}

json_t *chart_number(double value)
{
    enum { DIGITS = 5 };
    if (!isfinite(value))
        return json_null();
    double rounded = chart_digits(value, DIGITS);
    bool is_whole = rounded == floor(rounded) && fabs(rounded) < 1e15;
    return is_whole ? json_integer((json_int_t)rounded) : json_real(rounded);
}

json_t *chart_time(double seconds)
{
    return json_measured(round(seconds * 1e4) / 1e4);
}
