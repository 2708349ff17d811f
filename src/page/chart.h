/* chart.h - one result laid out for its charts: its groups, and its phases with their courses.
 *
 * Each chart_NAME.c makes one member of the page's data (reports/README.md) from it.  Borrows from
 * the source, which must live on.  Main thread. */
#ifndef PAGE_CHART_H
#define PAGE_CHART_H

#include "analysis/groups.h"
#include "report/report.h"

#define CHART_NONE SIZE_MAX

struct chart_phase {
    const json_t *trial, *phase;
    double trial_index;          /* NaN: the document does not say */
    size_t group;                /* CHART_NONE: of none */
    const struct course *course; /* NULL: no samples */
    double start_s, end_s;       /* since the run's start; NaN */
    double start_bytes;  /* that its drive had taken since the run's start when it began; NaN */
    size_t first, count; /* its intervals, joined by `joined` */
};

struct chart {
    const struct report_source *source;
    struct groups groups;
    struct chart_phase *phases; /* [phase_count], in the order of the document */
    size_t phase_count;
    size_t joined; /* so many neighbouring intervals of a phase are one */
    size_t count;  /* intervals in all, joined */
};

/* Intervals of all courses. */
size_t chart_intervals(const struct courses *courses); /* NULL: 0 */
/* `joined`: 1 or more.  Aborts when memory is out. */
void chart_init(struct chart *chart, const struct report_source *source, size_t joined);
void chart_release(struct chart *chart);

/* Rounded to so many significant digits: what a page needs of a number. */
double chart_digits(double value, int digits);
json_t *chart_number(double value); /* of 5 significant digits, or null; new reference */
json_t *chart_time(double seconds); /* to the 10th of a millisecond, or null */

/* calloc, or abort. */
void *chart_room(size_t count, size_t size);

/* "groups", "phases", "events", "changes", "fairness".  New references. */
json_t *chart_groups(const struct chart *chart);
json_t *chart_phases(const struct chart *chart);
json_t *chart_events(const struct chart *chart);
json_t *chart_changes(const struct chart *chart);
json_t *chart_fairness(const struct chart *chart);
/* "waits"; NULL (null): nobody observed. */
json_t *chart_waits(const struct chart *chart);

#endif
