#include "cli/form_args.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/parse.h"

enum { OPTION_FORMAT = 5000, OPTION_WIDTH, OPTION_LANG, OPTION_TABLE };
enum { WIDTH_MIN = 60, WIDTH_MAX = 400, FILE_WIDTH = 80 };

const char form_args_title[] = "The form:";

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0,
     "write to FILE, which must not exist; its ending chooses the form (.html, .md, .csv, ...)", 0},
    {"format", OPTION_FORMAT, "FORM", 0,
     "text (default); html: a page with charts, one file; markdown: for an issue or a blog; json; "
     "and of report csv, prom (OpenMetrics), hlog (HdrHistogram), svg (one picture to share)",
     0},
    {"table", OPTION_TABLE, "TABLE", 0, "of csv: phases (default) or samples", 0},
    {"lang", OPTION_LANG, "LANGUAGE", 0,
     "of html: en or ja (default: as the browser that opens it wants)", 0},
    {"width", OPTION_WIDTH, "COLUMNS", 0,
     "of text: columns, 60 to 400 (default: the terminal's, 80 elsewhere)", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

/* The first ending is the one that is told. */
static const struct {
    const char *name, *endings[2];
} forms[FORMS] = {
    [FORM_TEXT] = {"text", {".txt", NULL}},
    [FORM_HTML] = {"html", {".html", ".htm"}},
    [FORM_MARKDOWN] = {"markdown", {".md", ".markdown"}},
    [FORM_CSV] = {"csv", {".csv", NULL}},
    [FORM_PROM] = {"prom", {".prom", NULL}},
    [FORM_HLOG] = {"hlog", {".hlog", NULL}},
    [FORM_SVG] = {"svg", {".svg", NULL}},
    [FORM_JSON] = {"json", {".json", NULL}},
};

static error_t take_width(struct form_args *args, const char *text)
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

/* One of two words. */
static error_t take_word(const struct form_args *args, const char *option, const char *text,
                         const char *one, const char *other, const char **word)
{
    if (strcmp(text, one) != 0 && strcmp(text, other) != 0) {
        err_set(args->err, ERR_USAGE, "--%s is %s or %s, not '%s'", option, one, other, text);
        return EINVAL;
    }
    *word = text;
    return 0;
}

static error_t on_option(int key, char *arg, struct argp_state *state)
{
    struct form_args *args = state->input;

    switch (key) {
    case 'o':
        args->output = arg;
        return 0;
    case OPTION_FORMAT:
        args->format = arg;
        return 0;
    case OPTION_WIDTH:
        return take_width(args, arg);
    case OPTION_LANG:
        return take_word(args, "lang", arg, "en", "ja", &args->lang);
    case OPTION_TABLE:
        return take_word(args, "table", arg, "phases", "samples", &args->table);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp form_args_argp = {.options = options, .parser = on_option};

static bool ends_with(const char *text, const char *ending)
{
    size_t size = strlen(text), tail = ending ? strlen(ending) : 0;
    return ending && size >= tail && strcasecmp(text + size - tail, ending) == 0;
}

/* The names or endings that the command has, as "a, b or c". */
static const char *list(unsigned allowed, bool endings, char *out, size_t size)
{
    size_t used = 0;
    for (unsigned form = 0; form < FORMS; form++) {
        unsigned after = allowed >> form >> 1;
        const char *then = after == 0 ? "" : (after & (after - 1)) == 0 ? " or " : ", ";
        if (allowed & FORM_BIT(form))
            used += (size_t)snprintf(out + used, size - used, "%s%s",
                                     endings ? forms[form].endings[0] : forms[form].name, then);
    }
    return out;
}

static enum form by_name(const char *name)
{
    unsigned form = 0;
    while (form < FORMS && strcmp(forms[form].name, name) != 0)
        form++;
    return (enum form)form;
}

static enum form by_ending(const char *path)
{
    unsigned form = 0;
    while (form < FORMS && !ends_with(path, forms[form].endings[0]) &&
           !ends_with(path, forms[form].endings[1]))
        form++;
    return (enum form)form;
}

int form_args_choose(const struct form_args *args, enum form *form, struct err *err)
{
    char known[128];
    enum form named = args->format ? by_name(args->format) : FORMS;
    enum form ending = args->output ? by_ending(args->output) : FORMS;

    *form = FORM_TEXT;
    if (args->format && (named == FORMS || !(args->allowed & FORM_BIT(named))))
        return err_set(err, ERR_USAGE, "there is no form '%s' here; use %s", args->format,
                       list(args->allowed, false, known, sizeof known));
    if (args->output && !args->format && (ending == FORMS || !(args->allowed & FORM_BIT(ending))))
        return err_set(err, ERR_USAGE, "the ending of '%s' names no form; use %s, or say --format",
                       args->output, list(args->allowed, true, known, sizeof known));
    if (named != FORMS && ending != FORMS && named != ending)
        return err_set(err, ERR_USAGE, "%s is asked for, but '%s' ends as %s does; change one",
                       forms[named].name, args->output, forms[ending].name);
    if (args->format)
        *form = named;
    else if (args->output)
        *form = ending;
    if (args->table && *form != FORM_CSV)
        return err_set(err, ERR_USAGE, "--table chooses a table of csv; add --format csv");
    if (args->lang && *form != FORM_HTML)
        return err_set(err, ERR_USAGE, "--lang chooses the language of a page; add --format html");
    return 0;
}

int form_args_width(const struct form_args *args)
{
    return args->width == 0 && args->output ? FILE_WIDTH : args->width;
}
