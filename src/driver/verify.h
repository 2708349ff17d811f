/* verify.h - is every row there that must be, and no other?
 *
 * A fresh connection scans each table in order of id, beside the ledgers' expected rows in
 * the same order: lost, surplus and wrong rows are told apart by key, so that a lost and a doubled
 * row cannot cancel out.  Rows in doubt may be there or not, those of one commit all or none: what
 * is found settles them, and those that are there count as expected.
 * Constant memory.  Keys that overlap are overlap_verify()'s.  Main thread, all streams at the
 * gate. */
#ifndef DRIVER_VERIFY_H
#define DRIVER_VERIFY_H

#include "driver/stage.h"
#include "result/trial.h"

/* Fills *record; record->checked is false for an engine that keeps nothing.  -1: the scan itself
 * failed.  A mismatch is no failure of the call. `stop`: set by a signal, ends it early (then
 * checked is false). */
int verify_stage(struct stage *stage, const volatile int *stop, struct verify_record *record,
                 struct err *err);
/* Notes one of the first keys that are not right. */
void verify_show(struct verify_record *record, int64_t id, const char *what);
/* Every row right, and the engine's own check too. */
bool verify_is_ok(const struct verify_record *record);

#endif
