/* Times are those of a nominal drive, so that a plan can say "about 10 min" before anything was
 * measured; bytes come from the engine's own model. */
#include "driver/forecast.h"

#include <math.h>

#include "driver/floor.h"
#include "driver/forecast_until.h"
#include "driver/searches.h"
#include "driver/step.h"

/* The nominal drive: a SATA or small NVMe SSD. */
#define FLUSH_S      150e-6 /* write + flush of one commit */
#define NO_FLUSH_S   10e-6  /* a commit that waits for nothing */
#define BYTES_PER_S  400e6
#define ROW_S        2e-6 /* the engine's work on a row */
#define PARALLEL_MAX 4.0  /* how far flushes of several files merge */
#define TRIAL_S      0.5  /* create, settle, verify, remove */
#define VERIFY_ROW_S 0.4e-6

struct phase_forecast {
    double seconds, write_bytes;
};

static struct phase_forecast forecast_phase(const struct workload *load,
                                            const struct adapter_forecast *engine,
                                            enum phase_kind kind, double writers)
{
    struct phase_forecast f;
    double commits = ceil((double)load->rows / (double)load->rows_per_commit) * load->streams;
    double rows = (double)load->rows * load->streams;
    f.write_bytes = engine->write_bytes[kind] * load->streams;
    double waiting = commits * (engine->commit_flushes ? FLUSH_S : NO_FLUSH_S) + rows * ROW_S;
    f.seconds = waiting / writers + f.write_bytes / BYTES_PER_S;
    if (load->rate > 0 && commits / load->rate > f.seconds)
        f.seconds = commits / load->rate;
    return f;
}

/* Streams that make progress at one time. */
static double writers(const struct workload *load)
{
    double files = load->layout == LAYOUT_FILE_PER_STREAM ? load->streams : load->files;
    return files < PARALLEL_MAX ? files : PARALLEL_MAX;
}

static unsigned most_live_cycles(const struct workload *load)
{
    unsigned live = 0, most = 0;
    for (size_t i = 0; i < load->phase_count; i++) {
        if (load->phases[i] == PHASE_INSERT && ++live > most)
            most = live;
        else if (load->phases[i] == PHASE_DELETE && live > 0)
            live--;
    }
    return most;
}

/* How long cycles go on, and a phase at most; 0: until its rows are done. */
static double cycles_s(const struct workload *load)
{
    if (load->streams_auto)
        return (double)load->search_step_ns / 1e9 * (double)load->phase_count;
    return (double)load->duration_ns / 1e9;
}

static double phase_most_s(const struct workload *load)
{
    return (double)(load->streams_auto ? load->search_step_ns : load->duration_ns) / 1e9;
}

static void forecast_phases(const struct workload *load, struct trial_forecast *f)
{
    double duration = cycles_s(load), warmup = (double)load->warmup_ns / 1e9;
    double most_s = phase_most_s(load) + warmup, cycle_s = 0, inserted = 1, share = 1;
    struct phase_forecast phases[WORKLOAD_PHASES_MAX];
    for (size_t i = 0; i < load->phase_count; i++) {
        phases[i] = forecast_phase(load, &f->engine, load->phases[i], writers(load));
        cycle_s += phases[i].seconds;
    }
    if (duration > 0 && cycle_s > 0 && cycle_s < duration) /* whole cycles, again and again */
        share = duration / cycle_s;
    if (load->streams_auto && share > STEP_CYCLES_MAX)
        share = STEP_CYCLES_MAX;
    for (size_t i = 0; i < load->phase_count; i++) {
        double part = share;
        if (duration > 0 && phases[i].seconds > most_s)
            part = most_s / phases[i].seconds;
        if (load->phases[i] == PHASE_INSERT)
            inserted = part < 1 ? part : 1;
        else if (part > inserted && share <= 1)
            part = inserted; /* no more rows are there */
        f->seconds += phases[i].seconds * part;
        f->write_bytes += phases[i].write_bytes * part;
    }
    if (load->row_keys == ROW_KEYS_OVERLAPPING) { /* the set has its size, whatever is done */
        f->space_bytes = f->engine.space_bytes * load->streams;
        f->seconds += (double)load->common_keys * (double)load->phase_count * VERIFY_ROW_S * share;
        return;
    }
    double insert_only = load->phase_count == most_live_cycles(load) && share > 1 ? ceil(share) : 1;
    f->space_bytes = f->engine.space_bytes * load->streams * most_live_cycles(load) * insert_only;
    if (share <= 1 && !load->streams_auto) /* a drive may be faster than the nominal one */
        f->space_bytes *= inserted;
    f->seconds += (double)load->rows * load->streams * (double)load->phase_count * inserted *
                  VERIFY_ROW_S * share;
}

/* How long a step of a search can take at most, but for what its rows take to settle and verify. */
static double longest_step_s(const struct workload *load)
{
    double phase_s = (double)(load->search_step_max_ns + load->warmup_ns) / 1e9;
    double beside_s = TRIAL_S + (2 * (double)load->floor_ns + (double)load->baseline_ns) / 1e9;
    return phase_s * (double)load->phase_count + beside_s;
}

double forecast_search_s(const struct workload *load)
{
    double step_s = longest_step_s(load);
    return fmin((double)load->search_time_ns / 1e9 + step_s, load->search_steps * step_s);
}

int forecast_trial(const struct run_target *target, const struct workload *load,
                   struct trial_forecast *forecast, struct err *err)
{
    struct op_error why;
    struct adapter_config config = {.target = target->path, .load = load};
    *forecast = (struct trial_forecast){.seconds = TRIAL_S};
    if (target->adapter->forecast(&config, &forecast->engine, &why) != OP_OK)
        return err_set(err, ERR_USAGE, "%s", why.text);
    forecast_until(load, forecast, forecast_phases);
    if ((target->adapter->caps & ADAPTER_LOCAL_FILES) == 0)
        return 0;
    double floor_space = floor_space_bytes(load);
    double floor_s = 2 * (double)load->floor_ns / 1e9;
    forecast->seconds += (double)load->baseline_ns / 1e9;
    double commit_bytes = (double)load->rows_per_commit * (double)row_bytes(&load->shape);
    forecast->seconds += floor_s;
    if (floor_space > 0) {
        double commits = floor_s * writers(load) / (FLUSH_S + commit_bytes / BYTES_PER_S);
        forecast->write_bytes += 2 * floor_space + commits * (commit_bytes + 4096);
        if (floor_space > forecast->space_bytes)
            forecast->space_bytes = floor_space;
    }
    return 0;
}

int forecast_first(const struct run_target *target, const struct workload *load,
                   struct trial_forecast *forecast, struct err *err)
{
    if (!load->streams_auto)
        return forecast_trial(target, load, forecast, err);
    struct workload *first = workload_with_streams(load, searches_first(load));
    int result = forecast_trial(target, first, forecast, err);
    workload_destroy(first);
    return result;
}
