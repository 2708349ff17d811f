#include <string.h>
#include <strings.h>

#include "postgres/db.h"

static bool is(const char *text, const char *name)
{
    return strcasecmp(text, name) == 0;
}

static bool begins(const char *text, const char *prefix)
{
    return strncasecmp(text, prefix, strlen(prefix)) == 0;
}

struct named {
    const char *event;
    enum wait_group group;
};

static enum wait_group group_in(const struct named *table, size_t count, const char *event,
                                enum wait_group fallback)
{
    for (size_t i = 0; i < count; i++)
        if (is(event, table[i].event))
            return table[i].group;
    return fallback;
}
#define GROUP_IN(table, event, fallback)                                                           \
    group_in(table, sizeof(table) / sizeof *(table), event, fallback)

static const struct named lwlocks[] = {
    {"WALWrite", WAIT_GROUP},           {"WALWriteLock", WAIT_GROUP},
    {"WALInsert", WAIT_LOG_INSERT},     {"wal_insert", WAIT_LOG_INSERT},
    {"WALBufMapping", WAIT_LOG_INSERT}, {"WALBufMappingLock", WAIT_LOG_INSERT},
    {"BufferContent", WAIT_BUFFER},     {"buffer_content", WAIT_BUFFER},
    {"BufferMapping", WAIT_BUFFER},     {"buffer_mapping", WAIT_BUFFER},
    {"BufferIO", WAIT_BUFFER},          {"buffer_io", WAIT_BUFFER},
};

static const struct named locks[] = {
    {"extend", WAIT_EXTEND}, {"transactionid", WAIT_ROW},     {"tuple", WAIT_ROW},
    {"spectoken", WAIT_ROW}, {"speculative token", WAIT_ROW}, {"virtualxid", WAIT_ROW},
};

/* "WALSync" until 16, "WalSync" from 17 on; the reading of the log is none of a stream's. */
static enum wait_group group_of_io(const char *event)
{
    if (is(event, "DataFileExtend"))
        return WAIT_EXTEND;
    if (begins(event, "WAL") && !begins(event, "WALRead") && !begins(event, "WALSender"))
        return WAIT_FLUSH;
    return WAIT_FILE;
}

enum wait_group postgres_wait_group(const char *state, const char *type, const char *event)
{
    /* A session between two statements may still show what its last one waited for. */
    if (begins(state, "idle"))
        return WAIT_CLIENT;
    if (*type == '\0')
        return is(state, "active") ? WAIT_CPU : WAIT_OTHER;
    if (is(type, "Client"))
        return WAIT_CLIENT;
    if (is(type, "IO"))
        return group_of_io(event);
    if (is(type, "LWLock"))
        return GROUP_IN(lwlocks, event, WAIT_OTHER);
    if (is(type, "Lock"))
        return GROUP_IN(locks, event, WAIT_OTHER);
    if (is(type, "BufferPin") || is(type, "Buffer") || (is(type, "IPC") && is(event, "BufferIO")))
        return WAIT_BUFFER;
    return WAIT_OTHER;
}
