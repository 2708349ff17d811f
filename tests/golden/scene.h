/* scene.h - invented phases: samples and figures that could be, the same at every run. */
#ifndef GOLDEN_SCENE_H
#define GOLDEN_SCENE_H

#include "base/rng.h"
#include "result/log.h"
#include "result/trial.h"

/* What a phase of an invented run is made from. */
struct scene {
    enum phase_kind kind;
    unsigned streams, cycle;
    double rows, rows_per_commit; /* rows: of all streams */
    double seconds;
    double data_writes, flushes, bytes; /* of a commit */
    double write_ms, flush_ms;          /* of one */
    double median_ms;                   /* of a transaction; 0: what agrees with the rate */
    double lock_share;                  /* of it spent waiting; 0: BEGIN takes no lock */
    double host_busy, client_share;     /* of a CPU */
    double growing;                     /* share of the phase in which the WAL grows */
    double floor;                       /* commits/s; NaN */
    double lost_rows;
    double busy, conflicts, reconnects;  /* transactions repeated, connections made again */
    enum foreign_method foreign_method;  /* FOREIGN_UNKNOWN: nobody looked */
    double foreign;                      /* share of what the drive wrote */
    bool unchecked, no_device, restless; /* restless: the drive was never at rest after it */
    double log_writes, log_bytes; /* of a commit, on a second drive, which then takes the flushes */
    const struct metric *metrics; /* of a server, until a NULL name; it has no WAL that grows */
    const struct wait_record *waits; /* likewise; observations are shares, of `looks` */
    double looks;
    bool single_call; /* COMMIT carries out the rows too */
};

struct world {
    struct log *log; /* NULL: samples are not written */
    struct device_set *devices;
    struct rng rng;
    double now_s;
    struct disk_work {
        double writes, flushes, bytes, write_ms, flush_ms;
    } disks[2]; /* the second is the log's */
    double commits, rows;
    double client_s, busy, total, wal;
    double celsius; /* of the drive when it is cold; 0: it has no sensor */
    unsigned trial, phase;
    bool server;                          /* its log is no file that grows and shrinks */
    bool timed;                           /* samples have the latencies of their interval */
    double interval_commits, interval_ms; /* the last one's, and their median */
};

void scene_write(struct log *log, json_t *record); /* ends the program when it fails */
/* Runs the phase; NULL when it is cut off after `ticks` of SCENE_TICKS samples. */
enum { SCENE_TICKS = 40 };
json_t *scene_play(struct world *world, const struct scene *scene, unsigned ticks);

#endif
