#include "postgres/cluster_conf.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "postgres/cluster_inner.h"
#include "postgres/options.h"
#include "postgres/server_log.h"

#define MIB 1048576.0

/* Beside the streams: main thread, sampler, scan, superuser_reserved_connections, and a person who
 * looks. */
enum { OTHER_CONNECTIONS = 16 };

struct check {
    enum op_status status;
    struct op_error *why;
};

static bool is_name(const char *name)
{
    if (!isalpha((unsigned char)name[0]) && name[0] != '_')
        return false;
    for (; *name != '\0'; name++)
        if (!isalnum((unsigned char)*name) && *name != '_' && *name != '.')
            return false;
    return true;
}

static void check_one(void *ctx, const char *name, const char *value)
{
    static const char *const ours[] = {
        "listen_addresses",
        "unix_socket_directories",
        "port",
        "data_directory",
        "config_file",
        "include",
        "include_dir",
        "include_if_exists",
    };
    struct check *check = ctx;
    if (check->status != OP_OK)
        return;
    if (!is_name(name))
        check->status = op_fail(check->why, OP_FATAL, 0,
                                "postgres.conf.%s: this cannot be a setting of PostgreSQL's; give "
                                "a name as postgresql.conf has it",
                                name);
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (strcasecmp(name, ours[i]) == 0)
            check->status = op_fail(check->why, OP_FATAL, 0,
                                    "postgres.conf.%s = %s: loadline itself says where its private "
                                    "server lies and listens; leave the key out",
                                    name, value);
}

enum op_status postgres_conf_check(const struct workload *load, struct op_error *why)
{
    struct check check = {.status = OP_OK, .why = why};
    postgres_settings_conf(load, check_one, &check);
    return check.status;
}

static void put_mib(double bytes, double least_mib, char out[32])
{
    double mib = bytes / MIB;
    /* Also where it is no number. */
    if (!(mib >= least_mib))
        mib = least_mib;
    snprintf(out, 32, "%.0fMB", mib);
}

void postgres_conf_wal_size(double wal_bytes, double free_bytes, char out[32])
{
    double bytes = 4 * wal_bytes;
    if (!(bytes >= 1024 * MIB))
        bytes = 1024 * MIB;
    if (bytes > free_bytes / 2)
        bytes = free_bytes / 2;
    /* The server wants two segments of 16 MiB at least. */
    put_mib(bytes, 64, out);
}

/* A quarter is what PostgreSQL's manual starts from.  More than 1 GiB would only let dirty pages
 * wait for the checkpoint that ends a phase: the load on the drive is what is asked for. */
void postgres_conf_buffers(double memory_bytes, char out[32])
{
    double bytes = memory_bytes / 4;
    put_mib(bytes > 1024 * MIB ? 1024 * MIB : bytes, 16, out);
}

char *postgres_conf_quote(const char *value)
{
    char *out = malloc(2 * strlen(value) + 3), *at = out;
    if (out == NULL)
        abort();
    *at++ = '\'';
    for (; *value != '\0'; value++) {
        if (*value == '\'' || *value == '\\')
            *at++ = *value;
        else if (*value == '\n')
            *at++ = '\\';
        *at++ = *value == '\n' ? 'n' : *value;
    }
    *at++ = '\'';
    *at = '\0';
    return out;
}

static void put(FILE *file, const char *name, const char *value)
{
    char *quoted = postgres_conf_quote(value);
    fprintf(file, "%s = %s\n", name, quoted);
    free(quoted);
}

static void put_one(void *ctx, const char *name, const char *value)
{
    put(ctx, name, value);
}

char *postgres_conf_text(const struct postgres_conf *conf)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    if (file == NULL)
        abort();
    fprintf(file,
            "# Written by loadline for one trial; the later of two lines wins.\n"
            "max_connections = %u\n"
            "cluster_name = 'loadline'\n"
            /* A checkpoint comes when loadline asks for it or max_wal_size is reached, not by the
             * clock in one phase and not in the next. */
            "checkpoint_timeout = '1h'\n"
            /* What is logged goes to standard error, where loadline keeps it in memory: short,
             * since a deadlock a second would make it long. */
            "logging_collector = off\n"
            "log_destination = 'stderr'\n"
            "log_min_messages = warning\n"
            "log_min_error_statement = panic\n"
            "log_error_verbosity = terse\n"
            "log_checkpoints = off\n"
            "log_autovacuum_min_duration = -1\n"
            "log_line_prefix = '%%m [%%p] '\n",
            conf->connections + OTHER_CONNECTIONS);
    put(file, "shared_buffers", conf->shared_buffers);
    if (conf->max_wal_size != NULL) {
        put(file, "max_wal_size", conf->max_wal_size);
        /* Segments are recycled, never removed: one that is made anew is written twice. */
        put(file, "min_wal_size", conf->max_wal_size);
    }
    postgres_settings_conf(conf->load, put_one, file);
    put(file, "listen_addresses", "");
    put(file, "unix_socket_directories", conf->socket);
    fprintf(file, "port = %s\n", POSTGRES_PORT);
    if (fclose(file) != 0)
        abort();
    return text;
}

struct blame {
    const char *words;
    char *out;
    size_t size;
};

static void blame_one(void *ctx, const char *name, const char *value)
{
    struct blame *blame = ctx;
    if (blame->out[0] == '\0' && postgres_log_names(blame->words, name))
        snprintf(blame->out, blame->size, "postgres.conf.%s = %s: ", name, value);
}

void postgres_conf_blame(const struct workload *load, const char *words, char *out, size_t size)
{
    struct blame blame = {.words = words, .out = out, .size = size};
    out[0] = '\0';
    postgres_settings_conf(load, blame_one, &blame);
}
