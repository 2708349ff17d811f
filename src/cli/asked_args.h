/* asked_args.h - the options --slo, --tbw and --price, the same for every command that has them.
 *
 * A child of the command's own argp: give `asked_args_argp` as a child, and in ARGP_KEY_INIT let
 * state->child_inputs[] point to a struct asked_args. */
#ifndef CLI_ASKED_ARGS_H
#define CLI_ASKED_ARGS_H

#include <argp.h>

#include "result/asked.h"

struct asked_args {
    struct asked *asked; /* filled; asked_init() before */
    struct err *err;     /* ERR_USAGE where a value is wrong: argp_parse() then returns EINVAL */
};

extern const struct argp asked_args_argp;
/* Heading of its options in --help. */
extern const char asked_args_title[];

/* NULL where nothing was asked. */
const struct asked *asked_args_given(const struct asked *asked);

#endif
