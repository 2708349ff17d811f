/* Rows in order of id, in constant memory: the sequences that live at one time may be of
 * several laps around a region, so a region is read once for each lap and once before that
 * to find the first. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "files.h"
#include "fsync/store.h"
#include "workload/layout.h"

#define LAP_NONE UINT64_MAX

struct scan {
    const struct fsync_db *db;
    const char *path;
    int fd;
    unsigned char *buffer;
    size_t buffer_slots;
    unsigned stream, region;
    const struct row_visitor *visitor;
    uint64_t lap;  /* shown now; LAP_NONE: none */
    uint64_t next; /* the lowest lap above it that was seen; LAP_NONE: none */
    bool stopped;
};

static enum op_status scan_open(struct scan *scan, const struct fsync_db *db, unsigned file,
                                struct op_error *why)
{
    size_t slots = FSYNC_CHUNK_BYTES / db->slot_bytes;
    *scan = (struct scan){.db = db, .path = db->files[file].path, .fd = -1};
    scan->buffer_slots = slots == 0 ? 1 : slots;
    scan->buffer = malloc(scan->buffer_slots * db->slot_bytes);
    if (scan->buffer == NULL)
        return op_fail(why, OP_FATAL, 0, "no memory to read %s", scan->path);
    scan->fd = open(scan->path, O_RDONLY | O_CLOEXEC);
    if (scan->fd < 0)
        return files_fail(why, "open", scan->path);
    return OP_OK;
}

static void scan_close(struct scan *scan)
{
    if (scan->fd >= 0)
        close(scan->fd);
    free(scan->buffer);
}

static uint64_t number_at(const unsigned char *at, int bytes)
{
    uint64_t value = 0;
    for (int i = bytes - 1; i >= 0; i--)
        value = value << 8 | at[i];
    return value;
}

static bool show_slot(const struct scan *scan, const unsigned char *slot)
{
    const struct row_shape *shape = &scan->db->load->shape;
    int64_t keys[ROW_KEYS_MAX];
    for (unsigned key = 0; key < shape->key_columns; key++)
        keys[key] = (int32_t)number_at(slot + 12 + 4 * (size_t)key, 4);
    struct row row = {.id = fsync_slot_id(slot),
                      .stream = (int32_t)number_at(slot + 8, 4),
                      .keys = keys,
                      .payload = {.data = slot + 12 + 4 * (size_t)shape->key_columns,
                                  .size = shape->payload_bytes}};
    return scan->visitor->row(scan->visitor->ctx, &row);
}

/* Calls `look` for every slot of the region that is not empty, until it says false. */
static enum op_status each_slot(struct scan *scan,
                                bool (*look)(struct scan *scan, uint64_t number,
                                             const unsigned char *slot),
                                struct op_error *why)
{
    uint64_t rows = scan->db->load->rows;
    size_t size = scan->db->slot_bytes;
    for (uint64_t first = 0; first < rows; first += scan->buffer_slots) {
        size_t count =
            rows - first < scan->buffer_slots ? (size_t)(rows - first) : scan->buffer_slots;
        enum op_status status =
            fsync_store_read(scan->fd, scan->buffer, count * size,
                             ((uint64_t)scan->region * rows + first) * size, scan->path, why);
        if (status != OP_OK)
            return status;
        for (size_t i = 0; i < count; i++) {
            const unsigned char *slot = scan->buffer + i * size;
            if (fsync_slot_id(slot) != 0 && !look(scan, first + i, slot))
                return OP_OK;
        }
    }
    return OP_OK;
}

static bool look_at_lap(struct scan *scan, uint64_t number, const unsigned char *slot)
{
    uint64_t lap = row_id_sequence(fsync_slot_id(slot)) / scan->db->load->rows;
    (void)number;
    if (lap == scan->lap) {
        scan->stopped = !show_slot(scan, slot);
        return !scan->stopped;
    }
    if ((scan->lap == LAP_NONE || lap > scan->lap) && lap < scan->next)
        scan->next = lap;
    return true;
}

static enum op_status scan_region(struct scan *scan, struct op_error *why)
{
    enum op_status status;
    scan->lap = LAP_NONE;
    do {
        scan->next = LAP_NONE;
        status = each_slot(scan, look_at_lap, why);
        scan->lap = scan->next;
    } while (status == OP_OK && !scan->stopped && scan->lap != LAP_NONE);
    return status;
}

enum op_status fsync_scan_table(struct adapter_db *handle, unsigned table,
                                const struct row_visitor *visitor, struct op_error *why)
{
    const struct fsync_db *db = (const struct fsync_db *)handle;
    struct scan scan;
    enum op_status status = scan_open(&scan, db, layout_file_of_table(db->load, table), why);
    scan.visitor = visitor;
    for (unsigned stream = 0; stream < db->load->streams && status == OP_OK && !scan.stopped;
         stream++) {
        if (layout_table_of_stream(db->load, stream) != table)
            continue;
        scan.region = db->conns[stream].region;
        status = scan_region(&scan, why);
    }
    scan_close(&scan);
    return status;
}

/* A slot is empty or holds an id that belongs there. */
static bool look_at_place(struct scan *scan, uint64_t number, const unsigned char *slot)
{
    int64_t id = fsync_slot_id(slot);
    scan->stopped = row_id_stream(id) != (int64_t)scan->stream ||
                    row_id_sequence(id) % scan->db->load->rows != number;
    return !scan->stopped;
}

enum op_status fsync_scan_integrity(struct adapter_db *handle, bool *ok, struct op_error *why)
{
    const struct fsync_db *db = (const struct fsync_db *)handle;
    enum op_status status = OP_OK;
    *ok = true;
    for (unsigned stream = 0; stream < db->load->streams && *ok && status == OP_OK; stream++) {
        struct scan scan;
        status = scan_open(&scan, db, layout_file_of_stream(db->load, stream), why);
        scan.stream = stream;
        scan.region = db->conns[stream].region;
        if (status == OP_OK)
            status = each_slot(&scan, look_at_place, why);
        if (scan.stopped) {
            *ok = false;
            op_fail(why, OP_OK, 0, "%s holds a row of stream %u in a slot that is not its own",
                    scan.path, stream);
        }
        scan_close(&scan);
    }
    return status;
}
