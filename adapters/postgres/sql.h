/* sql.h - the statements of sql/postgres/, filled in.  Main and stream threads; no state. */
#ifndef ADAPTERS_POSTGRES_SQL_H
#define ADAPTERS_POSTGRES_SQL_H

#include "workload/workload.h"

/* SCHEMA.rows where each database has one table, else SCHEMA.rows_NNNN; quoted.  `out` of 96. */
void postgres_sql_table(const struct workload *load, const char *schema, unsigned table,
                        char out[96]);

/* Each returns a heap string that the caller frees; NULL when memory is out.  `tablespace`: ""
 * none; else table and primary key (USING INDEX TABLESPACE) lie in it. */
char *postgres_sql_create_table(const struct workload *load, const char *table,
                                const char *tablespace, bool autovacuum);
char *postgres_sql_create_index(const char *table, const char *tablespace, unsigned key);
char *postgres_sql_insert(const struct workload *load, const char *table); /* $1 .. $n, a row */
char *postgres_sql_insert_array(const struct workload *load, const char *table);
char *postgres_sql_copy(const struct workload *load, const char *table);
char *postgres_sql_upsert(const struct workload *load, const char *table);
char *postgres_sql_delete(const char *table);       /* id = $1 */
char *postgres_sql_delete_array(const char *table); /* id = ANY($1::bigint[]) */
char *postgres_sql_delete_range(const char *table); /* id BETWEEN $1 AND $2 */
/* The first of the ids (array, or first and last of a range) that is not there: one row or none. */
char *postgres_sql_missing_array(const char *table);
char *postgres_sql_missing_range(const char *table);
char *postgres_sql_scan(const struct workload *load, const char *table); /* COPY (..) TO STDOUT
                                                                          * binary, by id */
/* A statement without placeholders ("begin.sql"). */
char *postgres_sql_text(const char *name);

#endif
