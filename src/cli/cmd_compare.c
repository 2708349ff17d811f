#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/compare.h"
#include "base/parse.h"
#include "cli/cmd.h"
#include "cli/summary.h"
#include "report/compare_text.h"
#include "result/document.h"

enum {
    OPTION_JSON = 1000,
    OPTION_WIDTH,
    OPTION_ALL,
    OPTION_BASELINE,
    OPTION_VARY,
    OPTION_FAIL_IF,
    WIDTH_MIN = 60,
    WIDTH_MAX = 400,
    FILE_WIDTH = 80
};

struct compare_args {
    char **results; /* in argv */
    size_t result_count;
    const char *output, *baseline;
    int width; /* 0: the terminal's */
    bool json, all;
    const char **vary; /* [vary_count] */
    size_t vary_count;
    struct threshold *thresholds; /* [threshold_count] */
    size_t threshold_count;
    struct err *err;
};

static const struct argp_option compare_options[] = {
    {"baseline", OPTION_BASELINE, "RESULT", 0, "the result that is drive A, alone", 0},
    {"fail-if", OPTION_FAIL_IF, "EXPRESSION", 0,
     "end with status 5 where this holds (below); may be given several times", 0},
    {"vary", OPTION_VARY, "NAME", 0,
     "what 'differ:' calls NAME is what is compared, and no reason against a winner: a key, "
     "'scheduler', 'engine'...; may be given several times",
     0},
    {"all", OPTION_ALL, NULL, 0, "all metrics (loadline list metrics), not only the usual ones", 0},
    {"json", OPTION_JSON, NULL, 0, "one JSON document with everything", 0},
    {"output", 'o', "FILE", 0, "write to FILE (.txt or .json)", 0},
    {"width", OPTION_WIDTH, "COLUMNS", 0,
     "columns, 60 to 400 (default: the terminal's, 80 elsewhere)", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static const char compare_doc[] =
    "Says which drive is better at what, and whether that is certain: medians over the runs, the "
    "ratio to the first drive with its 95% interval. Results with one label (run --label NAME) are "
    "one drive; without labels those of one model, firmware and size are. The first that is named "
    "is A. 5 runs of each are needed, or 6 where the drives were targets of one run, in turns."
    "\v"
    "Examples:\n"
    "  loadline run streams --target /mnt/a --repeats 6 --label a -o a.jsonl\n"
    "  loadline run streams --target /mnt/b --repeats 6 --label b -o b.jsonl\n"
    "  loadline compare a.jsonl b.jsonl\n"
    "  loadline compare a-*.jsonl b-*.jsonl c-*.jsonl\n"
    "  loadline compare --baseline a.jsonl b.jsonl --fail-if 'insert.rows_per_s < 0.95x'\n"
    "  loadline compare one.jsonl --fail-if 'insert.latency_ms.commit.p99 > 10'\n"
    "\n"
    "A verdict is 'better' or 'worse' only where the interval excludes 1, 'same' only where it "
    "lies within 5% of 1, else 'undetermined'. Where settings that matter differ, or a result is "
    "partial, disturbed or not flushed, there is no winner, and the reasons are listed.\n"
    "\n"
    "EXPRESSION: [PART:]PHASE.METRIC, then <, <=, > or >=, then a number; with x behind it times "
    "what drive A has. It is checked for every combination, on the median over the runs: with x "
    "for all drives but A, without it for all. METRIC is a path as loadline list metrics has it. "
    "A metric, phase or part that does not exist is a wrong use (status 2); a figure that was not "
    "measured counts as crossed, and says why (status 5).\n";

static void *add_to(void *items, size_t count, size_t size)
{
    void *larger = realloc(items, (count + 1) * size);
    if (larger == NULL)
        abort();
    return larger;
}

static error_t take_width(struct compare_args *args, const char *text)
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

static error_t take_threshold(struct compare_args *args, const char *text)
{
    args->thresholds = add_to(args->thresholds, args->threshold_count, sizeof *args->thresholds);
    return threshold_parse(text, &args->thresholds[args->threshold_count++], args->err) == 0
               ? 0
               : EINVAL;
}

static error_t on_option(int key, char *arg, struct argp_state *state)
{
    struct compare_args *args = state->input;

    switch (key) {
    case 'o':
        args->output = arg;
        return 0;
    case OPTION_JSON:
        args->json = true;
        return 0;
    case OPTION_ALL:
        args->all = true;
        return 0;
    case OPTION_BASELINE:
        args->baseline = arg;
        return 0;
    case OPTION_VARY:
        args->vary = add_to(args->vary, args->vary_count, sizeof *args->vary);
        args->vary[args->vary_count++] = arg;
        return 0;
    case OPTION_FAIL_IF:
        return take_threshold(args, arg);
    case OPTION_WIDTH:
        return take_width(args, arg);
    case ARGP_KEY_ARGS:
        args->results = state->argv + state->next;
        args->result_count = (size_t)(state->argc - state->next);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static bool ends_with(const char *text, const char *ending)
{
    size_t size = strlen(text), tail = strlen(ending);
    return size >= tail && strcmp(text + size - tail, ending) == 0;
}

static int check_args(struct compare_args *args, struct err *err)
{
    if (args->result_count == 0)
        return err_set(err, ERR_USAGE,
                       args->baseline != NULL
                           ? "compare needs a result beside the baseline"
                           : "compare needs two results, as in loadline compare a.jsonl b.jsonl");
    if (args->output == NULL)
        return 0;
    bool is_json = ends_with(args->output, ".json");
    if (args->json ? ends_with(args->output, ".txt") : !is_json && !ends_with(args->output, ".txt"))
        return err_set(err, ERR_USAGE, "-o takes a file whose name ends in %s, not '%s'",
                       args->json ? ".json" : ".txt or .json", args->output);
    args->json = args->json || is_json;
    return 0;
}

/* The samples behind a summary are not needed; they would take most of the memory. */
static json_t *load(const char *path, struct err *err)
{
    struct document document;
    json_t *summary = NULL;

    if (document_read(path, &document, err) == 0)
        summary = json_incref(document.summary);
    document_release(&document);
    return summary;
}

static json_t *compare_files(const struct compare_args *args, struct err *err)
{
    size_t count = args->result_count + (args->baseline != NULL), read = 0;
    struct compare_input *inputs = calloc(count, sizeof *inputs);
    struct compare_options options = {.has_baseline = args->baseline != NULL,
                                      .all_metrics = args->all || args->json,
                                      .vary = args->vary,
                                      .vary_count = args->vary_count,
                                      .thresholds = args->thresholds,
                                      .threshold_count = args->threshold_count};
    json_t *comparison = NULL;

    if (inputs == NULL)
        abort();
    for (; read < count; read++) {
        bool is_first = read == 0 && args->baseline != NULL;
        const char *path =
            is_first ? args->baseline : args->results[read - (args->baseline != NULL)];
        inputs[read] = (struct compare_input){path, load(path, err)};
        if (inputs[read].summary == NULL)
            goto out;
    }
    comparison = compare_json(inputs, count, &options, err);
out:
    for (size_t i = 0; i < read; i++)
        json_decref((json_t *)inputs[i].summary);
    free(inputs);
    return comparison;
}

static int print(FILE *out, const struct compare_args *args, const json_t *comparison,
                 struct err *err)
{
    int width = args->width == 0 && args->output != NULL ? FILE_WIDTH : args->width;
    struct report_options look = summary_look(fileno(out), width, NULL);

    return args->json ? json_write_pretty(out, comparison, err)
                      : compare_text(out, comparison, &look, err);
}

static int print_in_file(const struct compare_args *args, const json_t *comparison, struct err *err)
{
    int fd = open(args->output, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    FILE *out = fd >= 0 ? fdopen(fd, "w") : NULL;

    if (out == NULL) {
        int number = errno;
        if (fd >= 0)
            close(fd);
        return number == EEXIST
                   ? err_set(err, ERR_USAGE,
                             "%s exists and is not overwritten; choose another name", args->output)
                   : err_set_errno(err, ERR_FAILED, number, "cannot write %s", args->output);
    }
    int status = print(out, args, comparison, err);
    if (fclose(out) != 0 && status == 0)
        status = err_set_errno(err, ERR_FAILED, errno, "cannot write %s", args->output);
    if (status != 0)
        unlink(args->output);
    return status;
}

static int compare(struct compare_args *args, struct err *err)
{
    if (check_args(args, err) != 0)
        return -1;
    json_t *comparison = compare_files(args, err);
    if (comparison == NULL)
        return -1;
    int status = args->output != NULL ? print_in_file(args, comparison, err)
                                      : print(stdout, args, comparison, err);
    size_t crossed = threshold_crossed(comparison);
    if (status == 0 && crossed > 0)
        status = err_set(err, ERR_CROSSED, "%zu of %zu thresholds crossed", crossed,
                         args->threshold_count);
    json_decref(comparison);
    return status;
}

int cmd_compare(int argc, char **argv, struct cmd_end *end, struct err *err)
{
    struct compare_args args = {.err = err};
    struct argp argp = {.options = compare_options,
                        .parser = on_option,
                        .args_doc = "RESULT_A RESULT_B...",
                        .doc = compare_doc};

    (void)end;
    int status = argp_parse(&argp, argc, argv, 0, NULL, &args) == 0 ? compare(&args, err) : -1;
    for (size_t i = 0; i < args.threshold_count; i++)
        threshold_release(&args.thresholds[i]);
    free(args.thresholds);
    free(args.vary);
    return status;
}
