#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "adapter.h"
#include "base/embedded.h"
#include "base/json.h"
#include "cli/cmd.h"
#include "cli/listing.h"
#include "cli/workload_file.h"
#include "export/csv.h"
#include "result/metric.h"
#include "workload/key.h"

enum { OPTION_JSON = 1000 };

static json_t *key_json(const struct key *key)
{
    static const char *const types[] = {
        [KEY_COUNT] = "count",   [KEY_SIZE] = "size",       [KEY_DURATION] = "duration",
        [KEY_SHARE] = "share",   [KEY_INTEGER] = "integer", [KEY_NUMBER] = "number",
        [KEY_CHOICE] = "choice", [KEY_PHASES] = "phases",   [KEY_TEXT] = "text",
    };
    json_t *choices = json_null();
    bool unset = strcmp(key->fallback, "-") == 0;

    if (key->choices != NULL) {
        choices = json_array();
        for (size_t i = 0; key->choices[i] != NULL; i++)
            json_array_append_new(choices, json_text(key->choices[i]));
    }
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o}", "name", key->name, "type", types[key->type],
                     "default", json_text(unset ? NULL : key->fallback), "option",
                     json_text(key->option), "choices", choices, "help", json_text(key->help));
}

static json_t *keys_json(const struct key *keys)
{
    json_t *list = json_array();

    for (; keys != NULL && keys->name != NULL; keys++)
        json_array_append_new(list, key_json(keys));
    return list;
}

/* "when SQLite makes the drive flush (off, normal, full, extra)" */
static void key_meaning(const struct key *key, char *out, size_t size)
{
    size_t used = (size_t)snprintf(out, size, "%s", key->help);

    for (size_t i = 0; key->choices != NULL && key->choices[i] != NULL && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%s%s", i == 0 ? " (" : ", ",
                                 key->choices[i], key->choices[i + 1] == NULL ? ")" : "");
}

static int keys_print(const struct key *keys, struct err *err)
{
    static const char *const titles[] = {"key", "default", "meaning", NULL};
    struct listing *listing = listing_create(stdout, titles);

    for (; keys->name != NULL; keys++) {
        char meaning[512];
        key_meaning(keys, meaning, sizeof meaning);
        const char *cells[] = {keys->name, keys->fallback, meaning};
        listing_add(listing, cells);
    }
    return listing_print(listing, err);
}

static json_t *workloads_json(void)
{
    json_t *list = json_array();

    for (const struct embedded *e = embedded_workloads; e->name != NULL; e++) {
        struct workload_about about;
        workload_file_about(e->text, &about);
        json_array_append_new(list, json_pack("{s:o, s:o, s:o, s:o, s:o}", "name",
                                              json_stringn(e->name, strlen(e->name) - 4), "answers",
                                              json_text(about.answers), "time",
                                              json_text(about.time), "writes",
                                              json_text(about.writes), "text", json_text(e->text)));
    }
    return list;
}

static int workloads_print(struct err *err)
{
    static const char *const titles[] = {"workload", "time", "writes", "what it answers", NULL};
    struct listing *listing = listing_create(stdout, titles);

    for (const struct embedded *e = embedded_workloads; e->name != NULL; e++) {
        struct workload_about about;
        char name[64];
        workload_file_about(e->text, &about);
        snprintf(name, sizeof name, "%.*s", (int)(strlen(e->name) - 4), e->name);
        const char *cells[] = {name, about.time, about.writes, about.answers};
        listing_add(listing, cells);
    }
    return listing_print(listing, err);
}

/* The same keys under an earlier scheme: shown there. */
static bool shares_keys(size_t engine)
{
    for (size_t i = 0; i < engine; i++)
        if (adapter_registry[i]->options == adapter_registry[engine]->options)
            return true;
    return false;
}

static const char *scheme_of(const struct adapter *engine)
{
    return engine->scheme != NULL ? engine->scheme : engine->name;
}

static json_t *engines_json(void)
{
    json_t *list = json_array();

    for (size_t i = 0; adapter_registry[i] != NULL; i++) {
        const struct adapter *engine = adapter_registry[i];
        if ((engine->caps & ADAPTER_HIDDEN) == 0)
            json_array_append_new(list,
                                  json_pack("{s:s, s:s, s:s, s:o}", "name", engine->name, "scheme",
                                            scheme_of(engine), "summary", engine->summary, "keys",
                                            keys_json(engine->options)));
    }
    return list;
}

static int engines_print(struct err *err)
{
    for (size_t i = 0; adapter_registry[i] != NULL; i++) {
        const struct adapter *engine = adapter_registry[i];
        if ((engine->caps & ADAPTER_HIDDEN) != 0)
            continue;
        printf("  %s: %s\n", scheme_of(engine), engine->summary);
        if (!shares_keys(i) && engine->options != NULL && engine->options->name != NULL &&
            keys_print(engine->options, err) != 0)
            return -1;
    }
    return 0;
}

static json_t *metrics_json(void)
{
    static const char *const senses[] = {
        [METRIC_NEUTRAL] = "neutral",
        [METRIC_HIGHER_IS_BETTER] = "higher is better",
        [METRIC_LOWER_IS_BETTER] = "lower is better",
    };
    json_t *list = json_array();

    for (const struct metric_row *row = metric_rows; row->path != NULL; row++)
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:s, s:s}", "name", row->path, "unit",
                                        row->unit, "sense", senses[row->sense], "help", row->help));
    return list;
}

static int metrics_print(struct err *err)
{
    static const char *const titles[] = {"metric", "unit", "better", "meaning", NULL};
    static const char *const senses[] = {
        [METRIC_NEUTRAL] = "-",
        [METRIC_HIGHER_IS_BETTER] = "higher",
        [METRIC_LOWER_IS_BETTER] = "lower",
    };
    struct listing *listing = listing_create(stdout, titles);

    for (const struct metric_row *row = metric_rows; row->path != NULL; row++) {
        const char *cells[] = {row->path, row->unit, senses[row->sense], row->help};
        listing_add(listing, cells);
    }
    return listing_print(listing, err);
}

static json_t *core_json(void)
{
    return keys_json(key_core);
}

static int core_print(struct err *err)
{
    return keys_print(key_core, err);
}

/* ---- columns ---- */

static void column_json(void *ctx, const char *name, const char *unit, const char *help)
{
    json_array_append_new(ctx,
                          json_pack("{s:s, s:s, s:s}", "name", name, "unit", unit, "help", help));
}

static json_t *columns_json(void)
{
    json_t *phases = json_array(), *samples = json_array();

    csv_describe(CSV_PHASES, column_json, phases);
    csv_describe(CSV_SAMPLES, column_json, samples);
    return json_pack("{s:o, s:o}", "phases", phases, "samples", samples);
}

struct columns_list {
    struct listing *listing;
    const char *table;
};

static void column_print(void *ctx, const char *name, const char *unit, const char *help)
{
    const struct columns_list *list = ctx;
    const char *cells[] = {list->table, name, unit, help};
    listing_add(list->listing, cells);
}

static int columns_print(struct err *err)
{
    static const char *const titles[] = {"table", "column", "unit", "meaning", NULL};
    struct columns_list list = {listing_create(stdout, titles), "phases"};

    csv_describe(CSV_PHASES, column_print, &list);
    list.table = "samples";
    csv_describe(CSV_SAMPLES, column_print, &list);
    return listing_print(list.listing, err);
}

static const struct topic {
    const char *name, *title;
    int (*print)(struct err *err);
    json_t *(*json)(void);
} topics[] = {
    {"workloads", "Workloads that come with loadline (loadline run NAME --target TARGET):",
     workloads_print, workloads_json},
    {"engines", "Engines, with their keys (-s KEY=VALUE, or in a workload file):", engines_print,
     engines_json},
    {"metrics", "Metrics of a phase in the result:", metrics_print, metrics_json},
    {"columns", "Columns of csv (loadline report RESULT --format csv --table TABLE):",
     columns_print, columns_json},
    {"keys", "Keys of every engine (-s KEY=VALUE, or in a workload file):", core_print, core_json},
};
enum { TOPICS = sizeof topics / sizeof *topics };

struct list_args {
    const char *topic;
    bool json;
};

static error_t on_option(int key, char *arg, struct argp_state *state)
{
    struct list_args *args = state->input;

    if (key == OPTION_JSON)
        args->json = true;
    else if (key == ARGP_KEY_ARG && args->topic == NULL)
        args->topic = arg;
    else if (key == ARGP_KEY_ARG)
        argp_error(state, "list takes one topic or none");
    else
        return ARGP_ERR_UNKNOWN;
    return 0;
}

static int show(const struct list_args *args, struct err *err)
{
    json_t *all = json_object();
    size_t shown = 0;
    int status = 0;

    for (size_t i = 0; i < TOPICS && status == 0; i++) {
        if (args->topic != NULL && strcmp(args->topic, topics[i].name) != 0)
            continue;
        if (args->json) {
            json_object_set_new(all, topics[i].name, topics[i].json());
        } else {
            printf("%s%s\n", shown > 0 ? "\n" : "", topics[i].title);
            status = topics[i].print(err);
        }
        shown++;
    }
    if (shown == 0)
        status = err_set(err, ERR_USAGE,
                         "there is no list of '%s'; choose workloads, engines, metrics, "
                         "columns or keys",
                         args->topic);
    else if (args->json && status == 0)
        status = json_write_pretty(stdout, all, err);
    json_decref(all);
    return status;
}

int cmd_list(int argc, char **argv, struct cmd_end *end, struct err *err)
{
    static const struct argp_option options[] = {
        {"json", OPTION_JSON, NULL, 0, "print JSON instead of tables", 0},
        {NULL, 0, NULL, 0, NULL, 0}};
    static const char doc[] = "Shows what there is to choose from; without a topic, everything."
                              "\v"
                              "Examples:\n"
                              "  loadline list workloads\n"
                              "  loadline list engines --json\n";
    struct argp argp = {.options = options,
                        .parser = on_option,
                        .args_doc = "[workloads|engines|metrics|columns|keys]",
                        .doc = doc};
    struct list_args args = {.topic = NULL};

    (void)end;
    if (argp_parse(&argp, argc, argv, 0, NULL, &args) != 0)
        return err_set(err, ERR_FAILED, "reading options");
    return show(&args, err);
}
