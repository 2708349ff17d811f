#include "cli/metrics_totals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device_set.h"

void metrics_totals_init(struct metrics_totals *totals)
{
    *totals = (struct metrics_totals){.temperature_c = NAN,
                                      .earlier = hist_create(),
                                      .recent = hist_create(),
                                      .window = hist_create()};
}

void metrics_totals_release(struct metrics_totals *totals)
{
    for (size_t i = 0; i < totals->device_count; i++) {
        free(totals->devices[i].leaf_names);
        free(totals->devices[i].leaves);
    }
    free(totals->devices);
    hist_destroy(totals->earlier);
    hist_destroy(totals->recent);
    hist_destroy(totals->window);
    *totals = (struct metrics_totals){.devices = NULL};
}

/* Streams count from 0 in every trial. */
static void add_streams(struct metrics_totals *t, const struct sample *sample)
{
    if (!t->begun || t->last.trial != sample->trial) {
        t->begun = true;
        t->last.trial = sample->trial;
        t->last.commits = t->last.rows = t->last.retries = 0;
    }
    t->commits += sample->commits - t->last.commits;
    t->rows += sample->rows - t->last.rows;
    t->retries += sample->retries - t->last.retries;
    t->last.commits = sample->commits;
    t->last.rows = sample->rows;
    t->last.retries = sample->retries;
}

static void add_latencies(struct metrics_totals *t, const struct sample *sample)
{
    if (t->recent_since_ns == 0)
        t->recent_since_ns = sample->t0_ns;
    if (sample->t0_ns - t->recent_since_ns >= METRICS_WINDOW_NS) {
        struct hist *oldest = t->earlier;
        t->earlier = t->recent;
        t->recent = oldest;
        hist_reset(t->recent);
        /* After a pause nothing of before it is recent. */
        if (sample->t0_ns - t->recent_since_ns >= 2 * METRICS_WINDOW_NS)
            hist_reset(t->earlier);
        t->recent_since_ns = sample->t0_ns;
    }
    if (sample->commit == NULL)
        return;
    hist_add(t->recent, sample->commit);
    t->latency_count += sample->commit->count;
    t->latency_sum_ns += sample->commit->sum_ns;
}

/* ---- devices ---- */

static void begin_row(struct metrics_row *row, const struct diskstats *now, int64_t now_ns)
{
    *row = (struct metrics_row){.last = *now, .last_ns = now_ns, .seen = now->present};
}

static void add_row(struct metrics_row *row, const struct diskstats *now, int64_t now_ns)
{
    struct disk_delta delta;
    diskstats_delta(&row->last, now, &delta);
    disk_delta_judge(&delta, (double)(now_ns - row->last_ns) / 1e9);
    for (unsigned field = 0; field < DISK_FIELDS; field++)
        if (((delta.present >> field) & 1) != 0 && delta.value[field] > 0)
            row->total[field] += (uint64_t)delta.value[field];
    row->seen |= delta.present;
    row->last = *now;
    row->last_ns = now_ns;
}

static struct metrics_device *find(struct metrics_totals *t, const struct run_sight *sight,
                                   const struct device *device)
{
    for (size_t i = 0; i < t->device_count; i++) {
        struct metrics_device *known = &t->devices[i];
        if (known->target == sight->target && strcmp(known->role, device->role) == 0 &&
            strcmp(known->sampled, sight->devices->names[device->sampled]) == 0)
            return known;
    }
    return NULL;
}

static void begin_device(struct metrics_totals *t, const struct run_sight *sight,
                         const struct device *device)
{
    const struct sample *sample = sight->sample;
    t->devices = realloc(t->devices, (t->device_count + 1) * sizeof *t->devices);
    if (t->devices == NULL)
        abort();
    struct metrics_device *new = &t->devices[t->device_count++];
    *new = (struct metrics_device){
        .target = sight->target,
        .role = device->role,
        .leaf_count = device->leaf_count,
        .leaf_names = calloc(device->leaf_count, sizeof *new->leaf_names),
        .leaves = calloc(device->leaf_count, sizeof *new->leaves),
    };
    if (new->leaf_names == NULL || new->leaves == NULL)
        abort();
    snprintf(new->sampled, sizeof new->sampled, "%s", sight->devices->names[device->sampled]);
    begin_row(&new->row, &sample->disks[device->sampled], sample->t0_ns);
    for (size_t i = 0; i < device->leaf_count; i++) {
        size_t at = device->leaves[i];
        snprintf(new->leaf_names[i], sizeof new->leaf_names[i], "%s", sight->devices->names[at]);
        begin_row(&new->leaves[i], &sample->disks[at], sample->t0_ns);
    }
}

static void add_device(struct metrics_device *known, const struct run_sight *sight,
                       const struct device *device)
{
    const struct sample *sample = sight->sample;
    add_row(&known->row, &sample->disks[device->sampled], sample->t0_ns);
    for (size_t i = 0; i < known->leaf_count; i++)
        for (size_t k = 0; k < device->leaf_count; k++) {
            size_t at = device->leaves[k];
            if (strcmp(known->leaf_names[i], sight->devices->names[at]) == 0)
                add_row(&known->leaves[i], &sample->disks[at], sample->t0_ns);
        }
}

void metrics_totals_add(struct metrics_totals *t, const struct run_sight *sight)
{
    add_streams(t, sight->sample);
    add_latencies(t, sight->sample);
    t->temperature_c = sight->sample->temperature_c;
    for (size_t i = 0; i < sight->devices->count; i++) {
        const struct device *device = &sight->devices->devices[i];
        if (device->leaf_count == 0) /* nobody knows it */
            continue;
        struct metrics_device *known = find(t, sight, device);
        if (known != NULL)
            add_device(known, sight, device);
        else
            begin_device(t, sight, device);
    }
}

bool metrics_totals_of_leaves(const struct metrics_device *device, enum disk_field field,
                              uint64_t *total)
{
    *total = 0;
    for (size_t i = 0; i < device->leaf_count; i++) {
        if (((device->leaves[i].seen >> field) & 1) == 0)
            return false;
        *total += device->leaves[i].total[field];
    }
    return device->leaf_count > 0;
}

double metrics_totals_quantile_ms(const struct metrics_totals *t, double q)
{
    hist_reset(t->window);
    hist_add(t->window, t->earlier);
    hist_add(t->window, t->recent);
    return hist_quantile_ms(t->window, q);
}
