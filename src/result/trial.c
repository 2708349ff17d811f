#include "result/trial.h"

#include <assert.h>
#include <math.h>

#include "result/figures.h"
#include "result/metric.h"
#include "result/put.h"
#include "result/record.h"

const char *trial_end_name(enum trial_end end)
{
    static const char *const names[] = {
        [ENDED_DONE] = "done",
        [ENDED_DURATION] = "duration",
        [ENDED_STEADY] = "steady",
        [ENDED_WRITE_BYTES] = "write_bytes",
        [ENDED_FREE_SPACE] = "free_space",
        [ENDED_NO_SPACE] = "no_space",
        [ENDED_SIGNAL] = "signal",
        [ENDED_ERROR] = "error",
    };
    assert((size_t)end < sizeof names / sizeof *names);
    return names[end];
}

/* { "step": 3, "end": null }; null where no search made the trial. */
static json_t *search_json(const struct trial_record *trial)
{
    if (trial->search_step == 0)
        return NULL;
    json_t *search = json_object();
    put_count(search, "step", trial->search_step);
    put_text(search, "end", trial->search_end);
    return search;
}

/* What is known before the first sample. */
static void put_place(json_t *object, const struct trial_record *trial)
{
    put_count(object, "index", trial->index);
    put_text(object, "part", trial->part);
    put_count(object, "repeat", trial->repeat);
    put_count(object, "target", trial->target);
    json_t *factors = json_object();
    for (size_t i = 0; i < trial->factor_count; i++) {
        const struct factor_record *factor = &trial->factors[i];
        if (isnan(factor->number))
            put_text(factors, factor->name, factor->value);
        else
            put_number(factors, factor->name, factor->number);
    }
    put(object, "factors", factors);
    put(object, "search", search_json(trial));
    put(object, "begin_locks", json_boolean(trial->begin_locks));
    put(object, "commit_flushes", json_boolean(trial->commit_flushes));
    json_t *settings = json_object();
    for (size_t i = 0; i < trial->setting_count; i++)
        put_text(settings, trial->settings[i].name, trial->settings[i].text);
    put(object, "engine_settings", settings);
}

static json_t *floor_json(double before, double after)
{
    json_t *floors = json_object();
    put_real(floors, "before_commits_per_s", before);
    put_real(floors, "after_commits_per_s", after);
    return floors;
}

/* True where every phase was right, false where one was not, null where one was not checked. */
static json_t *verify_json(const json_t *phases)
{
    size_t index, right = 0;
    const json_t *phase;
    bool wrong = false;
    json_array_foreach(phases, index, phase)
    {
        const json_t *ok = json_at(phase, "verify.ok");
        right += json_is_true(ok);
        wrong |= json_is_false(ok);
    }
    json_t *verify = json_object();
    bool checked = wrong || (right > 0 && right == json_array_size(phases));
    put(verify, "ok", checked ? json_boolean(!wrong) : NULL);
    return verify;
}

/* Others moved more than a little on a device of the data or the log, in any phase; null where that
 * is unknown of one. */
static json_t *disturbed_json(const json_t *phases)
{
    size_t index, known = 0;
    const json_t *phase;
    json_array_foreach(phases, index, phase)
    {
        double data = metric_value(phase, "data.foreign.share");
        double log =
            metric_value(phase, "wal.foreign.share"); /* the same where it lies there too */
        if (data > FOREIGN_DISTURBS || log > FOREIGN_DISTURBS)
            return json_true();
        known += isnan(data) || isnan(log) ? 0 : 1;
    }
    return known > 0 && known == json_array_size(phases) ? json_false() : NULL;
}

/* Phases were written when only the floor before them was known. */
static void share_floor(json_t *phases, double before, double after)
{
    double floor = isnan(after) ? before : isnan(before) ? after : (before + after) / 2;
    size_t i;
    json_t *phase;
    json_array_foreach(phases, i, phase)
    {
        double rate = json_number_at(phase, "all_streams.commits_per_s");
        if (isnan(rate))
            rate = json_number_at(phase, "commits_per_s");
        put_real(phase, "share_of_floor", figures_rate(rate, floor));
        put_real(phase, "floor_commits_per_s", floor);
    }
}

static json_t *steady_json(const struct steady_record *steady)
{
    if (!steady->asked)
        return NULL;
    json_t *object = json_object();
    put(object, "asked", json_true());
    put(object, "reached", json_boolean(steady->reached));
    put_count(object, "round", steady->reached ? (double)steady->round : NAN);
    put_count(object, "gate_bytes", steady->gate_bytes);
    put_text(object, "why", steady->reached ? NULL : steady->why);
    return object;
}

json_t *trial_json(const struct trial_record *trial)
{
    json_t *object = json_object();
    share_floor(trial->phases, trial->floor_before, trial->floor_after);
    put_text(object, "record", "trial");
    put_place(object, trial);
    put_text(object, "ended_by", trial_end_name(trial->ended_by));
    put_text(object, "error", trial->error);
    put(object, "floor", floor_json(trial->floor_before, trial->floor_after));
    put_real(object, "create_s", (double)trial->create_ns / 1e9);
    put_real(object, "remove_s", (double)trial->remove_ns / 1e9);
    put(object, "steady", steady_json(&trial->steady));
    put(object, "phases", trial->phases ? json_incref(trial->phases) : json_array());
    put(object, "verify", verify_json(trial->phases));
    put(object, "disturbed", disturbed_json(trial->phases));
    return object;
}

json_t *trial_start_json(double at_s, const struct trial_record *trial)
{
    json_t *event = event_json(at_s, (int)trial->index, "trial", NULL);
    put_place(event, trial);
    put(event, "floor", floor_json(trial->floor_before, NAN));
    return event;
}
