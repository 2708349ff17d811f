#include "postgres/sql.h"

#include <stdio.h>
#include <stdlib.h>

#include "sql_text.h"
#include "workload/layout.h"

void postgres_sql_table(const struct workload *load, const char *schema, unsigned table,
                        char out[96])
{
    if (layout_tables(load) == layout_files(load))
        snprintf(out, 96, "\"%s\".rows", schema);
    else
        snprintf(out, 96, "\"%s\".rows_%04u", schema, table);
}

/* What of a tablespace stands in a statement; "" where there is none. */
struct place {
    char text[96];
};

static struct place place_of(const char *clause, const char *tablespace)
{
    struct place out = {.text = ""};
    if (tablespace[0] != '\0')
        snprintf(out.text, sizeof out.text, " %s \"%s\"", clause, tablespace);
    return out;
}

char *postgres_sql_create_table(const struct workload *load, const char *table,
                                const char *tablespace, bool autovacuum)
{
    struct sql_list keys = sql_text_list("k# int NOT NULL", 1, load->shape.key_columns);
    struct place rows = place_of("TABLESPACE", tablespace);
    struct place index = place_of("USING INDEX TABLESPACE", tablespace);
    return sql_text_expand(embedded_postgres, "create_table.sql",
                           (const struct sql_value[]){{"table", table},
                                                      {"key_definitions", keys.text},
                                                      {"autovacuum", autovacuum ? "true" : "false"},
                                                      {"tablespace", rows.text},
                                                      {"index_tablespace", index.text},
                                                      {NULL, NULL}});
}

char *postgres_sql_create_index(const char *table, const char *tablespace, unsigned key)
{
    struct place place = place_of("TABLESPACE", tablespace);
    char name[16];
    snprintf(name, sizeof name, "k%u", key);
    return sql_text_expand(
        embedded_postgres, "create_index.sql",
        (const struct sql_value[]){
            {"table", table}, {"key", name}, {"tablespace", place.text}, {NULL, NULL}});
}

/* A statement that names columns and parameters, or some of them. */
static char *expand_rows(const char *file, const struct workload *load, const char *table)
{
    unsigned count = load->shape.key_columns;
    struct sql_list keys = sql_text_list("k#", 1, count);
    struct sql_list updates = sql_text_list("k# = EXCLUDED.k#", 1, count);
    struct sql_list arrays = sql_text_list("$#::int[]", 3, count);
    struct sql_list parameters = sql_text_list("$#", 1, 3 + count);
    char payload[16];
    snprintf(payload, sizeof payload, "%u", 3 + count);
    return sql_text_expand(embedded_postgres, file,
                           (const struct sql_value[]){{"table", table},
                                                      {"key_columns", keys.text},
                                                      {"key_updates", updates.text},
                                                      {"key_arrays", arrays.text},
                                                      {"parameters", parameters.text},
                                                      {"payload", payload},
                                                      {NULL, NULL}});
}

char *postgres_sql_insert(const struct workload *load, const char *table)
{
    return expand_rows("insert.sql", load, table);
}

char *postgres_sql_insert_array(const struct workload *load, const char *table)
{
    return expand_rows("insert_array.sql", load, table);
}

char *postgres_sql_copy(const struct workload *load, const char *table)
{
    return expand_rows("copy.sql", load, table);
}

char *postgres_sql_upsert(const struct workload *load, const char *table)
{
    return expand_rows("upsert.sql", load, table);
}

char *postgres_sql_scan(const struct workload *load, const char *table)
{
    return expand_rows("scan.sql", load, table);
}

static char *expand_table(const char *file, const char *table)
{
    return sql_text_expand(embedded_postgres, file,
                           (const struct sql_value[]){{"table", table}, {NULL, NULL}});
}

char *postgres_sql_delete(const char *table)
{
    return expand_table("delete.sql", table);
}

char *postgres_sql_delete_array(const char *table)
{
    return expand_table("delete_array.sql", table);
}

char *postgres_sql_delete_range(const char *table)
{
    return expand_table("delete_range.sql", table);
}

char *postgres_sql_missing_array(const char *table)
{
    return expand_table("missing_array.sql", table);
}

char *postgres_sql_missing_range(const char *table)
{
    return expand_table("missing_range.sql", table);
}

char *postgres_sql_text(const char *name)
{
    return sql_text_expand(embedded_postgres, name, (const struct sql_value[]){{NULL, NULL}});
}
