/* How many bytes a drive takes for rows in SQLite, settle included, never below the truth.
 *
 * File format: sqlite.org/fileformat2.html.  The unit is a commit of B rows of one stream.
 *
 *   touched   pages that a commit makes dirty: the stream's own leaf, one more for each leaf that
 *             B rows fill, parent, neighbours and page 1 where a leaf was filled or emptied;
 *             with random keys, and in every index, one leaf a row
 *             (overlapping keys: one leaf of the common rows for each change, and its neighbours)
 *   WAL       touched x (page + 24), and, where the commit is flushed, one 4 KiB block that the
 *             next commit writes again
 *   checkpoint  after N pages in the WAL each page that is in there is written once: a leaf that
 *             many commits touched costs little
 *   growth    until the WAL has its size, each flush also writes the file system's journal
 *   journal   the other modes write each page twice, and metadata of journal file and database
 *
 * Constants with "measured" in their comment come from runs on ext4 with its journal, SQLite
 * 3.40. */
#include <math.h>
#include <string.h>

#include "files.h"
#include "sqlite/db.h"

enum {
    BLOCK = 4096,
    COMMIT_MARGIN = 2048,         /* what the file system adds now and then, and what is rounded */
    GROWTH_BYTES = 24 * 1024,     /* a flush of a file that grew, measured 22 KiB */
    PHASE_BYTES = 256 * 1024,     /* once a phase: WAL header, settle, directory */
    JOURNAL_DELETE = 44 * 1024,   /* a commit beside its pages, measured 41 KiB */
    JOURNAL_TRUNCATE = 56 * 1024, /* measured 53 KiB */
    JOURNAL_PERSIST = 28 * 1024,  /* measured 25 KiB */
    INTERIOR_CELL = 14,           /* bytes of an entry of an interior page */
};

/* How full pages are: appended to, split in the middle by one of many streams, random. */
static const double fill_appended = 1.0, fill_middle = 0.7, fill_random = 0.6;

/* A table or index as pages. */
struct tree {
    double pages_per_row; /* leaves and overflow, as full as they are on average */
    double leaves;        /* on average over the phase, all streams */
    bool random;          /* each row goes to a leaf of its own */
    bool shared;          /* with other streams: leaves are split in the middle */
};

struct model {
    const struct workload *load;
    struct sqlite_settings settings;
    double rows;    /* of one commit */
    double commits; /* of one stream's phase */
    double sharers; /* streams that write into this file */
    struct tree table, index;
    double touched;  /* pages that a commit of this phase makes dirty */
    double appended; /* of them, new ones */
    double fanout;   /* of interior pages */
};

/* Pages for one row of the table, full leaves. */
static double table_pages_per_row(const struct model *model)
{
    double page = model->settings.page_size_bytes;
    double keys = model->load->shape.key_columns;
    double record = 8 + 5 * keys + (double)model->load->shape.payload_bytes;
    double most = page - 35, least = floor((page - 12) * 32 / 255) - 23;
    double local = record, overflow = 0;
    if (record > most) {
        local = least + fmod(record - least, page - 4);
        if (local > most)
            local = least;
        overflow = ceil((record - local) / (page - 4));
        local += 4;
    }
    double cell = local + 13; /* size, rowid, pointer */
    return 1 / fmax(1, floor((page - 8) / cell)) + overflow;
}

static double index_pages_per_row(const struct model *model)
{
    return 1 / floor((model->settings.page_size_bytes - 8) / 19.0);
}

static void model_trees(struct model *model, enum phase_kind phase)
{
    const struct workload *load = model->load;
    double streams_in_table = load->layout == LAYOUT_SHARED_TABLE ? model->sharers : 1;
    double fill = load->key_order == ORDER_RANDOM ? fill_random
                  : streams_in_table > 1          ? fill_middle
                                                  : fill_appended;
    bool overlap = load->row_keys == ROW_KEYS_OVERLAPPING;
    double all_rows = overlap ? (double)load->common_keys : streams_in_table * (double)load->rows;
    if (overlap)
        fill = fill_random;
    model->table.shared = streams_in_table > 1;
    model->table.random = overlap || load->key_order == ORDER_RANDOM ||
                          (phase == PHASE_DELETE && load->delete_order == ORDER_RANDOM);
    model->table.pages_per_row = table_pages_per_row(model) / fill;
    /* Pages met by a commit are a concave function of the size: the mean size is no less. */
    all_rows *= overlap ? 1 : phase == PHASE_INSERT ? 0.55 : 0.85;
    model->table.leaves = ceil(all_rows * model->table.pages_per_row);
    model->index.random = true;
    model->index.pages_per_row = index_pages_per_row(model) / fill_random;
    model->index.leaves = ceil(all_rows * model->index.pages_per_row);
}

/* Dirty pages of one tree in one commit.  Rows at random places meet on a leaf now and then.  A
 * leaf that is split in the middle, or was emptied by two thirds, is balanced with its
 * neighbours.  A cache that is too small costs nothing here: within a transaction SQLite
 * writes a page again over itself. */
static double tree_touched(const struct model *model, const struct tree *tree,
                           enum phase_kind phase)
{
    double filled = model->rows * tree->pages_per_row;
    double parents = fmin(1, filled) + filled / model->fanout;
    if (tree->random) {
        double met = tree->leaves * (1 - pow(1 - 1 / fmax(2, tree->leaves), model->rows));
        double emptied = phase == PHASE_MIXED ? fmin(2, 4 * filled) : 0;
        return fmin(model->rows, 1 + 1.1 * met) + filled * 2 + parents + emptied;
    }
    double neighbours = phase == PHASE_DELETE ? fmin(2, 4 * filled)
                        : tree->shared        ? fmin(3, 6 * filled)
                                              : 0;
    return 1 + filled + parents + neighbours;
}

static void model_init(struct model *model, const struct workload *load, enum phase_kind phase)
{
    *model = (struct model){.load = load, .sharers = files_streams(load, 0)};
    sqlite_settings_read(&model->settings, load);
    double page = model->settings.page_size_bytes;
    model->rows = (double)(load->rows_per_commit < load->rows ? load->rows_per_commit : load->rows);
    model->commits = ceil((double)load->rows / fmax(1, model->rows));
    model->fanout = floor((page - 12) / INTERIOR_CELL) / 2;
    model_trees(model, phase);
    double filled = model->rows * model->table.pages_per_row;
    model->touched = tree_touched(model, &model->table, phase) + fmin(1, filled);
    double entries = phase == PHASE_MIXED ? 2 : 1; /* an update takes one out and puts one in */
    model->touched += entries * load->indexes * tree_touched(model, &model->index, phase);
    model->appended = phase != PHASE_INSERT
                          ? (model->table.random ? 0 : 0.9 * filled)
                          : filled + load->indexes * model->rows * model->index.pages_per_row;
}

/* Commits of all streams between two checkpoints. */
static double commits_per_checkpoint(const struct model *model)
{
    double pages = model->settings.wal_autocheckpoint_pages;
    double all = model->commits * model->sharers;
    return pages > 0 ? fmin(fmax(1, pages / model->touched), all) : all;
}

/* Pages that checkpoints write, per commit. */
static double checkpoint_pages(const struct model *model, enum phase_kind phase)
{
    double interval = commits_per_checkpoint(model);
    double own = interval / model->sharers; /* commits of one stream in it */
    double hot = 4 / fmax(own, 1.0 / 64);   /* its leaf, two parents, page 1: once an interval */
    double filled = model->rows * model->table.pages_per_row * (1 + 1 / model->fanout);
    double all = model->table.leaves / interval;
    double pages = model->table.random ? fmin(model->touched, all) + hot : filled * 1.1 + hot;
    pages += model->load->indexes * fmin(tree_touched(model, &model->index, phase),
                                         model->index.leaves * 1.1 / interval + 2);
    return fmin(pages, model->touched);
}

static double wal_bytes(const struct model *model, enum phase_kind phase, bool flushes)
{
    double page = model->settings.page_size_bytes;
    double per_commit = model->touched * (page + 24) + COMMIT_MARGIN;
    double growing = commits_per_checkpoint(model) / model->sharers;
    if (phase == PHASE_DELETE) /* the WAL has its size, but deletes may need more of it */
        growing *= 0.2;
    if (flushes)
        per_commit += BLOCK;
    per_commit += checkpoint_pages(model, phase) * page;
    return model->commits * per_commit +
           (flushes ? fmin(model->commits, ceil(growing)) * GROWTH_BYTES : 0);
}

static double journal_bytes(const struct model *model, bool flushes)
{
    const char *mode = model->settings.journal_mode;
    double page = model->settings.page_size_bytes;
    double written = model->touched + 1; /* page 1 in every commit */
    double block = fmax(page, BLOCK);    /* what the page cache writes for a page */
    double per_commit = written * fmin(block, page + BLOCK) + COMMIT_MARGIN;
    bool in_file = strcmp(mode, "memory") != 0 && strcmp(mode, "off") != 0;
    if (in_file)
        per_commit += (written - fmin(model->appended, written)) * (page + 8) + BLOCK;
    if (flushes && strcmp(mode, "delete") == 0)
        per_commit += JOURNAL_DELETE;
    else if (flushes && strcmp(mode, "truncate") == 0)
        per_commit += JOURNAL_TRUNCATE;
    else if (flushes && strcmp(mode, "persist") == 0)
        per_commit += JOURNAL_PERSIST;
    if (flushes)
        per_commit += fmin(1, model->appended) * GROWTH_BYTES;
    return model->commits * per_commit;
}

/* Data, and one stream's share of what the WAL grows to. */
static double space_bytes(const struct model *model)
{
    double page = model->settings.page_size_bytes;
    double rows = model->load->row_keys == ROW_KEYS_OVERLAPPING
                      ? (double)model->load->common_keys / model->sharers
                      : (double)model->load->rows;
    double data = rows * model->table.pages_per_row +
                  model->load->indexes * rows * model->index.pages_per_row;
    double bytes = (data * (1 + 1 / model->fanout) + 8) * page;
    double journal = model->touched;
    if (sqlite_settings_wal(&model->settings)) {
        double all = model->commits * model->touched;
        double kept = 2 * model->settings.wal_autocheckpoint_pages / model->sharers;
        journal += kept > 0 ? fmin(kept, all) : all;
    }
    return bytes + journal * (page + 24);
}

static bool flushes_at_commit(const struct sqlite_settings *settings)
{
    const char *level = settings->synchronous;
    if (strcmp(level, "full") == 0 || strcmp(level, "extra") == 0)
        return true;
    return strcmp(level, "normal") == 0 && !sqlite_settings_wal(settings);
}

enum op_status sqlite_forecast(const struct adapter_config *config,
                               struct adapter_forecast *forecast, struct op_error *why)
{
    struct model model;
    model_init(&model, config->load, PHASE_INSERT);
    if (sqlite_settings_exclusive(&model.settings) && model.sharers > 1)
        return op_fail(why, OP_FATAL, 0,
                       "sqlite.locking_mode = exclusive lets one connection into a file, but %.0f "
                       "streams share one; use workload.layout = file-per-stream or "
                       "sqlite.locking_mode = normal",
                       model.sharers);
    bool flushes = flushes_at_commit(&model.settings);
    *forecast = (struct adapter_forecast){.commit_flushes = flushes, .begin_locks = true};
    forecast->space_bytes = PHASE_BYTES + space_bytes(&model);
    for (int phase = 0; phase < PHASE_KINDS; phase++) {
        model_init(&model, config->load, (enum phase_kind)phase);
        forecast->write_bytes[phase] =
            PHASE_BYTES + (sqlite_settings_wal(&model.settings)
                               ? wal_bytes(&model, (enum phase_kind)phase, flushes)
                               : journal_bytes(&model, flushes));
    }
    return OP_OK;
}
