/* verdict.h - points below the verdict that need more than the headline's own figures. */
#ifndef REPORT_VERDICT_H
#define REPORT_VERDICT_H

#include "report/headline.h"

/* The best of those that do not stand as high: not durable, no database, loadline itself. */
void verdict_others(const struct view *view, const struct headline *headline);
/* How far rows/s, commits/s and the drive's writes/s came, and where: three ceilings. */
void verdict_reached(const struct view *view);
/* What was repeated in the whole run, where anything was. */
void verdict_retries(const struct view *view);

#endif
