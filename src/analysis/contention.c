#include "analysis/contention.h"

json_t *contention_json(const struct evidence *evidence)
{
    (void)evidence;
    return NULL;
}
