/* log.h - the result log: JSON Lines, one record a line, written as the run goes. */
#ifndef RESULT_LOG_H
#define RESULT_LOG_H

#include "base/json.h"

struct log;

/* Makes the file; never overwrites (ERR_USAGE).  path NULL: loadline-DATE-TIME.jsonl in the
 * current directory, -2, -3, ... if that exists. */
int log_create(const char *path, struct log **log, struct err *err);
const char *log_path(const struct log *log);
/* Writes one record and lets go of it. */
int log_write(struct log *log, json_t *record, struct err *err);
/* fsync and close. */
int log_close(struct log *log, struct err *err);
/* Closes and removes a log that holds nothing worth keeping. */
void log_discard(struct log *log);

#endif
