#include "fsync/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "files.h"
#include "workload/layout.h"

static void store_release(struct fsync_db *db)
{
    if (db == NULL)
        return;
    for (unsigned file = 0; db->files != NULL && file < db->file_count; file++)
        free(db->files[file].path);
    for (unsigned i = 0; db->conns != NULL && i < db->load->streams; i++)
        free(db->conns[i].buffer);
    free(db->files);
    free(db->conns);
    free(db);
}

/* A batch is at most ROW_BATCH_ROWS rows and, but for a single row, ROW_BATCH_BYTES of payload:
 * a run never outgrows this. */
static size_t buffer_slots(const struct row_shape *shape)
{
    size_t rows =
        shape->payload_bytes == 0 ? ROW_BATCH_ROWS : ROW_BATCH_BYTES / shape->payload_bytes;
    return rows == 0 ? 1 : rows > ROW_BATCH_ROWS ? ROW_BATCH_ROWS : rows;
}

enum op_status fsync_store_open(const struct adapter_config *config, struct adapter_db **out,
                                struct op_error *why)
{
    const struct workload *load = config->load;
    struct fsync_db *db = calloc(1, sizeof *db);
    if (db == NULL)
        return op_fail(why, OP_FATAL, 0, "no memory for a trial");
    *db = (struct fsync_db){.base.ops = &fsync_adapter, .config = config, .load = load};
    db->slot_bytes = (size_t)row_bytes(&load->shape);
    db->buffer_slots = buffer_slots(&load->shape);
    db->file_count = layout_files(load);
    db->files = calloc(db->file_count, sizeof *db->files);
    db->conns = aligned_alloc(_Alignof(struct fsync_conn), load->streams * sizeof *db->conns);
    if (db->files == NULL || db->conns == NULL) {
        free(db->conns); /* its elements are not set yet */
        db->conns = NULL;
        store_release(db);
        return op_fail(why, OP_FATAL, 0, "no memory for %u streams", load->streams);
    }
    for (unsigned file = 0; file < db->file_count; file++)
        db->files[file].path = files_path(config, file, "dat");
    for (unsigned stream = 0; stream < load->streams; stream++) {
        struct fsync_file *file = &db->files[layout_file_of_stream(load, stream)];
        db->conns[stream] = (struct fsync_conn){.base.ops = &fsync_adapter,
                                                .db = db,
                                                .stream = stream,
                                                .region = file->streams++,
                                                .fd = -1};
    }
    *out = &db->base;
    return OP_OK;
}

void fsync_store_close(struct adapter_db *handle)
{
    store_release((struct fsync_db *)handle);
}

enum op_status fsync_store_read(int fd, void *to, size_t size, uint64_t offset, const char *path,
                                struct op_error *why)
{
    for (size_t done = 0; done < size;) {
        ssize_t now = pread(fd, (char *)to + done, size - done, (off_t)(offset + done));
        if (now < 0 && errno == EINTR)
            continue;
        if (now < 0)
            return files_fail(why, "read", path);
        if (now == 0)
            return op_fail(why, OP_FATAL, 0, "read of %s: the file ends at byte %llu", path,
                           (unsigned long long)(offset + done));
        done += (size_t)now;
    }
    return OP_OK;
}

enum op_status fsync_store_write(int fd, const void *from, size_t size, uint64_t offset,
                                 const char *path, struct op_error *why)
{
    for (size_t done = 0; done < size;) {
        ssize_t now = pwrite(fd, (const char *)from + done, size - done, (off_t)(offset + done));
        if (now < 0 && errno == EINTR)
            continue;
        if (now < 0)
            return files_fail(why, "write", path);
        done += (size_t)now;
    }
    return OP_OK;
}

/* Zeros to the end, then fsync: blocks that are there and written, so that a later fdatasync
 * has no metadata to write. */
static enum op_status create_file(struct fsync_db *db, struct fsync_file *file,
                                  const unsigned char *zeros, struct op_error *why)
{
    uint64_t size = (uint64_t)file->streams * db->load->rows * db->slot_bytes;
    enum op_status status = files_make(file->path, why);
    if (status != OP_OK)
        return status;
    file->made = true;
    int fd = open(file->path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return files_fail(why, "open", file->path);
    for (uint64_t at = 0; at < size && status == OP_OK; at += FSYNC_CHUNK_BYTES) {
        if (adapter_is_stopped(db->config)) {
            status = op_fail(why, OP_FATAL, 0, "stopped while %s was made", file->path);
            break;
        }
        size_t part = size - at < FSYNC_CHUNK_BYTES ? (size_t)(size - at) : FSYNC_CHUNK_BYTES;
        status = fsync_store_write(fd, zeros, part, at, file->path, why);
    }
    if (status == OP_OK && fsync(fd) != 0)
        status = files_fail(why, "fsync", file->path);
    close(fd);
    return status;
}

enum op_status fsync_store_create(struct adapter_db *handle, struct op_error *why)
{
    struct fsync_db *db = (struct fsync_db *)handle;
    enum op_status status = OP_OK;
    unsigned char *zeros = calloc(1, FSYNC_CHUNK_BYTES);
    if (zeros == NULL)
        return op_fail(why, OP_FATAL, 0, "no memory to fill files with zeros");
    for (unsigned file = 0; file < db->file_count && status == OP_OK; file++)
        status = create_file(db, &db->files[file], zeros, why);
    free(zeros);
    return status;
}

enum op_status fsync_store_destroy(struct adapter_db *handle, struct op_error *why)
{
    struct fsync_db *db = (struct fsync_db *)handle;
    enum op_status result = OP_OK;
    for (unsigned file = 0; file < db->file_count; file++) {
        if (!db->files[file].made)
            continue;
        enum op_status status = files_remove(db->files[file].path, why);
        if (status != OP_OK)
            result = status;
    }
    return result;
}
