#include "cli/plan_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "base/fs.h"
#include "base/json.h"
#include "cli/endurance.h"
#include "cli/listing.h"

enum { LINE_COLUMNS = 80, COLUMNS_MAX = 32 };

struct counts {
    size_t once;      /* trials and templates of the first repeat */
    size_t templates; /* of them, templates of searches */
    char repeats[32]; /* " x 6 repeats" */
};

/* Parts may have repeats of their own: then there is no product to show, and all are counted. */
static void count_trials(const struct plan *plan, struct counts *counts)
{
    *counts = (struct counts){.once = 0};
    for (size_t i = 0; i < plan->count; i++)
        if (plan->trials[i].repeat == 0) {
            counts->once++;
            counts->templates += plan->trials[i].load->streams_auto;
        }
    if (plan->repeats > 1 && counts->once * plan->repeats == plan->count) {
        snprintf(counts->repeats, sizeof counts->repeats, " x %u repeats", plan->repeats);
    } else {
        counts->once = plan->count;
        counts->templates = plan->template_count;
    }
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

static void search_line(const struct plan *plan, const struct run_forecast *forecast, char *out,
                        size_t size)
{
    struct format_text seconds, written, number;
    struct counts counts;
    char searches[64] = "search: ", fixed[48] = "", most[80], steps[32];

    count_trials(plan, &counts);
    size_t others = counts.once - counts.templates;
    if (others > 0)
        snprintf(fixed, sizeof fixed, "%s trial%s, ", format_grouped(&number, (double)others),
                 plural(others));
    if (others > 0 || counts.templates > 1)
        snprintf(searches, sizeof searches, "%zu search%s of ", counts.templates,
                 counts.templates == 1 ? "" : "es");
    snprintf(steps, sizeof steps, "up to %u steps", forecast->search_steps);
    snprintf(most, sizeof most, "about %s, %s written at most",
             format_seconds(&seconds, forecast->seconds),
             format_bytes(&written, forecast->write_bytes));
    int used =
        snprintf(out, size, "plan    %s%s%s%s; %s", fixed, searches, steps, counts.repeats, most);
    if (used > LINE_COLUMNS)
        snprintf(out, size, "plan    %s%zu search%s%s; %s", fixed, counts.templates,
                 counts.templates == 1 ? "" : "es", counts.repeats, most);
}

void plan_text_line(const struct plan *plan, const struct run_forecast *forecast, char *out,
                    size_t size)
{
    struct format_text trials, seconds, written, limit, room;
    struct counts counts;

    if (plan->template_count > 0) {
        search_line(plan, forecast, out, size);
        return;
    }
    count_trials(plan, &counts);
    format_grouped(&trials, (double)counts.once);
    format_seconds(&seconds, forecast->seconds);
    format_bytes(&written, forecast->write_bytes);
    format_bytes(&limit, (double)plan_write_limit(plan));
    format_bytes(&room, forecast->space_bytes);
    int used = snprintf(out, size, "plan    %s trial%s%s; %s; %s written (limit %s); %s room",
                        trials.text, plural(counts.once), counts.repeats, seconds.text,
                        written.text, limit.text, room.text);
    if (used > LINE_COLUMNS)
        snprintf(out, size, "plan    %s trial%s%s; %s; %s written; %s room", trials.text,
                 plural(counts.once), counts.repeats, seconds.text, written.text, room.text);
}

static const char *factor_value(const struct trial_plan *trial, const char *name)
{
    for (size_t i = 0; i < trial->factor_count; i++)
        if (strcmp(trial->factors[i].name, name) == 0)
            return trial->factors[i].value;
    return NULL;
}

/* The names of all factors in all parts, in order of appearance. */
static size_t factor_names(const struct plan *plan, const char **names, size_t most)
{
    size_t count = 0;

    for (size_t t = 0; t < plan->count; t++)
        for (size_t f = 0; f < plan->trials[t].factor_count; f++) {
            const char *name = plan->trials[t].factors[f].name;
            size_t i = 0;
            while (i < count && strcmp(names[i], name) != 0)
                i++;
            if (i == count && count < most)
                names[count++] = name;
        }
    return count;
}

static bool has_parts(const struct plan *plan)
{
    for (size_t t = 0; t < plan->count; t++)
        if (plan->trials[t].part != NULL)
            return true;
    return false;
}

static int print_trials(FILE *out, const struct plan *plan, struct err *err)
{
    const char *titles[COLUMNS_MAX + 1] = {">trial"}, *cells[COLUMNS_MAX + 1] = {NULL};
    size_t columns = 1, first_factor;
    bool parts = has_parts(plan), repeats = plan->repeats > 1;

    if (repeats)
        titles[columns++] = ">repeat";
    if (parts)
        titles[columns++] = "part";
    first_factor = columns;
    columns += factor_names(plan, titles + columns, COLUMNS_MAX - columns);
    if (columns == 1)
        return 0;
    struct listing *listing = listing_create(out, titles);
    for (size_t t = 0; t < plan->count && t < PLAN_TEXT_TRIALS; t++) {
        const struct trial_plan *trial = &plan->trials[t];
        char number[32], repeat[32];
        size_t column = 0;
        if (plan->template_count > 0) /* a search makes trials of its own before it */
            snprintf(number, sizeof number, "-");
        else
            snprintf(number, sizeof number, "%u", trial->index + 1);
        snprintf(repeat, sizeof repeat, "%u", trial->repeat + 1);
        cells[column++] = number;
        if (repeats)
            cells[column++] = repeat;
        if (parts)
            cells[column++] = trial->part;
        for (column = first_factor; column < columns; column++)
            cells[column] = factor_value(trial, titles[column]);
        listing_add(listing, cells);
    }
    if (listing_print(listing, err) != 0)
        return -1;
    if (plan->count > PLAN_TEXT_TRIALS)
        fprintf(out, "  ... and %zu more\n", plan->count - PLAN_TEXT_TRIALS);
    return 0;
}

int plan_text_print(FILE *out, const struct run_options *options,
                    const struct run_forecast *forecast, struct err *err)
{
    char line[256];

    plan_text_line(options->plan, forecast, line, sizeof line);
    fprintf(out, "%s\n", line);
    endurance_line(options, forecast, line, sizeof line);
    if (line[0] != '\0')
        fprintf(out, "%s\n", line);
    return print_trials(out, options->plan, err);
}

static json_t *trial_json(const struct run_options *options, const struct trial_plan *trial)
{
    json_t *factors = json_object();

    for (size_t i = 0; i < trial->factor_count; i++) {
        const struct factor *factor = &trial->factors[i];
        json_t *number = json_measured(factor->number);
        if (json_is_null(number)) {
            json_object_set_new(factors, factor->name, json_text(factor->value));
            json_decref(number);
        } else {
            json_object_set_new(factors, factor->name, number);
        }
    }
    bool known = options->plan->template_count == 0; /* a search makes trials as it goes */
    return json_pack("{s:o, s:o, s:i, s:o, s:o}", "index",
                     known ? json_integer((json_int_t)trial->index) : json_null(), "part",
                     json_text(trial->part), "repeat", (int)trial->repeat, "target",
                     json_text(options->targets[trial->target].shown), "factors", factors);
}

/* The bounds of the searches; null where there is none. */
static json_t *search_json(const struct plan *plan, const struct run_forecast *forecast)
{
    if (plan->template_count == 0)
        return json_null();
    return json_pack("{s:i, s:i, s:i, s:o, s:o}", "searches", (int)plan->template_count,
                     "steps_max", (int)forecast->search_steps, "streams_max",
                     (int)forecast->search_streams, "seconds_max", json_measured(forecast->seconds),
                     "write_bytes_max", json_measured(forecast->write_bytes));
}

json_t *plan_text_json(const struct run_options *options, const struct run_forecast *forecast)
{
    json_t *trials = json_array();

    for (size_t i = 0; i < options->plan->count; i++)
        json_array_append_new(trials, trial_json(options, &options->plan->trials[i]));
    json_t *count = options->plan->template_count > 0
                        ? json_null()
                        : json_integer((json_int_t)options->plan->count);
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:i, s:o, s:o, s:o, s:o, s:o, s:o}", "loadline",
                     LOADLINE_VERSION, "workload_name", options->workload_name, "workload",
                     spec_json(options->spec), "trial_count", count, "search",
                     search_json(options->plan, forecast), "repeats", (int)options->plan->repeats,
                     "seconds", json_measured(forecast->seconds), "write_bytes",
                     json_measured(forecast->write_bytes), "share_of_endurance",
                     json_measured(endurance_share(options, forecast)), "limit_write_bytes",
                     json_measured((double)plan_write_limit(options->plan)), "space_bytes",
                     json_measured(forecast->space_bytes), "trials", trials);
}
