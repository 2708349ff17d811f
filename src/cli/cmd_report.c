#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/parse.h"
#include "cli/asked_args.h"
#include "cli/cmd.h"
#include "cli/summary.h"

enum { OPTION_FORMAT = 1000, OPTION_WIDTH, WIDTH_MIN = 60, WIDTH_MAX = 400, FILE_WIDTH = 80 };

struct report_args {
    char **results; /* in argv */
    int result_count;
    const char *output, *format;
    int width; /* 0: the terminal's */
    struct asked asked;
    struct asked_args asked_args;
    struct err *err;
};

static const struct argp_option report_options[] = {
    {"output", 'o', "FILE", 0, "write to FILE; its ending chooses the format (.txt)", 0},
    {"format", OPTION_FORMAT, "FORMAT", 0,
     "text (default); html, markdown, csv and prom are not in this version yet", 0},
    {"width", OPTION_WIDTH, "COLUMNS", 0,
     "columns, 60 to 400 (default: the terminal's, 80 elsewhere)", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static const char report_doc[] =
    "Shows results again: tables and verdict, computed anew from what was recorded. A result of a "
    "run that was killed is shown as far as it goes."
    "\v"
    "Examples:\n"
    "  loadline report loadline-20261201-0914.jsonl\n"
    "  loadline report a.jsonl b.jsonl --width 120\n"
    "  loadline report a.jsonl -o a.txt\n"
    "  loadline report a.jsonl --slo p99=10ms --tbw 140T --price 27745\n";

static error_t take_width(struct report_args *args, const char *text)
{
    int64_t columns;
    struct err ignored = {.kind = ERR_NONE};

    if (parse_integer(text, &columns, &ignored) != 0 || columns < WIDTH_MIN ||
        columns > WIDTH_MAX) {
        err_set(args->err, ERR_USAGE, "--width needs a number of columns from %d to %d, not '%s'",
                WIDTH_MIN, WIDTH_MAX, text);
        return EINVAL;
    }
    args->width = (int)columns;
    return 0;
}

static error_t on_option(int key, char *arg, struct argp_state *state)
{
    struct report_args *args = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &args->asked_args;
        return 0;
    case 'o':
        args->output = arg;
        return 0;
    case OPTION_FORMAT:
        args->format = arg;
        return 0;
    case OPTION_WIDTH:
        return take_width(args, arg);
    case ARGP_KEY_ARGS:
        args->results = state->argv + state->next;
        args->result_count = state->argc - state->next;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* The formats by name and ending; text is the one that is there. */
static const struct {
    const char *name, *ending;
} formats[] = {
    {"text", ".txt"}, {"html", ".html"}, {"markdown", ".md"}, {"csv", ".csv"}, {"prom", ".prom"}};
enum { FORMATS = sizeof formats / sizeof *formats };

static int check_format(const struct report_args *args, struct err *err)
{
    const char *ending = args->output != NULL ? strrchr(args->output, '.') : ".txt";

    for (size_t i = 0; i < FORMATS; i++) {
        if (args->format != NULL ? strcmp(args->format, formats[i].name) != 0
                                 : ending == NULL || strcmp(ending, formats[i].ending) != 0)
            continue;
        return i == 0
                   ? 0
                   : err_set(err, ERR_USAGE, "the format %s is not in this version yet; use text",
                             formats[i].name);
    }
    if (args->format != NULL)
        return err_set(err, ERR_USAGE, "there is no format '%s'; use text", args->format);
    return err_set(err, ERR_USAGE,
                   "the ending of '%s' names no format; use .txt, or say --format text",
                   args->output);
}

static FILE *open_output(const char *path, struct err *err)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    FILE *out = fd >= 0 ? fdopen(fd, "w") : NULL;

    if (out != NULL)
        return out;
    if (errno == EEXIST)
        err_set(err, ERR_USAGE, "%s exists and is not overwritten; choose another name", path);
    else
        err_set_errno(err, ERR_FAILED, errno, "cannot write %s", path);
    if (fd >= 0)
        close(fd);
    return NULL;
}

static int show(FILE *out, const struct report_args *args, struct err *err)
{
    int width = args->width == 0 && args->output != NULL ? FILE_WIDTH : args->width;

    for (int i = 0; i < args->result_count; i++) {
        json_t *summary = summary_load(args->results[i], asked_args_given(&args->asked), err);
        if (summary == NULL)
            return -1;
        struct report_options look = summary_look(fileno(out), width, args->results[i]);
        if (i > 0)
            fputc('\n', out);
        int status = report_text(out, summary, &look, err);
        json_decref(summary);
        if (status != 0)
            return -1;
    }
    return 0;
}

static int show_in_file(const struct report_args *args, struct err *err)
{
    FILE *out = open_output(args->output, err);

    if (out == NULL)
        return -1;
    int status = show(out, args, err);
    bool bad = ferror(out) != 0;
    if ((fclose(out) != 0 || bad) && status == 0)
        status = err_set_errno(err, ERR_FAILED, errno, "cannot write %s", args->output);
    if (status != 0)
        unlink(args->output);
    return status;
}

int cmd_report(int argc, char **argv, struct cmd_end *end, struct err *err)
{
    struct report_args args = {.err = err};
    const struct argp_child children[] = {{&asked_args_argp, 0, asked_args_title, 1},
                                          {NULL, 0, NULL, 0}};
    struct argp argp = {.options = report_options,
                        .parser = on_option,
                        .args_doc = "RESULT...",
                        .doc = report_doc,
                        .children = children};

    args.asked_args = (struct asked_args){.asked = &args.asked, .err = err};
    asked_init(&args.asked);

    (void)end;
    if (argp_parse(&argp, argc, argv, 0, NULL, &args) != 0)
        return -1;
    if (args.result_count == 0)
        return err_set(err, ERR_USAGE,
                       "report needs a result file, as in loadline report "
                       "loadline-20261201-0914.jsonl");
    if (check_format(&args, err) != 0)
        return -1;
    return args.output != NULL ? show_in_file(&args, err) : show(stdout, &args, err);
}
