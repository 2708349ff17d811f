/* columns.h - which of the server's statistics become which metrics, and the statements that read
 * them.  Pure; table-tested over the catalogs of PostgreSQL 13 to 18.
 *
 * The views change from version to version: a row of the table is used where the columns that it
 * needs are there, and of several rows of one metric the first that fits. */
#ifndef ADAPTERS_POSTGRES_COLUMNS_H
#define ADAPTERS_POSTGRES_COLUMNS_H

#include "adapter.h"

enum postgres_source {
    POSTGRES_SOURCE_LOG,          /* the log's position */
    POSTGRES_SOURCE_WAL,          /* pg_stat_wal, 14 and later */
    POSTGRES_SOURCE_BGWRITER,     /* pg_stat_bgwriter */
    POSTGRES_SOURCE_CHECKPOINTER, /* pg_stat_checkpointer, 17 and later */
    POSTGRES_SOURCE_IO,           /* pg_stat_io, 16 and later */
    POSTGRES_SOURCE_DATABASE,     /* pg_stat_database, sum of ours */
    POSTGRES_SOURCE_TABLES,       /* pg_stat_all_tables, sum of ours in one database */
    POSTGRES_SOURCES
};

/* When a column says something. */
enum postgres_condition {
    POSTGRES_TIMED_LOG = 1 << 0,   /* track_wal_io_timing is on */
    POSTGRES_TIMED_IO = 1 << 1,    /* track_io_timing is on */
    POSTGRES_COUNTED_SYNC = 1 << 2 /* the log is flushed by calls of their own: with open_sync and
                                    * open_datasync the write is the flush, and syncs stay 0 */
};

struct postgres_column {
    const char *metric;
    enum metric_kind kind;
    enum postgres_source source;
    const char *needs; /* columns of the view, separated by blanks */
    const char *expression;
    unsigned condition;
};

enum { POSTGRES_COLUMNS_MAX = 48 };

struct postgres_columns {
    const struct postgres_column *items[POSTGRES_COLUMNS_MAX];
    size_t count;
    bool resets[POSTGRES_SOURCES]; /* the view says when it was reset */
};

/* The view's name in pg_catalog; NULL: the source needs none. */
const char *postgres_columns_view(enum postgres_source source);
/* `there`: "view.column" for each column of those views.  `conditions`: those that hold. */
void postgres_columns_choose(struct postgres_columns *columns, const char *const *there,
                             size_t there_count, unsigned conditions);
/* SELECT of one row: when the statistics were reset (seconds, or NULL), then the chosen columns of
 * the source in their order, each a float8.  `where`: a condition on rows, or NULL.  Heap; NULL:
 * nothing of this source was chosen (or memory is out). */
char *postgres_columns_statement(const struct postgres_columns *columns,
                                 enum postgres_source source, const char *where);

#endif
