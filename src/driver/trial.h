/* trial.h - one trial: open, create, phases, remove; everything it saw goes into the log.
 *
 * trial.c holds the order of events, phase.c one phase, trial_log.c its records.  Main thread. */
#ifndef DRIVER_TRIAL_H
#define DRIVER_TRIAL_H

#include "driver/context.h"
#include "driver/forecast.h"
#include "driver/foreign_watch.h"
#include "driver/stage.h"
#include "driver/step.h"
#include "measure/sampler.h"
#include "plan/search.h"
#include "result/trial.h"

enum { TRIAL_SETTINGS_MAX = 64, TRIAL_STEADY_WHY = 640 };

/* What an engine counted: since it was opened, or over a phase.  Names live as long as its db. */
struct account {
    struct metric metrics[RESULT_METRICS_MAX];
    size_t metric_count;
    struct wait_record waits[RESULT_WAITS_MAX];
    size_t wait_count;
};

struct trial {
    struct run_context *ctx;
    const struct trial_plan *plan;
    const struct workload *load;
    struct site *site;
    const struct run_target *target;
    const struct adapter *adapter;
    const struct device_set *devices;
    struct trial_forecast forecast;
    char *directory;     /* NULL: no local files */
    char *log_directory; /* NULL: the log lies with the data */
    struct adapter_config config;
    struct adapter_db *db;
    struct stage stage;
    struct sampler *sampler;
    struct foreign_watch foreign;
    struct adapter_db *observed; /* what the sampler's observe() asks, and settles; NULL: nobody */
    struct account account;      /* when the last phase was closed */
    struct setting_record settings[TRIAL_SETTINGS_MAX];
    size_t setting_count;
    char version[64];
    double floor_before, floor_after;
    int64_t create_ns, remove_ns;
    enum trial_end ended_by;
    json_t *phases;
    unsigned phase_number; /* phases done so far */
    int64_t spent_ns;      /* counted time of the phases done so far */
    int64_t goal_ns;       /* counted time that it takes at most; 0: its phases once */
    struct series series;  /* of the phase that was done last */
    struct steady_record steady;
    char steady_why[TRIAL_STEADY_WHY];
    char *trimmed; /* told before the log was there; NULL */
    bool verify_failed;
    struct step step;           /* of a search: what its phases have seen so far */
    unsigned search_step;       /* its number, from 1; 0: no search made the trial */
    enum search_end search_end; /* why the search is over with it */
};

/* Runs one trial of the plan and writes its records.  -1: the run cannot go on (ERR_FAILED,
 * ERR_VERIFY, ERR_INTERRUPTED); the trial's record is in the log all the same. */
int trial_run(struct run_context *ctx, const struct trial_plan *plan, struct err *err);

/* phase.c.  deadline_ns 0: none.  *spent_ns: the counted time. */
int phase_run(struct trial *trial, enum phase_kind kind, unsigned cycle, int64_t duration_ns,
              int64_t *spent_ns, struct err *err);
/* settle.c.  Checkpoint, sync the file systems, wait until nothing is in flight.  The sample after
 * it is in *sample, until the next mark.  *settled is false when the drive was never at rest. */
int phase_settle(struct trial *trial, unsigned cycle, bool *settled, const struct sample **sample,
                 struct err *err);
/* Before a phase but the first: what the engine does in the pause, and the drive at rest again. */
int phase_maintain(struct trial *trial, enum phase_kind next, unsigned cycle, struct err *err);
/* Reads the engine's counters; *changes (NULL: not wanted) gets what they rose by. */
int phase_account(struct trial *trial, struct account *changes, struct err *err);

/* trial_log.c.  The header needs what the engine says of itself, so it comes with the first
 * trial; later calls do nothing. */
int trial_log_header(struct trial *trial, struct err *err);
int trial_log_start(const struct trial *trial, struct err *err);
/* `error`: NULL, or the sentence that ended it. */
int trial_log_record(struct trial *trial, const char *error, struct err *err);

#endif
