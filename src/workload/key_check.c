#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/parse.h"
#include "workload/key.h"
#include "workload/phases.h"

/* The shortest time that says something about a drive's commits. */
#define FLOOR_MIN_S 0.1

enum fault {
    FAULT_NONE,
    FAULT_FORM, /* *err says what */
    FAULT_LOW,
    FAULT_HIGH,
    FAULT_CHOICE,
};

static bool is_unset(const struct key *key, const char *text)
{
    return key->optional && strcmp(text, "-") == 0;
}

/* Reads a value of a number's type; NaN for the other types. */
static int read_number(const struct key *key, const char *text, double *number, struct err *err)
{
    uint64_t whole = 0;
    int64_t integer = 0;
    int status = 0;
    *number = NAN;
    switch (key->type) {
    case KEY_COUNT:
        status = parse_count(text, &whole, err);
        *number = (double)whole;
        break;
    case KEY_SIZE:
        status = parse_size(text, &whole, err);
        *number = (double)whole;
        break;
    case KEY_DURATION:
        status = parse_duration(text, &integer, err);
        *number = (double)integer / (double)NS_PER_S;
        break;
    case KEY_SHARE:
        status = parse_share(text, number, err);
        break;
    case KEY_INTEGER:
        status = parse_integer(text, &integer, err);
        *number = (double)integer;
        break;
    case KEY_NUMBER:
        status = parse_number(text, number, err);
        break;
    case KEY_CHOICE:
    case KEY_PHASES:
    case KEY_TEXT:
        break;
    }
    return status;
}

double key_number(const struct key *key, const char *text)
{
    struct err err;
    double number;
    if (is_unset(key, text) || read_number(key, text, &number, &err) != 0)
        return NAN;
    return number;
}

const char *key_canonical(const struct key *key, const char *text)
{
    if (strcmp(key->name, "workload.layout") == 0 && strcmp(text, "database-per-stream") == 0)
        return "file-per-stream";
    return text;
}

/* What only some keys refuse. */
static int check_special(const struct key *key, double number, struct err *err)
{
    if (strcmp(key->name, "run.floor") == 0 && number > 0 && number < FLOOR_MIN_S)
        return err_set(err, ERR_USAGE, "0 for off, or at least 100ms");
    return 0;
}

static enum fault check_range(const struct key *key, double number)
{
    if (key->min == 0 && key->max == 0)
        return FAULT_NONE;
    /* Shares and durations come from decimal fractions: 0.99 must pass 0.99. */
    double slack = 4 * DBL_EPSILON;
    if (number < key->min * (1 - slack))
        return FAULT_LOW;
    return number > key->max * (1 + slack) ? FAULT_HIGH : FAULT_NONE;
}

static bool is_choice(const struct key *key, const char *text)
{
    for (const char *const *choice = key->choices; *choice != NULL; choice++)
        if (strcmp(*choice, text) == 0)
            return true;
    return false;
}

static bool is_word(const struct key *key, const char *text)
{
    return key->word != NULL && strcmp(key->word, text) == 0;
}

/* The sentence names numbers; the word is right too. */
static void add_word(const struct key *key, struct err *err)
{
    size_t used = strlen(err->text);
    if (key->word != NULL)
        snprintf(err->text + used, sizeof err->text - used, "; or %s", key->word);
}

static enum fault find_fault(const struct key *key, const char *text, struct err *err)
{
    enum phase_kind phases[WORKLOAD_PHASES_MAX];
    size_t count;
    double number;
    if (is_unset(key, text) || is_word(key, text))
        return FAULT_NONE;
    if (key->type == KEY_PHASES)
        return phases_parse(text, phases, &count, err) == 0 ? FAULT_NONE : FAULT_FORM;
    if (key->type == KEY_CHOICE && !is_choice(key, text))
        return FAULT_CHOICE;
    if (read_number(key, text, &number, err) != 0) {
        add_word(key, err);
        return FAULT_FORM;
    }
    if (check_special(key, number, err) != 0)
        return FAULT_FORM;
    return isnan(number) ? FAULT_NONE : check_range(key, number);
}

struct bound {
    char text[32];
};

static const char *bound_of_size(struct bound *bound, double size)
{
    static const struct {
        const char *name;
        double factor;
    } units[] = {{"Ti", 0x1p40}, {"Gi", 0x1p30}, {"Mi", 0x1p20}, {"Ki", 0x1p10},
                 {"T", 1e12},    {"G", 1e9},     {"M", 1e6}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (size >= units[i].factor && fmod(size, units[i].factor) == 0) {
            snprintf(bound->text, sizeof bound->text, "%.0f%s", size / units[i].factor,
                     units[i].name);
            return bound->text;
        }
    snprintf(bound->text, sizeof bound->text, "%.0f", size);
    return bound->text;
}

static const char *bound_of_duration(struct bound *bound, double seconds)
{
    const char *unit = "s";
    double shown = seconds;
    if (seconds >= 7200 && fmod(seconds, 3600) == 0) {
        shown = seconds / 3600;
        unit = "h";
    } else if (seconds >= 120 && fmod(seconds, 60) == 0) {
        shown = seconds / 60;
        unit = "m";
    } else if (seconds != floor(seconds)) {
        shown = seconds * 1000;
        unit = "ms";
    }
    snprintf(bound->text, sizeof bound->text, "%.10g%s", shown, unit);
    return bound->text;
}

/* A bound as a person would write it in a workload file. */
static const char *bound_text(struct bound *bound, const struct key *key, double value)
{
    switch (key->type) {
    case KEY_SIZE:
        return bound_of_size(bound, value);
    case KEY_DURATION:
        return bound_of_duration(bound, value);
    case KEY_SHARE:
        snprintf(bound->text, sizeof bound->text, "%.10g%%", value * 100);
        return bound->text;
    default:
        snprintf(bound->text, sizeof bound->text, "%.15g", value);
        return bound->text;
    }
}

/* "a, b or c". */
static void name_choices(const struct key *key, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (const char *const *choice = key->choices; *choice != NULL && used < size; choice++) {
        const char *between = choice == key->choices ? "" : choice[1] == NULL ? " or " : ", ";
        int added = snprintf(text + used, size - used, "%s%s", between, *choice);
        used += added < 0 ? 0 : (size_t)added;
    }
}

int key_check_value(const struct key *key, const char *text, struct err *err)
{
    struct bound bound;
    char choices[512];
    switch (find_fault(key, text, err)) {
    case FAULT_NONE:
        return 0;
    case FAULT_FORM:
        return -1;
    case FAULT_LOW:
        return err_set(err, ERR_USAGE, "at least %s", bound_text(&bound, key, key->min));
    case FAULT_HIGH:
        return err_set(err, ERR_USAGE, "at most %s", bound_text(&bound, key, key->max));
    case FAULT_CHOICE:
        break;
    }
    name_choices(key, choices, sizeof choices);
    return err_set(err, ERR_USAGE, "must be %s", choices);
}

int key_check(const struct key *key, const char *text, struct err *err)
{
    struct bound low, high;
    char choices[512];
    switch (find_fault(key, text, err)) {
    case FAULT_NONE:
        return 0;
    case FAULT_FORM:
        return err_context(err, "%s", key->name);
    case FAULT_LOW:
    case FAULT_HIGH:
        return err_set(err, ERR_USAGE, "%s must be %s to %s", key->name,
                       bound_text(&low, key, key->min), bound_text(&high, key, key->max));
    case FAULT_CHOICE:
        break;
    }
    name_choices(key, choices, sizeof choices);
    return err_set(err, ERR_USAGE, "%s must be %s", key->name, choices);
}
