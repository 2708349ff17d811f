/* The server's wait events, by the names of PostgreSQL 13 to 18, in groups. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "postgres/db.h"

struct known {
    const char *state, *type, *event;
    enum wait_group group;
};

static const struct known table[] = {
    {"active", "", "", WAIT_CPU},
    {"ACTIVE", "", "", WAIT_CPU},
    {"disabled", "", "", WAIT_OTHER},
    {"", "", "", WAIT_OTHER},
    {"fastpath function call", "", "", WAIT_OTHER},

    /* The leader of a group commit: 13 to 16, and as 17 writes it. */
    {"active", "IO", "WALSync", WAIT_FLUSH},
    {"active", "IO", "WALWrite", WAIT_FLUSH},
    {"active", "IO", "WalSync", WAIT_FLUSH},
    {"active", "IO", "WalWrite", WAIT_FLUSH},
    {"active", "IO", "WALInitWrite", WAIT_FLUSH},
    {"active", "IO", "WalInitSync", WAIT_FLUSH},
    {"active", "IO", "WALSyncMethodAssign", WAIT_FLUSH},
    /* The same word of another type is another thing. */
    {"active", "LWLock", "WALWrite", WAIT_GROUP},
    {"active", "LWLock", "WalWrite", WAIT_GROUP},
    {"active", "LWLock", "WALWriteLock", WAIT_GROUP},
    {"active", "LWLock", "WALInsert", WAIT_LOG_INSERT},
    {"active", "LWLock", "wal_insert", WAIT_LOG_INSERT},
    {"active", "LWLock", "WALBufMapping", WAIT_LOG_INSERT},

    {"active", "Lock", "extend", WAIT_EXTEND},
    {"active", "IO", "DataFileExtend", WAIT_EXTEND},
    {"active", "Lock", "transactionid", WAIT_ROW},
    {"active", "Lock", "tuple", WAIT_ROW},
    {"active", "Lock", "virtualxid", WAIT_ROW},
    {"active", "Lock", "speculative token", WAIT_ROW}, /* 13 */
    {"active", "Lock", "spectoken", WAIT_ROW},         /* 14 and later */
    {"active", "Lock", "relation", WAIT_OTHER},
    {"active", "Lock", "advisory", WAIT_OTHER},

    {"active", "LWLock", "BufferContent", WAIT_BUFFER},
    {"active", "LWLock", "buffer_content", WAIT_BUFFER},
    {"active", "LWLock", "BufferMapping", WAIT_BUFFER},
    {"active", "LWLock", "BufferIO", WAIT_BUFFER}, /* 13 */
    {"active", "IPC", "BufferIO", WAIT_BUFFER},    /* 14 and later */
    {"active", "IPC", "BufferIo", WAIT_BUFFER},    /* 17 and later */
    {"active", "BufferPin", "BufferPin", WAIT_BUFFER},

    {"active", "IO", "DataFileRead", WAIT_FILE},
    {"active", "IO", "DataFileWrite", WAIT_FILE},
    {"active", "IO", "DataFileSync", WAIT_FILE},
    {"active", "IO", "DataFileFlush", WAIT_FILE},
    {"active", "IO", "BufFileWrite", WAIT_FILE},
    {"active", "IO", "SLRURead", WAIT_FILE},
    {"active", "IO", "SlruWrite", WAIT_FILE},
    {"active", "IO", "AioIoCompletion", WAIT_FILE}, /* 18 */
    {"active", "IO", "WALRead", WAIT_FILE},

    {"active", "Client", "ClientRead", WAIT_CLIENT}, /* COPY, pipeline */
    {"active", "Client", "ClientWrite", WAIT_CLIENT},
    {"idle", "Client", "ClientRead", WAIT_CLIENT},
    {"idle in transaction", "Client", "ClientRead", WAIT_CLIENT},
    {"idle in transaction (aborted)", "", "", WAIT_CLIENT},
    {"idle", "", "", WAIT_CLIENT},
    {"idle", "LWLock", "WALWrite", WAIT_CLIENT}, /* what was before */

    {"active", "Timeout", "VacuumDelay", WAIT_OTHER},
    {"active", "Timeout", "SpinDelay", WAIT_OTHER},
    {"active", "LWLock", "LockManager", WAIT_OTHER},
    {"active", "LWLock", "XactSLRU", WAIT_OTHER},
    {"active", "IPC", "SyncRep", WAIT_OTHER},
    {"active", "Extension", "Extension", WAIT_OTHER},
};

static void test_known_events(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        enum wait_group group = postgres_wait_group(table[i].state, table[i].type, table[i].event);
        if (group != table[i].group)
            fail_msg("%s, %s:%s is in group %d, not %d", table[i].state, table[i].type,
                     table[i].event, (int)group, (int)table[i].group);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_known_events)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
