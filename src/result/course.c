#include "result/course.h"

#include <stdlib.h>

void courses_release(struct courses *courses)
{
    for (size_t i = 0; i < courses->count; i++)
        series_release(&courses->items[i].series);
    free(courses->items);
    *courses = (struct courses){.items = NULL};
}

const struct course *courses_find(const struct courses *courses, unsigned trial, unsigned phase)
{
    for (size_t i = 0; i < courses->count; i++)
        if (courses->items[i].trial == trial && courses->items[i].phase == phase)
            return &courses->items[i];
    return NULL;
}
