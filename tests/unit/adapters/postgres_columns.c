/* Which metrics come from which catalog, PostgreSQL 13 to 18, and the statements. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postgres/columns.h"

enum { THERE_MAX = 96, ALL = POSTGRES_TIMED_LOG | POSTGRES_TIMED_IO | POSTGRES_COUNTED_SYNC };

#define WRITER_16                                                                                  \
    "checkpoints_timed checkpoints_req checkpoint_write_time checkpoint_sync_time "                \
    "buffers_checkpoint buffers_clean maxwritten_clean buffers_backend buffers_backend_fsync "     \
    "buffers_alloc stats_reset"
#define WAL_17                                                                                     \
    "wal_records wal_fpi wal_bytes wal_buffers_full wal_write wal_sync wal_write_time "            \
    "wal_sync_time stats_reset"
#define IO_16                                                                                      \
    "backend_type object context reads read_time writes write_time writebacks extends "            \
    "extend_time op_bytes hits evictions reuses fsyncs fsync_time stats_reset"
#define IO_18                                                                                      \
    "backend_type object context reads read_bytes read_time writes write_bytes write_time "        \
    "writebacks extends extend_bytes extend_time hits evictions reuses fsyncs fsync_time "         \
    "stats_reset"
#define CHECKPOINTER_17                                                                            \
    "num_timed num_requested restartpoints_timed restartpoints_req write_time sync_time "          \
    "buffers_written stats_reset"
#define CHECKPOINTER_18                                                                            \
    "num_timed num_requested num_done write_time sync_time buffers_written slru_written "          \
    "stats_reset"

/* The columns of each version's views, in the order of enum postgres_source. */
struct catalog {
    int version;
    const char *columns[POSTGRES_SOURCES];
};

#define DATABASE "datname xact_commit xact_rollback deadlocks temp_bytes blk_write_time stats_reset"
#define TABLES                                                                                     \
    "relid schemaname n_tup_ins n_tup_upd n_tup_del n_live_tup n_dead_tup vacuum_count "           \
    "autovacuum_count"

static const struct catalog catalogs[] = {
    {13, {NULL, NULL, WRITER_16, NULL, NULL, DATABASE, TABLES}},
    {14, {NULL, WAL_17, WRITER_16, NULL, NULL, DATABASE, TABLES}},
    {15, {NULL, WAL_17, WRITER_16, NULL, NULL, DATABASE, TABLES}},
    {16, {NULL, WAL_17, WRITER_16, NULL, IO_16, DATABASE, TABLES}},
    {17,
     {NULL, WAL_17, "buffers_clean maxwritten_clean buffers_alloc stats_reset", CHECKPOINTER_17,
      IO_16, DATABASE, TABLES}},
    {18,
     {NULL, "wal_records wal_fpi wal_bytes wal_buffers_full stats_reset",
      "buffers_clean maxwritten_clean buffers_alloc stats_reset", CHECKPOINTER_18, IO_18, DATABASE,
      TABLES}},
};

static const struct catalog *catalog_of(int version)
{
    for (size_t i = 0; i < sizeof catalogs / sizeof *catalogs; i++)
        if (catalogs[i].version == version)
            return &catalogs[i];
    fail();
    return NULL;
}

/* "view.column", as the server is asked. */
static void choose(int version, unsigned conditions, struct postgres_columns *columns)
{
    static char texts[THERE_MAX][64];
    const char *there[THERE_MAX];
    const struct catalog *catalog = catalog_of(version);
    size_t count = 0;
    for (int source = 0; source < POSTGRES_SOURCES; source++) {
        const char *at = catalog->columns[source];
        while (at != NULL && *at != '\0') {
            size_t length = strcspn(at, " ");
            assert_true(count < THERE_MAX);
            snprintf(texts[count], sizeof texts[count], "%s.%.*s",
                     postgres_columns_view((enum postgres_source)source), (int)length, at);
            there[count] = texts[count];
            count++;
            at += length + strspn(at + length, " ");
        }
    }
    postgres_columns_choose(columns, there, count, conditions);
}

/* The expression of a metric; NULL: there is none. */
static const char *expression(const struct postgres_columns *columns, const char *metric)
{
    const char *found = NULL;
    for (size_t i = 0; i < columns->count; i++)
        if (strcmp(columns->items[i]->metric, metric) == 0) {
            assert_null(found); /* each once */
            found = columns->items[i]->expression;
        }
    return found;
}

static enum postgres_source source_of(const struct postgres_columns *columns, const char *metric)
{
    for (size_t i = 0; i < columns->count; i++)
        if (strcmp(columns->items[i]->metric, metric) == 0)
            return columns->items[i]->source;
    fail_msg("%s is not there", metric);
    return POSTGRES_SOURCES;
}

static void test_every_version_has_the_essential(void **state)
{
    (void)state;
    static const char *const names[] = {
        "wal_bytes", "checkpoints",    "checkpoints_requested", "checkpoint_buffers",
        "deadlocks", "server_commits", "backend_buffers",       "background_buffers",
        "dead_rows", "autovacuums",    "rows_inserted",         "heap_bytes"};
    for (int version = 13; version <= 18; version++) {
        struct postgres_columns columns;
        choose(version, ALL, &columns);
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (expression(&columns, names[i]) == NULL)
                fail_msg("%d has no %s", version, names[i]);
    }
}

static void test_what_changed_between_versions(void **state)
{
    (void)state;
    struct postgres_columns columns;

    choose(13, ALL, &columns);
    assert_null(expression(&columns, "wal_records"));
    assert_null(expression(&columns, "wal_sync_count"));
    assert_string_equal(expression(&columns, "backend_buffers"), "buffers_backend");

    choose(15, ALL, &columns);
    assert_string_equal(expression(&columns, "wal_sync_count"), "wal_sync");
    assert_int_equal(source_of(&columns, "checkpoints"), POSTGRES_SOURCE_BGWRITER);
    assert_null(expression(&columns, "autovacuum_buffers"));

    choose(16, ALL, &columns);
    assert_int_equal(source_of(&columns, "backend_buffers"), POSTGRES_SOURCE_IO);
    assert_null(strstr(expression(&columns, "backend_buffers"), "write_bytes"));
    assert_int_equal(source_of(&columns, "wal_sync_count"), POSTGRES_SOURCE_WAL);

    choose(17, ALL, &columns);
    assert_int_equal(source_of(&columns, "checkpoints"), POSTGRES_SOURCE_CHECKPOINTER);
    assert_string_equal(expression(&columns, "checkpoints"), "num_timed + num_requested");
    assert_int_equal(source_of(&columns, "checkpoint_buffers"), POSTGRES_SOURCE_CHECKPOINTER);

    choose(18, ALL, &columns);
    assert_string_equal(expression(&columns, "checkpoints"), "num_done");
    assert_int_equal(source_of(&columns, "wal_sync_count"), POSTGRES_SOURCE_IO);
    assert_int_equal(source_of(&columns, "wal_sync_ms"), POSTGRES_SOURCE_IO);
    assert_int_equal(source_of(&columns, "wal_records"), POSTGRES_SOURCE_WAL);
    assert_non_null(strstr(expression(&columns, "backend_buffers"), "write_bytes"));
}

/* A counter that stays 0 because nobody counts is not reported. */
static void test_conditions(void **state)
{
    (void)state;
    for (int version = 14; version <= 18; version++) {
        struct postgres_columns columns;
        choose(version, 0, &columns);
        assert_null(expression(&columns, "wal_sync_count"));
        assert_null(expression(&columns, "wal_sync_ms"));
        assert_null(expression(&columns, "wal_write_ms"));
        assert_null(expression(&columns, "data_write_ms"));
        assert_non_null(expression(&columns, "wal_write_count"));
        choose(version, POSTGRES_COUNTED_SYNC, &columns);
        assert_non_null(expression(&columns, "wal_sync_count"));
        assert_null(expression(&columns, "wal_sync_ms"));
        choose(version, POSTGRES_TIMED_LOG, &columns);
        assert_non_null(expression(&columns, "wal_write_ms"));
        assert_null(expression(&columns, "wal_sync_ms"));
    }
}

static void test_statements(void **state)
{
    (void)state;
    struct postgres_columns columns;
    char *text;
    choose(15, POSTGRES_COUNTED_SYNC, &columns);

    text = postgres_columns_statement(&columns, POSTGRES_SOURCE_LOG, NULL);
    assert_string_equal(text, "SELECT NULL::float8, (pg_wal_lsn_diff(pg_current_wal_insert_lsn(), "
                              "'0/0'))::float8");
    free(text);
    text = postgres_columns_statement(&columns, POSTGRES_SOURCE_WAL, NULL);
    assert_string_equal(text, "SELECT extract(epoch FROM stats_reset)::float8, "
                              "(wal_records)::float8, (wal_fpi)::float8, "
                              "(wal_buffers_full)::float8, (wal_write)::float8, "
                              "(wal_sync)::float8 FROM pg_catalog.pg_stat_wal");
    free(text);
    text = postgres_columns_statement(&columns, POSTGRES_SOURCE_DATABASE, "datname IN ('x')");
    assert_string_equal(text, "SELECT extract(epoch FROM max(stats_reset))::float8, "
                              "(sum(xact_commit))::float8, (sum(xact_rollback))::float8, "
                              "(sum(deadlocks))::float8, (sum(temp_bytes))::float8 "
                              "FROM pg_catalog.pg_stat_database WHERE datname IN ('x')");
    free(text);
    assert_null(postgres_columns_statement(&columns, POSTGRES_SOURCE_IO, NULL));
    assert_null(postgres_columns_statement(&columns, POSTGRES_SOURCE_CHECKPOINTER, NULL));
}

/* A column's name that begins as another one's is another one. */
static void test_names_are_whole(void **state)
{
    (void)state;
    static const char *const there[] = {"pg_stat_wal.wal_records_more", "pg_stat_walls.wal_records",
                                        "pg_stat_wal.wal"};
    struct postgres_columns columns;
    postgres_columns_choose(&columns, there, 3, ALL);
    assert_int_equal(columns.count, 1);
    assert_string_equal(columns.items[0]->metric, "wal_bytes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_version_has_the_essential),
        cmocka_unit_test(test_what_changed_between_versions),
        cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_statements),
        cmocka_unit_test(test_names_are_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
