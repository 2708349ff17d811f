/* What our streams wait for in the server: seen on the sampler's thread, on a connection of its
 * own.  Nothing here waits for the server: a question is sent at one call and its answer taken at a
 * later one. */
#include "postgres/waits.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "postgres/log_size.h"

#define ASK_NS     (95 * NS_PER_MS) /* ten times a second, and a tick may come a little early */
#define RETRY_NS   NS_PER_S
#define CONNECT_NS (5 * NS_PER_S)

enum {
    EVENTS_MAX = 128,
    NAME_BYTES = 80,
    PARAMETERS_MAX = 64,
    POLLS_MAX = 8, /* steps of a connection in one call */
};

static const char statement_name[] = "waits";
static const char statement[] =
    "SELECT coalesce(state, ''), coalesce(wait_event_type, ''), coalesce(wait_event, ''), count(*) "
    "FROM pg_catalog.pg_stat_activity WHERE application_name = $1 GROUP BY 1, 2, 3";

static const char *const gauges[WAIT_GROUPS] = {
    [WAIT_CPU] = "wait_cpu",       [WAIT_FLUSH] = "wait_flush",
    [WAIT_GROUP] = "wait_group",   [WAIT_LOG_INSERT] = "wait_log_insert",
    [WAIT_EXTEND] = "wait_extend", [WAIT_ROW] = "wait_row",
    [WAIT_BUFFER] = "wait_buffer", [WAIT_FILE] = "wait_file",
    [WAIT_CLIENT] = "wait_client", [WAIT_OTHER] = "wait_other",
};

enum state {
    STATE_LOST,       /* to be connected again */
    STATE_CONNECTING, /* PQconnectPoll goes on */
    STATE_PREPARING,
    STATE_READY,
    STATE_ASKED,
};

struct event {
    char name[NAME_BYTES];
    enum wait_group group;
    _Atomic uint64_t seen;
};

struct postgres_waits {
    char application[32];
    const char *keywords[PARAMETERS_MAX + 1], *values[PARAMETERS_MAX + 1];
    PQconninfoOption *options; /* whose texts those are */
    char address[64];

    enum state state;
    PGconn *handle;
    PGresult *partial; /* an answer whose end has not come */
    PostgresPollingStatusType polling;
    int64_t since_ns; /* of the state */
    int64_t asked_ns, sized_ns;
    bool dropped;                       /* the answer on its way was asked for outside of a phase */
    struct postgres_log_size *log_size; /* NULL: not a private cluster */

    atomic_bool paused, skip;
    _Atomic unsigned event_count;
    struct event events[EVENTS_MAX];
};

static void enter(struct postgres_waits *waits, enum state state)
{
    waits->state = state;
    waits->since_ns = clock_now_ns();
}

static void lose(struct postgres_waits *waits)
{
    PQclear(waits->partial);
    waits->partial = NULL;
    PQfinish(waits->handle);
    waits->handle = NULL;
    enter(waits, STATE_LOST);
}

/* ---- events ---- */

static struct event *event_of(struct postgres_waits *waits, const char *name, enum wait_group group)
{
    unsigned count = atomic_load_explicit(&waits->event_count, memory_order_relaxed);
    for (unsigned i = 0; i < count; i++)
        if (waits->events[i].group == group && strcmp(waits->events[i].name, name) == 0)
            return &waits->events[i];
    if (count == EVENTS_MAX)
        return NULL;
    snprintf(waits->events[count].name, NAME_BYTES, "%s", name);
    waits->events[count].group = group;
    atomic_store_explicit(&waits->event_count, count + 1, memory_order_release);
    return &waits->events[count];
}

static void name_event(char name[NAME_BYTES], enum wait_group group, const char *state,
                       const char *type, const char *event)
{
    if (group == WAIT_CPU)
        snprintf(name, NAME_BYTES, "CPU");
    else if (strncmp(state, "idle", 4) == 0)
        snprintf(name, NAME_BYTES, "Client:ClientRead");
    else if (*type == '\0')
        snprintf(name, NAME_BYTES, "%s", *state != '\0' ? state : "unknown");
    else
        snprintf(name, NAME_BYTES, "%.30s:%.45s", type, event);
}

/* A bigint in binary. */
static double count_at(const PGresult *result, int row)
{
    const char *bytes = PQgetvalue(result, row, 3);
    uint64_t value = 0;
    for (int i = 0; i < 8 && i < PQgetlength(result, row, 3); i++)
        value = value << 8 | (unsigned char)bytes[i];
    return (double)value;
}

static void count_answer(struct postgres_waits *waits, const PGresult *result,
                         const struct adapter_sink *sink)
{
    double now[WAIT_GROUPS] = {0};
    for (int row = 0; row < PQntuples(result); row++) {
        const char *state = PQgetvalue(result, row, 0);
        const char *type = PQgetvalue(result, row, 1);
        const char *event = PQgetvalue(result, row, 2);
        enum wait_group group = postgres_wait_group(state, type, event);
        char name[NAME_BYTES];
        name_event(name, group, state, type, event);
        struct event *known = event_of(waits, name, group);
        double count = count_at(result, row);
        now[group] += count;
        if (known != NULL)
            atomic_fetch_add_explicit(&known->seen, (uint64_t)count, memory_order_relaxed);
    }
    for (int group = 0; group < WAIT_GROUPS; group++)
        sink->metric(sink->ctx, gauges[group], METRIC_GAUGE, now[group]);
}

/* ---- the connection ---- */

/* For the next time, without a name to look up: that could take long. */
static void remember(struct postgres_waits *waits)
{
    int count = 0;
    waits->options = PQconninfo(waits->handle);
    snprintf(waits->address, sizeof waits->address, "%s",
             PQhostaddr(waits->handle) != NULL ? PQhostaddr(waits->handle) : "");
    for (PQconninfoOption *o = waits->options; o != NULL && o->keyword != NULL; o++) {
        const char *value = o->val;
        if (strcmp(o->keyword, "host") == 0)
            value = PQhost(waits->handle);
        else if (strcmp(o->keyword, "port") == 0)
            value = PQport(waits->handle);
        else if (strcmp(o->keyword, "hostaddr") == 0)
            value = NULL;
        if (value == NULL || *value == '\0' || count >= PARAMETERS_MAX - 1)
            continue;
        char *copy = strdup(value); /* PQhost() and PQport() go with the connection */
        free(o->val);
        o->val = copy;
        waits->keywords[count] = o->keyword;
        waits->values[count++] = copy;
    }
    if (waits->address[0] != '\0') {
        waits->keywords[count] = "hostaddr";
        waits->values[count++] = waits->address;
    }
}

static void ignore_notice(void *ctx, const char *message)
{
    (void)ctx;
    (void)message;
}

static void start_connecting(struct postgres_waits *waits)
{
    waits->handle = PQconnectStartParams(waits->keywords, waits->values, 0);
    if (waits->handle == NULL || PQstatus(waits->handle) == CONNECTION_BAD) {
        lose(waits);
        return;
    }
    PQsetNoticeProcessor(waits->handle, ignore_notice, NULL);
    waits->polling = PGRES_POLLING_WRITING;
    enter(waits, STATE_CONNECTING);
}

static void prepare(struct postgres_waits *waits)
{
    PQsetnonblocking(waits->handle, 1);
    if (PQsendPrepare(waits->handle, statement_name, statement, 1, NULL) == 0) {
        lose(waits);
        return;
    }
    enter(waits, STATE_PREPARING);
}

static void go_on_connecting(struct postgres_waits *waits)
{
    for (int i = 0; i < POLLS_MAX; i++) {
        short events = waits->polling == PGRES_POLLING_READING ? POLLIN : POLLOUT;
        struct pollfd ready = {.fd = PQsocket(waits->handle), .events = events};
        if (poll(&ready, 1, 0) <= 0)
            break;
        waits->polling = PQconnectPoll(waits->handle);
        if (waits->polling == PGRES_POLLING_FAILED) {
            lose(waits);
            return;
        }
        if (waits->polling == PGRES_POLLING_OK) {
            prepare(waits);
            return;
        }
    }
    if (clock_now_ns() - waits->since_ns > CONNECT_NS)
        lose(waits);
}

/* Takes what the server has said so far.  True: the last question is answered; *result is the
 * answer, NULL where it failed. */
static bool take(struct postgres_waits *waits, PGresult **result)
{
    *result = NULL;
    PQflush(waits->handle);
    if (PQconsumeInput(waits->handle) == 0 || PQstatus(waits->handle) != CONNECTION_OK) {
        lose(waits);
        return false;
    }
    while (PQisBusy(waits->handle) == 0) {
        PGresult *next = PQgetResult(waits->handle);
        if (next == NULL) {
            *result = waits->partial;
            waits->partial = NULL;
            enter(waits, STATE_READY);
            return true;
        }
        PQclear(waits->partial);
        waits->partial = next;
    }
    return false;
}

static void ask(struct postgres_waits *waits, int64_t now_ns)
{
    const char *values[1] = {waits->application};
    if (PQsendQueryPrepared(waits->handle, statement_name, 1, values, NULL, NULL, 1) == 0) {
        lose(waits);
        return;
    }
    PQflush(waits->handle);
    waits->asked_ns = now_ns;
    waits->dropped = false;
    enter(waits, STATE_ASKED);
}

static void tell_size(struct postgres_waits *waits, const struct adapter_sink *sink, int64_t now_ns)
{
    double bytes;
    if (waits->log_size == NULL || now_ns - waits->sized_ns < ASK_NS)
        return;
    waits->sized_ns = now_ns;
    if (postgres_log_size_read(waits->log_size, &bytes))
        sink->metric(sink->ctx, "wal_file_bytes", METRIC_GAUGE, bytes);
}

static void take_answer(struct postgres_waits *waits, const struct adapter_sink *sink, bool paused)
{
    PGresult *result;
    bool asked = waits->state == STATE_ASKED;
    if (paused)
        waits->dropped = true;
    if (!take(waits, &result))
        return;
    if (asked && PQresultStatus(result) == PGRES_TUPLES_OK) {
        if (!waits->dropped)
            count_answer(waits, result, sink);
    } else if (PQresultStatus(result) != PGRES_COMMAND_OK) {
        lose(waits);
    }
    PQclear(result);
}

void postgres_waits_observe(struct adapter_db *handle, const struct adapter_sink *sink)
{
    struct postgres_waits *waits = ((struct postgres_db *)handle)->waits;
    int64_t now_ns = clock_now_ns();
    if (waits == NULL)
        return;
    bool paused = atomic_load(&waits->paused);
    tell_size(waits, sink, now_ns);
    if (waits->state == STATE_LOST && now_ns - waits->since_ns > RETRY_NS)
        start_connecting(waits);
    if (waits->state == STATE_CONNECTING)
        go_on_connecting(waits);
    if (waits->state == STATE_PREPARING || waits->state == STATE_ASKED)
        take_answer(waits, sink, paused);
    if (paused)
        return;
    if (atomic_exchange(&waits->skip, false))
        return;
    if (waits->state == STATE_READY && now_ns - waits->asked_ns >= ASK_NS)
        ask(waits, now_ns);
}

/* ---- main thread ---- */

static struct postgres_waits *waits_create(struct postgres_db *db)
{
    struct op_error ignored;
    struct postgres_waits *waits = calloc(1, sizeof *waits);
    if (waits == NULL)
        return NULL;
    if (postgres_connect(db, db->files[0].database, "_w", &waits->handle, &ignored) != OP_OK) {
        free(waits);
        return NULL;
    }
    snprintf(waits->application, sizeof waits->application, "%s_s", db->run);
    remember(waits);
    PGresult *result = PQprepare(waits->handle, statement_name, statement, 1, NULL);
    bool prepared = PQresultStatus(result) == PGRES_COMMAND_OK;
    PQclear(result);
    if (prepared && PQsetnonblocking(waits->handle, 1) == 0)
        enter(waits, STATE_READY);
    else
        lose(waits);
    if (db->cluster != NULL)
        waits->log_size = postgres_log_size_create(db->config);
    return waits;
}

void postgres_waits_pause(struct postgres_db *db)
{
    if (db->waits != NULL)
        atomic_store(&db->waits->paused, true);
}

void postgres_waits_resume(struct postgres_db *db)
{
    if (db->waits == NULL)
        db->waits = waits_create(db);
    if (db->waits == NULL)
        return;
    atomic_store(&db->waits->skip, true);
    atomic_store(&db->waits->paused, false);
}

void postgres_waits_report(const struct postgres_db *db, const struct adapter_sink *sink)
{
    struct postgres_waits *waits = db->waits;
    if (waits == NULL || sink->wait == NULL)
        return;
    unsigned count = atomic_load_explicit(&waits->event_count, memory_order_acquire);
    for (unsigned i = 0; i < count; i++)
        sink->wait(sink->ctx, waits->events[i].name, waits->events[i].group,
                   (double)atomic_load_explicit(&waits->events[i].seen, memory_order_relaxed));
}

void postgres_waits_close(struct postgres_db *db)
{
    struct postgres_waits *waits = db->waits;
    if (waits == NULL)
        return;
    PQclear(waits->partial);
    PQfinish(waits->handle);
    PQconninfoFree(waits->options);
    postgres_log_size_destroy(waits->log_size);
    free(waits);
    db->waits = NULL;
}
