/* looks.h - for the tests of what looks at a PostgreSQL server: what a sink was told, by name, and
 * questions that the engine's own counters do not see. */
#ifndef TESTS_CONTRACT_LOOKS_H
#define TESTS_CONTRACT_LOOKS_H

#include <math.h>

#include "contract/server.h"
#include "postgres/db.h"

enum { TOLD_MAX = 128 };

struct told {
    size_t count;
    char names[TOLD_MAX][96];
    char texts[TOLD_MAX][160]; /* facts */
    double values[TOLD_MAX];
    int kinds[TOLD_MAX]; /* enum metric_kind, enum wait_group */
};

static inline void told_add(struct told *told, const char *name, const char *text, double value,
                            int kind)
{
    for (size_t i = 0; i < told->count; i++)
        if (strcmp(told->names[i], name) == 0)
            fail_msg("%s was told twice", name);
    assert_true(told->count < TOLD_MAX);
    snprintf(told->names[told->count], sizeof told->names[0], "%s", name);
    snprintf(told->texts[told->count], sizeof told->texts[0], "%s", text);
    told->values[told->count] = value;
    told->kinds[told->count++] = kind;
}

static inline void told_metric(void *ctx, const char *name, enum metric_kind kind, double value)
{
    assert_true(isfinite(value) && value >= 0);
    told_add(ctx, name, "", value, (int)kind);
}

static inline void told_fact(void *ctx, const char *name, const char *text)
{
    told_add(ctx, name, text, 0, 0);
}

/* In the second sink of a call, so that names may be those of metrics. */
static inline void told_wait(void *ctx, const char *event, enum wait_group group, double seen)
{
    told_add((struct told *)ctx + 1, event, "", seen, (int)group);
}

/* NaN: nothing of that name. */
static inline double told_value(const struct told *told, const char *name)
{
    for (size_t i = 0; i < told->count; i++)
        if (strcmp(told->names[i], name) == 0)
            return told->values[i];
    return NAN;
}

/* NULL: no such fact. */
static inline const char *told_text(const struct told *told, const char *name)
{
    for (size_t i = 0; i < told->count; i++)
        if (strcmp(told->names[i], name) == 0)
            return told->texts[i];
    return NULL;
}

/* Settles, and reads: told[0] metrics, told[1] waits. */
static inline void look(struct trial *trial, struct told told[2])
{
    struct adapter_sink sink = {.ctx = told, .metric = told_metric, .wait = told_wait};
    memset(told, 0, 2 * sizeof *told);
    expect_ok(trial, trial->ops->settle(trial->db, &trial->why));
    expect_ok(trial, trial->ops->stats(trial->db, &sink, &trial->why));
}

static inline double rise(const struct told *before, const struct told *after, const char *name)
{
    return told_value(after, name) - told_value(before, name);
}

static inline struct postgres_db *postgres_of(struct trial *trial)
{
    return (struct postgres_db *)trial->db;
}

/* A connection that is none of the engine's, to the database of a file. */
static inline PGconn *other_connect(struct trial *trial, unsigned file)
{
    const struct postgres_db *db = postgres_of(trial);
    const char *keys[] = {"dbname", "dbname", NULL};
    const char *values[] = {db->conninfo, db->files[file].database, NULL};
    PGconn *handle = PQconnectdbParams(keys, values, 1);
    if (PQstatus(handle) != CONNECTION_OK)
        fail_msg("%s", PQerrorMessage(handle));
    return handle;
}

static inline struct server_value other_ask(PGconn *handle, const char *sql)
{
    struct server_value value = {.text = ""};
    PGresult *result = PQexec(handle, sql);
    ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK)
        fail_msg("%s: %s", sql, PQerrorMessage(handle));
    if (PQntuples(result) > 0)
        snprintf(value.text, sizeof value.text, "%s", PQgetvalue(result, 0, 0));
    PQclear(result);
    return value;
}

static inline double other_number(PGconn *handle, const char *sql)
{
    return strtod(other_ask(handle, sql).text, NULL);
}

#endif
