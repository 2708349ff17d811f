/* sections.h - the parts of a report, in the order in which they are read.
 *
 * To add one: write section_NAME.c, add its line here and in report.c's table. */
#ifndef REPORT_SECTIONS_H
#define REPORT_SECTIONS_H

#include "report/view.h"

struct report_section {
    const char *name;
    void (*print)(const struct view *view);
    enum report_place place; /* on a page, or in Markdown, which both have the verdict first */
    const char *heading;     /* there; several sections may share one */
    enum sink_fold fold;
};

void section_partial(const struct view *view);     /* what is missing, said first */
void section_title(const struct view *view);       /* version, workload, label */
void section_header(const struct view *view);      /* drive, path, engine, state */
void section_phases(const struct view *view);      /* one line a phase */
void section_sweep(const struct view *view);       /* one line for each combination of factors */
void section_verdict(const struct view *view);     /* sentences */
void section_ceiling(const struct view *view);     /* what a search of the streams found */
void section_scaling(const struct view *view);     /* rates and latency over streams */
void section_contention(const struct view *view);  /* layouts side by side */
void section_steady(const struct view *view);      /* burst against sustained */
void section_correlation(const struct view *view); /* what one more commit costs */
void section_buyer(const struct view *view);       /* endurance, price, flush honesty */
void section_verified(const struct view *view);    /* what was checked */
void section_drive(const struct view *view);       /* what the drive itself counted */
void section_notes(const struct view *view);       /* ends, warnings, events */
void section_course(const struct view *view);      /* rates over time, drawn with blocks */
void section_server(const struct view *view);      /* what a server counted, what it waited for */
void section_detail(const struct view *view);      /* what the tables above leave out */
void section_settings(const struct view *view);    /* what the workload asked for */
void section_result(const struct view *view);      /* the file */

#endif
