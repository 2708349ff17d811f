/* buyer_worth.h - what the measured load means for the drive's life, its price and its heat.
 * Pure. */
#ifndef ANALYSIS_BUYER_WORTH_H
#define ANALYSIS_BUYER_WORTH_H

#include "analysis/buyer_rate.h"

/* { tbw_bytes, bytes_per_s, days, rows_per_tbw, device_bytes_per_row, nand_amplification, phase,
 * part, factors }: of the load of `choice`, what it settles later included.  NULL: no rating was
 * given, or nothing is known of the writes.  What is to be said goes to `points` (buyer_point.h).
 * New reference. */
json_t *buyer_worth_endurance(const struct asked *asked, const struct buyer_choice *choice,
                              json_t *points);
/* { price, per_commit_per_s, commits_per_s, sustained }.  NULL: no price, or no rate. */
enum buyer_lasting { BUYER_BURST, BUYER_SUSTAINED };
json_t *buyer_worth_price(const struct asked *asked, const struct buyer_choice *choice,
                          enum buyer_lasting lasting, json_t *points);
/* { start_c, max_c, rise_c, per_target: [ { target, start_c, max_c, rise_c } ] }: of the target
 * that rose most.  NULL: no sensor. */
json_t *buyer_worth_thermal(const struct groups *groups, json_t *points);

#endif
