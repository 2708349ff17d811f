#include "sqlite/sql.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sql_text.h"
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
    return sql_text_raw(embedded_sqlite, name);
}

static char *expand(const char *file, const struct sql_value *values)
{
    return sql_text_expand(embedded_sqlite, file, values);
}

static struct sql_list key_columns(const struct workload *load)
{
    return sql_text_list("k#", 1, load->shape.key_columns);
}

char *sqlite_sql_create_table(const struct workload *load, const char *table)
{
    struct sql_list keys = sql_text_list("k# INTEGER NOT NULL", 1, load->shape.key_columns);
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
    struct sql_list keys = key_columns(load);
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

char *sqlite_sql_upsert(const struct workload *load, const char *table)
{
    struct sql_list keys = key_columns(load);
    struct sql_list assignments = sql_text_list("k# = excluded.k#", 1, load->shape.key_columns);
    struct sql_list values = sql_text_list("?", 1, 3 + load->shape.key_columns);
    return expand("upsert.sql", (const struct sql_value[]){{"table", table},
                                                           {"key_columns", keys.text},
                                                           {"values", values.text},
                                                           {"assignments", assignments.text},
                                                           {NULL, NULL}});
}

char *sqlite_sql_delete(const char *table)
{
    return expand("delete.sql", (const struct sql_value[]){{"table", table}, {NULL, NULL}});
}

char *sqlite_sql_scan(const struct workload *load, const char *table)
{
    struct sql_list keys = key_columns(load);
    return expand("scan.sql", (const struct sql_value[]){
                                  {"table", table}, {"key_columns", keys.text}, {NULL, NULL}});
}
