#include "sqlite/options.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "sqlite/classify.h"

static const char *const journal_modes[] = {"wal",    "delete", "truncate", "persist",
                                            "memory", "off",    NULL};
/* SQLite answers these two with the position in the list. */
static const char *const synchronous_levels[] = {"off", "normal", "full", "extra", NULL};
static const char *const secure_delete_modes[] = {"off", "on", "fast", NULL};
static const char *const page_sizes[] = {"512",   "1024",  "2048",  "4096", "8192",
                                         "16384", "32768", "65536", NULL};
static const char *const locking_modes[] = {"normal", "exclusive", NULL};
static const char *const insert_methods[] = {"row", "values", NULL};
static const char *const busy_modes[] = {"queue", "native", NULL};

const struct key sqlite_options[] = {
    {.name = "sqlite.journal_mode",
     .type = KEY_CHOICE,
     .fallback = "wal",
     .choices = journal_modes,
     .help = "how a transaction is made atomic"},
    {.name = "sqlite.synchronous",
     .type = KEY_CHOICE,
     .fallback = "full",
     .choices = synchronous_levels,
     .help = "when SQLite makes the drive flush"},
    {.name = "sqlite.page_size",
     .type = KEY_CHOICE,
     .fallback = "4096",
     .choices = page_sizes,
     .help = "bytes of a database page"},
    {.name = "sqlite.cache_size",
     .type = KEY_INTEGER,
     .fallback = "-2000",
     .min = -2147483647,
     .max = 2147483647,
     .help = "page cache of a connection: pages, or KiB if negative"},
    {.name = "sqlite.wal_autocheckpoint",
     .type = KEY_COUNT,
     .fallback = "1000",
     .max = 2147483647,
     .help = "pages in the WAL that start a checkpoint; 0 = never"},
    {.name = "sqlite.mmap_size",
     .type = KEY_SIZE,
     .fallback = "0",
     .max = 2147418112,
     .help = "bytes of the file that are read through a memory map"},
    {.name = "sqlite.locking_mode",
     .type = KEY_CHOICE,
     .fallback = "normal",
     .choices = locking_modes,
     .help = "exclusive keeps the file's lock between transactions"},
    {.name = "sqlite.secure_delete",
     .type = KEY_CHOICE,
     .fallback = "off",
     .choices = secure_delete_modes,
     .help = "overwrite deleted rows with zeros"},
    {.name = "sqlite.insert_method",
     .type = KEY_CHOICE,
     .fallback = "row",
     .choices = insert_methods,
     .help = "one row an INSERT, or values: 50 rows an INSERT"},
    {.name = "sqlite.busy",
     .type = KEY_CHOICE,
     .fallback = "queue",
     .choices = busy_modes,
     .help = "who waits for the lock: loadline's queue, or SQLite's own busy handler"},
    {.name = "sqlite.busy_timeout",
     .type = KEY_DURATION,
     .fallback = "10s",
     .max = 3600,
     .help = "how long SQLite's busy handler waits"},
    {.name = NULL},
};

static int index_of(const char *const *choices, const char *text)
{
    int i = 0;
    while (choices[i] != NULL && strcmp(choices[i], text) != 0)
        i++;
    return i;
}

void sqlite_settings_read(struct sqlite_settings *settings, const struct workload *load)
{
    const char *method = workload_text(load, "sqlite.insert_method");
    const char *page_size = workload_text(load, "sqlite.page_size");
    *settings = (struct sqlite_settings){
        .journal_mode = workload_text(load, "sqlite.journal_mode"),
        .synchronous = workload_text(load, "sqlite.synchronous"),
        .locking_mode = workload_text(load, "sqlite.locking_mode"),
        .secure_delete = workload_text(load, "sqlite.secure_delete"),
        .page_size_bytes = 512 << index_of(page_sizes, page_size),
        .cache_size = (int)workload_number(load, "sqlite.cache_size"),
        .wal_autocheckpoint_pages = (int)workload_number(load, "sqlite.wal_autocheckpoint"),
        .mmap_size_bytes = (int64_t)workload_number(load, "sqlite.mmap_size"),
        .rows_per_insert = strcmp(method, "values") == 0 ? SQLITE_INSERT_VALUES_ROWS : 1,
        .queue = strcmp(workload_text(load, "sqlite.busy"), "queue") == 0,
        .busy_timeout_ns = (int64_t)(workload_number(load, "sqlite.busy_timeout") * 1e9),
    };
}

bool sqlite_settings_wal(const struct sqlite_settings *settings)
{
    return strcmp(settings->journal_mode, "wal") == 0;
}

bool sqlite_settings_exclusive(const struct sqlite_settings *settings)
{
    return strcmp(settings->locking_mode, "exclusive") == 0;
}

static enum op_status pragma_run(sqlite3 *handle, const char *file, const char *text, char *answer,
                                 size_t size, struct op_error *why)
{
    sqlite3_stmt *statement = NULL;
    enum op_status status = OP_OK;
    snprintf(answer, size, "nothing");
    if (sqlite3_prepare_v2(handle, text, -1, &statement, NULL) != SQLITE_OK)
        return sqlite_fail(handle, why, text, file);
    int rc = sqlite3_step(statement);
    if (rc == SQLITE_ROW) {
        const unsigned char *column = sqlite3_column_text(statement, 0);
        snprintf(answer, size, "%s", column == NULL ? "null" : (const char *)column);
        rc = sqlite3_step(statement);
    }
    if (rc != SQLITE_DONE)
        status = sqlite_fail(handle, why, text, file);
    sqlite3_finalize(statement);
    return status;
}

enum op_status sqlite_pragma(sqlite3 *handle, const char *file, const char *name, const char *value,
                             const char *expected, struct op_error *why)
{
    char text[96], answer[64];
    snprintf(text, sizeof text, "PRAGMA %s = %s", name, value);
    enum op_status status = pragma_run(handle, file, text, answer, sizeof answer, why);
    if (status != OP_OK)
        return status;
    snprintf(text, sizeof text, "PRAGMA %s", name);
    status = pragma_run(handle, file, text, answer, sizeof answer, why);
    if (status != OP_OK)
        return status;
    if (strcasecmp(answer, expected) != 0)
        return op_fail(why, OP_FATAL, 0,
                       "SQLite did not take sqlite.%s on %s: asked for %s, got %s; choose a value "
                       "that this file system and this SQLite can do",
                       name, file, expected, answer);
    return OP_OK;
}

/* A number of type int64_t as text, for the length of a full expression. */
struct number_text {
    char text[24];
};

static struct number_text number(int64_t value)
{
    struct number_text out;
    snprintf(out.text, sizeof out.text, "%lld", (long long)value);
    return out;
}

enum op_status sqlite_settings_shape(const struct sqlite_settings *settings, sqlite3 *handle,
                                     const char *file, struct op_error *why)
{
    struct number_text size = number(settings->page_size_bytes);
    enum op_status status = sqlite_pragma(handle, file, "page_size", size.text, size.text, why);
    if (status != OP_OK)
        return status;
    return sqlite_pragma(handle, file, "journal_mode", settings->journal_mode,
                         settings->journal_mode, why);
}

enum op_status sqlite_settings_apply(const struct sqlite_settings *settings, sqlite3 *handle,
                                     const char *file, struct op_error *why)
{
    struct number_text level = number(index_of(synchronous_levels, settings->synchronous));
    struct number_text secure = number(index_of(secure_delete_modes, settings->secure_delete));
    struct number_text cache = number(settings->cache_size);
    struct number_text map = number(settings->mmap_size_bytes);
    /* The locking mode comes first: once a WAL was read in normal mode, it is too late. */
    const struct {
        const char *name, *value, *expected;
    } pragmas[] = {
        {"locking_mode", settings->locking_mode, settings->locking_mode},
        {"journal_mode", settings->journal_mode, settings->journal_mode},
        {"synchronous", settings->synchronous, level.text},
        {"cache_size", cache.text, cache.text},
        {"mmap_size", map.text, map.text},
        {"secure_delete", settings->secure_delete, secure.text},
    };
    for (size_t i = 0; i < sizeof pragmas / sizeof *pragmas; i++) {
        enum op_status status = sqlite_pragma(handle, file, pragmas[i].name, pragmas[i].value,
                                              pragmas[i].expected, why);
        if (status != OP_OK)
            return status;
    }
    return OP_OK;
}

void sqlite_settings_facts(const struct sqlite_settings *settings, const struct adapter_sink *sink)
{
    char timeout[32];
    snprintf(timeout, sizeof timeout, "%lldms", (long long)(settings->busy_timeout_ns / 1000000));
    sink->fact(sink->ctx, "journal_mode", settings->journal_mode);
    sink->fact(sink->ctx, "synchronous", settings->synchronous);
    sink->fact(sink->ctx, "page_size", number(settings->page_size_bytes).text);
    sink->fact(sink->ctx, "cache_size", number(settings->cache_size).text);
    sink->fact(sink->ctx, "wal_autocheckpoint", number(settings->wal_autocheckpoint_pages).text);
    sink->fact(sink->ctx, "mmap_size", number(settings->mmap_size_bytes).text);
    sink->fact(sink->ctx, "locking_mode", settings->locking_mode);
    sink->fact(sink->ctx, "secure_delete", settings->secure_delete);
    sink->fact(sink->ctx, "insert_method", settings->rows_per_insert > 1 ? "values" : "row");
    sink->fact(sink->ctx, "busy", settings->queue ? "queue" : "native");
    sink->fact(sink->ctx, "busy_timeout", timeout);
    if (strcmp(settings->journal_mode, "off") == 0)
        sink->fact(sink->ctx, "note",
                   "journal_mode=off cannot roll back: a failed transaction may spoil the file");
    if (strcmp(settings->journal_mode, "memory") == 0)
        sink->fact(sink->ctx, "note",
                   "journal_mode=memory: a crash inside a transaction may spoil the file");
}
