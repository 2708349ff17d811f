#include "adapter.h"

#include <string.h>

extern const struct adapter sqlite_adapter;
extern const struct adapter postgres_adapter;
extern const struct adapter postgresql_adapter;
extern const struct adapter fsync_adapter;
extern const struct adapter null_adapter;
extern const struct adapter fault_adapter;

const struct adapter *const adapter_registry[] = {
    &sqlite_adapter,
    &postgres_adapter,
    &postgresql_adapter,
    &fsync_adapter,
    &null_adapter,
    &fault_adapter,
    NULL,
};

const struct adapter *adapter_find(const char *scheme)
{
    for (const struct adapter *const *each = adapter_registry; *each != NULL; each++)
        if (strcmp((*each)->scheme != NULL ? (*each)->scheme : (*each)->name, scheme) == 0)
            return *each;
    return NULL;
}
