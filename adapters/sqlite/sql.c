#include "sqlite/sql.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "workload/layout.h"

struct sql_table sqlite_sql_table(const struct workload *load, unsigned table)
{
    struct sql_table out;
    if (layout_tables(load) == layout_files(load))
        snprintf(out.name, sizeof out.name, "rows");
    else
        snprintf(out.name, sizeof out.name, "rows_%04u", table);
    return out;
}

const char *sqlite_sql_text(const char *name)
{
    const struct embedded *file = embedded_find(embedded_sqlite, name);
    assert(file != NULL);
    return file->text;
}

/* One {placeholder} and what takes its place. */
struct sql_value {
    const char *name;
    const char *text;
};

static const struct sql_value *value_at(const struct sql_value *values, const char *name,
                                        size_t size)
{
    while (strlen(values->name) != size || memcmp(values->name, name, size) != 0) {
        values++;
        assert(values->name != NULL);
    }
    return values;
}

/* `values` ends with a NULL name. */
static char *expand(const char *file, const struct sql_value *values)
{
    char *out = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&out, &size);
    if (stream == NULL)
        return NULL;
    const char *rest = sqlite_sql_text(file);
    for (const char *open; (open = strchr(rest, '{')) != NULL;) {
        const char *end = strchr(open, '}');
        assert(end != NULL);
        fwrite(rest, 1, (size_t)(open - rest), stream);
        fputs(value_at(values, open + 1, (size_t)(end - open - 1))->text, stream);
        rest = end + 1;
    }
    fputs(rest, stream);
    bool failed = ferror(stream) != 0;
    if (fclose(stream) != 0 || failed) {
        free(out);
        return NULL;
    }
    return out;
}

/* "k1, k2" or "k1 INTEGER NOT NULL, k2 INTEGER NOT NULL". */
struct key_list {
    char text[ROW_KEYS_MAX * 32];
};

static struct key_list key_list(const struct workload *load, const char *suffix)
{
    struct key_list out = {.text = ""};
    size_t at = 0;
    for (unsigned key = 1; key <= load->shape.key_columns; key++)
        at += (size_t)snprintf(out.text + at, sizeof out.text - at, "%sk%u%s", key == 1 ? "" : ", ",
                               key, suffix);
    return out;
}

char *sqlite_sql_create_table(const struct workload *load, const char *table)
{
    struct key_list keys = key_list(load, " INTEGER NOT NULL");
    return expand(
        "create_table.sql",
        (const struct sql_value[]){{"table", table}, {"key_definitions", keys.text}, {NULL, NULL}});
}

char *sqlite_sql_create_index(const char *table, unsigned key)
{
    char name[16];
    snprintf(name, sizeof name, "k%u", key);
    return expand("create_index.sql",
                  (const struct sql_value[]){{"table", table}, {"key", name}, {NULL, NULL}});
}

char *sqlite_sql_insert(const struct workload *load, const char *table, int rows)
{
    struct key_list keys = key_list(load, "");
    char row[8 + 3 * (3 + ROW_KEYS_MAX)];
    size_t used = 0;
    for (unsigned i = 0; i < 3 + load->shape.key_columns; i++)
        used += (size_t)snprintf(row + used, sizeof row - used, i == 0 ? "(?" : ", ?");
    snprintf(row + used, sizeof row - used, ")");
    size_t size = (size_t)rows * (strlen(row) + 2) + 1;
    char *all = malloc(size);
    if (all == NULL)
        return NULL;
    char *end = all;
    for (int i = 0; i < rows; i++)
        end += snprintf(end, size - (size_t)(end - all), "%s%s", i == 0 ? "" : ", ", row);
    char *out =
        expand("insert.sql",
               (const struct sql_value[]){
                   {"table", table}, {"key_columns", keys.text}, {"rows", all}, {NULL, NULL}});
    free(all);
    return out;
}

char *sqlite_sql_delete(const char *table)
{
    return expand("delete.sql", (const struct sql_value[]){{"table", table}, {NULL, NULL}});
}

char *sqlite_sql_scan(const struct workload *load, const char *table)
{
    struct key_list keys = key_list(load, "");
    return expand("scan.sql", (const struct sql_value[]){
                                  {"table", table}, {"key_columns", keys.text}, {NULL, NULL}});
}
