#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postgres/sql.h"
#include "sql_text.h"

static const struct workload three_keys = {
    .streams = 4, .files = 1, .layout = LAYOUT_TABLE_PER_STREAM, .shape = {.key_columns = 3}};
static const struct workload one_key = {
    .streams = 4, .files = 1, .layout = LAYOUT_SHARED_TABLE, .shape = {.key_columns = 1}};

/* Heap text, freed here; layout in lines does not count. */
static void expect(char *text, const char *wanted)
{
    char *flat = malloc(strlen(text) + 1);
    size_t used = 0;
    for (const char *c = text; *c != '\0'; c++) {
        char one = *c == '\n' ? ' ' : *c;
        if (one != ' ' || used == 0 || flat[used - 1] != ' ')
            flat[used++] = one;
    }
    flat[used] = '\0';
    assert_string_equal(flat, wanted);
    free(flat);
    free(text);
}

static void test_table_names(void **state)
{
    char name[96];
    (void)state;
    postgres_sql_table(&one_key, "loadline_1a", 0, name);
    assert_string_equal(name, "\"loadline_1a\".rows");
    postgres_sql_table(&three_keys, "loadline_1a", 3, name);
    assert_string_equal(name, "\"loadline_1a\".rows_0003");
}

static void test_create(void **state)
{
    (void)state;
    expect(postgres_sql_create_table(&one_key, "s.rows", "", true),
           "CREATE TABLE s.rows ( id bigint PRIMARY KEY, stream int NOT NULL, k1 int NOT NULL, "
           "payload bytea NOT NULL ) WITH (autovacuum_enabled = true, toast.autovacuum_enabled = "
           "true)");
    expect(postgres_sql_create_table(&three_keys, "s.rows_0001", "fast", false),
           "CREATE TABLE s.rows_0001 ( id bigint PRIMARY KEY USING INDEX TABLESPACE \"fast\", "
           "stream int NOT NULL, k1 int NOT NULL, k2 int NOT NULL, k3 int NOT NULL, "
           "payload bytea NOT NULL ) WITH (autovacuum_enabled = false, toast.autovacuum_enabled = "
           "false) TABLESPACE \"fast\"");
    expect(postgres_sql_create_index("s.rows", "", 2), "CREATE INDEX ON s.rows (k2)");
    expect(postgres_sql_create_index("s.rows", "fast", 16),
           "CREATE INDEX ON s.rows (k16) TABLESPACE \"fast\"");
}

static void test_rows(void **state)
{
    (void)state;
    expect(postgres_sql_insert(&one_key, "t"),
           "INSERT INTO t (id, stream, k1, payload) VALUES ($1, $2, $3, $4)");
    expect(postgres_sql_insert(&three_keys, "t"),
           "INSERT INTO t (id, stream, k1, k2, k3, payload) VALUES ($1, $2, $3, $4, $5, $6)");
    expect(postgres_sql_insert_array(&three_keys, "t"),
           "INSERT INTO t (id, stream, k1, k2, k3, payload) SELECT id, $2, k1, k2, k3, payload "
           "FROM unnest($1::bigint[], $3::int[], $4::int[], $5::int[], $6::bytea[]) AS rows "
           "(id, k1, k2, k3, payload)");
    expect(postgres_sql_upsert(&three_keys, "t"),
           "INSERT INTO t (id, stream, k1, k2, k3, payload) VALUES ($1, $2, $3, $4, $5, $6) "
           "ON CONFLICT (id) DO UPDATE SET stream = EXCLUDED.stream, k1 = EXCLUDED.k1, "
           "k2 = EXCLUDED.k2, k3 = EXCLUDED.k3, payload = EXCLUDED.payload");
    expect(postgres_sql_copy(&one_key, "t"),
           "COPY t (id, stream, k1, payload) FROM STDIN (FORMAT binary)");
    expect(postgres_sql_scan(&one_key, "t"), "COPY (SELECT id, stream, k1, payload FROM t ORDER BY "
                                             "id) TO STDOUT (FORMAT binary)");
}

static void test_deletes(void **state)
{
    (void)state;
    expect(postgres_sql_delete("t"), "DELETE FROM t WHERE id = $1");
    expect(postgres_sql_delete_array("t"), "DELETE FROM t WHERE id = ANY($1::bigint[])");
    expect(postgres_sql_delete_range("t"), "DELETE FROM t WHERE id BETWEEN $1 AND $2");
    expect(postgres_sql_text("begin.sql"), "BEGIN");
    expect(postgres_sql_text("commit.sql"), "COMMIT");
    expect(postgres_sql_text("rollback.sql"), "ROLLBACK");
}

static void test_lists(void **state)
{
    (void)state;
    assert_string_equal(sql_text_list("k#", 1, 1).text, "k1");
    assert_string_equal(sql_text_list("k# = $#", 9, 3).text, "k9 = $9, k10 = $10, k11 = $11");
    assert_string_equal(sql_text_list("k#", 1, 0).text, "");
    /* The longest piece in use fits for all columns. */
    assert_int_equal(strlen(sql_text_list("k# = EXCLUDED.k#", 1, ROW_KEYS_MAX).text),
                     9 * 16 + 7 * 18 + 15 * 2);
}

/* The comment is for readers of the file; text after the last placeholder stays. */
static void test_expand(void **state)
{
    static const struct embedded files[] = {
        {"a.sql", "-- {not} a placeholder\n-- more\nA {one}\n{two} B {one} C\n\n", 0},
        {"b.sql", "plain\n", 0},
        {NULL, NULL, 0},
    };
    static const struct sql_value values[] = {{"two", "2"}, {"one", "1"}, {NULL, NULL}};
    (void)state;
    char *text = sql_text_expand(files, "a.sql", values);
    assert_string_equal(text, "A 1\n2 B 1 C");
    free(text);
    text = sql_text_expand(files, "b.sql", values);
    assert_string_equal(text, "plain");
    free(text);
    assert_string_equal(sql_text_raw(files, "b.sql"), "plain\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table_names), cmocka_unit_test(test_create),
        cmocka_unit_test(test_rows),        cmocka_unit_test(test_deletes),
        cmocka_unit_test(test_lists),       cmocka_unit_test(test_expand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
