/* The suite on every engine that needs no server (postgres_suite.c has the others). */
#include "contract/suite.h"

int main(void)
{
    int failed = 0;
    for (const struct adapter *const *each = adapter_registry; *each != NULL; each++) {
        if (((*each)->caps & ADAPTER_HIDDEN) != 0 || strcmp((*each)->name, "postgres") == 0)
            continue;
        failed += suite_run((*each)->name, SUITE_ALONE);
        failed += suite_run((*each)->name, SUITE_IN_FAULT);
    }
    return failed == 0 ? 0 : 1;
}
