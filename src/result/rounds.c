#include "result/rounds.h"

#include <math.h>
#include <string.h>

#include "base/parse.h"
#include "measure/hist.h"
#include "result/figures_json.h"
#include "result/keys.h"
#include "result/put.h"

#define ROUND_S 60.0

bool rounds_is_after_pause(const json_t *phase)
{
    return json_is_true(json_object_get(phase, "after_pause"));
}

double rounds_length_s(const json_t *header, const json_t *trial)
{
    const char *text = keys_text(header, trial, "steady.round");
    int64_t length_ns;
    struct err ignored;
    if (text == NULL || parse_duration(text, &length_ns, &ignored) != 0 || length_ns <= 0)
        return ROUND_S;
    return (double)length_ns / 1e9;
}

/* ---- which phases make a round ---- */

static bool same_cycle(const json_t *a, const json_t *b)
{
    return json_number_at(a, "cycle") == json_number_at(b, "cycle") &&
           rounds_is_after_pause(a) == rounds_is_after_pause(b);
}

/* One behind the last phase of the cycle that begins at `from`. */
static size_t cycle_end(const json_t *phases, size_t from)
{
    const json_t *first = json_array_get(phases, from);
    size_t count = json_array_size(phases), to = from + 1;
    while (to < count && same_cycle(first, json_array_get(phases, to)))
        to++;
    return to;
}

static double elapsed_of(const json_t *phase)
{
    double elapsed_s = json_number_at(phase, "elapsed_s");
    return isnan(elapsed_s) ? 0 : elapsed_s;
}

bool rounds_find(const json_t *phases, size_t from, double round_s, struct rounds_slice *slice)
{
    size_t count = json_array_size(phases), whole_cycles = 0;
    *slice = (struct rounds_slice){.from = from, .to = from};
    if (from >= count)
        return false;
    size_t whole = cycle_end(phases, 0); /* as many phases has a cycle that is whole */
    slice->after_pause = rounds_is_after_pause(json_array_get(phases, from));
    while (slice->to < count && !slice->full) {
        size_t begin = slice->to;
        if (rounds_is_after_pause(json_array_get(phases, begin)) != slice->after_pause)
            break;
        slice->to = cycle_end(phases, begin);
        bool is_whole = slice->to - begin >= whole;
        whole_cycles += is_whole;
        for (size_t i = begin; i < slice->to; i++)
            slice->elapsed_s += elapsed_of(json_array_get(phases, i));
        slice->full = is_whole && slice->elapsed_s >= round_s;
    }
    slice->partial = !slice->full && (slice->elapsed_s < round_s / 2 || whole_cycles == 0);
    return true;
}

/* ---- its figures ---- */

static bool is_named(const json_t *phase, const char *name)
{
    const char *other = json_text_at(phase, "name");
    return other != NULL && strcmp(other, name) == 0;
}

static const json_t *nth(const json_t *phases, size_t i)
{
    return json_array_get(phases, i);
}

/* From the merged histograms; of one phase alone as it says itself. */
static double p99_ms(const json_t *phases, const struct rounds_slice *slice, const char *name)
{
    struct hist *total = hist_create(), *part = hist_create();
    double max_ms = NAN, alone_ms = NAN;
    size_t count = 0;
    bool known = true;
    for (size_t i = slice->from; i < slice->to; i++) {
        struct err ignored;
        const json_t *phase = nth(phases, i);
        if (!is_named(phase, name))
            continue;
        const char *text = json_text_at(phase, "histograms.transaction");
        alone_ms = json_number_at(phase, "latency_ms.transaction.p99");
        max_ms = fmax(max_ms, json_number_at(phase, "latency_ms.transaction.max"));
        hist_reset(part);
        if (text == NULL || hist_decode(text, part, &ignored) != 0)
            known = false;
        else
            hist_add(total, part);
        count++;
    }
    /* The decoded maximum is its bucket's; the recorded one is exact. */
    if (max_ms * 1e6 < (double)total->max_ns)
        total->max_ns = (int64_t)(max_ms * 1e6);
    double merged_ms = known ? hist_quantile_ms(total, 0.99) : NAN;
    hist_destroy(total);
    hist_destroy(part);
    return count == 1 ? alone_ms : merged_ms;
}

static json_t *phase_of_round(const json_t *phases, const struct rounds_slice *slice,
                              const char *name)
{
    double commits = 0, rows = 0, elapsed_s = 0;
    for (size_t i = slice->from; i < slice->to; i++) {
        const json_t *phase = nth(phases, i);
        if (!is_named(phase, name))
            continue;
        commits += json_number_at(phase, "commits");
        rows += json_number_at(phase, "rows");
        elapsed_s += json_number_at(phase, "elapsed_s");
    }
    json_t *object = json_object();
    put_real(object, "commits_per_s", figures_rate(commits, elapsed_s));
    put_real(object, "rows_per_s", figures_rate(rows, elapsed_s));
    put_real(object, "p99_ms", p99_ms(phases, slice, name));
    put_count(object, "commits", commits);
    put_real(object, "elapsed_s", elapsed_s);
    return object;
}

static double bytes_of(const json_t *phases, const struct rounds_slice *slice)
{
    double bytes = 0;
    for (size_t i = slice->from; i < slice->to; i++) {
        struct device_totals sum;
        bytes +=
            figures_sum_read(nth(phases, i), &sum) ? sum.write_bytes + sum.settle_write_bytes : NAN;
    }
    return bytes;
}

static void append_copy(json_t *array, const json_t *value)
{
    json_array_append_new(array, json_is_number(value) ? json_copy((json_t *)value) : json_null());
}

json_t *rounds_one(const json_t *phases, const struct rounds_slice *slice, size_t round,
                   double bytes_before)
{
    json_t *object = json_object(), *cycles = json_array(), *figures = json_object();
    const json_t *first = nth(phases, slice->from), *last = nth(phases, slice->to - 1);
    double bytes = bytes_of(phases, slice);
    append_copy(cycles, json_object_get(first, "cycle"));
    append_copy(cycles, json_object_get(last, "cycle"));
    for (size_t i = slice->from; i < slice->to; i++) {
        const char *name = json_text_at(nth(phases, i), "name");
        if (name != NULL && json_object_get(figures, name) == NULL)
            put(figures, name, phase_of_round(phases, slice, name));
    }
    put_count(object, "round", (double)round);
    put(object, "cycles", cycles);
    put_real(object, "start_s", json_number_at(first, "start_s"));
    put_real(object, "elapsed_s", slice->elapsed_s);
    put_count(object, "bytes", bytes);
    put_count(object, "bytes_total", bytes_before + bytes);
    put(object, "after_pause", json_boolean(slice->after_pause));
    put(object, "partial", json_boolean(slice->partial));
    put(object, "phases", figures);
    return object;
}

json_t *rounds_json(const json_t *phases, double round_s)
{
    struct rounds_slice slice;
    size_t count = json_array_size(phases);
    double bytes = 0;
    if (count == 0 || cycle_end(phases, 0) == count)
        return NULL;
    json_t *rounds = json_array();
    for (size_t from = 0; rounds_find(phases, from, round_s, &slice); from = slice.to) {
        json_t *round = rounds_one(phases, &slice, json_array_size(rounds), bytes);
        bytes = json_number_at(round, "bytes_total");
        json_array_append_new(rounds, round);
    }
    return rounds;
}
