/* What the keys say together, before anything is made. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/parse.h"
#include "postgres/cluster_conf.h"
#include "postgres/forecast.h"

#define MIB             1048576.0
#define CLUSTER_WRITTEN (56.0 * MIB) /* initdb, first start and stop, measured 44.5 MB */
#define CLUSTER_ROOM    (96.0 * MIB)
/* What a server that runs already has if nobody changed it; between two checkpoints comes a bit
 * more than half of max_wal_size. */
#define SERVER_WAL     (0.6 * 1024 * MIB)
#define SERVER_BUFFERS (128 * MIB)

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

/* "512MB" as postgresql.conf has it; NaN: something else. */
static double memory_size(const char *text)
{
    static const struct {
        const char *unit;
        double bytes;
    } units[] = {{"kB", 1024}, {"MB", MIB}, {"GB", 1024 * MIB}, {"TB", 1048576 * MIB}};
    char *end;
    double number = text == NULL ? NAN : strtod(text, &end);
    for (size_t i = 0; text != NULL && i < sizeof units / sizeof *units; i++)
        if (strcmp(end + strspn(end, " "), units[i].unit) == 0)
            return number * units[i].bytes;
    return NAN;
}

/* Without a word of the person's, max_wal_size follows the plan: no checkpoint within a phase. */
static struct forecast_room private_room(const struct workload *load)
{
    char buffers[32];
    postgres_conf_buffers((double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE), buffers);
    double wal = memory_size(postgres_settings_conf_value(load, "max_wal_size"));
    double set = memory_size(postgres_settings_conf_value(load, "shared_buffers"));
    return (struct forecast_room){
        .wal_bytes = isnan(wal) ? INFINITY : 0.6 * wal,
        .buffer_bytes = isnan(set) ? memory_size(buffers) : set,
    };
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
    if (status != OP_OK)
        return status;
    struct forecast_room room = private_room(load);
    forecast_estimate(load, &settings, &room, forecast);
    forecast->space_bytes += CLUSTER_ROOM / load->streams;
    forecast->write_bytes[load->phases[0]] += CLUSTER_WRITTEN / load->streams;
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
    struct forecast_room room = {.wal_bytes = SERVER_WAL, .buffer_bytes = SERVER_BUFFERS};
    forecast_estimate(load, &settings, &room, forecast);
    return OP_OK;
}
