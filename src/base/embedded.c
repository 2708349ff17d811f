#include "base/embedded.h"

#include <string.h>

const struct embedded *embedded_find(const struct embedded *table, const char *name)
{
    for (; table->name != NULL; table++)
        if (strcmp(table->name, name) == 0)
            return table;
    return NULL;
}
