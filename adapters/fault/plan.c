#include <string.h>

#include "base/clock.h"
#include "fault/fault.h"

static const char *const calls[] = {
    "-",      "forecast", "paths",     "open",    "facts",    "create", "maintain", "settle",
    "stats",  "scan",     "integrity", "destroy", "connect",  "begin",  "insert",   "remove",
    "upsert", "erase",    "execute",   "commit",  "rollback", "clean",  NULL};
static const char *const rows[] = {"none", "drop", "corrupt", "keep", NULL};
static const char *const moments[] = {"before", "after", NULL};
static const char *const repeats[] = {"once", "always", NULL};
/* In the order of enum op_status. */
static const char *const statuses[] = {"ok",       "busy", "conflict", "deadlock",
                                       "no_space", "lost", "fatal",    NULL};
_Static_assert(sizeof calls / sizeof *calls == FAULT_CALLS + 1, "a name for every call");
_Static_assert(sizeof statuses / sizeof *statuses == OP_STATUS_COUNT + 1, "a name for each");

const struct key fault_options[] = {
    {.name = "fault.inner",
     .type = KEY_TEXT,
     .fallback = "sqlite",
     .help = "the engine that really does the work"},
    {.name = "fault.call",
     .type = KEY_CHOICE,
     .fallback = "-",
     .optional = true,
     .choices = calls,
     .help = "which call goes wrong"},
    {.name = "fault.nth",
     .type = KEY_COUNT,
     .fallback = "1",
     .min = 1,
     .max = 1e15,
     .help = "the first of these calls that does, over all streams"},
    {.name = "fault.status",
     .type = KEY_CHOICE,
     .fallback = "busy",
     .choices = statuses,
     .help = "what it returns; ok: it is only delayed"},
    {.name = "fault.when",
     .type = KEY_CHOICE,
     .fallback = "before",
     .choices = moments,
     .help = "before or after its effect"},
    {.name = "fault.lasting",
     .type = KEY_CHOICE,
     .fallback = "once",
     .choices = repeats,
     .help = "this call only, or all from here on"},
    {.name = "fault.row",
     .type = KEY_CHOICE,
     .fallback = "none",
     .choices = rows,
     .help = "a row that the nth insert drops or corrupts, or the nth remove keeps"},
    {.name = "fault.delay",
     .type = KEY_DURATION,
     .fallback = "0s",
     .max = 86400,
     .help = "sleep in the chosen call; like a drive that hangs, no interrupt shortens it"},
    {.name = NULL},
};

static int index_of(const char *const *choices, const char *text)
{
    int i = 0;
    while (choices[i + 1] != NULL && strcmp(choices[i], text) != 0)
        i++;
    return i;
}

void fault_plan_read(struct fault_plan *plan, const struct workload *load)
{
    plan->call = (enum fault_call)index_of(calls, workload_text(load, "fault.call"));
    plan->row = (enum fault_row)index_of(rows, workload_text(load, "fault.row"));
    plan->status = (enum op_status)index_of(statuses, workload_text(load, "fault.status"));
    plan->after = strcmp(workload_text(load, "fault.when"), "after") == 0;
    plan->always = strcmp(workload_text(load, "fault.lasting"), "always") == 0;
    plan->nth = (uint64_t)workload_number(load, "fault.nth");
    plan->delay_ns = (int64_t)(workload_number(load, "fault.delay") * 1e9);
    atomic_init(&plan->calls, 0);
    atomic_init(&plan->batches, 0);
}

const struct adapter *fault_plan_inner(const struct adapter_config *config, struct op_error *why)
{
    if (config->inner != NULL)
        return config->inner;
    const char *name = workload_text(config->load, "fault.inner");
    const struct adapter *inner = adapter_find(name);
    if (inner == NULL || inner->options == fault_options) {
        op_fail(why, OP_FATAL, 0,
                "fault.inner = %s is no engine that faults can be put into; "
                "say sqlite, postgres, fsync or null",
                name);
        return NULL;
    }
    return inner;
}

static bool is_turn(const struct fault_plan *plan, uint64_t count)
{
    return count == plan->nth || (plan->always && count > plan->nth);
}

bool fault_plan_hits(struct fault_plan *plan, enum fault_call call)
{
    return call == plan->call && is_turn(plan, atomic_fetch_add(&plan->calls, 1) + 1);
}

bool fault_plan_hits_row(struct fault_plan *plan, enum fault_row row)
{
    return row == plan->row && is_turn(plan, atomic_fetch_add(&plan->batches, 1) + 1);
}

void fault_plan_delay(const struct fault_plan *plan)
{
    int64_t end_ns = clock_now_ns() + plan->delay_ns;
    while (plan->delay_ns > 0 && clock_now_ns() < end_ns)
        clock_sleep_until(end_ns);
}

enum op_status fault_plan_fail(const struct fault_plan *plan, struct op_error *why)
{
    return op_fail(why, plan->status, 0, "fault.call = %s: %s, %s its effect", calls[plan->call],
                   statuses[plan->status], plan->after ? "after" : "before");
}
