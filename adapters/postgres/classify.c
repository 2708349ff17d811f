#include "postgres/classify.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static bool in_list(const char *sqlstate, const char *const *list)
{
    for (; *list != NULL; list++)
        if (strcmp(sqlstate, *list) == 0)
            return true;
    return false;
}

enum op_status postgres_classify(bool connected, const char *sqlstate, enum postgres_when when)
{
    static const char *const ended[] = {"57P01", "57P02", "57P03", "57P04", "57P05", NULL};
    static const char *const passing[] = {"53300", "57P03", NULL};
    if (sqlstate == NULL || sqlstate[0] == '\0')
        return connected ? OP_FATAL : OP_LOST;
    if (when == POSTGRES_CONNECTING && in_list(sqlstate, passing))
        return OP_BUSY;
    /* Before `connected`: a server that panics over a full log ends the connection, too. */
    if (strcmp(sqlstate, "53100") == 0)
        return OP_NO_SPACE;
    if (strncmp(sqlstate, "08", 2) == 0 || in_list(sqlstate, ended))
        return OP_LOST;
    if (when == POSTGRES_RUNNING && !connected)
        return OP_LOST;
    if (strcmp(sqlstate, "40001") == 0)
        return OP_CONFLICT;
    if (strcmp(sqlstate, "40P01") == 0)
        return OP_DEADLOCK;
    if (strcmp(sqlstate, "55P03") == 0)
        return OP_BUSY;
    return OP_FATAL;
}

/* What can be done about it, where the server's own words do not say so. */
static const char *remedy_of(const char *sqlstate, const char *words)
{
    static const struct {
        const char *sqlstate, *words; /* NULL: whatever they are */
        const char *text;
    } remedies[] = {
        {"57014", "statement timeout",
         "the role, the database or the server has a statement_timeout: ALTER ROLE .. SET "
         "statement_timeout = 0, for this role"},
        {"26000", NULL,
         "a connection pool in transaction mode loses prepared statements: connect to the "
         "server itself, or let the pool keep sessions"},
        {"25006", NULL,
         "the server is a standby, or default_transaction_read_only is on: name the "
         "primary"},
        {"28P01", NULL,
         "give the right password in ~/.pgpass, in PGPASSWORD or in the connection string"},
        {"28000", "pg_hba", "pg_hba.conf of the server must let this role in"},
        {"53300", NULL, "raise max_connections of the server, or run fewer streams"},
        {"XX001", NULL, "the server found damaged data: do not trust this drive or this server"},
        {"XX002", NULL, "the server found a damaged index: do not trust this drive or this server"},
    };
    for (size_t i = 0; i < sizeof remedies / sizeof *remedies; i++)
        if (strcmp(sqlstate, remedies[i].sqlstate) == 0 &&
            (remedies[i].words == NULL || strstr(words, remedies[i].words) != NULL))
            return remedies[i].text;
    return NULL;
}

/* One line without the newline at its end; blanks and newlines in it become one blank. */
static void one_line(char *out, size_t size, const char *text)
{
    size_t used = 0;
    for (; *text != '\0' && used + 1 < size; text++) {
        bool blank = *text == ' ' || *text == '\n' || *text == '\t' || *text == '\r';
        if (!blank)
            out[used++] = *text;
        else if (used > 0 && out[used - 1] != ' ')
            out[used++] = ' ';
    }
    while (used > 0 && out[used - 1] == ' ')
        used--;
    out[used] = '\0';
}

/* "WHAT: words (SQLSTATE); remedy or detail" */
static enum op_status tell(struct op_error *why, enum op_status status, const char *what,
                           const char *words, const char *sqlstate, const char *more)
{
    const char *remedy = remedy_of(sqlstate, words);
    char text[sizeof why->text], also[sizeof why->text];
    one_line(text, sizeof text, words);
    one_line(also, sizeof also, remedy != NULL ? remedy : more != NULL ? more : "");
    op_fail(why, status, 0, "%s: %s%s%s%s%s%s", what, text, sqlstate[0] != '\0' ? " (" : "",
            sqlstate, sqlstate[0] != '\0' ? ")" : "", also[0] != '\0' ? "; " : "", also);
    snprintf(why->sqlstate, sizeof why->sqlstate, "%s", sqlstate);
    return status;
}

enum op_status postgres_fail(PGconn *handle, const PGresult *result, struct op_error *why,
                             const char *what)
{
    bool connected = PQstatus(handle) == CONNECTION_OK;
    const char *sqlstate = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char *words = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    const char *more = PQresultErrorField(result, PG_DIAG_MESSAGE_DETAIL);
    enum op_status status = postgres_classify(connected, sqlstate, POSTGRES_RUNNING);
    char first[256];
    if (more == NULL)
        more = PQresultErrorField(result, PG_DIAG_MESSAGE_HINT);
    if (words == NULL) { /* libpq's own; its second line only guesses */
        words = result != NULL ? PQresultErrorMessage(result) : "";
        if (words[0] == '\0')
            words = PQerrorMessage(handle);
        snprintf(first, sizeof first, "%.*s", (int)strcspn(words, "\n"), words);
        words = first[0] != '\0' ? first : connected ? "no answer" : "the connection is gone";
    }
    return tell(why, status, what, words, sqlstate != NULL ? sqlstate : "", more);
}

/* The SQLSTATE stands in a verbose message as "FATAL:  57P03: the words"; the words before it
 * depend on the server's language. */
static const char *sqlstate_in(const char *message, char out[6])
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    for (const char *at = message; (at = strstr(at, ":  ")) != NULL; at++)
        if (strspn(at + 3, digits) == 5 && strncmp(at + 8, ": ", 2) == 0) {
            snprintf(out, 6, "%.5s", at + 3);
            return at + 10;
        }
    out[0] = '\0';
    return message;
}

/* libpq gives its words, but not errno; both take theirs from the locale of this process. */
static bool says(const char *message, int number)
{
    char buffer[256];
    return strstr(message, strerror_r(number, buffer, sizeof buffer)) != NULL;
}

/* Nobody listens there now: a server that starts again does that. */
static bool is_away(PGconn *handle, const char *message)
{
    static const int numbers[] = {ECONNREFUSED, ECONNRESET,  ECONNABORTED, EPIPE,
                                  ETIMEDOUT,    ENETUNREACH, EHOSTUNREACH};
    const char *host = PQhost(handle);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (says(message, numbers[i]))
            return true;
    return host != NULL && host[0] == '/' && says(message, ENOENT);
}

enum op_status postgres_connect_fail(PGconn *handle, struct op_error *why, const char *what)
{
    const char *message = PQerrorMessage(handle);
    char sqlstate[6], words[512];
    const char *text = sqlstate_in(message, sqlstate);
    /* After the first line come the place in the server's source, and guesses. */
    snprintf(words, sizeof words, "%.*s", (int)strcspn(text, "\n"), text);
    enum op_status status = OP_FATAL;
    if (sqlstate[0] != '\0')
        status = postgres_classify(false, sqlstate, POSTGRES_CONNECTING);
    else if (says(message, EAGAIN)) /* the socket's queue is full */
        status = OP_BUSY;
    else if (is_away(handle, message))
        status = OP_LOST;
    const char *more = NULL;
    if (PQconnectionNeedsPassword(handle))
        more = remedy_of("28P01", words);
    else if (status == OP_LOST && sqlstate[0] == '\0')
        more = "is the server running there?";
    return tell(why, status, what, words, sqlstate, more);
}
