#include "cli/run_args.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "cli/asked_args.h"
#include "cli/metrics_file.h"
#include "driver/run.h"
#include "workload/key.h"

enum option_key {
    OPTION_SET = 's',
    OPTION_OUTPUT = 'o',
    OPTION_TARGET = 1000,
    OPTION_JSON,
    OPTION_DRY_RUN,
    OPTION_LABEL,
    OPTION_DEVICE,
    OPTION_ANY_FILESYSTEM,
    OPTION_IDENTIFY,
    OPTION_METRICS_FILE,
    OPTION_FIRST_KEY = 2000 /* + index in key_core */
};

enum option_group { GROUP_TARGET = 1, GROUP_RESULT, GROUP_ASKED, GROUP_FIRST_SECTION };

static const struct argp_option fixed_options[] = {
    {NULL, 0, NULL, 0, "The drive under test:", GROUP_TARGET},
    {"target", OPTION_TARGET, "TARGET", 0,
     "directory on the drive under test; there is no default. Several compare drives in one run",
     GROUP_TARGET},
    {"device", OPTION_DEVICE, "NAME", 0,
     "read the counters of this device (sda, dm-0), where it cannot be found from the path",
     GROUP_TARGET},
    {"any-filesystem", OPTION_ANY_FILESYSTEM, NULL, 0,
     "run on tmpfs or a network file system all the same; costs the verdict about the drive, since "
     "none is measured",
     GROUP_TARGET},
    {NULL, 0, NULL, 0, "Plan and result:", GROUP_RESULT},
    {"dry-run", OPTION_DRY_RUN, NULL, 0,
     "print the plan (trials, time, bytes, room) and stop; touches nothing", GROUP_RESULT},
    {"output", OPTION_OUTPUT, "FILE", 0,
     "result file, never overwritten (default loadline-DATE-TIME.jsonl)", GROUP_RESULT},
    {"json", OPTION_JSON, NULL, 0, "print one JSON document instead of tables", GROUP_RESULT},
    {"label", OPTION_LABEL, "TEXT", 0, "name of the drive or configuration, for comparisons",
     GROUP_RESULT},
    {"identify", OPTION_IDENTIFY, NULL, 0,
     "keep serial numbers, WWNs and the host's name in the result; without it they are not read",
     GROUP_RESULT},
    {"metrics-file", OPTION_METRICS_FILE, "FILE.prom", 0,
     "keep the run's state in this file while it goes, for node_exporter's textfile collector: "
     "written anew at every run.interval; a folder in memory costs the drive nothing",
     GROUP_RESULT},
    {"set", OPTION_SET, "SECTION.KEY=VALUE", 0,
     "set any key of a workload file (loadline list keys); the later option wins", GROUP_RESULT},
};
enum { FIXED = sizeof fixed_options / sizeof *fixed_options };

static const struct {
    const char *section, *title;
} sections[] = {
    {"workload.", "The load (a list like 1,10,20 makes a trial of each):"},
    {"row.", "The rows:"},
    {"run.", "How it is measured:"},
    {"limit.", "What it may use:"},
};
enum { SECTIONS = sizeof sections / sizeof *sections };

static const char run_doc[] =
    "Puts database write load on the drive that holds TARGET and measures what it carries.\n"
    "WORKLOAD is one that comes with loadline (loadline list workloads) or a file of your own "
    "(x.ini, dir/x); without it the defaults below are the workload."
    "\v"
    "Examples:\n"
    "  loadline run quick --target /mnt/ssd\n"
    "  loadline run million --target /mnt/ssd --dry-run\n"
    "  loadline run --target /mnt/a --target /mnt/b --streams 1,8 --repeats 6\n"
    "  loadline run streams --target /mnt/ssd -s sqlite.synchronous=normal\n"
    "  loadline run postgres-million --target postgres:/mnt/ssd\n"
    "  loadline run million --target /mnt/ssd --metrics-file /run/metrics/loadline.prom\n"
    "\n"
    "TARGET: PATH or sqlite:PATH (SQLite files), postgres:PATH (a PostgreSQL cluster of its own), "
    "postgresql://... (a server that runs already), fsync:PATH (write + fdatasync alone), null: "
    "(loadline itself). Everything made lies in PATH/loadline-data/, or in a schema named "
    "loadline_..., and is removed again.\n";

struct parse {
    struct run_args *args;
    struct asked_args asked;
    struct err *err;
    struct argp_option *options;
};

static const char *argument_name(enum key_type type)
{
    static const char *const names[] = {
        [KEY_COUNT] = "COUNT",   [KEY_SIZE] = "SIZE",      [KEY_DURATION] = "TIME",
        [KEY_SHARE] = "SHARE",   [KEY_INTEGER] = "NUMBER", [KEY_NUMBER] = "NUMBER",
        [KEY_CHOICE] = "CHOICE", [KEY_PHASES] = "PHASES",  [KEY_TEXT] = "TEXT",
    };
    return names[type];
}

/* "what the streams share (shared-table, ...; default table-per-stream)" */
static char *key_doc(const struct key *key)
{
    char choices[256] = "";
    size_t used = 0;
    bool unset = strcmp(key->fallback, "-") == 0;

    for (size_t i = 0; key->type == KEY_CHOICE && key->choices[i] != NULL; i++)
        if (used < sizeof choices)
            used += (size_t)snprintf(choices + used, sizeof choices - used, "%s%s",
                                     i > 0 ? ", " : "", key->choices[i]);
    if (unset)
        return used > 0 ? fs_path("%s (%s)", key->help, choices) : fs_path("%s", key->help);
    return fs_path("%s (%s%sdefault %s)", key->help, choices, used > 0 ? "; " : "", key->fallback);
}

static int section_of(const struct key *key)
{
    for (int i = 0; i < SECTIONS; i++)
        if (strncmp(key->name, sections[i].section, strlen(sections[i].section)) == 0)
            return i;
    return 0;
}

/* Fixed options, a heading for each section, the keys that have a long option. */
static struct argp_option *options_create(void)
{
    size_t keys = 0, count = FIXED;

    while (key_core[keys].name != NULL)
        keys++;
    struct argp_option *options = calloc(FIXED + SECTIONS + keys + 1, sizeof *options);
    if (options == NULL)
        abort();
    memcpy(options, fixed_options, sizeof fixed_options);
    for (int i = 0; i < SECTIONS; i++)
        options[count++] =
            (struct argp_option){.doc = sections[i].title, .group = GROUP_FIRST_SECTION + i};
    for (size_t i = 0; i < keys; i++)
        if (key_core[i].option != NULL)
            options[count++] =
                (struct argp_option){.name = key_core[i].option,
                                     .key = OPTION_FIRST_KEY + (int)i,
                                     .arg = argument_name(key_core[i].type),
                                     .doc = key_doc(&key_core[i]),
                                     .group = GROUP_FIRST_SECTION + section_of(&key_core[i])};
    return options;
}

static void options_destroy(struct argp_option *options)
{
    for (size_t i = FIXED + SECTIONS; options[i].name != NULL; i++)
        free((char *)options[i].doc);
    free(options);
}

/* `key` and `origin` become the setting's own. */
static void add_setting(struct run_args *args, char *key, const char *values, char *origin)
{
    struct run_setting *grown =
        realloc(args->settings, (args->setting_count + 1) * sizeof *args->settings);
    if (grown == NULL)
        abort();
    args->settings = grown;
    args->settings[args->setting_count++] =
        (struct run_setting){.key = key, .values = values, .origin = origin};
}

static void add_target(struct run_args *args, char *argument)
{
    char **grown = realloc(args->targets, (args->target_count + 1) * sizeof *args->targets);
    if (grown == NULL)
        abort();
    args->targets = grown;
    args->targets[args->target_count++] = run_target_take(argument);
}

static error_t take_setting(struct parse *parse, const char *text)
{
    const char *equals = strchr(text, '=');

    if (equals == NULL || equals == text) {
        err_set(parse->err, ERR_USAGE,
                "-s needs SECTION.KEY=VALUE, as in -s sqlite.page_size=8192, not '%s'", text);
        return EINVAL;
    }
    add_setting(parse->args, fs_path("%.*s", (int)(equals - text), text), equals + 1,
                fs_path("-s"));
    return 0;
}

static error_t take_workload(struct parse *parse, const char *word)
{
    if (parse->args->workload == NULL) {
        parse->args->workload = word;
        return 0;
    }
    err_set(parse->err, ERR_USAGE,
            "run takes one WORKLOAD, and '%s' is there already: what is '%s'? A directory on the "
            "drive under test is given with --target",
            parse->args->workload, word);
    return EINVAL;
}

static error_t on_option(int key, char *arg, struct argp_state *state)
{
    struct parse *parse = state->input;
    struct run_args *args = parse->args;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &parse->asked;
        return 0;
    case ARGP_KEY_ARG:
        return take_workload(parse, arg);
    case OPTION_SET:
        return take_setting(parse, arg);
    case OPTION_TARGET:
        add_target(args, arg);
        return 0;
    case OPTION_OUTPUT:
        if (arg[0] == '\0')
            argp_error(state, "-o needs the name of a file");
        args->output = arg;
        return 0;
    case OPTION_JSON:
        args->json = true;
        return 0;
    case OPTION_DRY_RUN:
        args->dry_run = true;
        return 0;
    case OPTION_LABEL:
        args->label = arg;
        return 0;
    case OPTION_DEVICE:
        args->device = arg;
        return 0;
    case OPTION_ANY_FILESYSTEM:
        args->any_filesystem = true;
        return 0;
    case OPTION_IDENTIFY:
        args->identify = true;
        return 0;
    case OPTION_METRICS_FILE:
        args->metrics_file = arg;
        return metrics_file_check_name(arg, parse->err) == 0 ? 0 : EINVAL;
    default:
        if (key < OPTION_FIRST_KEY || key > 0xffff)
            return ARGP_ERR_UNKNOWN;
    }
    const struct key *row = &key_core[key - OPTION_FIRST_KEY];
    add_setting(args, fs_path("%s", row->name), arg, fs_path("--%s", row->option));
    return 0;
}

int run_args_parse(int argc, char **argv, struct run_args *args, struct err *err)
{
    *args = (struct run_args){.workload = NULL};
    const struct argp_child children[] = {{&asked_args_argp, 0, asked_args_title, GROUP_ASKED},
                                          {NULL, 0, NULL, 0}};
    struct parse parse = {.args = args,
                          .err = err,
                          .options = options_create(),
                          .asked = {.asked = &args->asked, .err = err}};
    struct argp argp = {.options = parse.options,
                        .parser = on_option,
                        .args_doc = "[WORKLOAD]",
                        .doc = run_doc,
                        .children = children};

    asked_init(&args->asked);

    error_t failed = argp_parse(&argp, argc, argv, 0, NULL, &parse);
    options_destroy(parse.options);
    if (failed != 0)
        return err->kind != ERR_NONE ? -1
                                     : err_set_errno(err, ERR_FAILED, failed, "reading options");
    if (args->target_count == 0)
        return err_set(err, ERR_USAGE,
                       "run needs --target: there is no default, since a stress test must not pick "
                       "a disk by itself; name a directory on the drive under test, as in "
                       "loadline run quick --target /mnt/ssd");
    return 0;
}

void run_args_release(struct run_args *args)
{
    for (size_t i = 0; i < args->setting_count; i++) {
        free(args->settings[i].key);
        free(args->settings[i].origin);
    }
    free(args->settings);
    for (size_t i = 0; i < args->target_count; i++)
        free(args->targets[i]);
    free(args->targets);
    *args = (struct run_args){.workload = NULL};
}
