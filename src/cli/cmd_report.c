#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "cli/asked_args.h"
#include "cli/cmd.h"
#include "cli/form_args.h"
#include "cli/look.h"
#include "cli/output.h"
#include "cli/say.h"
#include "cli/sources.h"
#include "export/csv.h"
#include "export/hlog.h"
#include "export/prom.h"
#include "page/card.h"
#include "page/page.h"

enum { OPTION_JSON = 1000 };

struct report_args {
    char **results; /* in argv */
    size_t result_count;
    struct form_args form_args;
    struct asked asked;
    struct asked_args asked_args;
    enum form form;
    struct sources sources;
};

static const struct argp_option report_options[] = {
    {"json", OPTION_JSON, NULL, 0, "the summary document, as run --json prints it", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static const char report_doc[] =
    "Shows results again: tables and verdict, computed anew from what was recorded; as a page with "
    "charts, for an issue, or for other programs. A result of a run that was killed is shown as "
    "far as it goes."
    "\v"
    "Examples:\n"
    "  loadline report loadline-20261201-0914.jsonl\n"
    "  loadline report a.jsonl -o a.html         charts, to read or to publish\n"
    "  loadline report a.jsonl b.jsonl -o ab.html  side by side\n"
    "  loadline report a.jsonl --format markdown   for an issue\n"
    "  loadline report a.jsonl --format csv --table samples\n"
    "  loadline report a.jsonl -o a.hlog         for HdrHistogram's plotters\n"
    "  loadline report a.jsonl -o card.svg       one picture\n"
    "  loadline report a.jsonl --slo p99=10ms --tbw 140T --price 27745\n"
    "\n"
    "csv has a line for each phase with all metrics (loadline list metrics), or one for each "
    "interval between two samples. A page is one file: it loads nothing, and nothing from a result "
    "can run in it.\n";

static error_t on_option(int key, char *arg, struct argp_state *state)
{
    struct report_args *args = state->input;

    (void)arg;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &args->form_args;
        state->child_inputs[1] = &args->asked_args;
        return 0;
    case OPTION_JSON:
        args->form_args.format = "json";
        return 0;
    case ARGP_KEY_ARGS:
        args->results = state->argv + state->next;
        args->result_count = (size_t)(state->argc - state->next);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- the forms ---- */

static int write_text(FILE *out, const struct report_args *args, struct err *err)
{
    for (size_t i = 0; i < args->sources.count; i++) {
        const struct report_source *source = &args->sources.items[i];
        struct report_options look =
            look_make(fileno(out), form_args_width(&args->form_args), source);
        if (i > 0)
            fputc('\n', out);
        int status = args->form == FORM_MARKDOWN ? report_markdown(out, source->summary, &look, err)
                                                 : report_text(out, source->summary, &look, err);
        if (status != 0)
            return -1;
    }
    return 0;
}

/* Several results are a list. */
static int write_json(FILE *out, const struct sources *sources, struct err *err)
{
    if (sources->count == 1)
        return json_write_pretty(out, sources->items[0].summary, err);
    json_t *list = json_array();
    for (size_t i = 0; i < sources->count; i++)
        json_array_append(list, (json_t *)sources->items[i].summary);
    int status = json_write_pretty(out, list, err);
    json_decref(list);
    return status;
}

/* Several results that cannot be set side by side are shown one after the other. */
static json_t *compare_sources(const struct sources *sources)
{
    struct compare_options options = {.has_baseline = false};
    struct err err = {.kind = ERR_NONE};

    if (sources->count < 2)
        return NULL;
    json_t *comparison = sources_compare(sources, &options, &err);
    if (comparison == NULL)
        say(stderr, "note: no comparison", err.text);
    return comparison;
}

static int write_page(FILE *out, const struct report_args *args, struct err *err)
{
    const struct page_options options = {.lang = args->form_args.lang};
    json_t *comparison = compare_sources(&args->sources);
    int status =
        page_write(out, args->sources.items, args->sources.count, comparison, &options, err);

    json_decref(comparison);
    return status;
}

static int write_form(FILE *out, void *ctx, struct err *err)
{
    const struct report_args *args = ctx;
    const struct report_source *items = args->sources.items;
    size_t count = args->sources.count;
    const char *table = args->form_args.table;

    switch (args->form) {
    case FORM_HTML:
        return write_page(out, args, err);
    case FORM_CSV:
        return csv_write(out, items, count,
                         table && strcmp(table, "samples") == 0 ? CSV_SAMPLES : CSV_PHASES, err);
    case FORM_PROM:
        return prom_write(out, items, count, err);
    case FORM_HLOG:
        return hlog_write(out, items, err);
    case FORM_SVG:
        return card_write(out, items, err);
    case FORM_JSON:
        return write_json(out, &args->sources, err);
    default:
        return write_text(out, args, err);
    }
}

static enum sources_kind kind_of(const struct report_args *args)
{
    const unsigned with = FORM_BIT(FORM_HTML) | FORM_BIT(FORM_HLOG) | FORM_BIT(FORM_CSV);
    return FORM_BIT(args->form) & with ? SOURCES_LATENCIES : SOURCES_SAMPLES;
}

static int check(struct report_args *args, struct err *err)
{
    if (args->result_count == 0)
        return err_set(err, ERR_USAGE,
                       "report needs a result file, as in loadline report "
                       "loadline-20261201-0914.jsonl");
    if (form_args_choose(&args->form_args, &args->form, err) != 0)
        return -1;
    if (args->result_count > 1 && (args->form == FORM_HLOG || args->form == FORM_SVG))
        return err_set(err, ERR_USAGE, "%s shows one result; call it for each of the %zu",
                       args->form == FORM_HLOG ? "hlog" : "svg", args->result_count);
    return 0;
}

int cmd_report(int argc, char **argv, struct cmd_end *end, struct err *err)
{
    struct report_args args = {.form_args = {.allowed = FORM_BIT(FORMS) - 1, .err = err}};
    const struct argp_child children[] = {{&form_args_argp, 0, form_args_title, 1},
                                          {&asked_args_argp, 0, asked_args_title, 2},
                                          {NULL, 0, NULL, 0}};
    struct argp argp = {.options = report_options,
                        .parser = on_option,
                        .args_doc = "RESULT...",
                        .doc = report_doc,
                        .children = children};
    int status = -1;

    (void)end;
    args.asked_args = (struct asked_args){.asked = &args.asked, .err = err};
    asked_init(&args.asked);
    if (argp_parse(&argp, argc, argv, 0, NULL, &args) != 0 || check(&args, err) != 0)
        return -1;
    if (sources_read(&args.sources, args.results, args.result_count, kind_of(&args),
                     asked_args_given(&args.asked), err) == 0)
        status = output_write(args.form_args.output, write_form, &args, err);
    sources_release(&args.sources);
    return status;
}
