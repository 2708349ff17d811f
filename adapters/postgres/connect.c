#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "postgres/db.h"
#include "postgres/sql.h"

enum {
    CONNECT_TIMEOUT_S = 30, /* where the connection string does not say */
    CONNECT_LONGEST_S = 3600,
    CONNECT_SLICE_MS = 100, /* a signal is seen this soon */
    VERSION_MIN = 130000,
};

static const char *option_value(const PQconninfoOption *options, const char *keyword)
{
    for (; options != NULL && options->keyword != NULL; options++)
        if (strcmp(options->keyword, keyword) == 0 && options->val != NULL)
            return options->val;
    return "";
}

/* A password with a plain @ or / in a URL makes a host, port or database of its rest. */
static bool holds_rest_of_password(const PQconninfoOption *options)
{
    const char *host = option_value(options, "host");
    const char *port = option_value(options, "port");
    return (host[0] != '@' && strchr(host, '@') != NULL) || /* @ begins an abstract socket */
           strchr(option_value(options, "dbname"), '@') != NULL ||
           port[strspn(port, "0123456789,")] != '\0';
}

/* libpq quotes the connection string in what it says of it, password and all. */
static enum op_status check_conninfo(const char *conninfo, struct op_error *why)
{
    char *message = NULL;
    if (strchr(conninfo, '=') == NULL && strstr(conninfo, "://") == NULL)
        return OP_OK; /* the name of a database, or nothing */
    PQconninfoOption *options = PQconninfoParse(conninfo, &message);
    enum op_status status = OP_OK;
    if (options == NULL || (strstr(conninfo, "://") != NULL && holds_rest_of_password(options)))
        status = op_fail(why, OP_FATAL, 0,
                         "the connection string cannot be read (what is wrong is not shown, it may "
                         "hold a password): give a URL, or KEYWORD=VALUE pairs with values of "
                         "several words in '..'; write @, / and %% in a URL's password as %%40, "
                         "%%2F and %%25");
    PQconninfoFree(options);
    PQfreemem(message);
    return status;
}

/* PQconnectPoll() leaves connect_timeout to its caller. */
static int64_t deadline_ns(PGconn *handle)
{
    int64_t seconds = CONNECT_TIMEOUT_S;
    PQconninfoOption *options = PQconninfo(handle);
    long value = strtol(option_value(options, "connect_timeout"), NULL, 10);
    seconds = value > CONNECT_LONGEST_S ? CONNECT_LONGEST_S : value > 0 ? value : seconds;
    PQconninfoFree(options);
    return clock_now_ns() + seconds * NS_PER_S;
}

/* Waits for what PQconnectPoll() wants; false: not yet. */
static bool wait_for(PGconn *handle, PostgresPollingStatusType wanted)
{
    struct pollfd fd = {.fd = PQsocket(handle),
                        .events = wanted == PGRES_POLLING_READING ? POLLIN : POLLOUT};
    return poll(&fd, 1, CONNECT_SLICE_MS) != 0;
}

/* The server is there, took the connection, and ended it without a word: it is going down.  libpq
 * says so in the user's language only. */
static bool is_hung_up(PGconn *handle)
{
    char byte;
    ConnStatusType state = PQstatus(handle);
    if (state != CONNECTION_AWAITING_RESPONSE && state != CONNECTION_AUTH_OK)
        return false;
    ssize_t got = recv(PQsocket(handle), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR);
}

static enum op_status finish_connecting(const struct postgres_db *db, PGconn *handle,
                                        const char *what, struct op_error *why)
{
    int64_t until_ns = deadline_ns(handle);
    /* Else the SQLSTATE of a refusal is nowhere to be had. */
    PQsetErrorVerbosity(handle, PQERRORS_VERBOSE);
    PostgresPollingStatusType wanted = PGRES_POLLING_WRITING;
    bool ready = true, hung_up = false;
    while (PQstatus(handle) != CONNECTION_BAD) {
        if (ready)
            wanted = PQconnectPoll(handle);
        if (wanted == PGRES_POLLING_OK || wanted == PGRES_POLLING_FAILED)
            break;
        if (db->config != NULL && adapter_is_stopped(db->config))
            return op_fail(why, OP_FATAL, 0, "%s: stopped by a signal", what);
        if (clock_now_ns() > until_ns)
            return op_fail(why, OP_LOST, 0, "%s: no answer in time; is the server running there?",
                           what);
        ready = wait_for(handle, wanted);
        hung_up = is_hung_up(handle);
    }
    if (PQstatus(handle) != CONNECTION_OK) {
        enum op_status status = postgres_connect_fail(handle, why, what);
        return status == OP_FATAL && hung_up && why->sqlstate[0] == '\0' ? OP_LOST : status;
    }
    PQsetErrorVerbosity(handle, PQERRORS_DEFAULT);
    return OP_OK;
}

static void ignore_notice(void *ctx, const PGresult *result)
{
    (void)ctx;
    (void)result;
}

static enum op_status apply_session(const struct postgres_db *db, PGconn *handle,
                                    struct op_error *why)
{
    const char *commit = db->settings.synchronous_commit;
    char *text = postgres_sql_text("session.sql");
    enum op_status status = text == NULL
                                ? op_fail(why, OP_FATAL, 0, "no memory for a connection's settings")
                                : postgres_run(handle, text, "set up a connection", why);
    free(text);
    if (status != OP_OK || commit == NULL)
        return status;
    PGresult *result = PQexecParams(handle, "SELECT set_config('synchronous_commit', $1, false)", 1,
                                    NULL, (const char *const[]){commit}, NULL, NULL, 0);
    if (PQresultStatus(result) != PGRES_TUPLES_OK)
        status = postgres_fail(handle, result, why, "set synchronous_commit");
    PQclear(result);
    return status;
}

enum op_status postgres_connect(const struct postgres_db *db, const char *database,
                                const char *suffix, PGconn **out, struct op_error *why)
{
    char name[64], what[128];
    const char *keys[] = {"dbname", "dbname", "application_name", "client_encoding", NULL};
    const char *values[] = {db->conninfo, database, name, "UTF8", NULL};
    PGconn *handle = NULL;
    *out = NULL;
    snprintf(name, sizeof name, "%s%s", db->run, suffix);
    snprintf(what, sizeof what, "connect to %s%.100s",
             database != NULL ? "database " : "the PostgreSQL server",
             database != NULL ? database : "");
    enum op_status status = check_conninfo(db->conninfo, why);
    if (status != OP_OK)
        goto out;
    handle = PQconnectStartParams(keys, values, 1);
    if (handle == NULL) {
        status = op_fail(why, OP_FATAL, 0, "%s: no memory", what);
        goto out;
    }
    PQsetNoticeReceiver(handle, ignore_notice, NULL);
    status = finish_connecting(db, handle, what, why);
    if (status != OP_OK)
        goto out;
    int version = PQserverVersion(handle);
    if (version < VERSION_MIN) {
        status = op_fail(
            why, OP_FATAL, 0, "%s: the server is PostgreSQL %d.%d; loadline needs 13 or later",
            what, version / 10000, version >= 100000 ? version % 10000 : version / 100 % 100);
        goto out;
    }
    status = apply_session(db, handle, why);
    if (status != OP_OK)
        goto out;
    *out = handle;
    handle = NULL;
out:
    PQfinish(handle);
    return status;
}

enum op_status postgres_run(PGconn *handle, const char *sql, const char *what, struct op_error *why)
{
    PGresult *result = PQexec(handle, sql);
    ExecStatusType got = PQresultStatus(result);
    enum op_status status = OP_OK;
    if (got != PGRES_COMMAND_OK && got != PGRES_TUPLES_OK && got != PGRES_EMPTY_QUERY)
        status = postgres_fail(handle, result, why, what);
    PQclear(result);
    return status;
}

enum op_status postgres_query(PGconn *handle, const char *sql, const char *what, PGresult **result,
                              struct op_error *why)
{
    enum op_status status = OP_OK;
    *result = PQexec(handle, sql);
    if (PQresultStatus(*result) != PGRES_TUPLES_OK) {
        status = postgres_fail(handle, *result, why, what);
        PQclear(*result);
        *result = NULL;
    }
    return status;
}

char *postgres_show(PGconn *handle, const char *name)
{
    char *value = NULL;
    PGresult *result = PQexecParams(handle, "SELECT pg_catalog.current_setting($1, true)", 1, NULL,
                                    (const char *const[]){name}, NULL, NULL, 0);
    if (PQresultStatus(result) == PGRES_TUPLES_OK && !PQgetisnull(result, 0, 0))
        value = strdup(PQgetvalue(result, 0, 0));
    PQclear(result);
    return value;
}
