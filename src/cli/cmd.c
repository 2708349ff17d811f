#include "cli/cmd.h"

#include <stdio.h>
#include <string.h>

const struct cmd cmd_table[] = {
    {"run", "[WORKLOAD] --target TARGET [OPTION...]", "put load on a drive and measure it", cmd_run,
     false},
    {"report", "RESULT... [-o FILE]", "show results again", cmd_report, false},
    {"list", "[workloads|engines|metrics|keys]", "what there is to choose from", cmd_list, false},
    {"clean", "TARGET", "remove what a killed run left behind", cmd_clean, false},
    {"compare", "RESULT_A RESULT_B...", "which is better, and is that certain?", cmd_compare,
     false},
    {"device", "PATH...", "which drive is under a path, and its state", cmd_device, false},
    {"probe", "PATH", "raw I/O before and after", cmd_later, true},
    {"audit", "record|check ...", "did acknowledged commits survive?", cmd_later, true},
    {NULL, NULL, NULL, NULL, false}};

const struct cmd *cmd_find(const char *name)
{
    for (const struct cmd *cmd = cmd_table; cmd->name != NULL; cmd++)
        if (strcmp(cmd->name, name) == 0)
            return cmd;
    return NULL;
}

int cmd_later(int argc, char **argv, struct cmd_end *end, struct err *err)
{
    const char *name = strrchr(argv[0], ' ');
    name = name != NULL ? name + 1 : argv[0];
    (void)end;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--version") == 0) {
            puts("loadline " LOADLINE_VERSION);
            return 0;
        } else if (strcmp(argv[i], "--help") == 0) {
            const struct cmd *cmd = cmd_find(name);
            printf("Usage: loadline %s %s\n%s\n\nThis command is not in this version yet.\n", name,
                   cmd->arguments, cmd->summary);
            return 0;
        }
    return err_set(
        err, ERR_USAGE,
        "%s is not in this version yet; this version has run, report, compare, device, list "
        "and clean",
        name);
}
