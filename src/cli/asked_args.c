#include "cli/asked_args.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>

enum { OPTION_SLO = 4000, OPTION_TBW, OPTION_PRICE };

const char asked_args_title[] = "What the numbers are measured against:";

static const struct argp_option options[] = {
    {"slo", OPTION_SLO, "PERCENTILE=TIME", 0,
     "service level: that share of the transactions takes no longer than this, as in p99=10ms "
     "(p50, "
     "p90, p99, p999); the report then says what the drive carries under it",
     0},
    {"tbw", OPTION_TBW, "SIZE", 0,
     "rated endurance of the drive, the bytes that a host may write to it, as in 140T (data sheet: "
     "TBW); shows the share that a plan takes, and how many days this load may last",
     0},
    {"price", OPTION_PRICE, "NUMBER", 0,
     "what the drive costs, in any money, as in 27745; shows the price of a commit/s", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static error_t on_option(int key, char *arg, struct argp_state *state)
{
    const struct asked_args *args = state->input;
    int status = 0;

    switch (key) {
    case OPTION_SLO:
        status = asked_parse_slo(args->asked, arg, args->err);
        break;
    case OPTION_TBW:
        status = asked_parse_tbw(args->asked, arg, args->err);
        break;
    case OPTION_PRICE:
        status = asked_parse_price(args->asked, arg, args->err);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return status == 0 ? 0 : EINVAL;
}

const struct argp asked_args_argp = {.options = options, .parser = on_option};

const struct asked *asked_args_given(const struct asked *asked)
{
    bool nothing = asked->slo_percentile == NULL && isnan(asked->tbw_bytes) && isnan(asked->price);

    return nothing ? NULL : asked;
}
