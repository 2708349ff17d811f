/* server.h - a database server's own counters of a phase, as costs of a commit and of a row.  Pure.
 */
#ifndef RESULT_SERVER_H
#define RESULT_SERVER_H

#include "base/json.h"

/* { per_commit, per_row } from the phase's counters ("engine" of result.md): the log's bytes,
 * records, full-page images and syncs.  NULL where the engine counts none of them. */
json_t *server_json(const json_t *engine, double commits, double rows);

#endif
