/* classify.h - what SQLite's result codes mean to the driver.  Any thread. */
#ifndef ADAPTERS_SQLITE_CLASSIFY_H
#define ADAPTERS_SQLITE_CLASSIFY_H

#include "adapter.h"

struct sqlite3;

/* Pure.  `extended`: sqlite3_extended_errcode(); `system_errno`: sqlite3_system_errno(),
 * which is looked at only where SQLite sets it (IOERR, CANTOPEN). */
enum op_status sqlite_classify(int extended, int system_errno);

/* "WHAT FILE: text (code)" of the last error on `handle`; returns its class. */
enum op_status sqlite_fail(struct sqlite3 *handle, struct op_error *why, const char *what,
                           const char *file);

#endif
