#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/term.h"
#include "cli/asked_args.h"
#include "cli/cmd.h"
#include "cli/endurance.h"
#include "cli/look.h"
#include "cli/metrics_file.h"
#include "cli/plan_text.h"
#include "cli/progress.h"
#include "cli/run_args.h"
#include "cli/sources.h"
#include "cli/stop.h"
#include "cli/unused_keys.h"
#include "cli/workload_file.h"
#include "driver/run.h"
#include "report/text.h"

enum { ENGINES_MAX = 64 };

/* Everything that a run is made of. */
struct job {
    struct run_args args;
    struct workload_file file;
    struct spec *spec;
    struct plan *plan;
    struct run_target *targets;
    const char **shown; /* of the targets */
    struct run_options options;
};

static bool is_wanted(const struct job *job, const struct adapter *adapter)
{
    if ((adapter->caps & ADAPTER_HIDDEN) == 0)
        return true;
    for (size_t i = 0; i < job->args.target_count; i++)
        if (job->targets[i].adapter == adapter)
            return true;
    return false;
}

static struct spec *empty_spec(const struct job *job)
{
    const struct key *tables[ENGINES_MAX + 1] = {NULL};
    size_t count = 0;

    for (size_t i = 0; adapter_registry[i] != NULL && count < ENGINES_MAX; i++) {
        const struct key *table = adapter_registry[i]->options;
        bool is_new = table != NULL && is_wanted(job, adapter_registry[i]);
        for (size_t k = 0; k < count && is_new; k++) /* two schemes may share an engine's keys */
            is_new = tables[k] != table;
        if (is_new)
            tables[count++] = table;
    }
    return spec_create(tables);
}

static int read_workload(struct job *job, struct err *err)
{
    const struct run_args *args = &job->args;

    job->spec = empty_spec(job);
    if (args->workload != NULL) {
        if (workload_file_read(args->workload, &job->file, err) != 0 ||
            spec_read(job->spec, job->file.text, job->file.size, job->file.origin, err) != 0)
            return -1;
    }
    for (size_t i = 0; i < args->setting_count; i++) {
        const struct run_setting *setting = &args->settings[i];
        if (spec_set(job->spec, setting->key, setting->values, setting->origin, err) != 0)
            return -1;
    }
    return 0;
}

static int read_targets(struct job *job, struct err *err)
{
    job->targets = calloc(job->args.target_count, sizeof *job->targets);
    job->shown = calloc(job->args.target_count, sizeof *job->shown);
    if (job->targets == NULL || job->shown == NULL)
        return err_set(err, ERR_FAILED, "out of memory");
    for (size_t i = 0; i < job->args.target_count; i++) {
        if (run_target_parse(job->args.targets[i], &job->targets[i], err) != 0)
            return -1;
        job->shown[i] = job->targets[i].shown;
    }
    return 0;
}

static int job_prepare(struct job *job, struct run_forecast *forecast, struct err *err)
{
    const struct run_args *args = &job->args;

    if (read_targets(job, err) != 0 || read_workload(job, err) != 0 ||
        plan_create(job->spec, job->shown, args->target_count, &job->plan, err) != 0)
        return -1;
    job->options = (struct run_options){
        .spec = job->spec,
        .plan = job->plan,
        .targets = job->targets,
        .target_count = args->target_count,
        .workload_name = job->file.name != NULL ? job->file.name : "default",
        .label = args->label,
        .asked = asked_args_given(&args->asked),
        .device_override = args->device,
        .identify = args->identify ? SMART_IDENTIFY : SMART_ANONYMOUS,
        .any_filesystem = args->any_filesystem,
        .log_path = args->output,
    };
    return run_prepare(&job->options, forecast, err);
}

static void job_release(struct job *job)
{
    free(job->targets);
    free(job->shown);
    plan_destroy(job->plan);
    spec_destroy(job->spec);
    workload_file_release(&job->file);
    run_args_release(&job->args);
}

static int show_plan(const struct job *job, const struct run_forecast *forecast, struct err *err)
{
    if (!job->args.json)
        return plan_text_print(stdout, &job->options, forecast, err);
    json_t *plan = plan_text_json(&job->options, forecast);
    int status = json_write_pretty(stdout, plan, err);
    json_decref(plan);
    return status;
}

static int show_result(const struct job *job, char *path, struct err *err)
{
    struct sources sources;
    int status = sources_read(&sources, &path, 1, SOURCES_SAMPLES, NULL, err);

    if (status == 0 && job->args.json) {
        status = json_write_pretty(stdout, sources.items[0].summary, err);
    } else if (status == 0) {
        struct report_options look = look_make(STDOUT_FILENO, 0, &sources.items[0]);
        status = report_text(stdout, sources.items[0].summary, &look, err);
    }
    sources_release(&sources);
    return status;
}

static json_t *analyse(const char *log_path)
{
    struct sources sources;
    struct err ignored; /* show_result() reads the same file and tells */
    char *path = strdup(log_path);
    json_t *analysis = NULL;

    if (path == NULL)
        abort();
    if (sources_read(&sources, &path, 1, SOURCES_SAMPLES, NULL, &ignored) == 0)
        analysis = json_incref(json_object_get(sources.items[0].summary, "analysis"));
    sources_release(&sources);
    free(path);
    return analysis;
}

static int run_watched(struct job *job, const struct run_watch *watch, struct run_outcome *outcome,
                       struct err *err)
{
    job->options.watch = watch;
    job->options.stop = stop_install();
    job->options.analysis = analyse;
    return run_execute(&job->options, outcome, err);
}

/* With its state in --metrics-file, where there is one. */
static int run_in_sight(struct job *job, const struct run_watch *watch, struct run_outcome *outcome,
                        struct err *err)
{
    const struct run_args *args = &job->args;
    const struct metrics_run run = {.workload = job->options.workload_name,
                                    .label = args->label,
                                    .targets = job->targets,
                                    .target_count = args->target_count};
    struct metrics_file file;
    int status = -1;

    if (args->metrics_file == NULL)
        return run_watched(job, watch, outcome, err);
    if (metrics_file_open(&file, args->metrics_file, args->output, &run, watch, err) == 0) {
        status = run_watched(job, &file.watch, outcome, err);
        metrics_file_end(&file, status == 0 ? METRICS_DONE : METRICS_FAILED);
    }
    metrics_file_release(&file);
    return status;
}

/* What was measured is shown even when the run failed; the run's own failure is the one
 * that is told. */
static int execute(struct job *job, struct cmd_end *end, struct err *err)
{
    struct run_outcome outcome = {.stuck = false};
    struct progress progress;
    struct err shown = {.kind = ERR_NONE};

    progress_init(&progress, stderr, STDERR_FILENO);
    int status = run_in_sight(job, &progress.watch, &outcome, err);
    progress_clear(&progress);
    end->stuck = outcome.stuck;
    if (outcome.log_path[0] == '\0')
        return status;
    if (show_result(job, outcome.log_path, &shown) != 0 && status == 0) {
        *err = shown;
        return -1;
    }
    return status;
}

/* "plan    1 trial; ...", broken where the terminal ends. */
static void tell(const char *line)
{
    enum { INDENT = 8 };
    size_t label = strcspn(line, " ");
    char name[INDENT] = "";

    if (line[0] == '\0')
        return;
    if (!term_is_terminal(STDERR_FILENO) || label >= sizeof name || strlen(line) <= INDENT) {
        fprintf(stderr, "%s\n", line);
        return;
    }
    memcpy(name, line, label);
    text_print(stderr, name, INDENT, line + INDENT, (size_t)term_width(STDERR_FILENO) - 1, "", "");
}

int cmd_run(int argc, char **argv, struct cmd_end *end, struct err *err)
{
    struct job job = {.spec = NULL};
    struct run_forecast forecast = {.trials = 0};
    char line[256];
    int status = -1;

    if (run_args_parse(argc, argv, &job.args, err) != 0 || job_prepare(&job, &forecast, err) != 0)
        goto out;
    unused_keys_warn(&job.options);
    if (job.args.dry_run) {
        status = show_plan(&job, &forecast, err);
        goto out;
    }
    plan_text_line(job.plan, &forecast, line, sizeof line);
    tell(line);
    endurance_line(&job.options, &forecast, line, sizeof line);
    tell(line);
    status = execute(&job, end, err);
out:
    /* A stream that did not return may still read all of this. */
    if (!end->stuck)
        job_release(&job);
    return status;
}
