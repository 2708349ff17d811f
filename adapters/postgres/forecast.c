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
 *           rows as committed (with checksums those pages also go through the WAL)
 *
 * Constants with "measured" in their comment come from runs of PostgreSQL 15 on ext4. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "postgres/db.h"
#include "workload/layout.h"

#define PAGE           8192.0
#define PAGE_ROOM      8168.0 /* without its header */
#define CHUNK          1996.0 /* bytes of a large payload in a row of the second table */
#define SEGMENT        16777216.0
#define CLUSTER_BYTES  (96.0 * 1048576) /* initdb, catalogs and two segments */
#define DATABASE_BYTES (8.0 * 1048576)  /* one more database; through the WAL as well */
#define PHASE_BYTES    (2.0 * 1048576)  /* checkpoints, catalogs, statistics: once a phase */
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
    double rows, commits; /* of one stream's phase */
    double tuple;         /* bytes of a row in its page, pointer included */
    double chunks;        /* rows of the second table for one row */
    double heap, index;   /* pages of one stream's rows; index: all of them */
    bool random;
    bool checksums;
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

static void model_init(struct model *model, const struct workload *load,
                       const struct postgres_settings *settings)
{
    *model = (struct model){.load = load, .settings = *settings};
    double per_commit =
        (double)(load->rows_per_commit < load->rows ? load->rows_per_commit : load->rows);
    model->rows = (double)load->rows;
    model->commits = ceil(model->rows / fmax(1, per_commit));
    model->random = load->key_order == ORDER_RANDOM;
    model->checksums = settings->checksums;
    model->flushes = flushes_at_commit(load, settings);
    model_row(model);
    double per_page = fmax(1, floor(PAGE_ROOM / model->tuple));
    double fill = model->random ? 0.6 : load->layout == LAYOUT_SHARED_TABLE ? 0.7 : 0.9;
    model->heap = ceil(model->rows / per_page) + ceil(model->rows * model->chunks / 4);
    model->index = ceil(model->rows * INDEX_ENTRY / (PAGE_ROOM * fill)) +
                   ceil(model->rows * model->chunks * INDEX_ENTRY / (PAGE_ROOM * 0.9)) +
                   load->indexes * ceil(model->rows * INDEX_ENTRY / (PAGE_ROOM * 0.6)) +
                   2 * (2 + load->indexes);
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

/* Pages that are written whole into the WAL, once after each checkpoint. */
static double image_pages(const struct model *model, enum phase_kind phase)
{
    double secondary = model->load->indexes == 0 && !model->random ? 0 : model->index;
    double split = 0.02 * model->index + 4; /* appended pages are mostly new ones, without image */
    double after = model->checksums ? model->heap : 0; /* the scan marks rows as committed */
    if (phase == PHASE_INSERT)
        return fmax(secondary, split) + after;
    return model->heap + model->index + after;
}

static double wal_bytes(const struct model *model, enum phase_kind phase)
{
    return record_bytes(model, phase) + image_pages(model, phase) * (PAGE + 64);
}

static double write_bytes(const struct model *model, enum phase_kind phase)
{
    double wal = wal_bytes(model, phase);
    double flushed = model->flushes ? model->commits * PAGE : 0;
    double data = 2 * model->heap + model->index;
    if (phase != PHASE_INSERT)
        data += model->heap;
    return PHASE_BYTES + 2 * wal + flushed + data * PAGE;
}

double postgres_forecast_wal(const struct workload *load, const struct postgres_settings *settings)
{
    struct model model;
    double most = 0;
    model_init(&model, load, settings);
    for (int phase = 0; phase < PHASE_KINDS; phase++)
        most = fmax(most, wal_bytes(&model, (enum phase_kind)phase));
    return most * load->streams;
}

enum op_status postgres_forecast(const struct adapter_config *config,
                                 struct adapter_forecast *forecast, struct op_error *why)
{
    const struct workload *load = config->load;
    struct postgres_settings settings;
    struct model model;
    (void)why;
    postgres_settings_read(&settings, load);
    model_init(&model, load, &settings);
    *forecast = (struct adapter_forecast){.commit_flushes = model.flushes,
                                          .single_call = settings.single_call};
    double most = 0;
    for (int phase = 0; phase < PHASE_KINDS; phase++) {
        forecast->write_bytes[phase] = write_bytes(&model, (enum phase_kind)phase);
        most = fmax(most, wal_bytes(&model, (enum phase_kind)phase));
    }
    forecast->space_bytes = (model.heap + model.index) * PAGE + 2.5 * most + PHASE_BYTES;
    if (layout_files(load) > 1) { /* each database brings its catalogs */
        double own = 2 * DATABASE_BYTES * layout_files(load) / load->streams;
        forecast->space_bytes += own;
        forecast->write_bytes[PHASE_INSERT] += own;
    }
    return OP_OK;
}
