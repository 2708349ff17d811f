/* The suite on PostgreSQL: a private cluster for each trial, and a server that runs already. */
#include "contract/server.h"
#include "contract/suite.h"

int main(void)
{
    struct server server;
    int failed = 0;
    if (!server_can_run())
        return 77;
    failed += suite_run("postgres", SUITE_ALONE);
    server_start(&server);
    failed += suite_run("postgresql", SUITE_ALONE);
    failed += suite_run("postgresql", SUITE_IN_FAULT);
    server_stop(&server);
    return failed == 0 ? 0 : 1;
}
