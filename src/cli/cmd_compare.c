#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/compare.h"
#include "cli/cmd.h"
#include "cli/form_args.h"
#include "cli/look.h"
#include "cli/output.h"
#include "cli/sources.h"
#include "page/page.h"
#include "report/compare_text.h"

enum {
    OPTION_JSON = 1000,
    OPTION_ALL,
    OPTION_BASELINE,
    OPTION_VARY,
    OPTION_FAIL_IF,
};

static const unsigned forms_allowed =
    FORM_BIT(FORM_TEXT) | FORM_BIT(FORM_HTML) | FORM_BIT(FORM_MARKDOWN) | FORM_BIT(FORM_JSON);

struct compare_args {
    char **results; /* in argv */
    size_t result_count;
    char *baseline;
    bool all;
    struct form_args form_args;
    enum form form;
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
    "  loadline compare a.jsonl b.jsonl -o ab.html\n"
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
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &args->form_args;
        return 0;
    case OPTION_JSON:
        args->form_args.format = "json";
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
    case ARGP_KEY_ARGS:
        args->results = state->argv + state->next;
        args->result_count = (size_t)(state->argc - state->next);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int check_args(struct compare_args *args, struct err *err)
{
    if (args->result_count == 0)
        return err_set(err, ERR_USAGE,
                       args->baseline != NULL
                           ? "compare needs a result beside the baseline"
                           : "compare needs two results, as in loadline compare a.jsonl b.jsonl");
    return form_args_choose(&args->form_args, &args->form, err);
}

/* The baseline first. */
static char **list_paths(const struct compare_args *args, size_t *count)
{
    char **paths = calloc(args->result_count + 1, sizeof *paths);

    if (paths == NULL)
        abort();
    *count = 0;
    if (args->baseline != NULL)
        paths[(*count)++] = args->baseline;
    for (size_t i = 0; i < args->result_count; i++)
        paths[(*count)++] = args->results[i];
    return paths;
}

static json_t *compare_sources(const struct compare_args *args, const struct sources *sources,
                               struct err *err)
{
    struct compare_options options = {.has_baseline = args->baseline != NULL,
                                      .all_metrics = args->all || args->form == FORM_JSON,
                                      .vary = args->vary,
                                      .vary_count = args->vary_count,
                                      .thresholds = args->thresholds,
                                      .threshold_count = args->threshold_count};
    return sources_compare(sources, &options, err);
}

struct shown {
    const struct compare_args *args;
    const struct sources *sources;
    const json_t *comparison;
};

static int write_form(FILE *out, void *ctx, struct err *err)
{
    const struct shown *shown = ctx;
    const struct form_args *form = &shown->args->form_args;
    struct report_options look = look_make(fileno(out), form_args_width(form), NULL);

    switch (shown->args->form) {
    case FORM_JSON:
        return json_write_pretty(out, shown->comparison, err);
    case FORM_MARKDOWN:
        return compare_markdown(out, shown->comparison, err);
    case FORM_HTML:
        return page_write(out, shown->sources->items, shown->sources->count, shown->comparison,
                          &(struct page_options){.lang = form->lang}, err);
    default:
        return compare_text(out, shown->comparison, &look, err);
    }
}

static int compare(struct compare_args *args, struct err *err)
{
    struct sources sources = {.count = 0};
    size_t count;
    int status = -1;

    if (check_args(args, err) != 0)
        return -1;
    char **paths = list_paths(args, &count);
    json_t *comparison = NULL;
    /* Only a page shows more of a result than its summary. */
    enum sources_kind kind = args->form == FORM_HTML ? SOURCES_LATENCIES : SOURCES_SUMMARY;
    if (sources_read(&sources, paths, count, kind, NULL, err) == 0)
        comparison = compare_sources(args, &sources, err);
    if (comparison != NULL) {
        struct shown shown = {args, &sources, comparison};
        status = output_write(args->form_args.output, write_form, &shown, err);
    }
    size_t crossed = status == 0 ? threshold_crossed(comparison) : 0;
    if (crossed > 0)
        status = err_set(err, ERR_CROSSED, "%zu of %zu thresholds crossed", crossed,
                         args->threshold_count);
    json_decref(comparison);
    sources_release(&sources);
    free(paths);
    return status;
}

int cmd_compare(int argc, char **argv, struct cmd_end *end, struct err *err)
{
    struct compare_args args = {.form_args = {.allowed = forms_allowed, .err = err}, .err = err};
    const struct argp_child children[] = {{&form_args_argp, 0, form_args_title, 1},
                                          {NULL, 0, NULL, 0}};
    struct argp argp = {.options = compare_options,
                        .parser = on_option,
                        .args_doc = "RESULT_A RESULT_B...",
                        .doc = compare_doc,
                        .children = children};

    (void)end;
    int status = argp_parse(&argp, argc, argv, 0, NULL, &args) == 0 ? compare(&args, err) : -1;
    for (size_t i = 0; i < args.threshold_count; i++)
        threshold_release(&args.thresholds[i]);
    free(args.thresholds);
    free(args.vary);
    return status;
}
