/* What a trial writes into the log beside its samples: the header, its start, its record. */
#include <stdlib.h>

#include "base/clock.h"
#include "driver/drive_watch.h"
#include "driver/trial.h"

static json_t *settings_json(const struct trial *t)
{
    json_t *object = json_object();
    for (size_t i = 0; i < t->setting_count; i++)
        json_object_set_new(object, t->settings[i].name, json_text(t->settings[i].text));
    return object;
}

int trial_log_header(struct trial *t, struct err *err)
{
    struct run_context *ctx = t->ctx;
    const struct run_options *o = ctx->options;
    if (ctx->header_written)
        return 0;
    struct environment environment;
    char host[ENVIRONMENT_HOST] = "";
    environment_read(&environment);
    if (o->identify == SMART_IDENTIFY)
        environment_host("", host);
    struct header_target *targets = calloc(ctx->site_count, sizeof *targets);
    if (targets == NULL)
        abort();
    for (size_t i = 0; i < ctx->site_count; i++) {
        const struct run_target *target = site_target(ctx, &ctx->sites[i]);
        targets[i] = (struct header_target){.target = target->shown,
                                            .engine = target->adapter->name,
                                            .devices = &ctx->sites[i].devices,
                                            .drives = drive_watch_before(ctx, i),
                                            .wal_elsewhere = ctx->sites[i].log_elsewhere};
    }
    struct header_record header = {.run_id = ctx->run_id,
                                   .started = ctx->started,
                                   .label = o->label,
                                   .asked = o->asked,
                                   .workload_name = o->workload_name,
                                   .workload = spec_json(o->spec),
                                   .differs = spec_differs_json(o->spec),
                                   .environment = &environment,
                                   .identify = o->identify,
                                   .host = host,
                                   .engine = t->adapter->name,
                                   .engine_version = t->version,
                                   .engine_settings = settings_json(t),
                                   .target_count = ctx->site_count,
                                   .targets = targets,
                                   .trials =
                                       o->plan->template_count > 0 ? 0 : (unsigned)o->plan->count,
                                   .warning_count = ctx->warning_count,
                                   .warnings = (const char *const *)ctx->warnings,
                                   .result_on_target = ctx->result_on_target};
    int result = log_write(ctx->log, header_json(&header), err);
    free(targets);
    ctx->header_written = result == 0;
    return result;
}

static void fill_record(const struct trial *t, struct factor_record *factors,
                        struct trial_record *record)
{
    for (size_t i = 0; i < t->plan->factor_count; i++)
        factors[i] = (struct factor_record){t->plan->factors[i].name, t->plan->factors[i].value,
                                            t->plan->factors[i].number};
    *record = (struct trial_record){.index = t->plan->index,
                                    .repeat = t->plan->repeat,
                                    .target = (unsigned)(t->site - t->ctx->sites),
                                    .part = t->plan->part,
                                    .factor_count = t->plan->factor_count,
                                    .factors = factors,
                                    .search_step = t->search_step,
                                    .search_end = search_end_name(t->search_end),
                                    .ended_by = t->ended_by,
                                    .begin_locks = t->forecast.engine.begin_locks,
                                    .commit_flushes = t->forecast.engine.commit_flushes,
                                    .floor_before = t->floor_before,
                                    .floor_after = t->floor_after,
                                    .create_ns = t->create_ns,
                                    .remove_ns = t->remove_ns,
                                    .setting_count = t->setting_count,
                                    .settings = t->settings,
                                    .steady = t->steady,
                                    .phase_count = t->phase_number,
                                    .phases = t->phases};
}

int trial_log_start(const struct trial *t, struct err *err)
{
    struct factor_record factors[64];
    struct trial_record record;
    fill_record(t, factors, &record);
    return log_write(t->ctx->log,
                     trial_start_json(context_seconds(t->ctx, clock_now_ns()), &record), err);
}

int trial_log_record(struct trial *t, const char *error, struct err *err)
{
    struct factor_record factors[64];
    struct trial_record record;
    fill_record(t, factors, &record);
    record.error = error;
    return log_write(t->ctx->log, trial_json(&record), err);
}
