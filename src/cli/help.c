#include "cli/help.h"

#include "cli/cmd.h"

static const char examples[] =
    "  loadline run quick --target /mnt/ssd          does it work here? seconds, a few MB\n"
    "  loadline run million --target /mnt/ssd        a million rows in and out, one stream\n"
    "  loadline run streams --target /mnt/ssd        how many writers does it carry?\n";

void help_short(FILE *out)
{
    fprintf(out,
            "loadline measures how much database write load a drive carries, and what stops it.\n"
            "Name a directory on the drive under test:\n\n"
            "%s\n"
            "loadline run --help explains the options, loadline --help the commands.\n",
            examples);
}

static void print_commands(FILE *out, int later)
{
    for (const struct cmd *cmd = cmd_table; cmd->name != NULL; cmd++)
        if (cmd->later == later)
            fprintf(out, "  %-9s %s\n", cmd->name, cmd->summary);
}

void help_full(FILE *out)
{
    fprintf(out,
            "Usage: loadline COMMAND [ARGUMENT...]\n"
            "loadline measures how much database write load a drive carries, and what stops it:\n"
            "concurrent streams insert rows into SQLite files or PostgreSQL and delete them\n"
            "again, while the drive's own counters are read in the same instant.\n\n"
            "Commands:\n");
    print_commands(out, 0);
    fprintf(out, "\nNot in this version yet:\n");
    print_commands(out, 1);
    fprintf(out,
            "\nExamples:\n%s"
            "  loadline run --target /mnt/ssd --streams 1,4,16 --rows-per-commit 1 --duration 20s\n"
            "  loadline report loadline-20261201-0914.jsonl\n"
            "  loadline compare a.jsonl b.jsonl\n"
            "  loadline device /mnt/ssd\n"
            "  loadline list workloads\n\n"
            "  --help, --version     also after each command: loadline run --help\n\n"
            "Results go to standard output, progress and warnings to standard error.\n"
            "Exit status: 0 done, 1 failed, 2 wrong usage, 3 target refused, 4 rows lost or\n"
            "wrong, 5 a --fail-if was crossed, 130 stopped by Ctrl-C.\n",
            examples);
}
