#include "result/course.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "result/waits.h"

void courses_release(struct courses *courses)
{
    for (size_t i = 0; i < courses->count; i++) {
        course_clear(&courses->items[i]);
        series_release(&courses->items[i].series);
    }
    free(courses->items);
    *courses = (struct courses){.items = NULL};
}

void course_clear(struct course *course)
{
    for (size_t i = 0; course->latencies && i < course->series.count; i++)
        free(course->latencies[i]);
    free(course->latencies);
    free(course->waits);
    course->latencies = NULL;
    course->waits = NULL;
    course->latency_room = course->wait_room = 0;
    course->series.count = 0;
}

/* Room for as many intervals as the series has room for. */
static void *grown(const struct course *course, void *items, size_t *room, size_t size)
{
    if (*room >= course->series.count)
        return items;
    *room = course->series.capacity;
    void *larger = reallocarray(items, *room, size);
    if (!larger)
        abort();
    return larger;
}

void course_add_latencies(struct course *course, char *latencies)
{
    size_t last = course->series.count - 1;
    bool are_first = course->latencies == NULL;
    if (are_first && !latencies) /* maybe none ever has any */
        return;
    course->latencies =
        grown(course, course->latencies, &course->latency_room, sizeof *course->latencies);
    for (size_t i = 0; are_first && i < last; i++)
        course->latencies[i] = NULL;
    course->latencies[last] = latencies;
}

void course_add_waits(struct course *course, const double *seen)
{
    size_t last = course->series.count - 1;
    bool are_first = course->waits == NULL;
    if (are_first && !seen)
        return;
    course->waits =
        grown(course, course->waits, &course->wait_room, WAITS_GROUPS * sizeof *course->waits);
    for (size_t i = are_first ? 0 : last * WAITS_GROUPS; i < course->series.count * WAITS_GROUPS;
         i++)
        course->waits[i] = NAN;
    if (seen)
        memcpy(&course->waits[last * WAITS_GROUPS], seen, WAITS_GROUPS * sizeof *seen);
}

static bool is_before(const struct course *course, unsigned trial, unsigned phase)
{
    return course->trial < trial || (course->trial == trial && course->phase < phase);
}

static bool is_that(const struct course *course, unsigned trial, unsigned phase)
{
    return course->trial == trial && course->phase == phase;
}

const struct course *courses_find(const struct courses *courses, unsigned trial, unsigned phase)
{
    size_t low = 0, high = courses->mixed ? 0 : courses->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (is_before(&courses->items[middle], trial, phase))
            low = middle + 1;
        else
            high = middle;
    }
    if (!courses->mixed)
        return low < courses->count && is_that(&courses->items[low], trial, phase)
                   ? &courses->items[low]
                   : NULL;
    for (size_t i = 0; i < courses->count; i++)
        if (is_that(&courses->items[i], trial, phase))
            return &courses->items[i];
    return NULL;
}
