#include "analysis/correlation.h"

json_t *correlation_json(const struct evidence *evidence)
{
    (void)evidence;
    return NULL;
}
