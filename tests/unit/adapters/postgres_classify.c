#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "postgres/classify.h"

/* SQLSTATEs as the manual's appendix A has them. */
static void test_classes(void **state)
{
    static const struct {
        bool connected;
        const char *sqlstate;
        enum op_status running, connecting;
    } cases[] = {
        {true, "40001", OP_CONFLICT, OP_CONFLICT},  /* serialization_failure */
        {true, "40P01", OP_DEADLOCK, OP_DEADLOCK},  /* deadlock_detected */
        {true, "55P03", OP_BUSY, OP_BUSY},          /* lock_not_available */
        {true, "53100", OP_NO_SPACE, OP_NO_SPACE},  /* disk_full */
        {false, "53100", OP_NO_SPACE, OP_NO_SPACE}, /* a panic over a full log */
        {true, "53200", OP_FATAL, OP_FATAL},        /* out_of_memory */
        {true, "53300", OP_FATAL, OP_BUSY},         /* too_many_connections */
        {false, "53300", OP_LOST, OP_BUSY},
        {true, "57P03", OP_LOST, OP_BUSY}, /* cannot_connect_now */
        {false, "57P03", OP_LOST, OP_BUSY},
        {true, "57P01", OP_LOST, OP_LOST}, /* admin_shutdown */
        {false, "57P01", OP_LOST, OP_LOST},
        {true, "57P02", OP_LOST, OP_LOST},   /* crash_shutdown */
        {true, "57P04", OP_LOST, OP_LOST},   /* database_dropped */
        {true, "57P05", OP_LOST, OP_LOST},   /* idle_session_timeout */
        {true, "08006", OP_LOST, OP_LOST},   /* connection_failure */
        {true, "08P01", OP_LOST, OP_LOST},   /* protocol_violation */
        {true, "57014", OP_FATAL, OP_FATAL}, /* query_canceled: an interrupt */
        {true, "23505", OP_FATAL, OP_FATAL}, /* unique_violation: no row of ours comes twice */
        {true, "25006", OP_FATAL, OP_FATAL}, /* read_only_sql_transaction */
        {true, "26000", OP_FATAL, OP_FATAL}, /* invalid_sql_statement_name */
        {true, "28P01", OP_FATAL, OP_FATAL}, /* invalid_password */
        {false, "28P01", OP_LOST, OP_FATAL},
        {false, "3D000", OP_LOST, OP_FATAL}, /* invalid_catalog_name */
        {true, "42P01", OP_FATAL, OP_FATAL}, /* undefined_table */
        {true, "58030", OP_FATAL, OP_FATAL}, /* io_error */
        {true, "XX000", OP_FATAL, OP_FATAL}, /* internal_error */
        {true, "XX001", OP_FATAL, OP_FATAL}, /* data_corrupted */
        {true, "XX002", OP_FATAL, OP_FATAL}, /* index_corrupted */
        {false, "40001", OP_LOST, OP_CONFLICT},
        {true, NULL, OP_FATAL, OP_FATAL},
        {true, "", OP_FATAL, OP_FATAL},
        {false, NULL, OP_LOST, OP_LOST}, /* gone: no SQLSTATE */
        {false, "", OP_LOST, OP_LOST},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *sqlstate = cases[i].sqlstate;
        if (postgres_classify(cases[i].connected, sqlstate, POSTGRES_RUNNING) != cases[i].running ||
            postgres_classify(cases[i].connected, sqlstate, POSTGRES_CONNECTING) !=
                cases[i].connecting)
            fail_msg("%s, %s", sqlstate == NULL ? "NULL" : sqlstate,
                     cases[i].connected ? "connected" : "gone");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_classes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
