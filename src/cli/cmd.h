/* cmd.h - the commands of the command line.  Main thread.
 *
 * A command gets its own arguments (argv[0] is "loadline COMMAND", for messages), writes
 * results to stdout and everything else to stderr, and leaves the exit status to main.c:
 * it returns 0, or -1 with *err filled.  `--help`, `--version` and options that do not
 * exist end the process inside argp, with status 0 or 2. */
#ifndef CLI_CMD_H
#define CLI_CMD_H

#include <stdbool.h>

#include "base/err.h"

struct cmd_end {
    bool stuck; /* a thread did not return: main.c must leave without waiting for it */
};

struct cmd {
    const char *name;
    const char *arguments; /* "[WORKLOAD] --target TARGET ..." */
    const char *summary;   /* one line */
    int (*run)(int argc, char **argv, struct cmd_end *end, struct err *err);
    bool later; /* a known name that this version cannot do yet */
};

extern const struct cmd cmd_table[]; /* ends with a NULL name */
const struct cmd *cmd_find(const char *name);

int cmd_run(int argc, char **argv, struct cmd_end *end, struct err *err);
int cmd_report(int argc, char **argv, struct cmd_end *end, struct err *err);
int cmd_compare(int argc, char **argv, struct cmd_end *end, struct err *err);
int cmd_list(int argc, char **argv, struct cmd_end *end, struct err *err);
int cmd_device(int argc, char **argv, struct cmd_end *end, struct err *err);
int cmd_clean(int argc, char **argv, struct cmd_end *end, struct err *err);
int cmd_later(int argc, char **argv, struct cmd_end *end, struct err *err);

#endif
