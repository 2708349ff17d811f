/* options.h - the keys of section postgres, resolved.  Pure. */
#ifndef ADAPTERS_POSTGRES_OPTIONS_H
#define ADAPTERS_POSTGRES_OPTIONS_H

#include "adapter.h"

extern const struct key postgres_options[];

enum postgres_method {
    POSTGRES_STATEMENT, /* one prepared statement a row, each waited for */
    POSTGRES_PIPELINE,  /* the same statements, sent without waiting */
    POSTGRES_ARRAY,     /* INSERT .. SELECT FROM unnest($1, ..); DELETE .. = ANY($1) */
    POSTGRES_COPY,      /* insert: one COPY .. (FORMAT binary) a transaction */
    POSTGRES_RANGE,     /* delete: id BETWEEN $1 AND $2, for each run of neighbours */
};

enum postgres_vacuum {
    POSTGRES_VACUUM_AUTO, /* before an insert: TRUNCATE of empty tables, VACUUM of the others that
                           * lost rows */
    POSTGRES_VACUUM_ON,   /* VACUUM before every phase but the first */
    POSTGRES_VACUUM_OFF,
};

/* Texts belong to the workload; NULL: not set. */
struct postgres_settings {
    enum postgres_method insert, remove; /* postgres.insert_method, .delete_method; `auto` is
                                          * copy and array, statement where a transaction has one
                                          * row */
    enum postgres_vacuum vacuum;
    bool autovacuum; /* of our tables: `auto` is off where the rows are fixed, on with duration */
    bool checksums;  /* private cluster */
    const char *synchronous_commit;
    const char *tablespace; /* directory on the server's host */
    const char *user;       /* private cluster, as root: who runs the server */
    const char *programs;   /* private cluster: directory of initdb and postgres */
    /* One transaction is one statement that commits by itself: one row a commit, method
     * statement. */
    bool single_call;
};

void postgres_settings_read(struct postgres_settings *settings, const struct workload *load);
const char *postgres_method_name(enum postgres_method method);
/* Calls `each` for every key postgres.conf.NAME of the workload that is set. */
void postgres_settings_conf(const struct workload *load,
                            void (*each)(void *ctx, const char *name, const char *value),
                            void *ctx);
/* Value of postgres.conf.NAME, or NULL. */
const char *postgres_settings_conf_value(const struct workload *load, const char *name);

#endif
