#include "postgres/account.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postgres/columns.h"
#include "postgres/look.h"

struct counted {
    bool seen, fresh; /* ever; by this reading */
    double now;       /* as the server has it */
    double last;      /* at the reading before */
    double total;     /* since the first reading */
};

struct postgres_account {
    struct postgres_columns columns;
    char *statements[POSTGRES_SOURCES]; /* NULL: nothing to ask */
    double reset_s[POSTGRES_SOURCES];   /* NaN: not known */
    struct counted counted[POSTGRES_COLUMNS_MAX];
    double own_checkpoints; /* since the first reading */
    bool was_read;
};

static const char requested[] = "checkpoints_requested";

static bool is_on(PGconn *handle, const char *setting)
{
    char *text = postgres_show(handle, setting);
    bool on = text != NULL && strcmp(text, "on") == 0;
    free(text);
    return on;
}

static unsigned conditions_of(PGconn *handle)
{
    char *method = postgres_show(handle, "wal_sync_method");
    unsigned conditions = 0;
    if (is_on(handle, "track_wal_io_timing"))
        conditions |= POSTGRES_TIMED_LOG;
    if (is_on(handle, "track_io_timing"))
        conditions |= POSTGRES_TIMED_IO;
    if (method != NULL && strncmp(method, "open_", 5) != 0 && is_on(handle, "fsync"))
        conditions |= POSTGRES_COUNTED_SYNC;
    free(method);
    return conditions;
}

/* Names of databases as a list of literals. */
static char *our_databases(const struct postgres_db *db)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        return NULL;
    fprintf(out, "datname IN (");
    for (unsigned file = 0; file < db->file_count; file++) {
        const char *name = db->files[file].database;
        char *literal = PQescapeLiteral(db->admin, name, strlen(name));
        fprintf(out, "%s%s", file == 0 ? "" : ", ", literal != NULL ? literal : "NULL");
        PQfreemem(literal);
    }
    fprintf(out, ")");
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

static void build_statements(const struct postgres_db *db, struct postgres_account *account)
{
    char *databases = our_databases(db);
    char tables[80];
    snprintf(tables, sizeof tables, "schemaname = '%s'", db->schema);
    for (int i = 0; i < POSTGRES_SOURCES; i++) {
        enum postgres_source source = (enum postgres_source)i;
        const char *where = NULL;
        if (source == POSTGRES_SOURCE_TABLES)
            where = tables;
        if (source == POSTGRES_SOURCE_DATABASE)
            where = databases;
        account->statements[i] = postgres_columns_statement(&account->columns, source, where);
        account->reset_s[i] = NAN;
    }
    free(databases);
}

static enum op_status ask_columns(PGconn *handle, PGresult **result, struct op_error *why)
{
    char text[1024];
    int size = snprintf(text, sizeof text,
                        "SELECT c.relname || '.' || a.attname FROM pg_class c JOIN pg_attribute a "
                        "ON a.attrelid = c.oid WHERE c.relnamespace = 'pg_catalog'::regnamespace "
                        "AND a.attnum > 0 AND NOT a.attisdropped AND c.relname IN (''");
    for (int i = 0; i < POSTGRES_SOURCES; i++) {
        const char *view = postgres_columns_view((enum postgres_source)i);
        if (view != NULL)
            size += snprintf(text + size, sizeof text - (size_t)size, ", '%s'", view);
    }
    snprintf(text + size, sizeof text - (size_t)size, ")");
    return postgres_query(handle, text, "asking which statistics there are", result, why);
}

static enum op_status account_open(struct postgres_db *db, struct op_error *why)
{
    struct postgres_account *account = NULL;
    const char **there = NULL;
    PGresult *result = NULL;
    enum op_status status = OP_OK;
    if (db->account != NULL)
        return OP_OK;
    if ((status = ask_columns(db->admin, &result, why)) != OP_OK)
        return status;
    int count = PQntuples(result);
    account = calloc(1, sizeof *account);
    there = calloc((size_t)count + 1, sizeof *there);
    if (account == NULL || there == NULL) {
        status = op_fail(why, OP_FATAL, 0, "no memory for the server's statistics");
        free(account);
        goto out;
    }
    for (int i = 0; i < count; i++)
        there[i] = PQgetvalue(result, i, 0);
    postgres_columns_choose(&account->columns, there, (size_t)count, conditions_of(db->admin));
    /* Of a sum over databases nobody knows which part was reset. */
    if (db->file_count > 1)
        account->columns.resets[POSTGRES_SOURCE_DATABASE] = false;
    build_statements(db, account);
    db->account = account;
out:
    free(there);
    PQclear(result);
    return status;
}

/* A number, or NaN where there is none. */
static double number_at(const PGresult *result, int column)
{
    if (PQntuples(result) != 1 || column >= PQnfields(result) ||
        PQgetisnull(result, 0, column) != 0)
        return NAN;
    return strtod(PQgetvalue(result, 0, column), NULL);
}

/* Adds one answer to what the columns of its source are now; the parts of a sum come one by one. */
static void take_answer(struct postgres_account *account, enum postgres_source source,
                        const PGresult *result)
{
    int column = 1;
    double reset_s = number_at(result, 0);
    bool was_reset = !isnan(reset_s) && reset_s > account->reset_s[source];
    for (size_t i = 0; i < account->columns.count; i++) {
        struct counted *counted = &account->counted[i];
        if (account->columns.items[i]->source != source)
            continue;
        double value = number_at(result, column++);
        if (was_reset)
            counted->last = 0;
        if (isnan(value))
            continue;
        counted->now = counted->fresh ? counted->now + value : value;
        counted->fresh = true;
    }
    if (!isnan(reset_s))
        account->reset_s[source] = reset_s;
}

/* A statement that the server refuses is not asked again; one that finds no server is an error. */
static enum op_status ask(struct postgres_account *account, enum postgres_source source,
                          PGconn *handle, struct op_error *why)
{
    PGresult *result = NULL;
    if (account->statements[source] == NULL)
        return OP_OK;
    enum op_status status =
        postgres_query(handle, account->statements[source], "reading statistics", &result, why);
    if (status == OP_OK)
        take_answer(account, source, result);
    PQclear(result);
    if (status == OP_FATAL) {
        free(account->statements[source]);
        account->statements[source] = NULL;
        return OP_OK;
    }
    return status;
}

static enum op_status ask_tables(struct postgres_db *db, struct op_error *why)
{
    enum op_status status = OP_OK;
    for (unsigned file = 0; file < db->file_count && status == OP_OK; file++) {
        struct postgres_look look;
        if (adapter_is_stopped(db->config))
            return op_fail(why, OP_BUSY, 0, "stopped in reading statistics");
        status = postgres_look_open(db, file, &look, why);
        if (status == OP_OK)
            status = ask(db->account, POSTGRES_SOURCE_TABLES, look.handle, why);
        postgres_look_close(&look);
    }
    return status;
}

/* The log's position is never reset; a crash may take back what was not flushed. */
static void settle_rise(struct counted *counted, enum postgres_source source)
{
    double from = counted->last;
    if (counted->now < from)
        from = source == POSTGRES_SOURCE_LOG ? counted->now : 0;
    if (counted->seen)
        counted->total += counted->now - from;
    counted->last = counted->now;
    counted->seen = true;
}

static void report(struct postgres_account *account, const struct adapter_sink *sink)
{
    for (size_t i = 0; i < account->columns.count; i++) {
        const struct postgres_column *column = account->columns.items[i];
        struct counted *counted = &account->counted[i];
        if (!counted->fresh)
            continue;
        double value = counted->now;
        if (column->kind == METRIC_COUNTER) {
            settle_rise(counted, column->source);
            value = counted->total;
            if (strcmp(column->metric, requested) == 0 ||
                strcmp(column->metric, "checkpoints") == 0)
                value = fmax(value - account->own_checkpoints, 0);
        }
        sink->metric(sink->ctx, column->metric, column->kind, value);
    }
}

enum op_status postgres_account_read(struct postgres_db *db, const struct adapter_sink *sink,
                                     struct op_error *why)
{
    enum op_status status = account_open(db, why);
    if (status != OP_OK)
        return status;
    for (size_t i = 0; i < db->account->columns.count; i++)
        db->account->counted[i].fresh = false;
    for (int source = 0; source < POSTGRES_SOURCES && status == OP_OK; source++)
        if (source != POSTGRES_SOURCE_TABLES)
            status = ask(db->account, (enum postgres_source)source, db->admin, why);
    if (status == OP_OK)
        status = ask_tables(db, why);
    if (status == OP_OK) {
        report(db->account, sink);
        db->account->was_read = true;
    }
    return status;
}

/* Where that count stands in an answer; *source POSTGRES_SOURCES: nowhere. */
static int requested_place(const struct postgres_columns *columns, enum postgres_source *source)
{
    int place[POSTGRES_SOURCES] = {0};
    for (size_t i = 0; i < columns->count; i++) {
        *source = columns->items[i]->source;
        place[*source]++;
        if (strcmp(columns->items[i]->metric, requested) == 0)
            return place[*source];
    }
    *source = POSTGRES_SOURCES;
    return 0;
}

bool postgres_account_requested(struct postgres_db *db, double *count)
{
    struct op_error ignored;
    PGresult *result = NULL;
    enum postgres_source source;
    *count = NAN;
    if (account_open(db, &ignored) != OP_OK)
        return false;
    int place = requested_place(&db->account->columns, &source);
    if (source == POSTGRES_SOURCES || db->account->statements[source] == NULL)
        return false;
    if (postgres_query(db->admin, db->account->statements[source], "reading statistics", &result,
                       &ignored) == OP_OK)
        *count = number_at(result, place);
    PQclear(result);
    return !isnan(*count);
}

void postgres_account_own(struct postgres_db *db)
{
    if (db->account != NULL && db->account->was_read)
        db->account->own_checkpoints++;
}

void postgres_account_close(struct postgres_db *db)
{
    if (db->account == NULL)
        return;
    for (int source = 0; source < POSTGRES_SOURCES; source++)
        free(db->account->statements[source]);
    free(db->account);
    db->account = NULL;
}
