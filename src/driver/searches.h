/* searches.h - carries out the searches of a plan (plan/search.h): makes their steps as trials,
 * judges them, repeats them, and says why each ended.  Main thread.
 *
 * Each search has an equal share of the bytes that limit.write_bytes leaves to it and to those
 * after it.  A step that would not fit into the free space or the bytes is not begun. */
#ifndef DRIVER_SEARCHES_H
#define DRIVER_SEARCHES_H

#include "driver/context.h"

struct trial;

/* NULL where the plan has no template. */
struct searches *searches_create(const struct plan *plan);
void searches_destroy(struct searches *searches);

/* The streams of a search's first step. */
unsigned searches_first(const struct workload *load);
/* All steps of one template.  -1: the run cannot go on. */
int searches_run(struct run_context *ctx, const struct trial_plan *of, struct err *err);

/* For the trial that runs.  Which step it is, from 1; 0: none. */
unsigned searches_step(const struct run_context *ctx);
/* Its streams are connected: what fails from now on is no matter of their number. */
void searches_connected(struct run_context *ctx);
/* Its phases are over, or failed for this reason: takes its outcome, chooses the next step, and
 * tells the trial whether it was the last.  True: it failed because it has too many streams for the
 * engine, which ends the search alone and not the run. */
bool searches_judge(struct trial *trial, const struct err *failure);

#endif
