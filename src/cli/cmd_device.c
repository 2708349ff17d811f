#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fs.h"
#include "base/parse.h"
#include "base/term.h"
#include "cli/cmd.h"
#include "cli/device_counters.h"
#include "cli/device_json.h"
#include "cli/device_mounts.h"
#include "cli/device_query.h"
#include "cli/device_smart.h"
#include "cli/device_tree.h"
#include "measure/environment.h"
#include "report/text.h"

enum {
    OPTION_JSON = 1000,
    OPTION_ROOT,
    OPTION_DISKSTATS,
    OPTION_SECONDS,
    OPTION_MOUNTINFO,
    OPTION_SMARTCTL,
    OPTION_TEMPERATURES,
    OPTION_IDENTIFY,
};

struct device_args {
    char **paths; /* in argv */
    int path_count;
    const char *root, *diskstats, *seconds, *mountinfo, *smartctl;
    bool json, temperatures;
    enum smart_identify identify;
};

static const struct argp_option device_options[] = {
    {"json", OPTION_JSON, NULL, 0, "print JSON instead of a tree or a table", 0},
    {"temperatures", OPTION_TEMPERATURES, NULL, 0,
     "degrees Celsius of every disk, by the kernel's sensors", 0},
    {"identify", OPTION_IDENTIFY, NULL, 0,
     "tell serial numbers, WWNs and the host's name too; without it they are not read", 0},
    {NULL, 0, NULL, 0, "Saved files, for tests and reports of problems:", 1},
    {"root", OPTION_ROOT, "DIR", 0, "look at DIR/sys and DIR/proc instead of this machine's", 1},
    {"diskstats", OPTION_DISKSTATS, "FILE", 0,
     "counters of a /proc/diskstats or /sys/block/NAME/stat; with a second FILE and --seconds, "
     "the rates between both",
     1},
    {"seconds", OPTION_SECONDS, "N", 0, "time between the two files; of one file alone, since boot",
     1},
    {"mountinfo", OPTION_MOUNTINFO, "FILE", 0,
     "what is mounted at each PATH by a /proc/self/mountinfo", 1},
    {"smartctl-json", OPTION_SMARTCTL, "FILE", 0,
     "what a drive says of itself, by the output of smartctl --json", 1},
    {NULL, 0, NULL, 0, NULL, 0}};

static const char device_doc[] =
    "Shows the block devices under a path, from its file system down to the drives: kind, size, "
    "scheduler, write cache, model, how a drive is attached, mount options. PATH may be a "
    "device's own node, as /dev/sda."
    "\v"
    "Examples:\n"
    "  loadline device /mnt/ssd\n"
    "  loadline device /var/lib/db /srv --json\n"
    "  loadline device --diskstats before.txt after.txt --seconds 10\n";

static error_t on_option(int key, char *arg, struct argp_state *state)
{
    struct device_args *args = state->input;

    switch (key) {
    case OPTION_JSON:
        args->json = true;
        return 0;
    case OPTION_ROOT:
        args->root = arg;
        return 0;
    case OPTION_DISKSTATS:
        args->diskstats = arg;
        return 0;
    case OPTION_SECONDS:
        args->seconds = arg;
        return 0;
    case OPTION_MOUNTINFO:
        args->mountinfo = arg;
        return 0;
    case OPTION_SMARTCTL:
        args->smartctl = arg;
        return 0;
    case OPTION_TEMPERATURES:
        args->temperatures = true;
        return 0;
    case OPTION_IDENTIFY:
        args->identify = SMART_IDENTIFY;
        return 0;
    case ARGP_KEY_ARGS:
        args->paths = state->argv + state->next;
        args->path_count = state->argc - state->next;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Takes the document; NULL: it could not be made. */
static int print_json(json_t *document, struct err *err)
{
    if (document == NULL)
        return -1;
    int status = json_write_pretty(stdout, document, err);
    json_decref(document);
    return status;
}

/* ---- saved counters ---- */

static int take_seconds(const char *text, double *seconds, struct err *err)
{
    struct err ignored;

    if (parse_number(text, seconds, &ignored) == 0 && *seconds >= 0)
        return 0;
    return err_set(err, ERR_USAGE, "--seconds needs a number of seconds, as in 31.17, not '%s'",
                   text);
}

static int show_rates(const struct device_args *args, struct err *err)
{
    double seconds;
    const char *later = args->path_count == 1 ? args->paths[0] : args->diskstats;
    const char *earlier = args->path_count == 1 ? args->diskstats : NULL;

    if (take_seconds(args->seconds, &seconds, err) != 0)
        return -1;
    json_t *rates = device_counters_rates(earlier, later, seconds, err);
    if (args->json || rates == NULL)
        return print_json(rates, err);
    int status = device_counters_print_rates(stdout, rates, err);
    json_decref(rates);
    return status;
}

static int show_diskstats(const struct device_args *args, struct err *err)
{
    if (args->path_count > 1)
        return err_set(err, ERR_USAGE, "--diskstats takes one file or two, not %d",
                       args->path_count + 1);
    if (args->path_count == 1 && args->seconds == NULL)
        return err_set(err, ERR_USAGE, "two files need --seconds, the time between them");
    if (args->seconds != NULL)
        return show_rates(args, err);
    json_t *counters = device_counters(args->diskstats, err);
    if (args->json || counters == NULL)
        return print_json(counters, err);
    int status = device_counters_print(stdout, counters, err);
    json_decref(counters);
    return status;
}

static int show_mountinfo(const struct device_args *args, struct err *err)
{
    json_t *mounts = device_mounts(args->mountinfo, args->paths, args->path_count, err);

    if (args->json || mounts == NULL)
        return print_json(mounts, err);
    int status = device_mounts_print(stdout, mounts, err);
    json_decref(mounts);
    return status;
}

/* ---- paths ---- */

/* Without slashes at its end; "" for "/". */
static int take_root(const struct device_args *args, char **root, struct err *err)
{
    struct stat status;
    const char *text = args->root != NULL ? args->root : "";
    size_t size = strlen(text);

    if (args->root != NULL && stat(text, &status) != 0)
        return err_set_errno(err, ERR_FAILED, errno, "--root %s", text);
    if (args->root != NULL && !S_ISDIR(status.st_mode))
        return err_set(err, ERR_USAGE, "--root %s is no directory", text);
    while (size > 0 && text[size - 1] == '/')
        size--;
    *root = fs_path("%.*s", (int)size, text);
    return 0;
}

static int show_one(const struct device_args *args, const char *root, const char *path,
                    json_t *queries, struct err *err)
{
    struct stack *stack = calloc(1, sizeof *stack);
    struct device_look look = {.root = root,
                               .width = term_width(fileno(stdout)),
                               .utf8 = term_is_utf8(),
                               .identify = args->identify};

    if (stack == NULL)
        abort();
    int status = device_query(root, path, stack, err);
    if (status == 0 && queries != NULL)
        device_json_put(queries, path, device_json(root, stack, args->identify));
    else if (status == 0)
        device_tree_print(stdout, path, stack, &look);
    free(stack);
    return status;
}

/* Into the document, or on a line of its own. */
static void tell_host(const char *root, json_t *document)
{
    char host[ENVIRONMENT_HOST];

    environment_host(root, host);
    if (document != NULL)
        json_object_set_new(document, "host", host[0] != 0 ? json_text(host) : json_null());
    else {
        char *clean =
            text_clean(host[0] != 0 ? host : "-", term_is_utf8() ? TEXT_UTF8 : TEXT_ASCII, 0);
        printf("host %s\n", clean);
        free(clean);
    }
}

static int show_paths(const struct device_args *args, struct err *err)
{
    char *root = NULL;

    if (take_root(args, &root, err) != 0)
        return -1;
    json_t *queries = args->json ? json_object() : NULL, *document = json_object();
    int status = 0;
    if (args->identify == SMART_IDENTIFY)
        tell_host(root, args->json ? document : NULL);
    for (int i = 0; i < args->path_count && status == 0; i++) {
        if (i > 0 && !args->json)
            putchar('\n');
        status = show_one(args, root, args->paths[i], queries, err);
    }
    free(root);
    if (args->json && status == 0) {
        json_object_set_new(document, "queries", queries);
        return print_json(document, err);
    }
    json_decref(queries);
    json_decref(document);
    return status;
}

static int show_temperatures(const struct device_args *args, struct err *err)
{
    char *root = NULL;

    if (take_root(args, &root, err) != 0)
        return -1;
    int status = device_smart_temperatures(root, args->json, err);
    free(root);
    return status;
}

/* ---- which of them ---- */

static const char wants_path[] =
    "device needs a path, as in loadline device /mnt/ssd; loadline device --help shows the rest";

static int check(const struct device_args *args, struct err *err)
{
    int files = (args->diskstats != NULL) + (args->mountinfo != NULL) + (args->smartctl != NULL);

    if (files > 1)
        return err_set(err, ERR_USAGE,
                       "of --diskstats, --mountinfo and --smartctl-json only one at a time");
    if (files > 0 && (args->root != NULL || args->temperatures))
        return err_set(err, ERR_USAGE, "--root and --temperatures do not go with a single file");
    if (args->path_count > 0 && (args->temperatures || args->smartctl != NULL))
        return err_set(err, ERR_USAGE, "--temperatures and --smartctl-json take no path");
    if (args->seconds != NULL && args->diskstats == NULL)
        return err_set(err, ERR_USAGE, "--seconds goes with --diskstats FILE0 FILE1");
    return 0;
}

int cmd_device(int argc, char **argv, struct cmd_end *end, struct err *err)
{
    struct device_args args = {.json = false};
    struct argp argp = {
        .options = device_options, .parser = on_option, .args_doc = "PATH...", .doc = device_doc};

    (void)end;
    if (argp_parse(&argp, argc, argv, 0, NULL, &args) != 0)
        return err_set(err, ERR_FAILED, "reading options");
    if (check(&args, err) != 0)
        return -1;
    if (args.diskstats != NULL)
        return show_diskstats(&args, err);
    if (args.mountinfo != NULL)
        return show_mountinfo(&args, err);
    if (args.smartctl != NULL)
        return device_smart_file(args.smartctl, args.identify, args.json, err);
    if (args.temperatures)
        return show_temperatures(&args, err);
    if (args.path_count == 0)
        return err_set(err, ERR_USAGE, "%s", wants_path);
    return show_paths(&args, err);
}
