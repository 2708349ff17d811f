/* sql.h - the statements of sql/sqlite/, filled in.  Main and stream threads; no state. */
#ifndef ADAPTERS_SQLITE_SQL_H
#define ADAPTERS_SQLITE_SQL_H

#include "workload/workload.h"

/* "rows" where each file has one table, else "rows_NNNN". */
struct sql_table {
    char name[16];
};
struct sql_table sqlite_sql_table(const struct workload *load, unsigned table);

/* Each returns a heap string that the caller frees; NULL when memory is out. */
char *sqlite_sql_create_table(const struct workload *load, const char *table);
char *sqlite_sql_create_index(const char *table, unsigned key); /* key from 1 */
char *sqlite_sql_insert(const struct workload *load, const char *table, int rows);
char *sqlite_sql_upsert(const struct workload *load, const char *table);
char *sqlite_sql_delete(const char *table);
char *sqlite_sql_scan(const struct workload *load, const char *table);

/* A statement without placeholders ("begin.sql"); not the caller's. */
const char *sqlite_sql_text(const char *name);

#endif
