/* cluster.h - a private PostgreSQL cluster: initdb, start, stop, remove; and what a killed run
 * left of one.
 *
 * DIRECTORY/pgdata, LOG_DIRECTORY/pgwal (where the log has a directory of its own), a socket in a
 * folder of mkdtemp under /tmp (0700), whose path stands in DIRECTORY/postgres.socket so that
 * postgres_cluster_reclaim() finds it.  Unix socket only, no TCP.  As root the server runs as
 * another user, who then owns pgdata, pgwal and the socket's folder.
 * Main thread.  Long calls look at config->stop and return soon. */
#ifndef ADAPTERS_POSTGRES_CLUSTER_H
#define ADAPTERS_POSTGRES_CLUSTER_H

#include "adapter.h"
#include "postgres/options.h"

struct postgres_cluster;

/* Before anything is made (config->directory NULL: config->target): programs, user, keys
 * postgres.conf.NAME that are refused, and whether the server's user can reach the place. OP_FATAL:
 * the remedy.  postgres_cluster_start() does the same first. */
enum op_status postgres_cluster_check(const struct adapter_config *config,
                                      const struct postgres_settings *settings,
                                      struct op_error *why);

#define POSTGRES_CLUSTER_USER     "loadline" /* the superuser inside the cluster */
#define POSTGRES_CLUSTER_DATABASE "postgres"

/* The directory with initdb and postgres: `given`, else pg_config's, PATH's, Debian's
 * /usr/lib/postgresql/N/bin (the highest N).  *version: major.  OP_FATAL: what to install. */
enum op_status postgres_programs_find(const char *given, char **directory, int *version,
                                      struct op_error *why);

/* initdb (-N -k -A trust --no-locale -E UTF8, checksums by settings), configuration written into
 * the data directory, so that a restart by pg_ctl alone takes the same; started; ready.
 * On failure nothing is left, and the message has the last line of the server's log.
 * max_wal_size is 4 x `wal_bytes` (what a phase will write, at least 1 GiB, and not more than the
 * drive has room for) unless postgres.conf.max_wal_size is set. */
enum op_status postgres_cluster_start(const struct adapter_config *config,
                                      const struct postgres_settings *settings, double wal_bytes,
                                      unsigned connections, struct postgres_cluster **cluster,
                                      struct op_error *why);
/* A libpq connection string without a database's name: host, port, user. */
const char *postgres_cluster_conninfo(const struct postgres_cluster *cluster);
/* max_wal_size as it was set, for facts ("4096MB"). */
const char *postgres_cluster_max_wal_size(const struct postgres_cluster *cluster);

/* Why the server went away, in its own words: the PANIC or FATAL that it printed last started;
 * false: it said nothing.  Not of a server that somebody else started on the cluster. */
bool postgres_cluster_last_words(const struct postgres_cluster *cluster, char *text, size_t size);

enum postgres_stop {
    POSTGRES_STOP_FAST,     /* a checkpoint, then the end */
    POSTGRES_STOP_IMMEDIATE /* after a signal: at once */
};
/* Stops the server, whoever started it last, and removes pgdata, pgwal, the socket's folder and the
 * note of it.  Frees the cluster whatever comes. */
enum op_status postgres_cluster_remove(struct postgres_cluster *cluster, enum postgres_stop how,
                                       struct op_error *why);

/* The slot `clean` of postgres:PATH: config->directory (and log_directory) may hold a cluster of a
 * killed run, its server running or not.  Only what is certainly ours: the note, the data directory
 * of that name, a server whose postmaster.pid is there and whose process runs on that directory. */
enum op_status postgres_cluster_reclaim(const struct adapter_config *config, unsigned *removed,
                                        struct op_error *why);

#endif
