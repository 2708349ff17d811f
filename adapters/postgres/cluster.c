#include "postgres/cluster.h"

#include <libpq-fe.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "postgres/cluster_conf.h"
#include "postgres/cluster_inner.h"
#include "postgres/process.h"
#include "postgres/server.h"
#include "postgres/server_log.h"

#define INITDB_NS (300 * NS_PER_S)

enum { REASON_SIZE = 1024, PATH_LONGEST = 900 };

static enum op_status fail_stopped(struct op_error *why)
{
    return op_fail(why, OP_FATAL, 0, "stopped before the server was ready");
}

/* The directory itself, links resolved, and all above it can be passed by the server's user. */
static enum op_status check_way(const struct postgres_owner *owner, const char *path,
                                struct op_error *why)
{
    struct err err = {.kind = ERR_NONE};
    if (strchr(path, '\n') != NULL)
        return op_fail(why, OP_FATAL, 0,
                       "%s has a line feed in its name, which PostgreSQL cannot have; choose "
                       "another place",
                       path);
    if (strlen(path) > PATH_LONGEST)
        return op_fail(why, OP_FATAL, 0,
                       "a path of %zu bytes is too long for PostgreSQL; choose another place",
                       strlen(path));
    char *real = fs_real_path(path, &err);
    if (real == NULL)
        return op_fail(why, OP_FATAL, 0, "%s", err.text);
    enum op_status status = postgres_owner_reaches(owner, real, why);
    free(real);
    return status;
}

static enum op_status prepare(struct postgres_cluster *cluster,
                              const struct postgres_settings *settings, struct op_error *why)
{
    const struct adapter_config *config = cluster->config;
    const char *directory = config->directory != NULL ? config->directory : config->target;
    enum op_status status = postgres_conf_check(config->load, why);
    if (status == OP_OK)
        status =
            postgres_programs_find(settings->programs, &cluster->programs, &cluster->version, why);
    if (status == OP_OK)
        status = postgres_owner_find(settings->user, &cluster->owner, why);
    if (status == OP_OK)
        status = check_way(&cluster->owner, directory, why);
    if (status == OP_OK && config->log_directory != NULL)
        status = check_way(&cluster->owner, config->log_directory, why);
    if (status == OP_OK)
        status = check_way(&cluster->owner, cluster->programs, why);
    return status;
}

static void cluster_free(struct postgres_cluster *cluster)
{
    postgres_owner_release(&cluster->owner);
    free(cluster->programs);
    free(cluster->data);
    free(cluster->wal);
    free(cluster->note);
    free(cluster->socket);
    free(cluster->conninfo);
    free(cluster->max_wal_size);
    free(cluster);
}

static struct postgres_cluster *cluster_new(const struct adapter_config *config)
{
    struct postgres_cluster *cluster = calloc(1, sizeof *cluster);
    if (cluster == NULL)
        abort();
    cluster->config = config;
    return cluster;
}

enum op_status postgres_cluster_check(const struct adapter_config *config,
                                      const struct postgres_settings *settings,
                                      struct op_error *why)
{
    struct postgres_cluster *cluster = cluster_new(config);
    enum op_status status = prepare(cluster, settings, why);
    cluster_free(cluster);
    return status;
}

static enum op_status make_directories(struct postgres_cluster *cluster, struct op_error *why)
{
    const struct adapter_config *config = cluster->config;
    cluster->data = fs_path("%s/" POSTGRES_DATA, config->directory);
    cluster->note = fs_path("%s/" POSTGRES_NOTE, config->directory);
    if (config->log_directory != NULL)
        cluster->wal = fs_path("%s/" POSTGRES_WAL, config->log_directory);
    enum op_status status = postgres_files_make_socket(cluster, why);
    if (status == OP_OK)
        status = postgres_owner_mkdir(&cluster->owner, cluster->data, &cluster->data_made, why);
    if (status == OP_OK && cluster->wal != NULL)
        status = postgres_owner_mkdir(&cluster->owner, cluster->wal, &cluster->wal_made, why);
    return status;
}

/* What a program printed, as the reason of its failure. */
static enum op_status fail_printed(const struct postgres_cluster *cluster, const char *what,
                                   const char *text, struct op_error *why)
{
    char reason[REASON_SIZE], blame[REASON_SIZE];
    postgres_log_reason(text, reason, sizeof reason);
    postgres_conf_blame(cluster->config->load, reason, blame, sizeof blame);
    if (reason[0] == '\0')
        snprintf(reason, sizeof reason, "it ended without a word");
    return op_fail(why, postgres_log_is_no_space(text) ? OP_NO_SPACE : OP_FATAL, 0, "%s: %s%s",
                   what, blame, reason);
}

static enum op_status run_initdb(struct postgres_cluster *cluster,
                                 const struct postgres_settings *settings, struct op_error *why)
{
    char *program = fs_path("%s/initdb", cluster->programs);
    const char *argv[20] = {program, "-D",    cluster->data, "-U",          POSTGRES_CLUSTER_USER,
                            "-A",    "trust", "-N",          "--no-locale", "-E",
                            "UTF8"};
    size_t count = 11;
    enum op_status status;
    int result = 0;
    pid_t pid;
    if (settings->checksums)
        argv[count++] = "-k";
    else if (cluster->version >= 18) /* on by default from there */
        argv[count++] = "--no-data-checksums";
    if (cluster->wal != NULL) {
        argv[count++] = "-X";
        argv[count++] = cluster->wal;
    }
    int output = postgres_process_output();
    struct postgres_command command = {
        .argv = argv, .owner = &cluster->owner, .output = output, .death_signal = SIGKILL};
    int number = output < 0 ? -1 : postgres_process_start(&command, &pid);
    if (number != 0) {
        status = op_fail(why, OP_FATAL, number, "starting %s as %s: %s", program,
                         cluster->owner.name, strerror(number));
    } else {
        enum postgres_process_end end =
            postgres_process_wait(pid, INITDB_NS, cluster->config->stop, &result);
        char *text = postgres_process_text(output);
        if (end == POSTGRES_PROCESS_STOPPED)
            status = fail_stopped(why);
        else if (end == POSTGRES_PROCESS_LATE)
            status = op_fail(why, OP_FATAL, 0, "initdb in %s was not done after %d s",
                             cluster->config->directory, (int)(INITDB_NS / NS_PER_S));
        else
            status = result == 0 ? OP_OK : fail_printed(cluster, "initdb", text, why);
        free(text);
    }
    if (output >= 0)
        close(output);
    free(program);
    return status;
}

static enum op_status configure(struct postgres_cluster *cluster, double wal_bytes,
                                unsigned connections, struct op_error *why)
{
    const struct adapter_config *config = cluster->config;
    const char *set = postgres_settings_conf_value(config->load, "max_wal_size");
    const char *log = config->log_directory != NULL ? config->log_directory : config->directory;
    struct err err = {.kind = ERR_NONE};
    uint64_t free_bytes = 0, total_bytes;
    char wal_size[32], buffers[32];
    if (fs_space(log, &free_bytes, &total_bytes, &err) != 0)
        return op_fail(why, OP_FATAL, 0, "%s", err.text);
    postgres_conf_wal_size(wal_bytes, (double)free_bytes, wal_size);
    postgres_conf_buffers((double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE), buffers);
    cluster->max_wal_size = fs_path("%s", set != NULL ? set : wal_size);
    struct postgres_conf conf = {.load = config->load,
                                 .socket = cluster->socket,
                                 .max_wal_size = set != NULL ? NULL : wal_size,
                                 .shared_buffers = buffers,
                                 .connections = connections};
    char *text = postgres_conf_text(&conf);
    enum op_status status = postgres_files_write_conf(cluster, text, why);
    free(text);
    return status;
}

/* "ready" is what the server says; this is whether it can be reached. */
static enum op_status try_connection(const struct postgres_cluster *cluster, struct op_error *why)
{
    char *conninfo =
        fs_path("%s dbname=" POSTGRES_CLUSTER_DATABASE " connect_timeout=10", cluster->conninfo);
    enum op_status status = OP_OK;
    if (PQping(conninfo) != PQPING_OK)
        status =
            op_fail(why, OP_FATAL, 0, "the server says that it is ready, but does not answer in %s",
                    cluster->socket);
    free(conninfo);
    return status;
}

static enum op_status start_server(struct postgres_cluster *cluster, struct op_error *why)
{
    /* Empty ones keep PGOPTIONS and its like in our own environment from changing what a
     * connection does. */
    cluster->conninfo = fs_path("host=%s port=" POSTGRES_PORT " user=" POSTGRES_CLUSTER_USER
                                " options='' sslmode=disable gssencmode=disable",
                                cluster->socket);
    enum op_status status = postgres_server_start(cluster->programs, cluster->data, &cluster->owner,
                                                  &cluster->server, why);
    if (status != OP_OK)
        return status;
    status = postgres_server_await(cluster->server, cluster->config->stop, why);
    if (status == OP_BUSY)
        return fail_stopped(why);
    if (status != OP_OK) {
        char *text = postgres_server_text(cluster->server);
        char *what = fs_path("%s", why->text[0] != '\0' ? why->text : "PostgreSQL did not start");
        status = fail_printed(cluster, what, text, why);
        free(what);
        free(text);
        return status;
    }
    return try_connection(cluster, why);
}

enum op_status postgres_cluster_start(const struct adapter_config *config,
                                      const struct postgres_settings *settings, double wal_bytes,
                                      unsigned connections, struct postgres_cluster **cluster,
                                      struct op_error *why)
{
    struct postgres_cluster *c = cluster_new(config);
    struct op_error ignored;
    enum op_status status = prepare(c, settings, why);
    if (status == OP_OK)
        status = make_directories(c, why);
    if (status == OP_OK)
        status = adapter_is_stopped(config) ? fail_stopped(why) : run_initdb(c, settings, why);
    if (status == OP_OK)
        status = configure(c, wal_bytes, connections, why);
    if (status == OP_OK)
        status = start_server(c, why);
    if (status != OP_OK) {
        postgres_cluster_remove(c, POSTGRES_STOP_IMMEDIATE, &ignored);
        return status;
    }
    *cluster = c;
    return OP_OK;
}

const char *postgres_cluster_conninfo(const struct postgres_cluster *cluster)
{
    return cluster->conninfo;
}

const char *postgres_cluster_max_wal_size(const struct postgres_cluster *cluster)
{
    return cluster->max_wal_size;
}

bool postgres_cluster_last_words(const struct postgres_cluster *cluster, char *text, size_t size)
{
    char *printed = postgres_server_text(cluster->server);
    postgres_log_reason(printed, text, size);
    free(printed);
    return text[0] != '\0';
}

/* The first failure is told; the rest is still removed. */
static enum op_status keep_first(enum op_status first, enum op_status next, struct op_error *why,
                                 const struct op_error *next_why)
{
    if (first == OP_OK && next != OP_OK)
        *why = *next_why;
    return first != OP_OK ? first : next;
}

enum op_status postgres_cluster_remove(struct postgres_cluster *cluster, enum postgres_stop how,
                                       struct op_error *why)
{
    static const volatile int hurry = 1;
    struct op_error each;
    enum op_status status = OP_OK;
    if (cluster->data_made)
        status = postgres_server_stop(
            cluster->data, cluster->server, how,
            how == POSTGRES_STOP_IMMEDIATE ? &hurry : cluster->config->stop, why);
    if (cluster->server != NULL)
        postgres_server_destroy(cluster->server);
    /* Not below a server that still runs: `clean` can find it as long as all is there. */
    if (status != OP_OK)
        goto out;
    if (cluster->data_made)
        status = postgres_files_remove_tree(cluster->data, NULL, why);
    if (cluster->wal_made)
        status =
            keep_first(status, postgres_files_remove_tree(cluster->wal, NULL, &each), why, &each);
    if (cluster->socket != NULL)
        status = keep_first(
            status, postgres_files_remove_socket(cluster->socket, cluster->owner.uid, NULL, &each),
            why, &each);
    if (cluster->note_made && status == OP_OK)
        unlink(cluster->note);
out:
    cluster_free(cluster);
    return status;
}
