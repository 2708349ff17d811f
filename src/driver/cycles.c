#include "driver/cycles.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "base/fs.h"
#include "driver/rest.h"
#include "driver/steadiness.h"
#include "driver/trial.h"
#include "result/rounds.h"

/* The way through a trial's cycles. */
struct way {
    struct trial *trial;
    int64_t left_ns; /* of workload.duration */
    unsigned cycle;  /* the next one */
    bool ended;      /* by a limit */
    bool after_pause;
    size_t round_from; /* the phase that began the round which goes on */
    struct steadiness steadiness;
};

static enum trial_end end_of(enum stop_reason reason)
{
    switch (reason) {
    case STOP_WRITE_BYTES:
        return ENDED_WRITE_BYTES;
    case STOP_FREE_SPACE:
        return ENDED_FREE_SPACE;
    case STOP_NO_SPACE:
        return ENDED_NO_SPACE;
    case STOP_ERROR:
        return ENDED_ERROR;
    case STOP_SIGNAL:
        return ENDED_SIGNAL;
    case STOP_NONE:
    case STOP_DURATION:
        break;
    }
    return ENDED_DONE;
}

/* May the trial go on to its next phase?  0 or -1; *ended tells a clean end. */
static int look_after_phase(struct trial *t, bool *ended, struct err *err)
{
    enum stop_reason reason = stage_stopped(&t->stage);
    *ended = reason != STOP_NONE || t->verify_failed;
    t->ended_by = end_of(reason);
    if (t->stage.failed) {
        *err = t->stage.failure;
        return -1;
    }
    if (t->verify_failed) {
        t->ended_by = ENDED_ERROR;
        return -1; /* *err is verify()'s */
    }
    if (context_is_stopped(t->ctx)) { /* maybe while it settled or verified */
        t->ended_by = ENDED_SIGNAL;
        return err_set(err, ERR_INTERRUPTED, "stopped by a signal");
    }
    return 0;
}

/* ---- one cycle ---- */

static void mark_phase(const struct way *w)
{
    const struct trial *t = w->trial;
    size_t count = json_array_size(t->phases);
    if (count == 0)
        return;
    json_t *phase = json_array_get(t->phases, count - 1);
    json_object_set_new(phase, "start_s",
                        json_real(context_seconds(t->ctx, t->stage.order.measure_from_ns)));
    if (w->after_pause)
        json_object_set_new(phase, "after_pause", json_true());
}

static int run_phase(struct way *w, enum phase_kind kind, struct err *err)
{
    struct trial *t = w->trial;
    const struct workload *load = t->load;
    int64_t spent_ns = 0;
    int64_t limit_ns = load->duration_ns > 0 && w->left_ns <= 0 ? load->duration_ns : w->left_ns;
    err->kind = ERR_NONE;
    if ((t->phase_number > 0 && phase_maintain(t, kind, w->cycle, err) != 0) ||
        phase_run(t, kind, w->cycle, limit_ns, &spent_ns, err) != 0) {
        enum stop_reason reason = stage_stopped(&t->stage);
        t->ended_by = reason == STOP_NONE ? ENDED_ERROR : end_of(reason);
        if (t->ctx->stuck)
            t->ended_by = ENDED_SIGNAL;
        else if (t->stage.failed) /* the cause, not what followed from it */
            *err = t->stage.failure;
        return -1;
    }
    mark_phase(w);
    if (load->until_steady)
        steadiness_see_phase(&w->steadiness, kind, &t->series);
    w->left_ns -= spent_ns;
    return look_after_phase(t, &w->ended, err);
}

static int run_cycle(struct way *w, struct err *err)
{
    const struct workload *load = w->trial->load;
    for (size_t i = 0; i < load->phase_count && !w->ended; i++)
        if (run_phase(w, load->phases[i], err) != 0)
            return -1;
    w->cycle++;
    return 0;
}

/* Are there ids for another cycle? */
static bool has_rows_left(const struct way *w)
{
    const struct workload *load = w->trial->load;
    uint64_t cycles_max = (uint64_t)ROW_SEQUENCE_LIMIT / load->rows;
    return (w->cycle + 1) * load->phase_count <= cycles_max;
}

/* ---- until = steady ---- */

static double disk_bytes(const struct device_set *devices)
{
    for (size_t i = 0; i < devices->count; i++)
        if (strcmp(devices->devices[i].role, "data") == 0)
            return devices->devices[i].identity.size_bytes > 0
                       ? (double)devices->devices[i].identity.size_bytes
                       : NAN;
    return NAN;
}

static bool knows_bytes(const struct device_set *devices)
{
    bool known = devices->count > 0;
    for (size_t i = 0; i < devices->count; i++)
        known = known && devices->devices[i].leaf_count > 0;
    return known;
}

static double open_gate(struct trial *t)
{
    struct format_text third, most;
    uint64_t free_bytes, total_bytes;
    struct err ignored;
    bool cut;
    double disk = disk_bytes(t->devices), filesystem = NAN;
    if (t->directory != NULL && fs_space(t->directory, &free_bytes, &total_bytes, &ignored) == 0)
        filesystem = (double)total_bytes;
    double gate = steadiness_gate(t->load, disk, filesystem, &cut);
    bool unknown = isnan(gate) || !knows_bytes(t->devices);
    if (t->ctx->warned_of_gate || (!cut && !unknown))
        return gate;
    t->ctx->warned_of_gate = true;
    if (unknown)
        context_warn(t->ctx, (int)t->plan->index,
                     "how much the drive under %s takes, or how large it is, is not known: "
                     "workload.until = steady goes by the rounds alone, and does not see that they "
                     "may all have gone into a cache",
                     t->target->shown);
    else
        context_warn(t->ctx, (int)t->plan->index,
                     "steady.write_bytes = auto is a third of the drive, %s; limit.write_bytes "
                     "leaves it %s: a cache that is larger is not seen; raise limit.write_bytes",
                     format_bytes(&third, (isnan(disk) ? filesystem : disk) / 3),
                     format_bytes(&most, gate));
    return gate;
}

/* The round that goes on, where it is full by now; new reference, else NULL. */
static json_t *full_round(struct way *w)
{
    struct rounds_slice slice;
    const struct trial *t = w->trial;
    double round_s = (double)t->load->steady_round_ns / 1e9;
    if (!rounds_find(t->phases, w->round_from, round_s, &slice) || !slice.full)
        return NULL;
    w->round_from = slice.to;
    return rounds_one(t->phases, &slice, w->steadiness.rounds,
                      w->steadiness.rounds == 0 ? 0 : w->steadiness.bytes_total);
}

/* After a cycle: sees whether the rule holds.  True: another cycle. */
static bool steady_wants_more(struct way *w)
{
    struct trial *t = w->trial;
    char why[STEADINESS_WHY];
    struct format_text bytes;
    json_t *round = full_round(w);
    if (round != NULL) {
        steadiness_see_round(&w->steadiness, round);
        json_decref(round);
        if (steadiness_holds(&w->steadiness, why)) {
            t->steady.reached = true;
            t->steady.round = w->steadiness.rounds - 1;
            t->ended_by = ENDED_STEADY;
            context_event(t->ctx, (int)t->plan->index, "steady", "reached after %u rounds, %s",
                          w->steadiness.rounds, format_bytes(&bytes, w->steadiness.bytes_total));
            return false;
        }
    }
    if (w->steadiness.rounds >= t->load->steady_rounds)
        return false;
    if (t->load->duration_ns > 0 && w->left_ns <= 0) {
        t->ended_by = ENDED_DURATION;
        return false;
    }
    return true;
}

/* What ended it before the rule held. */
static const char *end_before(enum trial_end end)
{
    switch (end) {
    case ENDED_DURATION:
        return "workload.duration was over; ";
    case ENDED_WRITE_BYTES:
        return "limit.write_bytes was reached; ";
    case ENDED_FREE_SPACE:
        return "limit.free_space was reached; ";
    case ENDED_NO_SPACE:
        return "no space was left; ";
    case ENDED_SIGNAL:
        return "stopped by a signal; ";
    case ENDED_ERROR:
        return "the trial failed; ";
    case ENDED_DONE:
    case ENDED_STEADY:
        break;
    }
    return "";
}

static void conclude_steady(struct way *w)
{
    struct trial *t = w->trial;
    char why[STEADINESS_WHY];
    if (!t->load->until_steady || t->steady.reached)
        return;
    steadiness_holds(&w->steadiness, why);
    snprintf(t->steady_why, sizeof t->steady_why, "%s%s", end_before(t->ended_by), why);
    t->steady.why = t->steady_why;
    if (t->ended_by != ENDED_SIGNAL && t->ended_by != ENDED_ERROR)
        context_event(t->ctx, (int)t->plan->index, "steady", "NOT REACHED after %u round%s: %s",
                      w->steadiness.rounds, w->steadiness.rounds == 1 ? "" : "s", t->steady_why);
}

/* ---- how long ---- */

static bool wants_more(struct way *w)
{
    struct trial *t = w->trial;
    const struct workload *load = t->load;
    if (load->until_steady)
        return steady_wants_more(w);
    if (load->streams_auto)
        return step_wants_more(&t->step, load);
    if (load->duration_ns > 0)
        t->ended_by = ENDED_DURATION;
    return load->duration_ns > 0 && w->left_ns > 0;
}

/* Cycles of phases, `rows` each.  When the time is over, the phase that runs is cut; those of its
 * cycle that have not begun still run over the rows that are there, each at most as long as the
 * duration. */
static int run_cycles(struct way *w, struct err *err)
{
    do {
        if (run_cycle(w, err) != 0)
            return -1;
    } while (!w->ended && wants_more(w) && has_rows_left(w));
    return 0;
}

/* The same once more, after the drive had time to itself. */
static int run_after_pause(struct way *w, struct err *err)
{
    struct trial *t = w->trial;
    struct format_text pause;
    enum trial_end ended_by = t->ended_by;
    json_t *round = NULL;
    context_event(t->ctx, (int)t->plan->index, "pause", "the drive rests for %s, then once more",
                  format_seconds(&pause, (double)t->load->pause_ns / 1e9));
    if (rest_for(t->ctx, "pause", t->load->pause_ns, err) != 0) {
        t->ended_by = ENDED_SIGNAL;
        return -1;
    }
    w->after_pause = true;
    w->left_ns = 0;
    w->round_from = json_array_size(t->phases);
    do {
        if (run_cycle(w, err) != 0)
            return -1;
        round = t->load->until_steady ? full_round(w) : json_null();
    } while (round == NULL && !w->ended && has_rows_left(w));
    json_decref(round);
    if (!w->ended)
        t->ended_by = ended_by;
    return 0;
}

/* The most time that the cycles take, for the progress. */
static int64_t goal_ns(const struct workload *load)
{
    int64_t rounds_ns = load->steady_round_ns * (int64_t)load->steady_rounds;
    if (!load->until_steady || (load->duration_ns > 0 && load->duration_ns < rounds_ns))
        return load->duration_ns;
    return rounds_ns;
}

int cycles_run(struct trial *t, struct err *err)
{
    struct way way = {.trial = t, .left_ns = t->load->duration_ns};
    t->ended_by = ENDED_DONE;
    t->goal_ns = goal_ns(t->load);
    if (t->load->until_steady) {
        t->steady.gate_bytes = open_gate(t);
        steadiness_init(&way.steadiness, t->load, t->steady.gate_bytes);
    }
    int result = run_cycles(&way, err);
    conclude_steady(&way);
    if (result == 0 && !way.ended && t->load->pause_ns > 0 && has_rows_left(&way))
        result = run_after_pause(&way, err);
    steadiness_release(&way.steadiness);
    return result;
}
