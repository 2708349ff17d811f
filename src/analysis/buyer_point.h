/* buyer_point.h - what is said to a person who buys a drive, point by point.  Pure. */
#ifndef ANALYSIS_BUYER_POINT_H
#define ANALYSIS_BUYER_POINT_H

#include "base/json.h"

/* Adds { "about", "sentence" } to a list.  `about` is one of "commits", "sustained", "slo",
 * "flushes", "endurance", "price", "thermal". */
void buyer_point(json_t *points, const char *about, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
