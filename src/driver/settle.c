/* Between phases: the engine's own maintenance, checkpoint, synced file systems, nothing in
 * flight; and what the engine counted until then. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/fs.h"
#include "driver/trial.h"

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
                          "settling: the engine's checkpoint took %.1f ms",
                          (double)checkpoint_ns / 1e6);
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
    return phase_settle(t, cycle, &settled, &sample, err) != 0 ||
                   phase_stats(t, NULL, NULL, err) != 0
               ? -1
               : 0;
}

struct metric_list {
    struct metric items[RESULT_METRICS_MAX];
    size_t count;
};

static void add_metric(void *ctx, const char *name, enum metric_kind kind, double value)
{
    struct metric_list *list = ctx;
    if (list->count < RESULT_METRICS_MAX)
        list->items[list->count++] = (struct metric){name, kind == METRIC_COUNTER, value};
}

int phase_stats(struct trial *t, struct metric *changes, size_t *count, struct err *err)
{
    struct metric_list now = {.count = 0};
    struct adapter_sink sink = {.ctx = &now, .metric = add_metric};
    struct op_error why;
    if (t->adapter->stats(t->db, &sink, &why) != OP_OK)
        return err_set(err, ERR_FAILED, "reading the engine's counters: %s", why.text);
    for (size_t i = 0; i < now.count && changes != NULL; i++) {
        changes[i] = now.items[i];
        for (size_t j = 0; j < t->counter_count && now.items[i].is_counter; j++)
            if (strcmp(t->counters[j].name, now.items[i].name) == 0)
                changes[i].value -= t->counters[j].value;
    }
    if (count != NULL)
        *count = now.count;
    memcpy(t->counters, now.items, sizeof now.items);
    t->counter_count = now.count;
    return 0;
}
