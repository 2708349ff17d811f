#include "workload/ini.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

struct reader {
    const char *name;
    unsigned line;
    char *section; /* NUL-terminated copies: as large as the text */
    char *copy;
    int (*entry)(void *ctx, const struct ini_entry *entry, struct err *err);
    void *ctx;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static char *trim(char *text)
{
    while (is_blank(*text))
        text++;
    size_t size = strlen(text);
    while (size > 0 && is_blank(text[size - 1]))
        text[--size] = '\0';
    return text;
}

/* Ends the line where its comment begins.  False: a quote is not closed. */
static bool cut_comment(char *line)
{
    bool is_quoted = false;
    for (char *at = line; *at != '\0'; at++) {
        if (*at == '"')
            is_quoted = !is_quoted;
        bool is_mark = *at == '#' || *at == ';';
        if (is_mark && !is_quoted && (at == line || is_blank(at[-1]))) {
            *at = '\0';
            return true;
        }
    }
    return !is_quoted;
}

static int fail(const struct reader *reader, const char *problem, struct err *err)
{
    return err_set(err, ERR_USAGE, "%s:%u: %s", reader->name, reader->line, problem);
}

static int read_section(struct reader *reader, char *line, struct err *err)
{
    char *close = strchr(line, ']');
    if (close == NULL || close[1] != '\0')
        return fail(reader, "a section line is [NAME] and nothing else", err);
    *close = '\0';
    char *section = trim(line + 1);
    if (*section == '\0')
        return fail(reader, "the section has no name; write [workload], for example", err);
    if (strchr(section, '[') != NULL)
        return fail(reader, "a section line is [NAME] and nothing else", err);
    memcpy(reader->section, section, strlen(section) + 1);
    struct ini_entry entry = {.section = reader->section, .line = reader->line};
    return reader->entry(reader->ctx, &entry, err);
}

static int read_pair(struct reader *reader, char *line, struct err *err)
{
    char *equals = strchr(line, '=');
    if (equals == NULL)
        return err_set(err, ERR_USAGE, "%s:%u: '%s' is neither [section] nor key = value",
                       reader->name, reader->line, line);
    *equals = '\0';
    char *key = trim(line);
    char *value = trim(equals + 1);
    if (*key == '\0')
        return fail(reader, "there is no key before the =", err);
    if (*value == '\0')
        return err_set(err, ERR_USAGE, "%s:%u: %s has no value; write one, or remove the line",
                       reader->name, reader->line, key);
    struct ini_entry entry = {
        .section = reader->section, .key = key, .value = value, .line = reader->line};
    return reader->entry(reader->ctx, &entry, err);
}

static int read_line(struct reader *reader, const char *text, size_t size, struct err *err)
{
    for (size_t i = 0; i < size; i++)
        if ((unsigned char)text[i] < ' ' && text[i] != '\t')
            return fail(reader, "the line holds a control character; this must be a text file",
                        err);
    if (utf8_valid(text, size) != size)
        return fail(reader, "the line is not UTF-8; save the file as UTF-8", err);
    memcpy(reader->copy, text, size);
    reader->copy[size] = '\0';
    if (!cut_comment(reader->copy))
        return fail(reader, "a quote is not closed on its line", err);
    char *line = trim(reader->copy);
    if (*line == '\0')
        return 0;
    return *line == '[' ? read_section(reader, line, err) : read_pair(reader, line, err);
}

int ini_read(const char *text, size_t size, const char *name,
             int (*entry)(void *ctx, const struct ini_entry *entry, struct err *err), void *ctx,
             struct err *err)
{
    struct reader reader = {.name = name, .entry = entry, .ctx = ctx};
    int status = -1;
    reader.section = calloc(1, size + 1);
    reader.copy = calloc(1, size + 1);
    if (reader.section == NULL || reader.copy == NULL) {
        err_set(err, ERR_FAILED, "%s: out of memory", name);
        goto out;
    }
    const char *end = text + size;
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    if (size >= 3 && memcmp(text, byte_order_mark, 3) == 0)
        text += 3;
    while (text < end) {
        reader.line++;
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const char *stop = newline != NULL ? newline : end;
        size_t length = (size_t)(stop - text);
        if (length > 0 && text[length - 1] == '\r')
            length--;
        if (read_line(&reader, text, length, err) != 0)
            goto out;
        text = newline != NULL ? newline + 1 : end;
    }
    status = 0;
out:
    free(reader.section);
    free(reader.copy);
    return status;
}
