#include "result/asked.h"

#include <math.h>
#include <string.h>

#include "base/parse.h"
#include "result/put.h"

static const char *const percentiles[] = {"p50", "p90", "p99", "p999"};
enum { PERCENTILES = sizeof percentiles / sizeof *percentiles };

/* The name as this file has it, so that it outlives `text`; NULL: there is no such percentile. */
static const char *find_percentile(const char *text, size_t size)
{
    for (size_t i = 0; i < PERCENTILES; i++)
        if (strlen(percentiles[i]) == size && strncmp(percentiles[i], text, size) == 0)
            return percentiles[i];
    return NULL;
}

void asked_init(struct asked *asked)
{
    *asked = (struct asked){NULL, NAN, NAN, NAN};
}

int asked_parse_slo(struct asked *asked, const char *text, struct err *err)
{
    const char *equals = strchr(text, '=');
    const char *percentile = equals ? find_percentile(text, (size_t)(equals - text)) : NULL;
    int64_t limit_ns = 0;
    struct err ignored;
    if (!percentile || parse_duration(equals + 1, &limit_ns, &ignored) != 0 || limit_ns <= 0)
        return err_set(err, ERR_USAGE,
                       "--slo %s: write a percentile of the transactions' time and its limit, as "
                       "in p99=10ms; percentiles are p50, p90, p99 and p999",
                       text);
    asked->slo_percentile = percentile;
    asked->slo_ms = (double)limit_ns / 1e6;
    return 0;
}

int asked_parse_tbw(struct asked *asked, const char *text, struct err *err)
{
    uint64_t bytes = 0;
    struct err ignored;
    if (parse_size(text, &bytes, &ignored) != 0 || bytes == 0)
        return err_set(err, ERR_USAGE,
                       "--tbw %s: write the bytes that the drive is rated for, as in 140T", text);
    asked->tbw_bytes = (double)bytes;
    return 0;
}

int asked_parse_price(struct asked *asked, const char *text, struct err *err)
{
    double price = 0;
    struct err ignored;
    if (parse_number(text, &price, &ignored) != 0 || !(price > 0) || !isfinite(price))
        return err_set(err, ERR_USAGE,
                       "--price %s: write a number above 0 without a currency, as in 27745", text);
    asked->price = price;
    return 0;
}

json_t *asked_json(const struct asked *asked)
{
    json_t *object = json_object(), *slo = NULL;
    if (asked->slo_percentile) {
        slo = json_object();
        put_text(slo, "percentile", asked->slo_percentile);
        put_real(slo, "ms", asked->slo_ms);
    }
    put(object, "slo", slo);
    put_real(object, "tbw_bytes", asked->tbw_bytes);
    put_real(object, "price", asked->price);
    return object;
}

/* A document may hold anything. */
static double above_zero(double value)
{
    return value > 0 && isfinite(value) ? value : NAN;
}

void asked_read(const json_t *summary, struct asked *asked)
{
    const char *name = json_text_at(summary, "asked.slo.percentile");
    asked_init(asked);
    double ms = above_zero(json_number_at(summary, "asked.slo.ms"));
    const char *percentile = name ? find_percentile(name, strlen(name)) : NULL;
    if (percentile && !isnan(ms)) {
        asked->slo_percentile = percentile;
        asked->slo_ms = ms;
    }
    asked->tbw_bytes = above_zero(json_number_at(summary, "asked.tbw_bytes"));
    asked->price = above_zero(json_number_at(summary, "asked.price"));
}

void asked_override(json_t *summary, const struct asked *asked)
{
    struct asked both;
    asked_read(summary, &both);
    if (asked->slo_percentile) {
        both.slo_percentile = asked->slo_percentile;
        both.slo_ms = asked->slo_ms;
    }
    both.tbw_bytes = isnan(asked->tbw_bytes) ? both.tbw_bytes : asked->tbw_bytes;
    both.price = isnan(asked->price) ? both.price : asked->price;
    json_object_set_new(summary, "asked", asked_json(&both));
}
