#include "export/prom_label.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/text.h"

enum { LABEL_NAME = 96, NUMBER_SIZE = 48 };

static void put(struct prom_labels *labels, const char *text, size_t size)
{
    if (labels->size + size + 1 > labels->capacity) {
        labels->capacity = 2 * (labels->size + size + 1);
        labels->data = realloc(labels->data, labels->capacity);
        if (labels->data == NULL)
            abort();
    }
    memcpy(labels->data + labels->size, text, size);
    labels->size += size;
    labels->data[labels->size] = '\0';
}

static void put_text(struct prom_labels *labels, const char *text)
{
    put(labels, text, strlen(text));
}

/* One line of a value. */
static void put_line(struct prom_labels *labels, const char *line)
{
    char *clean = text_clean(line, TEXT_UTF8, 0);
    for (const char *c = clean; *c != '\0'; c++) {
        if (*c == '\\' || *c == '"')
            put(labels, "\\", 1);
        put(labels, c, 1);
    }
    free(clean);
}

static void put_value(struct prom_labels *labels, const char *value)
{
    for (;;) {
        size_t size = strcspn(value, "\n");
        char *line = strndup(value, size);
        if (line == NULL)
            abort();
        put_line(labels, line);
        free(line);
        if (value[size] == '\0')
            return;
        put_text(labels, "\\n");
        value += size + 1;
    }
}

/* In data a quote that begins a value always follows "name=", and one inside is escaped. */
static bool is_there(const struct prom_labels *labels, const char *name)
{
    size_t length = strlen(name);
    const char *at = labels->data;
    bool quoted = false, begins = true;
    for (; at != NULL && *at != '\0'; at++) {
        if (!quoted && begins && strncmp(at, name, length) == 0 && at[length] == '=')
            return true;
        begins = !quoted && *at == ',';
        if (quoted && *at == '\\' && at[1] != '\0')
            at++;
        else if (*at == '"')
            quoted = !quoted;
    }
    return false;
}

void prom_label_add(struct prom_labels *labels, const char *name, const char *value)
{
    if (value == NULL || value[0] == '\0')
        return;
    assert(!is_there(labels, name));
    if (labels->size > 0)
        put_text(labels, ",");
    put_text(labels, name);
    put_text(labels, "=\"");
    put_value(labels, value);
    put_text(labels, "\"");
}

/* No letter at the start (two underscores are reserved), or what means something else. */
static bool needs_prefix(const char *name)
{
    static const char *const reserved[] = {"entry", "le", "quantile"};
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (strcmp(name, reserved[i]) == 0)
            return true;
    return !isalpha((unsigned char)name[0]);
}

void prom_label_add_any(struct prom_labels *labels, const char *name, const char *value)
{
    char plain[LABEL_NAME / 2], full[LABEL_NAME];
    snprintf(plain, sizeof plain, "%s", name);
    for (char *c = plain; *c != '\0'; c++)
        if (!isascii(*c) || !isalnum((unsigned char)*c))
            *c = '_';
    snprintf(full, sizeof full, "%s%s", needs_prefix(plain) ? "factor_" : "", plain);
    if (is_there(labels, full))
        snprintf(full, sizeof full, "factor_%s", plain);
    for (unsigned number = 2; is_there(labels, full); number++)
        snprintf(full, sizeof full, "factor_%s_%u", plain, number);
    prom_label_add(labels, full, value);
}

void prom_label_add_number(struct prom_labels *labels, const char *name, double value)
{
    char text[NUMBER_SIZE];
    if (!isfinite(value))
        return;
    snprintf(text, sizeof text, "%.15g", value);
    prom_label_add(labels, name, text);
}

void prom_label_release(struct prom_labels *labels)
{
    free(labels->data);
    *labels = (struct prom_labels){.data = NULL};
}
