/* options.h - the keys of section sqlite, and how they reach a connection. */
#ifndef ADAPTERS_SQLITE_OPTIONS_H
#define ADAPTERS_SQLITE_OPTIONS_H

#include "adapter.h"

struct sqlite3;

extern const struct key sqlite_options[];

/* The keys, resolved.  Texts belong to the workload. */
struct sqlite_settings {
    const char *journal_mode;
    const char *synchronous;
    const char *locking_mode;
    const char *secure_delete;
    int page_size_bytes;
    int cache_size; /* SQLite's own meaning: pages, or KiB if negative */
    int wal_autocheckpoint_pages;
    int64_t mmap_size_bytes;
    int rows_per_insert; /* rows of one INSERT statement, 1 or more */
    bool queue;          /* the driver's tickets order the writers; SQLite never waits */
    int64_t busy_timeout_ns;
};

enum { SQLITE_INSERT_VALUES_ROWS = 50 };

void sqlite_settings_read(struct sqlite_settings *settings, const struct workload *load);
bool sqlite_settings_wal(const struct sqlite_settings *settings);
bool sqlite_settings_exclusive(const struct sqlite_settings *settings);

/* Sets a pragma and reads it back; OP_FATAL with asked and got if SQLite did not take it.
 * `value` and `expected` differ where SQLite answers with a number. */
enum op_status sqlite_pragma(struct sqlite3 *handle, const char *file, const char *name,
                             const char *value, const char *expected, struct op_error *why);

/* Before the first table: page size and journal mode. */
enum op_status sqlite_settings_shape(const struct sqlite_settings *settings, struct sqlite3 *handle,
                                     const char *file, struct op_error *why);
/* On every new connection. */
enum op_status sqlite_settings_apply(const struct sqlite_settings *settings, struct sqlite3 *handle,
                                     const char *file, struct op_error *why);
void sqlite_settings_facts(const struct sqlite_settings *settings, const struct adapter_sink *sink);

#endif
