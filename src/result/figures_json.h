/* figures_json.h - figures as members of a phase object, and back. */
#ifndef RESULT_FIGURES_JSON_H
#define RESULT_FIGURES_JSON_H

#include "measure/hist.h"
#include "result/figures.h"

enum { LATENCIES = 4 };
/* "transaction", "lock_wait", "statement", "commit": the order of every array of four. */
extern const char *const latency_names[LATENCIES];

/* One entry of "devices"; new reference. */
json_t *figures_device_json(const char *role, const struct device_totals *totals);
/* Reverse: what is missing or no number is NaN. */
void figures_totals_read(const json_t *device, struct device_totals *totals);

json_t *figures_latency_json(const struct hist *hist); /* NULL: null */
json_t *figures_cost_json(double commits, double writes, double flushes, double bytes);

/* Everything about devices that a phase object says: "devices" was put already by the
 * caller; this adds device_sum (sum itself), measured_elsewhere, per_commit, per_commit_settled and
 * device_bytes_per_row_byte.  sum NULL: no such device is known. */
void figures_put_claims(json_t *phase, const struct device_totals *sum, double commits, double rows,
                        double row_bytes);
/* What figures_put_claims() wrote of the sums; false: nothing. */
bool figures_sum_read(const json_t *phase, struct device_totals *sum);
/* rows, commits and their rates. */
void figures_put_work(json_t *object, double rows, double commits, double seconds);

#endif
