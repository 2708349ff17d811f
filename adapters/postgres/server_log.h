/* server_log.h - the one line that tells why, out of what PostgreSQL's programs print.  Pure. */
#ifndef ADAPTERS_POSTGRES_SERVER_LOG_H
#define ADAPTERS_POSTGRES_SERVER_LOG_H

#include <stdbool.h>
#include <stddef.h>

/* The message without its time and severity: of a drive that is full, else of the first PANIC, else
 * the first FATAL or error of initdb (of a configuration that "contains errors": what is wrong in
 * it), else the last line. Cut to `size`; "" where nothing was printed. */
void postgres_log_reason(const char *text, char *reason, size_t size);

/* A line of it is about a drive or quota that is full; memory that is full does not count. */
bool postgres_log_is_no_space(const char *text);

/* `text` has `name` as a word of its own, in any case. */
bool postgres_log_names(const char *text, const char *name);

#endif
