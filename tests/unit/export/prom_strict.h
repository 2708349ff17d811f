/* prom_strict.h - a strict reader of OpenMetrics text: what it takes, every scraper does.
 *
 * Names and labels of the allowed letters, no label twice, only escapes that exist, UTF-8; each
 * family described before its samples, once, and its samples together; the unit at the name's end;
 * no series twice; "# EOF" last, and nothing else that begins with #.  Include it in one test
 * program; read_strictly() fails the test. */
#ifndef TESTS_UNIT_EXPORT_PROM_STRICT_H
#define TESTS_UNIT_EXPORT_PROM_STRICT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/utf8.h"

/* What it has seen so far.  Texts are copies; the reader stops at the first fault. */
struct reader {
    char **families, **series;
    size_t family_count, series_count;
    bool ended;
};

static bool is_name(const char *text, size_t size, bool colon)
{
    for (size_t i = 0; i < size; i++) {
        char c = text[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && !(colon && c == ':') && !(i > 0 && c >= '0' && c <= '9'))
            return false;
    }
    return size > 0;
}

static char *copy(const char *text, size_t size)
{
    char *out = strndup(text, size);
    if (out == NULL)
        abort();
    return out;
}

static char **append(char **list, size_t *count, char *text)
{
    list = realloc(list, (*count + 1) * sizeof *list);
    if (list == NULL)
        abort();
    list[(*count)++] = text;
    return list;
}

/* The end of {a="b",...}, or NULL with *why. */
static const char *read_labels(const char *at, const char **why)
{
    char **names = NULL;
    size_t count = 0;
    *why = NULL;
    at++;
    while (*why == NULL && *at != '}') {
        size_t length = strcspn(at, "=\n");
        if (at[length] != '=' || !is_name(at, length, false) || strncmp(at, "__", 2) == 0)
            *why = "a label's name";
        for (size_t i = 0; i < count && *why == NULL; i++)
            if (strlen(names[i]) == length && strncmp(names[i], at, length) == 0)
                *why = "a label twice";
        if (*why != NULL)
            break;
        names = append(names, &count, copy(at, length));
        at += length + 1;
        if (*at++ != '"')
            *why = "a quote before a value";
        for (; *why == NULL && *at != '"'; at++) {
            if (*at == '\0' || *at == '\n')
                *why = "a value's end";
            else if ((unsigned char)*at < 0x20)
                *why = "a control character";
            else if (*at == '\\' && (*++at == '\0' || strchr("\\\"n", *at) == NULL))
                *why = "an escape";
        }
        at += *why == NULL;
        if (*why == NULL && *at == ',')
            *why = *++at == '}' ? "a comma at the end" : NULL;
        else if (*why == NULL && *at != '}')
            *why = "a comma";
    }
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
    return *why == NULL ? at + 1 : NULL;
}

static const char *last_family(const struct reader *r)
{
    return r->family_count > 0 ? r->families[r->family_count - 1] : "";
}

/* "# TYPE name gauge", then perhaps "# UNIT name unit" and "# HELP name text". */
static const char *read_comment(struct reader *r, const char *line, size_t size)
{
    char word[8], name[256], rest[1024], whole[2048];
    snprintf(whole, sizeof whole, "%.*s", (int)size, line);
    if (strcmp(whole, "# EOF") == 0) {
        r->ended = true;
        return NULL;
    }
    if (sscanf(whole, "# %7[A-Z] %255s %1023[^\n]", word, name, rest) != 3)
        return "a comment";
    if (!is_name(name, strlen(name), true))
        return "a family's name";
    if (strcmp(word, "TYPE") == 0) {
        for (size_t i = 0; i < r->family_count; i++)
            if (strcmp(r->families[i], name) == 0)
                return "a family twice, or in two places";
        r->families = append(r->families, &r->family_count, copy(name, strlen(name)));
        return strcmp(rest, "gauge") == 0 ? NULL : "a type";
    }
    if (strcmp(name, last_family(r)) != 0)
        return "TYPE comes first";
    if (strcmp(word, "UNIT") == 0) {
        size_t length = strlen(name), unit = strlen(rest);
        bool ends = length > unit + 1 && strcmp(name + length - unit, rest) == 0 &&
                    name[length - unit - 1] == '_';
        return ends ? NULL : "the unit is not at the name's end";
    }
    return strcmp(word, "HELP") == 0 ? NULL : "a word after #";
}

static const char *read_sample(struct reader *r, const char *line, size_t size)
{
    const char *why = NULL;
    size_t length = strcspn(line, "{ \n");
    const char *at = line + length;
    char *end;
    if (strlen(last_family(r)) != length || strncmp(line, last_family(r), length) != 0)
        return "a sample outside its family";
    if (*at == '{' && (at = read_labels(at, &why)) == NULL)
        return why;
    if (*at != ' ')
        return "a blank before the value";
    r->series = append(r->series, &r->series_count, copy(line, (size_t)(at - line)));
    double value = strtod(at + 1, &end);
    if (end == at + 1 || end != line + size)
        return "a number";
    return isfinite(value) ? NULL : "an unknown value, which is left out";
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static const char *find_twice(struct reader *r)
{
    if (r->series_count > 0)
        qsort(r->series, r->series_count, sizeof *r->series, compare);
    for (size_t i = 1; i < r->series_count; i++)
        if (strcmp(r->series[i - 1], r->series[i]) == 0)
            return r->series[i];
    return NULL;
}

/* Fails the test at the first fault.  Returns the number of samples. */
static size_t read_strictly(const char *text)
{
    struct reader r = {.families = NULL};
    const char *why = NULL, *line = text;
    char fault[1024] = "";
    if (utf8_valid(text, strlen(text)) != strlen(text))
        why = "UTF-8";
    while (why == NULL && *line != '\0') {
        size_t size = strcspn(line, "\n");
        if (r.ended || line[size] != '\n')
            why = "the end";
        else
            why = line[0] == '#' ? read_comment(&r, line, size) : read_sample(&r, line, size);
        if (why != NULL)
            snprintf(fault, sizeof fault, "%s: %.*s", why, (int)(size < 900 ? size : 900), line);
        line += size + 1;
    }
    if (why == NULL && !r.ended)
        snprintf(fault, sizeof fault, "no # EOF");
    if (fault[0] == '\0' && (why = find_twice(&r)) != NULL)
        snprintf(fault, sizeof fault, "twice: %.900s", why);
    size_t count = r.series_count;
    for (size_t i = 0; i < r.series_count; i++)
        free(r.series[i]);
    for (size_t i = 0; i < r.family_count; i++)
        free(r.families[i]);
    free(r.series);
    free(r.families);
    if (fault[0] != '\0')
        fail_msg("%s", fault);
    return count;
}

#endif
