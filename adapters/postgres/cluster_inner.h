/* cluster_inner.h - a private cluster, as the files of its own room see it.  Main thread. */
#ifndef ADAPTERS_POSTGRES_CLUSTER_INNER_H
#define ADAPTERS_POSTGRES_CLUSTER_INNER_H

#include "postgres/cluster.h"
#include "postgres/owner.h"

/* Part of the socket's name; there is no TCP. */
#define POSTGRES_PORT "5432"
#define POSTGRES_DATA "pgdata"
#define POSTGRES_WAL  "pgwal"
#define POSTGRES_NOTE "postgres.socket"

struct postgres_server; /* server.h */

struct postgres_cluster {
    const struct adapter_config *config;
    struct postgres_owner owner;
    char *programs;
    int version;
    char *data, *wal, *note; /* paths; wal NULL: with the data */
    char *socket;            /* folder; NULL: not made */
    bool data_made, wal_made, note_made;
    char *conninfo;
    char *max_wal_size;
    struct postgres_server *server; /* NULL: never started by us */
};

/* ---- cluster_files.c ---- */

/* Writes the note (the socket's folder, and the log's directory where it is apart), then makes the
 * folder: what a killed run made is always noted. */
enum op_status postgres_files_make_socket(struct postgres_cluster *cluster, struct op_error *why);
/* The note's lines, heap; NULL where there is none.  Only a folder that we could have made. */
void postgres_files_read_note(const char *note, char **socket, char **wal);
/* Only if it belongs to `owner` or to us and is closed to others.  *removed may be NULL. */
enum op_status postgres_files_remove_socket(const char *socket, uid_t owner, unsigned *removed,
                                            struct op_error *why);
/* A directory with all that is in it; links are removed, never followed.  Not there: OP_OK. */
enum op_status postgres_files_remove_tree(const char *path, unsigned *removed,
                                          struct op_error *why);
/* loadline.conf, and its line in postgresql.conf. */
enum op_status postgres_files_write_conf(const struct postgres_cluster *cluster, const char *text,
                                         struct op_error *why);

#endif
