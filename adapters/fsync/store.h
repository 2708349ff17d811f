/* store.h - files of fixed slots.
 *
 * A slot is id (8), stream (4), keys (4 each), payload, little-endian; all zero is empty
 * (no id is 0).  A file holds the regions of its streams in their order, each of
 * load->rows slots; a row lies in slot (sequence mod rows) of its stream's region.
 *
 * A db is the main thread's, a conn its stream's; conns live in db until close. */
#ifndef ADAPTERS_FSYNC_STORE_H
#define ADAPTERS_FSYNC_STORE_H

#include "adapter.h"

enum { FSYNC_CHUNK_BYTES = 1 << 20 }; /* of create and scan; a slot may be larger */

struct fsync_file {
    char *path;
    unsigned streams;
    bool made; /* by create(): destroy removes only those */
};

struct fsync_conn {
    _Alignas(64) struct adapter_conn base;
    struct fsync_db *db;
    unsigned stream;
    unsigned region;       /* the stream's place among its file's streams */
    int fd;                /* -1: not connected */
    unsigned char *buffer; /* a run of slots; kept from connect to close */
    uint64_t writes, syncs;
};

struct fsync_db {
    struct adapter_db base;
    const struct adapter_config *config;
    const struct workload *load;
    size_t slot_bytes;
    size_t buffer_slots; /* slots that a conn's buffer holds */
    unsigned file_count;
    struct fsync_file *files;
    struct fsync_conn *conns; /* [streams] */
};

extern const struct adapter fsync_adapter;

static inline int64_t fsync_slot_id(const unsigned char *slot)
{
    uint64_t id = 0;
    for (int i = 7; i >= 0; i--)
        id = id << 8 | slot[i];
    return (int64_t)id;
}

/* store.c */
enum op_status fsync_store_open(const struct adapter_config *config, struct adapter_db **out,
                                struct op_error *why);
enum op_status fsync_store_create(struct adapter_db *handle, struct op_error *why);
enum op_status fsync_store_destroy(struct adapter_db *handle, struct op_error *why);
void fsync_store_close(struct adapter_db *handle);
/* pread and pwrite, whole or failed. */
enum op_status fsync_store_read(int fd, void *to, size_t size, uint64_t offset, const char *path,
                                struct op_error *why);
enum op_status fsync_store_write(int fd, const void *from, size_t size, uint64_t offset,
                                 const char *path, struct op_error *why);

/* conn.c */
enum op_status fsync_conn_connect(struct adapter_db *handle, unsigned stream,
                                  struct adapter_conn **out, struct op_error *why);
enum op_status fsync_conn_begin(struct adapter_conn *handle, struct op_error *why);
enum op_status fsync_conn_insert(struct adapter_conn *handle, const struct row_batch *rows,
                                 struct op_error *why);
enum op_status fsync_conn_remove(struct adapter_conn *handle, const struct row_batch *keys,
                                 struct op_error *why);
enum op_status fsync_conn_commit(struct adapter_conn *handle, struct op_error *why);
enum op_status fsync_conn_rollback(struct adapter_conn *handle, struct op_error *why);
void fsync_conn_disconnect(struct adapter_conn *handle);

/* scan.c */
enum op_status fsync_scan_table(struct adapter_db *handle, unsigned table,
                                const struct row_visitor *visitor, struct op_error *why);
enum op_status fsync_scan_integrity(struct adapter_db *handle, bool *ok, struct op_error *why);

#endif
