/* run.h - runs a plan: targets, trials, result log.  Main thread.
 *
 *     run_prepare  checks and describes, makes nothing: what --dry-run and the plan line show
 *     run_execute  does it; the log holds the result
 */
#ifndef DRIVER_RUN_H
#define DRIVER_RUN_H

#include <stdbool.h>

#include "adapter.h"
#include "base/err.h"
#include "device/smart.h"
#include "plan/plan.h"
#include "result/asked.h"
#include "workload/spec.h"

/* What a person sees while it runs: called on the main thread, about every tick. */
struct run_progress {
    unsigned trial, trials; /* index, planned; 0: nobody knows how many, a search makes them */
    unsigned search_step;   /* the step of a search that runs, from 1; 0: none */
    const char *part;       /* NULL */
    const char *phase; /* "insert", "delete", "create", "settle", "verify", "remove", "floor" */
    unsigned cycle, streams;
    double done;                      /* share of the whole run, 0 to 1; NaN unknown */
    double left_s;                    /* NaN unknown */
    double rows_per_s, commits_per_s; /* over about the last second; NaN outside phases */
    double write_iops, flushes_per_s, queue_depth, temperature_c; /* NaN unknown */
    const char *run_id;
};

struct sample;
struct device_set;
/* A sample as the log has just taken it.  Borrowed for the call, but the devices, which live as
 * long as the run. */
struct run_sight {
    const struct sample *sample;
    const struct device_set *devices;
    unsigned target; /* index of the run's --target */
};

/* All on the main thread.  Each may be NULL. */
struct run_watch {
    void *ctx;
    void (*progress)(void *ctx, const struct run_progress *progress);
    void (*sample)(void *ctx, const struct run_sight *sight);
    void (*note)(void *ctx, const char *kind, const char *text); /* "warning", "limit", ... */
};

enum { RUN_TARGET_SHOWN = 512 };

struct run_target {
    const struct adapter *adapter;
    const char *text;             /* as given on the command line: may hold a password */
    const char *path;             /* what followed the scheme; a URL of a server: all of it */
    char shown[RUN_TARGET_SHOWN]; /* the text without any password: what is ever printed or kept */
};

struct run_options {
    const struct spec *spec;
    const struct plan *plan;
    const struct run_target *targets;
    size_t target_count;
    const char *workload_name;
    const char *label;           /* NULL */
    const struct asked *asked;   /* --slo, --tbw, --price; NULL: none of them */
    const char *device_override; /* --device, NULL */
    enum smart_identify
        identify;         /* may serial numbers, WWNs and the host's name be in the result? */
    bool any_filesystem;  /* run on tmpfs or a network file system all the same */
    const char *log_path; /* NULL: the default name */
    const struct run_watch *watch;
    /* Computes the analysis of a log that is all written but for its end record; new reference
     * or NULL.  NULL: none. */
    json_t *(*analysis)(const char *log_path);
    const volatile int *stop; /* set by a signal handler */
};

/* The plan line. */
struct run_forecast {
    unsigned trials;    /* templates of searches included */
    double seconds;     /* nominal: about what a SATA SSD needs; with searches, at most */
    double write_bytes; /* estimate of what the drive will take; with searches, at most */
    double open_bytes;  /* of these: what it may take, but need not (until = steady) */
    double space_bytes; /* most room needed at one time, on any target; NaN: unknown (searches) */
    unsigned search_steps, search_streams; /* of the longest search, at most; 0: none */
};

/* ERR_USAGE or ERR_REFUSED: wrong combination, more than limit.write_bytes, no room. Touches no
 * target. */
int run_prepare(const struct run_options *options, struct run_forecast *forecast, struct err *err);

struct run_outcome {
    char log_path[4096]; /* "" when no log was kept */
    bool stuck;          /* a stream did not return in time: the process must leave by _exit */
};

/* 0, or -1 with ERR_FAILED, ERR_REFUSED, ERR_VERIFY, ERR_INTERRUPTED: the log holds what was
 * measured until then all the same. */
int run_execute(const struct run_options *options, struct run_outcome *outcome, struct err *err);

/* Splits "sqlite:PATH", "PATH", "null:", "postgres:PATH", "postgresql://..." into engine and path
 * (product.md, Targets). */
int run_target_parse(const char *text, struct run_target *target, struct err *err);
/* A copy of a target on the command line (heap, never NULL); a password in the original is
 * overwritten, so that it does not stand in the list of processes while the run goes on. */
char *run_target_take(char *argument);

#endif
