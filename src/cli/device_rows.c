#include "cli/device_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"

enum { ROWS_LIMIT = 64 << 20, STAT_FIELDS_MIN = 11 };

static const char blanks[] = " \t\r";

/* Room for one more item, the list being full at each power of two. */
static void *room(void *list, size_t count, size_t size)
{
    if ((count & (count - 1)) != 0)
        return list;
    void *grown = reallocarray(list, count ? 2 * count : 1, size);
    if (grown == NULL)
        abort();
    return grown;
}

static size_t count_words(const char *line, size_t size)
{
    size_t words = 0;
    bool inside = false;
    for (size_t i = 0; i < size; i++) {
        bool blank = line[i] == '\n' || (line[i] != 0 && strchr(blanks, line[i]) != NULL);
        words += !blank && !inside;
        inside = !blank;
    }
    return words;
}

static void add_row(struct device_rows *rows, const struct device_row *row)
{
    rows->rows = room(rows->rows, rows->count, sizeof *rows->rows);
    rows->rows[rows->count++] = *row;
}

static void add_line(struct device_rows *rows, size_t number, const char *line, size_t size)
{
    struct device_row row = {.has_number = true, .fields = count_words(line, size)};
    const char *why;
    if (row.fields == 0)
        return;
    if (diskstats_parse_line(line, size, &row.counters, &why)) {
        add_row(rows, &row);
        return;
    }
    rows->rejected = room(rows->rejected, rows->rejected_count, sizeof *rows->rejected);
    struct device_reject *reject = &rows->rejected[rows->rejected_count++];
    reject->line = number;
    if (strncmp(why, "neither", 7) == 0)
        snprintf(reject->why, sizeof reject->why, "%zu fields: %s", row.fields, why);
    else
        snprintf(reject->why, sizeof reject->why, "%s", why);
}

/* ---- stat files ---- */

static bool is_stat(const struct device_rows *rows)
{
    const char *newline = memchr(rows->text, '\n', rows->size);
    size_t first = newline ? (size_t)(newline - rows->text) : rows->size;
    return strspn(rows->text, "0123456789- \t\r\n") == rows->size &&
           count_words(rows->text, first) == count_words(rows->text, rows->size) &&
           count_words(rows->text, first) >= STAT_FIELDS_MIN;
}

/* "dir/sda.stat" -> "sda"; "dir/cciss!c0d0/stat" -> "cciss/c0d0"; heap. */
static char *stat_name(const char *path)
{
    char *copy = fs_path("%s", path), *slash = strrchr(copy, '/');
    char *base = slash ? slash + 1 : copy;
    if (strcmp(base, "stat") == 0 && slash != NULL && slash > copy) {
        *slash = 0;
        slash = strrchr(copy, '/');
        base = slash ? slash + 1 : copy;
    } else if (strchr(base, '.') != NULL && base[0] != '.') {
        *strrchr(base, '.') = 0;
    }
    char *name = fs_path("%s", base);
    for (char *c = name; *c != 0; c++)
        if (*c == '!')
            *c = '/';
    free(copy);
    return name;
}

static void add_stat(struct device_rows *rows, const char *path)
{
    struct device_row row = {.fields = count_words(rows->text, rows->size)};
    const char *why;
    char *name = stat_name(path);
    if (diskstats_parse_stat(rows->text, rows->size, name, &row.counters, &why) ||
        diskstats_parse_stat(rows->text, rows->size, "device", &row.counters, &why))
        add_row(rows, &row);
    free(name);
}

/* ---- ---- */

int device_rows_read(const char *path, struct device_rows *rows, struct err *err)
{
    size_t number = 0;
    *rows = (struct device_rows){.text = NULL};
    if (fs_read(path, ROWS_LIMIT, &rows->text, &rows->size, err) != 0)
        return -1;
    if (is_stat(rows)) {
        add_stat(rows, path);
        return 0;
    }
    for (size_t start = 0, end; start < rows->size; start = end + 1) {
        const char *newline = memchr(rows->text + start, '\n', rows->size - start);
        end = newline ? (size_t)(newline - rows->text) : rows->size;
        add_line(rows, ++number, rows->text + start, end - start);
    }
    return 0;
}

void device_rows_release(struct device_rows *rows)
{
    free(rows->text);
    free(rows->rows);
    free(rows->rejected);
    *rows = (struct device_rows){.text = NULL};
}

static const struct device_row *find(const struct device_rows *rows, const char *name)
{
    for (size_t i = 0; i < rows->count; i++)
        if (strcmp(rows->rows[i].counters.name, name) == 0)
            return &rows->rows[i];
    return NULL;
}

void device_rows_pick(const struct device_rows *rows, const char *const *names, size_t count,
                      struct diskstats *picked)
{
    bool is_one = rows->count == 1 && !rows->rows[0].has_number;
    diskstats_pick(rows->text, rows->size, names, count, picked);
    for (size_t i = 0; is_one && i < count; i++)
        if (strcmp(names[i], rows->rows[0].counters.name) == 0)
            picked[i] = rows->rows[0].counters;
}

json_t *device_rows_paths(const struct device_rows *rows, const char *name)
{
    json_t *paths = json_array();
    const struct device_row *row = strncmp(name, "nvme", 4) == 0 ? find(rows, name) : NULL;
    if (row == NULL || !diskstats_is_idle_head(&row->counters))
        return paths;
    for (size_t i = 0; i < rows->count; i++) {
        const char *path = rows->rows[i].counters.name;
        char head[sizeof rows->rows[i].counters.name];
        if (diskstats_path_head(path, strlen(path), head, sizeof head) && strcmp(head, name) == 0)
            json_array_append_new(paths, json_text(path));
    }
    return paths;
}

bool device_rows_is_counted(const struct device_rows *rows, const char *name)
{
    char head[sizeof rows->rows->counters.name];
    if (!diskstats_path_head(name, strlen(name), head, sizeof head))
        return false;
    const struct device_row *row = find(rows, head);
    return row != NULL && diskstats_is_idle_head(&row->counters);
}

bool device_rows_is_zero(const struct device_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        for (int f = 0; f < DISK_FIELDS; f++)
            if (rows->rows[i].counters.value[f] != 0)
                return false;
    return true;
}
