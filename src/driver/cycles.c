#include "driver/cycles.h"

#include "driver/trial.h"

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

/* Cycles of phases, `rows` each, once or until the time is over.  When it is, the phase that runs
 * is cut; those of its cycle that have not begun still run over the rows that are there, each at
 * most as long as the duration. */
int cycles_run(struct trial *t, struct err *err)
{
    const struct workload *load = t->load;
    int64_t left_ns = load->duration_ns;
    uint64_t cycles_max = (uint64_t)ROW_SEQUENCE_LIMIT / load->rows;
    bool ended = false;
    for (unsigned cycle = 0; cycle == 0 || (load->duration_ns > 0 && left_ns > 0); cycle++) {
        if ((cycle + 1) * load->phase_count > cycles_max)
            break;
        for (size_t i = 0; i < load->phase_count; i++) {
            int64_t spent_ns = 0;
            int64_t limit_ns = load->duration_ns > 0 && left_ns <= 0 ? load->duration_ns : left_ns;
            err->kind = ERR_NONE;
            if ((t->phase_number > 0 && phase_maintain(t, load->phases[i], cycle, err) != 0) ||
                phase_run(t, load->phases[i], cycle, limit_ns, &spent_ns, err) != 0) {
                enum stop_reason reason = stage_stopped(&t->stage);
                t->ended_by = reason == STOP_NONE ? ENDED_ERROR : end_of(reason);
                if (t->ctx->stuck)
                    t->ended_by = ENDED_SIGNAL;
                else if (t->stage.failed) /* the cause, not what followed from it */
                    *err = t->stage.failure;
                return -1;
            }
            if (look_after_phase(t, &ended, err) != 0)
                return -1;
            if (ended)
                return 0;
            left_ns -= spent_ns;
        }
    }
    t->ended_by = load->duration_ns > 0 ? ENDED_DURATION : ENDED_DONE;
    return 0;
}
