/* asked.h - what a person wants the numbers measured against: a service level, the drive's rated
 * endurance, its price.  Kept in the header of a result as "asked" (null where nothing was asked);
 * report and compare may be given others.  Pure. */
#ifndef RESULT_ASKED_H
#define RESULT_ASKED_H

#include "base/json.h"

struct asked {
    const char *slo_percentile; /* "p50", "p90", "p99", "p999": of transactions; NULL: not given */
    double slo_ms;              /* NaN */
    double tbw_bytes;           /* rated endurance: bytes that the host may write; NaN */
    double price;               /* in any money; NaN */
};

/* Nothing. */
void asked_init(struct asked *asked);
/* "p99=10ms".  ERR_USAGE. */
int asked_parse_slo(struct asked *asked, const char *text, struct err *err);
/* "140T": bytes. */
int asked_parse_tbw(struct asked *asked, const char *text, struct err *err);
/* "27745": a number above 0. */
int asked_parse_price(struct asked *asked, const char *text, struct err *err);

/* { "slo": { "percentile": "p99", "ms": 10 } | null, "tbw_bytes", "price" }.  New reference. */
json_t *asked_json(const struct asked *asked);
/* Of a summary document; texts are borrowed from this file. */
void asked_read(const json_t *summary, struct asked *asked);
/* Puts what is given over what the document has. */
void asked_override(json_t *summary, const struct asked *asked);

#endif
