/* log_size.h - how many bytes of log files a private cluster has.  One thread at a time; reading
 * makes no allocation. */
#ifndef ADAPTERS_POSTGRES_LOG_SIZE_H
#define ADAPTERS_POSTGRES_LOG_SIZE_H

#include "adapter.h"

struct postgres_log_size;

/* NULL: the directory cannot be read. */
struct postgres_log_size *postgres_log_size_create(const struct adapter_config *config);
/* False: not known now. */
bool postgres_log_size_read(struct postgres_log_size *log_size, double *bytes);
void postgres_log_size_destroy(struct postgres_log_size *log_size);

#endif
