/* figure.h - tables that are lists of figures: a line for each group of a family. */
#ifndef REPORT_FIGURE_H
#define REPORT_FIGURE_H

#include "report/families.h"

/* What a column shows: a metric (metric.h) or a value made from several, the median over the
 * repeats; or a text of its own. */
struct figure {
    struct table_column column;
    const char *metric;
    const char *(*format)(struct format_text *out, double value);
    double (*value)(const struct group *group);
    const char *(*text)(const struct group *group, struct format_text *out);
    bool (*is_known)(const struct group *group); /* NULL: always; where it is not, NaN */
};

/* A figure that is shown here only: headings, TABLE_KEPT or TABLE_DROPPED, columns
 * after it under the same upper heading. */
#define FIGURE_COLUMN(upper, lower, empty, spread)                                                 \
    {                                                                                              \
        upper, lower, TABLE_RIGHT, 0, spread, empty                                                \
    }
#define FIGURE_METRIC(upper, lower, empty, spread, metric, format)                                 \
    {                                                                                              \
        FIGURE_COLUMN(upper, lower, empty, spread), metric, format, NULL, NULL, NULL               \
    }
#define FIGURE_VALUE(upper, lower, empty, spread, value, format)                                   \
    {                                                                                              \
        FIGURE_COLUMN(upper, lower, empty, spread), NULL, format, value, NULL, NULL                \
    }
#define FIGURE_TEXT(upper, lower, empty, spread, text)                                             \
    {                                                                                              \
        FIGURE_COLUMN(upper, lower, empty, spread), NULL, NULL, NULL, text, NULL                   \
    }

const char *figure_cell(const struct figure *figure, const struct group *group,
                        struct format_text *out);

/* Figures after the family's key columns.  `name` as view_table(), `label` as family_columns(). */
void figure_table(const struct view *view, const struct family *family, const char *name,
                  const char *label, const struct figure *figures, size_t count);

/* Values. */
double figure_rows_per_s(const struct group *group);    /* while all streams ran */
double figure_commits_per_s(const struct group *group); /* while all streams ran */
double figure_flushes_per_s(const struct group *group); /* of the device with the log */
double figure_mb_per_s(const struct group *group);
double figure_own_cpu(const struct group *group); /* of one CPU */
double figure_jain(const struct group *group);    /* NaN at one stream */
double figure_floor(const struct group *group);   /* NaN where commits do not wait for the drive */

/* Ranges over the repeats, of commits/s in the whole phase or of rates while all streams ran; "-"
 * from one. */
const char *figure_phase_range(const struct group *group, struct format_text *out);
const char *figure_rows_range(const struct group *group, struct format_text *out);
const char *figure_commits_range(const struct group *group, struct format_text *out);
const char *figure_range(const struct spread *spread, struct format_text *out);

#endif
