#include "result/course.h"

#include <stdlib.h>

void courses_release(struct courses *courses)
{
    for (size_t i = 0; i < courses->count; i++)
        series_release(&courses->items[i].series);
    free(courses->items);
    *courses = (struct courses){.items = NULL};
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
