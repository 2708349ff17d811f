/* place_support.h - a server of the test's own, and what is found on it. */
#ifndef TESTS_CONTRACT_PLACE_SUPPORT_H
#define TESTS_CONTRACT_PLACE_SUPPORT_H

#include "base/clock.h"
#include "contract/server.h"

#include "postgres/db.h"
#include "postgres/place.h"

#define SETTINGS(...) ((const char *const[]){__VA_ARGS__, NULL})

static struct server server;
static char plain[600]; /* conninfo of a role without any right */

static inline void ask_is_at(const char *sql, const char *expected, int line)
{
    struct server_value value = server_ask(server.conninfo, sql);
    if (strcmp(value.text, expected) != 0)
        fail_msg("line %d: %s: %s instead of %s", line, sql, value.text, expected);
}
#define ask_is(sql, expected) ask_is_at(sql, expected, __LINE__)

static inline void run_sql(const char *sql)
{
    (void)server_ask(server.conninfo, sql);
}

/* Nothing of any run is on the server. */
static inline void expect_clean(void)
{
    ask_is("SELECT count(*) FROM pg_namespace WHERE nspname ~ '^loadline'", "0");
    ask_is("SELECT count(*) FROM pg_database WHERE datname ~ '^loadline'", "0");
    ask_is("SELECT count(*) FROM pg_tablespace WHERE spcname ~ '^loadline'", "0");
}

static inline void begin(struct trial *trial, const char *conninfo, const char *const *settings)
{
    trial_init(trial, "postgresql", "t0001", settings);
    trial->config.target = conninfo;
    expect_ok(trial, trial->ops->open(&trial->config, &trial->db, &trial->why));
}

static inline struct postgres_db *db_of(const struct trial *trial)
{
    return (struct postgres_db *)trial->db;
}

static inline void expect_text(const struct trial *trial, const char *part)
{
    if (strstr(trial->why.text, part) == NULL)
        fail_msg("\"%s\" is not in: %s", part, trial->why.text);
}

static inline void expect_fatal_at(const struct trial *trial, enum op_status status,
                                   const char *part, int line)
{
    if (status != OP_FATAL)
        fail_msg("line %d: status %d", line, (int)status);
    expect_text(trial, part);
}
#define expect_fatal(trial, status, part) expect_fatal_at(trial, status, part, __LINE__)

/* As a kill does: connections end, nothing is dropped. */
static inline void kill_run(struct trial *trial)
{
    struct postgres_db *db = db_of(trial);
    db->schema_made = db->tablespace_made = false;
    for (unsigned file = 0; file < db->file_count; file++)
        db->files[file].made = false;
    trial_close(trial);
}

static inline enum op_status clean(struct op_error *why, unsigned *removed)
{
    struct adapter_config config = {.target = server.conninfo};
    return adapter_find("postgresql")->clean(&config, removed, why);
}

static inline void expect_cleaned_at(unsigned wanted, int line)
{
    struct op_error why = {.text = ""};
    unsigned removed = 99;
    enum op_status status = clean(&why, &removed);
    if (status != OP_OK || removed != wanted)
        fail_msg("line %d: status %d, %u removed: %s", line, (int)status, removed, why.text);
}
#define expect_cleaned(wanted) expect_cleaned_at(wanted, __LINE__)

struct paths {
    char data[256], wal[256];
    unsigned times;
};

static inline void note_path(void *ctx, enum device_role role, const char *path)
{
    struct paths *paths = ctx;
    snprintf(role == DEVICE_WAL ? paths->wal : paths->data, sizeof paths->data, "%s", path);
    paths->times++;
}

static inline enum op_status find_paths(struct trial *trial, struct paths *paths)
{
    struct adapter_sink sink = {.ctx = paths, .path = note_path};
    *paths = (struct paths){.times = 0};
    return trial->ops->paths(&trial->config, &sink, &trial->why);
}

/* Starts the server with its plain role; false: none can run here. */
static inline bool place_begin(void)
{
    if (!server_can_run())
        return false;
    server_start(&server);
    snprintf(plain, sizeof plain, "%s dbname=postgres user=plain",
             postgres_cluster_conninfo(server.cluster));
    PGconn *handle = PQconnectdb(server.conninfo);
    PQclear(PQexec(handle, "CREATE ROLE plain LOGIN"));
    PQfinish(handle);
    return true;
}

#endif
