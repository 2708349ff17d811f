/* Between phases: the engine's own maintenance, checkpoint, synced file systems, nothing in
 * flight; and what the engine counted until then. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/fs.h"
#include "driver/trial.h"
#include "result/waits.h"

#define CHECKPOINT_EVENT_NS NS_PER_MS /* shorter ones are no event */
#define SETTLE_LIMIT_NS     (10 * NS_PER_S)

static bool at_rest(const struct trial *t, const struct sample *sample)
{
    for (size_t i = 0; i < t->devices->count; i++) {
        const struct device *d = &t->devices->devices[i];
        if (d->leaf_count != 0 && sample->disks[d->sampled].value[DISK_IN_FLIGHT] != 0)
            return false;
    }
    return true;
}

/* *complete: nothing is left in the engine's own buffers. */
static int settle_engine(struct trial *t, int64_t give_up_ns, bool *complete, struct err *err)
{
    struct op_error why;
    struct rng rng = {.state = 1};
    *complete = false;
    for (unsigned attempt = 0;; attempt++) {
        enum op_status status = t->adapter->settle(t->db, &why);
        if (status == OP_OK) {
            *complete = true;
            return 0;
        }
        /* A full drive ended the phase: what was committed lies in the engine's log, and is
         * verified from there. */
        if (status == OP_NO_SPACE && stage_stopped(&t->stage) == STOP_NO_SPACE)
            return 0;
        if (!op_is_retryable(status))
            return err_set(err, ERR_FAILED, "settling: %s", why.text);
        if (clock_now_ns() > give_up_ns || context_is_stopped(t->ctx))
            return 0;
        clock_sleep_until(clock_now_ns() + NS_PER_MS + (int64_t)rng_below(&rng, NS_PER_MS));
    }
}

/* Of our own directories; of a server's, as far as its devices are known. */
static int sync_file_systems(const struct trial *t, struct err *err)
{
    if (t->directory == NULL) {
        struct err ignored; /* where we may not look */
        for (size_t i = 0; i < t->devices->count; i++)
            fs_sync(t->devices->devices[i].stack.path, &ignored);
        return 0;
    }
    if (fs_sync(t->directory, err) != 0)
        return -1;
    return t->log_directory == NULL ? 0 : fs_sync(t->log_directory, err);
}

int phase_settle(struct trial *t, unsigned cycle, bool *settled, const struct sample **sample,
                 struct err *err)
{
    int64_t give_up_ns = clock_now_ns() + SETTLE_LIMIT_NS;
    bool complete = true;
    int64_t begin_ns = clock_now_ns();
    if (t->observed != NULL && settle_engine(t, give_up_ns, &complete, err) != 0)
        return -1;
    int64_t checkpoint_ns = clock_now_ns() - begin_ns;
    if (checkpoint_ns > CHECKPOINT_EVENT_NS)
        context_log_event(t->ctx, (int)t->plan->index, "checkpoint",
                          "settling: the engine took %.1f ms", (double)checkpoint_ns / 1e6);
    if (sync_file_systems(t, err) != 0)
        return -1;
    for (;;) {
        *sample = sampler_mark(t->sampler, SAMPLE_SETTLED, t->phase_number, cycle);
        bool resting = at_rest(t, *sample);
        *settled = complete && resting;
        if (resting || clock_now_ns() > give_up_ns || context_is_stopped(t->ctx))
            return 0;
        clock_sleep_until(clock_now_ns() + 2 * NS_PER_MS);
    }
}

int phase_maintain(struct trial *t, enum phase_kind next, unsigned cycle, struct err *err)
{
    struct op_error why;
    bool settled;
    const struct sample *sample;
    if (t->adapter->maintain == NULL)
        return 0;
    context_progress(t->ctx, "maintain", 0);
    enum op_status status = t->adapter->maintain(t->db, next, &why);
    if (context_is_stopped(t->ctx))
        return err_set(err, ERR_INTERRUPTED, "stopped by a signal");
    if (status != OP_OK)
        return err_set(err, ERR_FAILED, "maintenance before %s: %s", phase_name(next), why.text);
    return phase_settle(t, cycle, &settled, &sample, err) != 0 || phase_account(t, NULL, err) != 0
               ? -1
               : 0;
}

_Static_assert((int)WAITS_GROUPS == (int)WAIT_GROUPS, "one name a group");

static void add_metric(void *ctx, const char *name, enum metric_kind kind, double value)
{
    struct account *a = ctx;
    if (a->metric_count < RESULT_METRICS_MAX)
        a->metrics[a->metric_count++] = (struct metric){name, kind == METRIC_COUNTER, value};
}

static void add_wait(void *ctx, const char *event, enum wait_group group, double observations)
{
    struct account *a = ctx;
    if (a->wait_count < RESULT_WAITS_MAX)
        a->waits[a->wait_count++] = (struct wait_record){event, waits_groups[group], observations};
}

/* Takes off what was there before; a counter or a wait that is new began at 0. */
static void take_off(struct account *changes, const struct account *before)
{
    for (size_t i = 0; i < changes->metric_count; i++) {
        struct metric *metric = &changes->metrics[i];
        for (size_t j = 0; j < before->metric_count && metric->is_counter; j++)
            if (strcmp(before->metrics[j].name, metric->name) == 0)
                metric->value -= before->metrics[j].value;
    }
    for (size_t i = 0; i < changes->wait_count; i++)
        for (size_t j = 0; j < before->wait_count; j++)
            if (strcmp(before->waits[j].event, changes->waits[i].event) == 0)
                changes->waits[i].observations -= before->waits[j].observations;
}

int phase_account(struct trial *t, struct account *changes, struct err *err)
{
    struct account now = {.metric_count = 0};
    struct adapter_sink sink = {.ctx = &now, .metric = add_metric, .wait = add_wait};
    struct op_error why;
    if (t->adapter->stats(t->db, &sink, &why) != OP_OK)
        return err_set(err, ERR_FAILED, "reading the engine's counters: %s", why.text);
    if (changes != NULL) {
        *changes = now;
        take_off(changes, &t->account);
    }
    t->account = now;
    return 0;
}
