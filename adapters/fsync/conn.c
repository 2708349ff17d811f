#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "fsync/store.h"
#include "workload/layout.h"

static const char *path_of(const struct fsync_conn *conn)
{
    return conn->db->files[layout_file_of_stream(conn->db->load, conn->stream)].path;
}

enum op_status fsync_conn_connect(struct adapter_db *handle, unsigned stream,
                                  struct adapter_conn **out, struct op_error *why)
{
    struct fsync_db *db = (struct fsync_db *)handle;
    struct fsync_conn *conn = &db->conns[stream];
    if (conn->buffer == NULL)
        conn->buffer = malloc(db->buffer_slots * db->slot_bytes);
    if (conn->buffer == NULL)
        return op_fail(why, OP_FATAL, 0, "no memory for stream %u", stream);
    conn->fd = open(path_of(conn), O_RDWR | O_CLOEXEC);
    if (conn->fd < 0)
        return files_fail(why, "open", path_of(conn));
    *out = &conn->base;
    return OP_OK;
}

void fsync_conn_disconnect(struct adapter_conn *handle)
{
    struct fsync_conn *conn = (struct fsync_conn *)handle;
    if (conn->fd >= 0)
        close(conn->fd);
    conn->fd = -1;
}

enum op_status fsync_conn_begin(struct adapter_conn *handle, struct op_error *why)
{
    (void)handle;
    (void)why;
    return OP_OK;
}

/* What was written stays: the engine has no ADAPTER_ROLLBACK. */
enum op_status fsync_conn_rollback(struct adapter_conn *handle, struct op_error *why)
{
    (void)handle;
    (void)why;
    return OP_OK;
}

enum op_status fsync_conn_commit(struct adapter_conn *handle, struct op_error *why)
{
    struct fsync_conn *conn = (struct fsync_conn *)handle;
    conn->syncs++;
    if (fdatasync(conn->fd) != 0)
        return files_fail(why, "fdatasync", path_of(conn));
    return OP_OK;
}

/* Rows of a batch whose slots follow each other, up or down. */
struct run {
    size_t first; /* in the batch */
    size_t count;
    bool falling;
    uint64_t low; /* lowest slot of the region */
};

static uint64_t slot_of(const struct fsync_conn *conn, int64_t id)
{
    return row_id_sequence(id) % conn->db->load->rows;
}

static struct run next_run(const struct fsync_conn *conn, const struct row_batch *batch,
                           size_t first)
{
    uint64_t last = slot_of(conn, batch->ids[first]);
    struct run run = {.first = first, .count = 1, .low = last};
    for (size_t i = first + 1; i < batch->count && run.count < conn->db->buffer_slots; i++) {
        uint64_t slot = slot_of(conn, batch->ids[i]);
        if (run.count == 1)
            run.falling = slot + 1 == last;
        if (slot != (run.falling ? last - 1 : last + 1))
            break;
        last = slot;
        run.count++;
    }
    if (run.falling)
        run.low = last;
    return run;
}

/* Where row `i` of a run lies in the buffer. */
static unsigned char *buffer_slot(const struct fsync_conn *conn, const struct run *run, size_t i)
{
    return conn->buffer + (run->falling ? run->count - 1 - i : i) * conn->db->slot_bytes;
}

static uint64_t run_offset(const struct fsync_conn *conn, const struct run *run)
{
    return ((uint64_t)conn->region * conn->db->load->rows + run->low) * conn->db->slot_bytes;
}

static unsigned char *put_number(unsigned char *at, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++, value >>= 8)
        *at++ = (unsigned char)value;
    return at;
}

static void put_row(unsigned char *slot, const struct row_batch *rows, size_t i)
{
    slot = put_number(slot, (uint64_t)rows->ids[i], 8);
    slot = put_number(slot, (uint64_t)rows->stream, 4);
    for (unsigned key = 0; key < rows->key_columns; key++)
        slot = put_number(slot, (uint64_t)row_batch_keys(rows, i)[key], 4);
    memcpy(slot, row_batch_payload(rows, i), rows->payload_bytes);
}

static enum op_status write_run(struct fsync_conn *conn, const struct run *run,
                                struct op_error *why)
{
    conn->writes++;
    return fsync_store_write(conn->fd, conn->buffer, run->count * conn->db->slot_bytes,
                             run_offset(conn, run), path_of(conn), why);
}

enum op_status fsync_conn_insert(struct adapter_conn *handle, const struct row_batch *rows,
                                 struct op_error *why)
{
    struct fsync_conn *conn = (struct fsync_conn *)handle;
    enum op_status status = OP_OK;
    for (size_t first = 0; first < rows->count && status == OP_OK;) {
        struct run run = next_run(conn, rows, first);
        for (size_t i = 0; i < run.count; i++)
            put_row(buffer_slot(conn, &run, i), rows, first + i);
        status = write_run(conn, &run, why);
        first += run.count;
    }
    return status;
}

/* Reads the slots of a run and empties those that hold the ids that are expected there. */
static enum op_status clear_run(struct fsync_conn *conn, const struct row_batch *keys,
                                const struct run *run, struct op_error *why)
{
    enum op_status status =
        fsync_store_read(conn->fd, conn->buffer, run->count * conn->db->slot_bytes,
                         run_offset(conn, run), path_of(conn), why);
    if (status != OP_OK)
        return status;
    for (size_t i = 0; i < run->count; i++) {
        int64_t id = keys->ids[run->first + i];
        if (fsync_slot_id(buffer_slot(conn, run, i)) != id)
            return op_fail(why, OP_FATAL, 0, "remove from %s: there is no row with id %lld",
                           path_of(conn), (long long)id);
    }
    memset(conn->buffer, 0, run->count * conn->db->slot_bytes);
    return write_run(conn, run, why);
}

enum op_status fsync_conn_remove(struct adapter_conn *handle, const struct row_batch *keys,
                                 struct op_error *why)
{
    struct fsync_conn *conn = (struct fsync_conn *)handle;
    enum op_status status = OP_OK;
    for (size_t first = 0; first < keys->count && status == OP_OK;) {
        struct run run = next_run(conn, keys, first);
        status = clear_run(conn, keys, &run, why);
        first += run.count;
    }
    return status;
}
