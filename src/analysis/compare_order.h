/* compare_order.h - were the drives measured in turn?  Pure.
 *
 * Where all runs of one drive came before those of another, whatever changed on the machine
 * meanwhile looks like the drive: the reader is told. */
#ifndef ANALYSIS_COMPARE_ORDER_H
#define ANALYSIS_COMPARE_ORDER_H

#include "analysis/compare_model.h"

/* Adds a note to the model's for each drive that was not measured in turn with the first. */
void compare_order_note(struct compare_model *model);

#endif
