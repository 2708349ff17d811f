/* run_args.h - the command line of `loadline run`.
 *
 * The long options come from the table of keys (key.option), so that a key is described
 * once.  Texts point into argv. */
#ifndef CLI_RUN_ARGS_H
#define CLI_RUN_ARGS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "result/asked.h"

struct run_setting {
    char *key;          /* "workload.rows" */
    const char *values; /* "1, 10, 20" */
    char *origin;       /* as the person wrote it: "--rows", "-s" */
};

struct run_args {
    const char *workload; /* NULL: built-in defaults */
    char **targets;       /* heap, each too */
    size_t target_count;
    struct run_setting *settings; /* in the order of the command line */
    size_t setting_count;
    const char *output, *label, *device, *metrics_file; /* NULL: not given */
    struct asked asked;                                 /* --slo, --tbw, --price */
    bool json, dry_run, any_filesystem, identify;
};

/* ERR_USAGE, or the process ends (argp: --help, --version, unknown options).  Release it in
 * either case. */
int run_args_parse(int argc, char **argv, struct run_args *args, struct err *err);
void run_args_release(struct run_args *args);

#endif
