/* run.h - invented runs: a log, its header, trials, an end. */
#ifndef GOLDEN_RUN_H
#define GOLDEN_RUN_H

#include "result/asked.h"
#include "scene.h"

/* One invented run. */
struct run {
    const char *name, *workload_name, *label, *engine, *engine_version;
    const char *run_id; /* NULL: the one of them all */
    const char *write_cache;
    const char *path;
    const char *const *keys; /* pairs, NULL-terminated; "a|b" makes a list */
    json_t *parts;           /* NULL: none */
    unsigned trials;
    bool no_device, result_on_target;
    const char *log_path;        /* the log lies on a second drive; NULL: with the data */
    const char *const *settings; /* of the engine, pairs; NULL: SQLite's */
    bool has_log;                /* with the data, and known as such */
    bool wal_elsewhere;
    const char *warning;
    const struct drive_reading *before, *after; /* NULL: the drive says nothing */
    const struct asked *asked;                  /* NULL: nothing */
};

/* Starts the log of a run, in the current directory, and the world in which it happens. */
struct log *run_open(const struct run *run, struct world *world);
/* Plays all phases of one trial and writes its record. */
void run_trial(struct log *log, struct world *world, struct trial_record *record,
               const struct scene *scenes, size_t count);
void run_end(const struct run *run, struct log *log, struct world *world); /* complete */
void run_close(struct log *log, struct world *world);

#endif
