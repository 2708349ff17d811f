/* cluster_conf.h - the configuration of a private server.  Main thread. */
#ifndef ADAPTERS_POSTGRES_CLUSTER_CONF_H
#define ADAPTERS_POSTGRES_CLUSTER_CONF_H

#include "adapter.h"

/* Keys postgres.conf.NAME that would take the server away from us are refused: OP_FATAL. */
enum op_status postgres_conf_check(const struct workload *load, struct op_error *why);

/* 4 x wal_bytes, at least 1 GiB, at most half of free_bytes; "4096MB".  Pure. */
void postgres_conf_wal_size(double wal_bytes, double free_bytes, char out[32]);
/* A quarter of the memory, 1 GiB at most; "1024MB".  Pure. */
void postgres_conf_buffers(double memory_bytes, char out[32]);
/* As postgresql.conf has strings: quotes and backslashes doubled, in quotes.  Heap. */
char *postgres_conf_quote(const char *value);

struct postgres_conf {
    const struct workload *load;
    const char *socket;       /* folder */
    const char *max_wal_size; /* ours; NULL: postgres.conf has one */
    const char *shared_buffers;
    unsigned connections;
};
/* The text of loadline.conf; heap. */
char *postgres_conf_text(const struct postgres_conf *conf);

/* The postgres.conf.NAME that the server's `words` are about, as "postgres.conf.NAME = VALUE: ", or
 * "". */
void postgres_conf_blame(const struct workload *load, const char *words, char *out, size_t size);

#endif
