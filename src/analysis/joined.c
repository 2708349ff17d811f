#include "analysis/joined.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "result/rounds.h"
#include "stats/select.h"

#define SECOND_S    0.95  /* so that intervals that came a little early still make a second */
#define LATE_S      0.005 /* the sampler may look so much after the first stream finished */
#define INDEX_LIMIT 4294967295.0

static void *grown(void *items, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return items;
    *capacity = *capacity ? *capacity * 2 : 64;
    items = reallocarray(items, *capacity, size);
    if (!items) {
        fputs("loadline: out of memory\n", stderr);
        abort();
    }
    return items;
}

const struct course *joined_course(const struct rates_index *index, double trial, size_t phase)
{
    size_t low = 0, high = trial >= 0 && trial < INDEX_LIMIT ? index->count : 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct course *course = index->courses[middle];
        if (course->trial < trial || (course->trial == trial && course->phase < phase))
            low = middle + 1;
        else
            high = middle;
    }
    if (low >= index->count || trial != index->courses[low]->trial ||
        phase != index->courses[low]->phase)
        return NULL;
    return index->courses[low];
}

bool joined_is_sound(const struct interval *interval)
{
    return isfinite(interval->seconds) && interval->seconds > 0 && isfinite(interval->commits) &&
           interval->commits >= 0 && isfinite(interval->start_s);
}

/* What is gathered until it is a second. */
struct gathering {
    struct joined_second second; /* "growing" in seconds */
    double commits;
};

static void put_second(struct joined *joined, const struct gathering *g)
{
    joined->seconds =
        grown(joined->seconds, joined->count, &joined->capacity, sizeof *joined->seconds);
    struct joined_second *second = &joined->seconds[joined->count++];
    *second = g->second;
    second->commits_per_s = g->commits / second->seconds;
    second->growing /= second->seconds;
}

static void add_interval(struct joined *joined, struct gathering *g,
                         const struct interval *interval, double bytes)
{
    const struct joined_piece *piece = &joined->pieces[joined->piece_count - 1];
    if (g->second.seconds == 0)
        g->second = (struct joined_second){.at_s = piece->course->start_s + interval->start_s,
                                           .bytes = bytes,
                                           .temperature_c = NAN,
                                           .growing = piece->course->series.has_wal ? 0 : NAN,
                                           .piece = joined->piece_count - 1};
    g->second.seconds += interval->seconds;
    g->second.temperature_c = fmax(g->second.temperature_c, interval->temperature_c);
    g->second.growing += interval->wal_growing ? interval->seconds : 0;
    g->commits += interval->commits;
    joined->counted_s += interval->seconds;
    if (g->second.seconds < SECOND_S)
        return;
    put_second(joined, g);
    *g = (struct gathering){.commits = 0};
}

static void add_piece(struct joined *joined, struct gathering *g, const struct course *course,
                      const json_t *phase)
{
    double until_s = json_number_at(phase, "all_streams.elapsed_s") + LATE_S;
    double bytes = course->bytes_before;
    joined->pieces =
        grown(joined->pieces, joined->piece_count, &joined->piece_capacity, sizeof *joined->pieces);
    struct joined_piece *piece = &joined->pieces[joined->piece_count++];
    *piece = (struct joined_piece){course, phase, 0};
    for (size_t i = 0; i < course->series.count; i++) {
        const struct interval *interval = &course->series.items[i];
        if (interval->start_s + interval->seconds > until_s) /* false where that is not known */
            break;
        if (joined_is_sound(interval))
            add_interval(joined, g, interval, bytes);
        bytes += interval->bytes;
        piece->count = i + 1;
    }
    joined->end_bytes = bytes;
}

void joined_init(struct joined *joined, const struct rates_index *index, const json_t *trial,
                 const char *phase)
{
    double number = json_number_at(trial, "index");
    struct gathering gathering = {.commits = 0};
    size_t place;
    const json_t *own;
    *joined = (struct joined){.begin_s = NAN, .end_bytes = NAN};
    json_array_foreach(json_object_get(trial, "phases"), place, own)
    {
        const char *name = json_text_at(own, "name");
        const struct course *course = joined_course(index, number, place);
        if (!course || rounds_is_after_pause(own))
            continue;
        if (isnan(joined->begin_s))
            joined->begin_s = course->start_s;
        if (name && strcmp(name, phase) == 0)
            add_piece(joined, &gathering, course, own);
    }
}

void joined_release(struct joined *joined)
{
    free(joined->seconds);
    free(joined->pieces);
    *joined = (struct joined){.count = 0};
}

double joined_median(const struct joined *joined, size_t from, size_t to)
{
    if (from >= to)
        return NAN;
    double *values = NULL;
    size_t capacity = 0, count = 0;
    for (size_t i = from; i < to; i++) {
        values = grown(values, count, &capacity, sizeof *values);
        values[count++] = joined->seconds[i].commits_per_s;
    }
    double median = select_median(values, count);
    free(values);
    return median;
}
