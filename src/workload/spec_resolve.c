#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "workload/phases.h"
#include "workload/spec_inner.h"

/* Values were checked when they were read: a number that does not parse now is a bug. */
static uint64_t count_of(const struct workload *load, const char *key)
{
    struct err err;
    uint64_t count = 0;
    int status = parse_size(workload_text(load, key), &count, &err); /* reads counts as well */
    assert(status == 0);
    (void)status;
    return count;
}

/* Nanoseconds; 0 where it is not set. */
static int64_t duration_of(const struct workload *load, const char *key)
{
    double seconds = workload_number(load, key);
    return isnan(seconds) ? 0 : llround(seconds * 1e9);
}

static enum order_kind order_of(const struct workload *load, const char *key)
{
    const char *text = workload_text(load, key);
    if (strcmp(text, "random") == 0)
        return ORDER_RANDOM;
    return strcmp(text, "newest") == 0 ? ORDER_DESCENDING : ORDER_ASCENDING;
}

static enum layout layout_of(const struct workload *load)
{
    const struct setting *setting = load->settings;
    while (strcmp(setting->key->name, "workload.layout") != 0)
        setting++;
    const char *text = key_canonical(setting->key, setting->text);
    for (unsigned i = LAYOUT_SHARED_TABLE; i < LAYOUT_FILE_PER_STREAM; i++)
        if (strcmp(text, layout_name((enum layout)i)) == 0)
            return (enum layout)i;
    return LAYOUT_FILE_PER_STREAM;
}

static void fill_shape(struct workload *load)
{
    load->indexes = (unsigned)count_of(load, "row.indexes");
    load->shape.seed = count_of(load, "run.seed");
    load->shape.key_columns = load->indexes > 0 ? load->indexes : 1;
    load->shape.payload_bytes = count_of(load, "row.payload");
    double constant = workload_number(load, "row.compressible");
    load->shape.random_bytes = (size_t)llround((double)load->shape.payload_bytes * (1 - constant));
}

/* "30s" or "45C". */
static int fill_cooldown(struct workload *load, struct err *err)
{
    const char *text = workload_text(load, "run.cooldown");
    struct err ignored;
    char *end;
    load->cooldown_c = NAN;
    if (parse_duration(text, &load->cooldown_ns, &ignored) == 0)
        return 0;
    load->cooldown_ns = 0;
    load->cooldown_c = strtod(text, &end);
    if (end != text && strcmp(end, "C") == 0 && load->cooldown_c > 0 && load->cooldown_c <= 150)
        return 0;
    return err_set(err, ERR_USAGE,
                   "run.cooldown = %s: write a time like 30s, or the temperature that the drive "
                   "must be below, like 45C",
                   text);
}

static void fill_search(struct workload *load)
{
    load->search_step_ns = duration_of(load, "search.step");
    load->search_step_max_ns = duration_of(load, "search.step_max");
    load->search_time_ns = duration_of(load, "search.time");
    load->search_steps = (unsigned)count_of(load, "search.steps");
    load->steady_round_ns = duration_of(load, "steady.round");
    load->steady_rounds = (unsigned)count_of(load, "steady.rounds");
    load->steady_write_bytes = workload_number(load, "steady.write_bytes");
}

static int fill(struct workload *load, struct err *err)
{
    if (phases_parse(workload_text(load, "workload.phases"), load->phases, &load->phase_count,
                     err) != 0)
        return -1;
    load->rows = count_of(load, "workload.rows");
    load->rows_per_commit = count_of(load, "workload.rows_per_commit");
    load->search_streams_max = (unsigned)count_of(load, "search.streams_max");
    load->streams_auto = strcmp(workload_text(load, "workload.streams"), "auto") == 0;
    load->streams = load->streams_auto ? load->search_streams_max
                                       : (unsigned)count_of(load, "workload.streams");
    load->layout = layout_of(load);
    load->files = (unsigned)count_of(load, "workload.files");
    load->duration_ns = duration_of(load, "workload.duration");
    load->until_steady = strcmp(workload_text(load, "workload.until"), "steady") == 0;
    load->pause_ns = duration_of(load, "workload.pause");
    load->warmup_ns = duration_of(load, "workload.warmup");
    double rate = workload_number(load, "workload.rate");
    load->rate = isnan(rate) ? 0 : rate;
    fill_shape(load);
    load->row_keys = strcmp(workload_text(load, "row.keys"), "overlapping") == 0
                         ? ROW_KEYS_OVERLAPPING
                         : ROW_KEYS_OWN;
    load->common_keys = count_of(load, "row.common_keys");
    load->key_order = order_of(load, "row.key_order");
    load->delete_order = order_of(load, "row.delete_order");
    load->interval_ns = duration_of(load, "run.interval");
    load->floor_ns = duration_of(load, "run.floor");
    load->baseline_ns = duration_of(load, "run.baseline");
    if (fill_cooldown(load, err) != 0)
        return -1;
    load->trim = strcmp(workload_text(load, "run.trim"), "on") == 0;
    fill_search(load);
    load->smart = strcmp(workload_text(load, "run.smart"), "on") == 0;
    load->limit_write_bytes = count_of(load, "limit.write_bytes");
    load->limit_free_share = workload_number(load, "limit.free_space");
    return 0;
}

/* Copies a text; where the next one goes. */
static char *put_text(char *at, const char *text)
{
    size_t size = strlen(text) + 1;
    memcpy(at, text, size);
    return at + size;
}

/* Settings, the spec's own keys and all texts in one block, so that a workload outlives its
 * spec. */
static struct setting *make_settings(const struct spec *spec, size_t part, const size_t *choice)
{
    size_t own = spec->key_count - spec->table_count;
    size_t size = spec->key_count * sizeof(struct setting) + own * sizeof(struct key);
    for (size_t key = 0; key < spec->key_count; key++) {
        size_t count;
        const char *const *values = spec_values(spec, part, key, &count);
        assert(choice[key] < count);
        size += strlen(values[choice[key]]) + 1;
        size += key < spec->table_count ? 0 : strlen(spec->keys[key]->name) + 1;
    }
    struct setting *settings = malloc(size);
    if (settings == NULL)
        return NULL;
    struct key *copy = (struct key *)(settings + spec->key_count);
    char *at = (char *)(copy + own);
    for (size_t key = 0; key < spec->key_count; key++) {
        size_t count;
        const char *text = spec_values(spec, part, key, &count)[choice[key]];
        settings[key] = (struct setting){.key = spec->keys[key], .text = at};
        at = put_text(at, text);
        if (key < spec->table_count)
            continue;
        *copy = *spec->keys[key];
        copy->name = at;
        at = put_text(at, spec->keys[key]->name);
        settings[key].key = copy++;
    }
    return settings;
}

int spec_resolve(const struct spec *spec, size_t part, const size_t *choice, struct workload **load,
                 struct err *err)
{
    struct workload *made = calloc(1, sizeof *made);
    *load = NULL;
    if (made == NULL)
        abort();
    made->settings = make_settings(spec, part, choice);
    if (made->settings == NULL)
        abort();
    made->setting_count = spec->key_count;
    if (fill(made, err) != 0 || spec_check(made, err) != 0) {
        workload_destroy(made);
        return -1;
    }
    *load = made;
    return 0;
}
