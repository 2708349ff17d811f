#include "postgres/columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOG          POSTGRES_SOURCE_LOG
#define WAL          POSTGRES_SOURCE_WAL
#define BGWRITER     POSTGRES_SOURCE_BGWRITER
#define CHECKPOINTER POSTGRES_SOURCE_CHECKPOINTER
#define IO           POSTGRES_SOURCE_IO
#define DATABASE     POSTGRES_SOURCE_DATABASE
#define TABLES       POSTGRES_SOURCE_TABLES
#define OF_LOG       "FILTER (WHERE object = 'wal')"
#define OF_CLIENTS   "FILTER (WHERE object = 'relation' AND backend_type = 'client backend')"
#define OF_VACUUM    "FILTER (WHERE object = 'relation' AND backend_type = 'autovacuum worker')"
#define BLOCK        "current_setting('block_size')::float8"

static const struct postgres_column table[] = {
    {"wal_bytes", METRIC_COUNTER, LOG, "", "pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')",
     0},
    {"wal_records", METRIC_COUNTER, WAL, "wal_records", "wal_records", 0},
    {"wal_full_page_images", METRIC_COUNTER, WAL, "wal_fpi", "wal_fpi", 0},
    {"wal_buffers_full", METRIC_COUNTER, WAL, "wal_buffers_full", "wal_buffers_full", 0},
    {"wal_write_count", METRIC_COUNTER, WAL, "wal_write", "wal_write", 0},
    {"wal_write_count", METRIC_COUNTER, IO, "object writes write_bytes", "sum(writes) " OF_LOG, 0},
    {"wal_sync_count", METRIC_COUNTER, WAL, "wal_sync", "wal_sync", POSTGRES_COUNTED_SYNC},
    {"wal_sync_count", METRIC_COUNTER, IO, "object fsyncs write_bytes", "sum(fsyncs) " OF_LOG,
     POSTGRES_COUNTED_SYNC},
    {"wal_write_ms", METRIC_COUNTER, WAL, "wal_write_time", "wal_write_time", POSTGRES_TIMED_LOG},
    {"wal_write_ms", METRIC_COUNTER, IO, "object write_time write_bytes", "sum(write_time) " OF_LOG,
     POSTGRES_TIMED_LOG},
    {"wal_sync_ms", METRIC_COUNTER, WAL, "wal_sync_time", "wal_sync_time",
     POSTGRES_TIMED_LOG | POSTGRES_COUNTED_SYNC},
    {"wal_sync_ms", METRIC_COUNTER, IO, "object fsync_time write_bytes", "sum(fsync_time) " OF_LOG,
     POSTGRES_TIMED_LOG | POSTGRES_COUNTED_SYNC},

    /* num_timed counts also those that found nothing to do. */
    {"checkpoints", METRIC_COUNTER, CHECKPOINTER, "num_done", "num_done", 0},
    {"checkpoints", METRIC_COUNTER, CHECKPOINTER, "num_timed num_requested",
     "num_timed + num_requested", 0},
    {"checkpoints", METRIC_COUNTER, BGWRITER, "checkpoints_timed checkpoints_req",
     "checkpoints_timed + checkpoints_req", 0},
    {"checkpoints_requested", METRIC_COUNTER, CHECKPOINTER, "num_requested", "num_requested", 0},
    {"checkpoints_requested", METRIC_COUNTER, BGWRITER, "checkpoints_req", "checkpoints_req", 0},
    {"checkpoint_buffers", METRIC_COUNTER, CHECKPOINTER, "buffers_written", "buffers_written", 0},
    {"checkpoint_buffers", METRIC_COUNTER, BGWRITER, "buffers_checkpoint", "buffers_checkpoint", 0},
    {"checkpoint_write_ms", METRIC_COUNTER, CHECKPOINTER, "write_time", "write_time", 0},
    {"checkpoint_write_ms", METRIC_COUNTER, BGWRITER, "checkpoint_write_time",
     "checkpoint_write_time", 0},
    {"checkpoint_sync_ms", METRIC_COUNTER, CHECKPOINTER, "sync_time", "sync_time", 0},
    {"checkpoint_sync_ms", METRIC_COUNTER, BGWRITER, "checkpoint_sync_time", "checkpoint_sync_time",
     0},
    {"background_buffers", METRIC_COUNTER, BGWRITER, "buffers_clean", "buffers_clean", 0},
    /* From 18 on writes and extends are calls of any size, before that blocks. */
    {"backend_buffers", METRIC_COUNTER, IO, "object backend_type write_bytes extend_bytes",
     "(sum(write_bytes) " OF_CLIENTS " + sum(extend_bytes) " OF_CLIENTS ")::float8 / " BLOCK, 0},
    {"backend_buffers", METRIC_COUNTER, IO, "object backend_type writes extends",
     "sum(writes) " OF_CLIENTS " + sum(extends) " OF_CLIENTS, 0},
    {"backend_buffers", METRIC_COUNTER, BGWRITER, "buffers_backend", "buffers_backend", 0},
    {"autovacuum_buffers", METRIC_COUNTER, IO, "object backend_type write_bytes extend_bytes",
     "sum(write_bytes) " OF_VACUUM "::float8 / " BLOCK, 0},
    {"autovacuum_buffers", METRIC_COUNTER, IO, "object backend_type writes extends",
     "sum(writes) " OF_VACUUM, 0},
    {"backend_sync_count", METRIC_COUNTER, IO, "object backend_type fsyncs",
     "sum(fsyncs) " OF_CLIENTS, 0},
    {"backend_sync_count", METRIC_COUNTER, BGWRITER, "buffers_backend_fsync",
     "buffers_backend_fsync", 0},

    {"server_commits", METRIC_COUNTER, DATABASE, "xact_commit", "sum(xact_commit)", 0},
    {"server_rollbacks", METRIC_COUNTER, DATABASE, "xact_rollback", "sum(xact_rollback)", 0},
    {"deadlocks", METRIC_COUNTER, DATABASE, "deadlocks", "sum(deadlocks)", 0},
    {"temp_bytes", METRIC_COUNTER, DATABASE, "temp_bytes", "sum(temp_bytes)", 0},
    {"data_write_ms", METRIC_COUNTER, DATABASE, "blk_write_time", "sum(blk_write_time)",
     POSTGRES_TIMED_IO},

    {"rows_inserted", METRIC_COUNTER, TABLES, "n_tup_ins", "sum(n_tup_ins)", 0},
    {"rows_updated", METRIC_COUNTER, TABLES, "n_tup_upd", "sum(n_tup_upd)", 0},
    {"rows_deleted", METRIC_COUNTER, TABLES, "n_tup_del", "sum(n_tup_del)", 0},
    {"live_rows", METRIC_GAUGE, TABLES, "n_live_tup", "sum(n_live_tup)", 0},
    {"dead_rows", METRIC_GAUGE, TABLES, "n_dead_tup", "sum(n_dead_tup)", 0},
    {"vacuums", METRIC_COUNTER, TABLES, "vacuum_count", "sum(vacuum_count)", 0},
    {"autovacuums", METRIC_COUNTER, TABLES, "autovacuum_count", "sum(autovacuum_count)", 0},
    {"heap_bytes", METRIC_GAUGE, TABLES, "relid", "sum(pg_table_size(relid))", 0},
    {"index_bytes", METRIC_GAUGE, TABLES, "relid", "sum(pg_indexes_size(relid))", 0},
};

static const char *const views[POSTGRES_SOURCES] = {
    [POSTGRES_SOURCE_WAL] = "pg_stat_wal",
    [POSTGRES_SOURCE_BGWRITER] = "pg_stat_bgwriter",
    [POSTGRES_SOURCE_CHECKPOINTER] = "pg_stat_checkpointer",
    [POSTGRES_SOURCE_IO] = "pg_stat_io",
    [POSTGRES_SOURCE_DATABASE] = "pg_stat_database",
    [POSTGRES_SOURCE_TABLES] = "pg_stat_all_tables",
};

const char *postgres_columns_view(enum postgres_source source)
{
    return views[source];
}

static bool is_there(const char *const *there, size_t count, enum postgres_source source,
                     const char *column, size_t length)
{
    size_t prefix = strlen(views[source]);
    for (size_t i = 0; i < count; i++)
        if (strncmp(there[i], views[source], prefix) == 0 && there[i][prefix] == '.' &&
            strncmp(there[i] + prefix + 1, column, length) == 0 &&
            there[i][prefix + 1 + length] == '\0')
            return true;
    return false;
}

static bool has_needs(const struct postgres_column *column, const char *const *there, size_t count)
{
    const char *name = column->needs;
    while (*name != '\0') {
        size_t length = strcspn(name, " ");
        if (!is_there(there, count, column->source, name, length))
            return false;
        name += length;
        name += strspn(name, " ");
    }
    return true;
}

static bool is_chosen(const struct postgres_columns *columns, const char *metric)
{
    for (size_t i = 0; i < columns->count; i++)
        if (strcmp(columns->items[i]->metric, metric) == 0)
            return true;
    return false;
}

void postgres_columns_choose(struct postgres_columns *columns, const char *const *there,
                             size_t there_count, unsigned conditions)
{
    static const char reset[] = "stats_reset";
    *columns = (struct postgres_columns){.count = 0};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if ((table[i].condition & ~conditions) == 0 && !is_chosen(columns, table[i].metric) &&
            has_needs(&table[i], there, there_count) && columns->count < POSTGRES_COLUMNS_MAX)
            columns->items[columns->count++] = &table[i];
    for (int source = 0; source < POSTGRES_SOURCES; source++)
        columns->resets[source] =
            views[source] != NULL &&
            is_there(there, there_count, (enum postgres_source)source, reset, strlen(reset));
}

char *postgres_columns_statement(const struct postgres_columns *columns,
                                 enum postgres_source source, const char *where)
{
    char *text = NULL;
    size_t size = 0;
    bool any = false;
    bool sums = source == IO || source == DATABASE || source == TABLES;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        return NULL;
    if (!columns->resets[source])
        fprintf(out, "SELECT NULL::float8");
    else
        fprintf(out, "SELECT extract(epoch FROM %s)::float8",
                sums ? "max(stats_reset)" : "stats_reset");
    for (size_t i = 0; i < columns->count; i++) {
        if (columns->items[i]->source != source)
            continue;
        any = true;
        fprintf(out, ", (%s)::float8", columns->items[i]->expression);
    }
    if (views[source] != NULL)
        fprintf(out, " FROM pg_catalog.%s", views[source]);
    if (where != NULL)
        fprintf(out, " WHERE %s", where);
    if (fclose(out) != 0 || !any) {
        free(text);
        return NULL;
    }
    return text;
}
