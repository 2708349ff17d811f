/* How many bytes a drive takes for rows in PostgreSQL, settle included, never below the truth.
 *
 * Sizes: postgresql.org/docs/current/storage-page-layout.html, storage-toast.html, and
 * wal-internals.html.  The unit is one stream's phase.
 *
 *   heap    8 KiB pages; a row is a header of 24 bytes, its columns, padding, and a pointer; what
 *           is larger than a quarter of a page goes in chunks into a second table with an index
 *   index   20 bytes a row in leaves that are 90% full where rows are appended, 60% where they
 *           come at random
 *   WAL     a record for each row (COPY: for each page of rows) and for each entry of an index;
 *           after a checkpoint the first change of a page writes the whole page; a commit that is
 *           flushed writes its last page of 8 KiB again
 *   new WAL is written twice: a segment is filled with zeros before it is used
 *   data    each page once a checkpoint, and once more where the scan after the phase marks its
 *           rows as committed (with checksums those pages also go through the WAL); pages that do
 *           not fit into shared_buffers once for each row that comes to them at random
 *
 * Constants with "measured" in their comment come from runs of PostgreSQL 15 on ext4. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "postgres/forecast.h"
#include "workload/layout.h"

#define PAGE           8192.0
#define PAGE_ROOM      8168.0 /* without its header */
#define CHUNK          1996.0 /* bytes of a large payload in a row of the second table */
#define SEGMENT        16777216.0
#define DATABASE_BYTES (8.0 * 1048576) /* one more database; through the WAL as well */
#define PHASE_BYTES    (4.0 * 1048576) /* checkpoints, catalogs, statistics: once a phase */
#define STREAM_BYTES   65536.0         /* of each stream: its table's first pages */
#define INDEX_ENTRY    20.0

/* Beside a row's own bytes. */
enum {
    WAL_ROW = 72,     /* a heap record, measured 60 */
    WAL_COPIED = 16,  /* a row in a record of many */
    WAL_ENTRY = 80,   /* an index entry, measured 64 to 72 */
    WAL_DELETED = 64, /* measured 54 */
    WAL_COMMIT = 96,  /* commit and what comes with it */
};

struct model {
    const struct workload *load;
    struct postgres_settings settings;
    struct forecast_room room;
    double rows, commits; /* of one stream's phase */
    double tuple;         /* bytes of a row in its page, pointer included */
    double chunks;        /* rows of the second table for one row */
    double heap;          /* pages of one stream's rows */
    double appended;      /* pages of its indexes that grow at their end */
    double scattered;     /* pages of its indexes to which rows come at random */
    double scatter;       /* such indexes */
    bool flushes;
};

static double aligned(double bytes)
{
    return 8 * ceil(bytes / 8);
}

static void model_row(struct model *model)
{
    double payload = (double)model->load->shape.payload_bytes;
    double fixed = 12 + 4 * (double)model->load->shape.key_columns;
    double whole = aligned(24 + fixed + payload + (payload < 127 ? 1 : 4 + 3));
    if (whole > 2032) {
        model->chunks = ceil(payload / CHUNK);
        whole = aligned(24 + fixed + 18);
    }
    model->tuple = whole + 4;
}

static bool is_off(const char *text)
{
    return text != NULL && (strcasecmp(text, "off") == 0 || strcasecmp(text, "false") == 0 ||
                            strcasecmp(text, "no") == 0 || strcmp(text, "0") == 0);
}

static bool flushes_at_commit(const struct workload *load, const struct postgres_settings *settings)
{
    const char *commit = settings->synchronous_commit;
    if (commit == NULL)
        commit = postgres_settings_conf_value(load, "synchronous_commit");
    return !is_off(commit) && !is_off(postgres_settings_conf_value(load, "fsync"));
}

static double index_pages(double entries, double fill)
{
    return ceil(entries * INDEX_ENTRY / (PAGE_ROOM * fill)) + 2;
}

static void model_init(struct model *model, const struct workload *load,
                       const struct postgres_settings *settings, const struct forecast_room *room)
{
    *model = (struct model){.load = load, .settings = *settings, .room = *room};
    double per_commit =
        (double)(load->rows_per_commit < load->rows ? load->rows_per_commit : load->rows);
    model->rows = (double)load->rows;
    model->commits = ceil(model->rows / fmax(1, per_commit));
    model->flushes = flushes_at_commit(load, settings);
    model_row(model);
    double per_page = fmax(1, floor(PAGE_ROOM / model->tuple));
    model->heap = ceil(model->rows / per_page) + ceil(model->rows * model->chunks / 4);
    if (model->chunks > 0)
        model->appended = index_pages(model->rows * model->chunks, 0.9);
    if (load->key_order != ORDER_RANDOM)
        model->appended +=
            index_pages(model->rows, load->layout == LAYOUT_SHARED_TABLE ? 0.6 : 0.9);
    model->scatter = load->indexes + (load->key_order == ORDER_RANDOM ? 1.0 : 0.0);
    model->scattered = model->scatter * index_pages(model->rows, 0.6);
}

/* Of rows, their index entries and commits: no page images. */
static double record_bytes(const struct model *model, enum phase_kind phase)
{
    bool copies = model->settings.insert == POSTGRES_COPY;
    double chunk = WAL_ROW + CHUNK + 40 + WAL_ENTRY;
    double insert = model->tuple - 24 + (copies ? WAL_COPIED : WAL_ROW) +
                    WAL_ENTRY * (1.0 + model->load->indexes) + model->chunks * chunk;
    double remove = WAL_DELETED * (1 + model->chunks);
    double row = phase == PHASE_INSERT ? insert : remove;
    if (phase == PHASE_MIXED) /* an upsert is a new row beside the old one */
        row = insert + remove;
    return model->rows * row + model->commits * WAL_COMMIT;
}

/* What a phase changes at random: pages, and how often. */
struct scatter {
    double pages, touches;
};

static struct scatter scatter_of(const struct model *model, enum phase_kind phase)
{
    struct scatter out = {model->scattered, model->scatter * model->rows};
    if (phase == PHASE_INSERT)
        return out;
    out = (struct scatter){model->heap, 0}; /* a delete leaves the indexes alone */
    if (phase == PHASE_MIXED || model->load->delete_order == ORDER_RANDOM)
        out.touches = model->rows * (1 + model->chunks);
    if (phase == PHASE_MIXED) {
        out.pages += model->scattered + model->appended;
        out.touches += model->rows * (1.0 + model->load->indexes);
    }
    return out;
}

/* Pages that are written whole into the WAL: the first time after each checkpoint.  The more
 * images, the sooner the next checkpoint: all of it is a geometric series. */
static double image_pages(const struct model *model, enum phase_kind phase)
{
    struct scatter scatter = scatter_of(model, phase);
    double once = phase == PHASE_INSERT ? 0.02 * model->appended + 4 + scatter.pages
                                        : fmax(scatter.pages, model->heap);
    double share = once * PAGE * model->load->streams / model->room.wal_bytes;
    double again =
        share < 1
            ? once *
                  (1 + record_bytes(model, phase) * model->load->streams / model->room.wal_bytes) /
                  (1 - share)
            : INFINITY;
    return fmin(again, fmax(once, scatter.touches + once));
}

/* What the scan after a phase, and VACUUM, change once more. */
static double after_pages(const struct model *model, enum phase_kind phase)
{
    if (phase == PHASE_INSERT || model->settings.vacuum == POSTGRES_VACUUM_OFF)
        return model->heap;
    return model->settings.vacuum == POSTGRES_VACUUM_ON
               ? model->heap + model->appended + model->scattered
               : 0;
}

static double wal_bytes(const struct model *model, enum phase_kind phase)
{
    double pages = image_pages(model, phase);
    if (model->settings.checksums)
        pages += after_pages(model, phase);
    return record_bytes(model, phase) + pages * (PAGE + 64);
}

/* Pages that were driven out of the server's memory, changed, and come again. */
static double evicted_pages(const struct model *model, enum phase_kind phase)
{
    struct scatter scatter = scatter_of(model, phase);
    double bytes = scatter.pages * PAGE * model->load->streams;
    double missed = bytes > 0 ? fmax(0, 1 - 0.8 * model->room.buffer_bytes / bytes) : 0;
    return scatter.touches * missed;
}

static double write_bytes(const struct model *model, enum phase_kind phase)
{
    double data = model->heap + after_pages(model, phase) + evicted_pages(model, phase);
    double flushed = model->flushes ? model->commits * PAGE : 0;
    if (phase != PHASE_DELETE)
        data += model->appended + model->scattered;
    return (PHASE_BYTES + SEGMENT) / model->load->streams + STREAM_BYTES +
           2 * wal_bytes(model, phase) + flushed + data * PAGE;
}

double postgres_forecast_wal(const struct workload *load, const struct postgres_settings *settings)
{
    static const struct forecast_room private_room = {.wal_bytes = INFINITY,
                                                      .buffer_bytes = INFINITY};
    struct model model;
    double most = 0;
    model_init(&model, load, settings, &private_room);
    for (int phase = 0; phase < PHASE_KINDS; phase++)
        most = fmax(most, wal_bytes(&model, (enum phase_kind)phase));
    return most * load->streams;
}

void forecast_estimate(const struct workload *load, const struct postgres_settings *settings,
                       const struct forecast_room *room, struct adapter_forecast *forecast)
{
    struct model model;
    double most = 0;
    model_init(&model, load, settings, room);
    *forecast = (struct adapter_forecast){.commit_flushes = model.flushes,
                                          .single_call = settings->single_call};
    for (int phase = 0; phase < PHASE_KINDS; phase++)
        forecast->write_bytes[phase] = write_bytes(&model, (enum phase_kind)phase);
    for (size_t i = 0; i < load->phase_count; i++)
        most = fmax(most, wal_bytes(&model, load->phases[i]));
    /* Kept until the checkpoint that ends the phase; measured: half of that. */
    most = fmin(1.1 * most, 1.5 * room->wal_bytes / load->streams);
    forecast->space_bytes = (model.heap + model.appended + model.scattered) * PAGE + most +
                            (PHASE_BYTES + SEGMENT) / load->streams + STREAM_BYTES;
    if (layout_files(load) > 1) { /* each database brings its catalogs */
        double own = DATABASE_BYTES * layout_files(load) / load->streams;
        forecast->space_bytes += 2 * own;
        forecast->write_bytes[load->phases[0]] += 3 * own;
    }
}
