#include "analysis/recovery.h"

#include <math.h>
#include <stdint.h>

#include "base/parse.h"
#include "result/keys.h"

static double pause_of(const json_t *summary, const json_t *trial)
{
    const char *text = keys_text(summary, trial, "workload.pause");
    int64_t pause_ns;
    struct err ignored;
    if (!text || parse_duration(text, &pause_ns, &ignored) != 0 || pause_ns <= 0)
        return NAN;
    return (double)pause_ns / 1e9;
}

bool recovery_find(struct recovery *recovery, const json_t *summary, const json_t *trial,
                   const char *phase)
{
    size_t index;
    const json_t *round;
    *recovery = (struct recovery){pause_of(summary, trial), NAN, NAN, NAN, NAN};
    json_array_foreach(json_object_get(trial, "rounds"), index, round)
    {
        const json_t *own = json_object_get(json_object_get(round, "phases"), phase);
        double rate = json_number_at(own, "commits_per_s");
        if (json_is_true(json_object_get(round, "after_pause"))) {
            recovery->commits_per_s = rate;
            recovery->elapsed_s = json_number_at(own, "elapsed_s");
            break;
        }
        if (!json_is_true(json_object_get(round, "partial")) || isnan(recovery->before))
            recovery->before = rate;
    }
    if (recovery->before > 0)
        recovery->of_before = recovery->commits_per_s / recovery->before;
    return recovery->commits_per_s >= 0;
}
