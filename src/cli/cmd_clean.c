#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/cmd.h"
#include "driver/run.h"
#include "driver/workspace.h"

static const char clean_doc[] = "Removes what a killed run left behind in TARGET/" WORKSPACE_NAME
                                " or on a server: only what loadline made, and only while no run "
                                "uses it."
                                "\v"
                                "Example:\n"
                                "  loadline clean /mnt/ssd\n"
                                "  loadline clean postgresql://db.example/test\n";

static error_t on_option(int key, char *arg, struct argp_state *state)
{
    char **target = state->input;

    if (key != ARGP_KEY_ARG)
        return ARGP_ERR_UNKNOWN;
    if (*target != NULL)
        argp_error(state, "clean takes one TARGET, and there is one already");
    *target = run_target_take(arg);
    return 0;
}

/* Only what bears our mark, and only while no run uses it: the engine knows how. */
static int clean_server(const struct run_target *target, struct err *err)
{
    struct adapter_config config = {.target = target->path};
    struct op_error why;
    unsigned removed = 0;

    if (target->adapter->clean == NULL)
        return err_set(err, ERR_USAGE, "%s keeps nothing, so there is nothing to clean",
                       target->shown);
    enum op_status status = target->adapter->clean(&config, &removed, &why);
    if (status != OP_OK)
        return err_set(err, status == OP_BUSY ? ERR_REFUSED : ERR_FAILED, "%s: %s", target->shown,
                       why.text);
    if (removed == 0)
        printf("%s: nothing left behind\n", target->shown);
    else
        printf("%s: removed %u thing%s of loadline\n", target->shown, removed,
               removed == 1 ? "" : "s");
    return 0;
}

static int clean_directory(const struct run_target *target, struct err *err)
{
    unsigned removed = 0, left = 0;

    if (workspace_clean(target->path, &removed, &left, err) != 0)
        return -1;
    if (removed == 0 && left == 0)
        printf("%s: nothing left behind\n", target->path);
    else
        printf("%s: removed %u file%s and directories of loadline\n", target->path, removed,
               removed == 1 ? "" : "s");
    if (left > 0)
        return err_set(err, ERR_FAILED,
                       "%s/" WORKSPACE_NAME
                       " holds %u thing%s that loadline did not make; move them "
                       "away, then clean again",
                       target->path, left, left == 1 ? "" : "s");
    return 0;
}

int cmd_clean(int argc, char **argv, struct cmd_end *end, struct err *err)
{
    char *text = NULL;
    struct argp argp = {.parser = on_option, .args_doc = "TARGET", .doc = clean_doc};
    struct run_target target;
    int status = -1;

    (void)end;
    if (argp_parse(&argp, argc, argv, 0, NULL, &text) != 0)
        err_set(err, ERR_FAILED, "reading options");
    else if (text == NULL)
        err_set(err, ERR_USAGE,
                "clean needs the TARGET that was used, as in loadline clean /mnt/ssd");
    else if (run_target_parse(text, &target, err) == 0)
        status = (target.adapter->caps & ADAPTER_LOCAL_FILES) != 0 ? clean_directory(&target, err)
                                                                   : clean_server(&target, err);
    free(text);
    return status;
}
