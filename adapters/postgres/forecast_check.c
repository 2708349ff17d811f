/* What the keys say together, before anything is made. */
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "postgres/cluster_conf.h"
#include "postgres/db.h"

#define CLUSTER_BYTES (112.0 * 1048576) /* initdb, catalogs, the first segments */

/* Two keys that say the same. */
static enum op_status check_commit(const struct workload *load,
                                   const struct postgres_settings *settings, struct op_error *why)
{
    if (settings->synchronous_commit == NULL ||
        postgres_settings_conf_value(load, "synchronous_commit") == NULL)
        return OP_OK;
    return op_fail(why, OP_FATAL, 0,
                   "postgres.synchronous_commit and postgres.conf.synchronous_commit both say what "
                   "a commit waits for; leave one out");
}

static enum op_status check_connections(const struct workload *load, struct op_error *why)
{
    enum { OWN = 8 }; /* admin, sampler, scans, and those that are kept for superusers */
    const char *text = postgres_settings_conf_value(load, "max_connections");
    struct err ignored;
    uint64_t most = 0;
    if (text == NULL || parse_count(text, &most, &ignored) != 0 || most >= load->streams + OWN)
        return OP_OK;
    return op_fail(why, OP_FATAL, 0,
                   "postgres.conf.max_connections = %s is too few for workload.streams = %u; raise "
                   "it to %u, or leave it out",
                   text, load->streams, load->streams + OWN);
}

enum op_status postgres_forecast_private(const struct adapter_config *config,
                                         struct adapter_forecast *forecast, struct op_error *why)
{
    const struct workload *load = config->load;
    struct postgres_settings settings;
    postgres_settings_read(&settings, load);
    if (settings.tablespace != NULL)
        return op_fail(why, OP_FATAL, 0,
                       "postgres.tablespace is for a server that runs already (postgresql://...); "
                       "a private cluster lies whole where its target says: postgres:%s",
                       settings.tablespace);
    enum op_status status = postgres_conf_check(load, why);
    if (status == OP_OK)
        status = check_commit(load, &settings, why);
    if (status == OP_OK)
        status = check_connections(load, why);
    if (status == OP_OK)
        status = postgres_forecast(config, forecast, why);
    if (status != OP_OK)
        return status;
    forecast->space_bytes += CLUSTER_BYTES / load->streams;
    forecast->write_bytes[PHASE_INSERT] += CLUSTER_BYTES / load->streams;
    return OP_OK;
}

static void note_conf(void *ctx, const char *name, const char *value)
{
    const char **found = ctx;
    (void)value;
    *found = name;
}

enum op_status postgres_forecast_server(const struct adapter_config *config,
                                        struct adapter_forecast *forecast, struct op_error *why)
{
    const struct workload *load = config->load;
    struct postgres_settings settings;
    postgres_settings_read(&settings, load);
    const struct {
        const char *key;
        bool is_set;
    } private_keys[] = {
        {"postgres.wal", strcmp(workload_text(load, "postgres.wal"), "-") != 0},
        {"postgres.user", settings.user != NULL},
        {"postgres.programs", settings.programs != NULL},
        {"postgres.checksums", !settings.checksums},
    };
    for (size_t i = 0; i < sizeof private_keys / sizeof *private_keys; i++)
        if (private_keys[i].is_set)
            return op_fail(why, OP_FATAL, 0,
                           "%s is for a private cluster (postgres:PATH), but the target is a "
                           "server that runs already; leave it out",
                           private_keys[i].key);
    const char *conf = NULL;
    postgres_settings_conf(load, note_conf, &conf);
    if (conf != NULL)
        return op_fail(why, OP_FATAL, 0,
                       "postgres.conf.%s is for a private cluster (postgres:PATH); a server that "
                       "runs already keeps its own settings: change it there",
                       conf);
    if (settings.tablespace != NULL && settings.tablespace[0] != '/')
        return op_fail(why, OP_FATAL, 0,
                       "postgres.tablespace = %s: give an absolute path, beginning with /",
                       settings.tablespace);
    return postgres_forecast(config, forecast, why);
}
