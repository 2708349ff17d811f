#include "analysis/buyer.h"

json_t *buyer_json(const struct evidence *evidence)
{
    (void)evidence;
    return NULL;
}
