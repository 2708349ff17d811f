#include "analysis/threshold.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare_metric.h"
#include "analysis/compare_place.h"
#include "base/parse.h"
#include "base/utf8.h"
#include "result/put.h"

static const char example[] = "as in 'insert.commits_per_s < 0.95x'";

/* ---- parsing ---- */

/* The number of the character at `at`, from 1. */
static size_t position(const char *text, const char *at)
{
    size_t number = 1, left = strlen(text);
    while (text < at) {
        size_t size = utf8_character(text, left);
        size = size > 0 ? size : 1;
        text += size;
        left -= size;
        number++;
    }
    return number;
}

static int wrong(const char *text, const char *at, const char *why, struct err *err)
{
    return err_set(err, ERR_USAGE, "--fail-if '%.200s': at character %zu, %s", text,
                   position(text, at), why);
}

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " ");
}

static const struct metric_row *find_metric(const char *path)
{
    for (const struct metric_row *row = metric_rows; row->path; row++)
        if (strcmp(row->path, path) == 0)
            return row;
    return NULL;
}

/* [PART:]PHASE.METRIC between `from` and `to`. */
static int parse_subject(struct threshold *t, const char *from, const char *to, struct err *err)
{
    const char *phase = from;
    for (const char *c = from; c < to; c++)
        if (*c == ':')
            phase = c + 1;
    const char *dot = memchr(phase, '.', (size_t)(to - phase));
    if (phase == from + 1)
        return wrong(t->text, from, "a name of a part is missing before ':'", err);
    if (!dot || dot == phase)
        return wrong(t->text, phase, "a metric of a phase should stand, as insert.commits_per_s",
                     err);
    char *path = strndup(dot + 1, (size_t)(to - dot - 1));
    t->part = phase > from ? strndup(from, (size_t)(phase - 1 - from)) : NULL;
    t->phase = strndup(phase, (size_t)(dot - phase));
    if (!path || !t->phase || (phase > from && !t->part))
        abort();
    t->metric = find_metric(path);
    free(path);
    if (!t->metric)
        return wrong(t->text, dot + 1,
                     "there is no such metric; loadline list metrics shows all of them", err);
    return 0;
}

static int parse_relation(struct threshold *t, const char **at, struct err *err)
{
    static const struct {
        const char *text;
        enum threshold_relation relation;
    } relations[] = {{"<=", THRESHOLD_BELOW_OR_EQUAL},
                     {">=", THRESHOLD_ABOVE_OR_EQUAL},
                     {"<", THRESHOLD_BELOW},
                     {">", THRESHOLD_ABOVE}};
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++) {
        size_t size = strlen(relations[i].text);
        if (strncmp(*at, relations[i].text, size) != 0)
            continue;
        t->relation = relations[i].relation;
        *at += size;
        return 0;
    }
    return wrong(t->text, *at, "a comparison should stand: <, <=, > or >=", err);
}

static int parse_limit(struct threshold *t, const char *at, struct err *err)
{
    char *number = strdup(at);
    if (!number)
        abort();
    size_t size = strlen(number);
    while (size > 0 && number[size - 1] == ' ')
        number[--size] = '\0';
    t->is_relative = size > 0 && number[size - 1] == 'x';
    if (t->is_relative)
        number[--size] = '\0';
    struct err ignored;
    bool bad = parse_number(number, &t->value, &ignored) != 0;
    free(number);
    if (bad)
        return wrong(t->text, at,
                     "a number should stand, as 10, or 0.95x of what the first drive has", err);
    if (t->is_relative && !(t->value > 0))
        return wrong(t->text, at, "a share of the first drive should be above 0, as 0.95x", err);
    return 0;
}

int threshold_parse(const char *text, struct threshold *threshold, struct err *err)
{
    *threshold = (struct threshold){.text = text};
    const char *from = skip_blanks(text), *at = from + strcspn(from, "<>=!"), *to = at;
    if (*from == '\0')
        return err_set(err, ERR_USAGE, "--fail-if needs an expression, %s", example);
    while (to > from && to[-1] == ' ')
        to--;
    if (to == from)
        return wrong(text, from, "a metric of a phase should stand, as insert.commits_per_s", err);
    const char *blank = memchr(from, ' ', (size_t)(to - from));
    if (*at == '\0' && blank)
        return wrong(text, skip_blanks(blank), "a comparison should stand: <, <=, > or >=", err);
    if (parse_subject(threshold, from, to, err) != 0 || parse_relation(threshold, &at, err) != 0)
        return -1;
    return parse_limit(threshold, skip_blanks(at), err);
}

void threshold_release(struct threshold *threshold)
{
    free(threshold->part);
    free(threshold->phase);
    *threshold = (struct threshold){.text = NULL};
}

/* ---- checking ---- */

static const char *relation_text(enum threshold_relation relation)
{
    static const char *const texts[] = {[THRESHOLD_BELOW] = "<",
                                        [THRESHOLD_BELOW_OR_EQUAL] = "<=",
                                        [THRESHOLD_ABOVE] = ">",
                                        [THRESHOLD_ABOVE_OR_EQUAL] = ">="};
    return texts[relation];
}

static bool is_crossed(enum threshold_relation relation, double found, double limit)
{
    switch (relation) {
    case THRESHOLD_BELOW:
        return found < limit;
    case THRESHOLD_BELOW_OR_EQUAL:
        return found <= limit;
    case THRESHOLD_ABOVE:
        return found > limit;
    case THRESHOLD_ABOVE_OR_EQUAL:
        break;
    }
    return found >= limit;
}

static bool is_meant(const struct threshold *t, const struct compare_place *place)
{
    bool part = !t->part || (place->part && strcmp(place->part, t->part) == 0);
    return part && strcmp(place->phase, t->phase) == 0;
}

/* NULL: it could be measured, *median is it. */
static const char *measure(const struct threshold *t, const struct compare_model *model,
                           const struct compare_place *place, size_t drive, double *median)
{
    size_t count;
    (void)model;
    *median = NAN;
    if (place->cells[drive].count == 0)
        return "was not run";
    *median = compare_metric_median(&place->cells[drive], t->metric->path, &count);
    return count > 0 ? NULL : "has no such figure";
}

static json_t *check_json(const struct threshold *t, const struct compare_model *model,
                          const struct compare_place *place, size_t drive)
{
    double found, first = NAN;
    const char *missing = measure(t, model, place, drive, &found), *who = model->drives[drive].name;
    if (!missing && t->is_relative) {
        missing = measure(t, model, place, 0, &first);
        who = model->drives[0].name;
    }
    double limit = t->is_relative ? t->value * first : t->value;
    bool crossed = !missing && is_crossed(t->relation, found, limit);
    json_t *object = json_object();
    put_text(object, "drive", model->drives[drive].name);
    compare_place_put(object, place);
    put_real(object, "found", found);
    put_real(object, "of", first);
    put_real(object, "limit", limit);
    put_text(object, "status", missing ? "cannot be told" : crossed ? "crossed" : "passed");
    json_t *reasons = json_array();
    if (missing)
        compare_model_say(reasons, "%s %s", who, missing);
    put(object, "reason", json_incref(json_array_get(reasons, 0)));
    json_decref(reasons);
    return object;
}

static bool has_status(const json_t *object, const char *wanted)
{
    const char *status = json_text_at(object, "status");
    return status && strcmp(status, wanted) == 0;
}

static const char *status_of(const json_t *checks)
{
    size_t index;
    const json_t *check;
    const char *status = json_array_size(checks) > 0 ? "passed" : "cannot be told";
    json_array_foreach(checks, index, check)
    {
        if (has_status(check, "crossed"))
            return "crossed";
        if (has_status(check, "cannot be told"))
            status = "cannot be told";
    }
    return status;
}

/* What there is instead, for the message. */
static int nothing_meant(const struct threshold *t, const struct compare_model *model,
                         struct err *err)
{
    char names[256] = "";
    size_t used = 0;
    json_t *seen = json_object();
    for (size_t p = 0; p < model->place_count && used < sizeof names; p++) {
        const char *part = model->places[p].part, *phase = model->places[p].phase;
        char name[200];
        snprintf(name, sizeof name, "%s%s%s", part ? part : "", part ? ":" : "", phase);
        if (json_object_get(seen, name) != NULL)
            continue;
        json_object_set_new(seen, name, json_true());
        used +=
            (size_t)snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "", name);
    }
    json_decref(seen);
    names[utf8_valid(names, strlen(names))] = '\0';
    return err_set(err, ERR_USAGE, "--fail-if '%.200s': no result has %s%s%s; there is %s", t->text,
                   t->part ? t->part : "", t->part ? ":" : "the phase ", t->phase,
                   *names ? names : "nothing measured");
}

json_t *threshold_json(const struct threshold *t, const struct compare_model *model,
                       struct err *err)
{
    json_t *checks = json_array();
    bool meant = false;
    for (size_t p = 0; p < model->place_count; p++) {
        if (!is_meant(t, &model->places[p]))
            continue;
        meant = true;
        for (size_t d = t->is_relative ? 1 : 0; d < model->drive_count; d++)
            json_array_append_new(checks, check_json(t, model, &model->places[p], d));
    }
    if (!meant) {
        json_decref(checks);
        nothing_meant(t, model, err);
        return NULL;
    }
    json_t *object = json_object();
    put(object, "expression", json_text(t->text));
    put_text(object, "part", t->part);
    put_text(object, "phase", t->phase);
    put_text(object, "metric", t->metric->path);
    put_text(object, "operator", relation_text(t->relation));
    put_real(object, "value", t->value);
    put(object, "relative", json_boolean(t->is_relative));
    put_text(object, "status", status_of(checks));
    put(object, "checks", checks);
    return object;
}

size_t threshold_crossed(const json_t *comparison)
{
    size_t index, count = 0;
    const json_t *threshold;
    json_array_foreach(json_object_get(comparison, "thresholds"), index, threshold)
    {
        count += !has_status(threshold, "passed");
    }
    return count;
}
