/* A forwarded port or a container's socket looks local, too: only a process of this host with the
 * server's number and name, of the data directory's own postmaster, is proof. */
#include "postgres/place.h"

#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "workload/layout.h"

/* What a server says of itself. */
struct answer {
    bool local;
    char address[64];
    long backend;
    char directory[PATH_MAX]; /* "": may not be seen */
};

static enum op_status ask(PGconn *handle, struct answer *answer, struct op_error *why)
{
    PGresult *result = NULL;
    /* pg_settings leaves out what a role may not see, where SHOW fails. */
    enum op_status status = postgres_query(
        handle,
        "SELECT inet_server_addr() IS NULL OR inet_server_addr() = inet_client_addr(), "
        "host(inet_server_addr()), pg_backend_pid(), "
        "(SELECT setting FROM pg_settings WHERE name = 'data_directory')",
        "asking where the server is", &result, why);
    if (status != OP_OK)
        return status;
    answer->local = strcmp(PQgetvalue(result, 0, 0), "t") == 0;
    snprintf(answer->address, sizeof answer->address, "%s", PQgetvalue(result, 0, 1));
    answer->backend = strtol(PQgetvalue(result, 0, 2), NULL, 10);
    snprintf(answer->directory, sizeof answer->directory, "%s", PQgetvalue(result, 0, 3));
    PQclear(result);
    return OP_OK;
}

/* One line of a small file, or of a link's end with `link`; false: cannot be read. */
static bool read_line(const char *path, char *line, size_t size)
{
    FILE *file = fopen(path, "re");
    bool read = file != NULL && fgets(line, (int)size, file) != NULL;
    if (file != NULL)
        fclose(file);
    if (read)
        line[strcspn(line, "\n")] = '\0';
    return read;
}

static long parent_of(long process)
{
    char path[64], line[512];
    snprintf(path, sizeof path, "/proc/%ld/stat", process);
    if (!read_line(path, line, sizeof line))
        return -1;
    const char *name_end = strrchr(line, ')'); /* "PID (NAME) STATE PARENT ..." */
    return name_end == NULL || strlen(name_end) < 5 ? -1 : strtol(name_end + 4, NULL, 10);
}

static bool is_server_process(long process)
{
    char path[64], line[64];
    snprintf(path, sizeof path, "/proc/%ld/comm", process);
    return read_line(path, line, sizeof line) && strstr(line, "postgres") != NULL;
}

/* Where the lock file of the data directory may be read, it names the backend's parent. */
static bool is_server_directory(const char *directory, long process)
{
    char line[64];
    char *path = fs_path("%s/postmaster.pid", directory);
    bool read = read_line(path, line, sizeof line);
    free(path);
    return !read || strtol(line, NULL, 10) == parent_of(process);
}

static void find_directory(const struct answer *answer, struct place_host *host)
{
    char path[64];
    struct stat st;
    snprintf(path, sizeof path, "/proc/%ld/cwd", answer->backend); /* the server's, too */
    char *found = realpath(answer->directory[0] == '/' ? answer->directory : path, NULL);
    if (found != NULL && stat(found, &st) == 0 && S_ISDIR(st.st_mode) &&
        is_server_directory(found, answer->backend))
        host->data_directory = found;
    else
        free(found);
}

static void name_user(struct place_host *host)
{
    char buffer[1024];
    struct passwd entry, *found = NULL;
    if (getpwuid_r(host->user, &entry, buffer, sizeof buffer, &found) == 0 && found != NULL)
        snprintf(host->user_name, sizeof host->user_name, "%s", found->pw_name);
    else
        snprintf(host->user_name, sizeof host->user_name, "%u", (unsigned)host->user);
}

enum op_status place_host_look(PGconn *handle, struct place_host *host, struct op_error *why)
{
    struct answer answer;
    struct stat st;
    char path[64];
    *host = (struct place_host){.here = false};
    enum op_status status = ask(handle, &answer, why);
    if (status != OP_OK)
        return status;
    if (!answer.local) {
        snprintf(host->reason, sizeof host->reason, "the server is at %s", answer.address);
        return OP_OK;
    }
    snprintf(path, sizeof path, "/proc/%ld", answer.backend);
    if (!is_server_process(answer.backend) || stat(path, &st) != 0) {
        snprintf(host->reason, sizeof host->reason,
                 "no process of the server is seen here, so it is in a container or behind a "
                 "tunnel");
        return OP_OK;
    }
    host->user = st.st_uid;
    name_user(host);
    find_directory(&answer, host);
    if (host->data_directory == NULL && answer.directory[0] == '/' &&
        access(answer.directory, F_OK) != 0) {
        snprintf(host->reason, sizeof host->reason, "its data directory %.100s is not seen here",
                 answer.directory);
        return OP_OK;
    }
    host->here = true;
    return OP_OK;
}

void place_host_release(struct place_host *host)
{
    free(host->data_directory);
    host->data_directory = NULL;
}

/* ---- the slot `paths` ---- */

/* Where a table goes that names no tablespace: "" is the data directory. */
static enum op_status default_tablespace(PGconn *handle, char location[PATH_MAX],
                                         struct op_error *why)
{
    PGresult *result = NULL;
    enum op_status status = postgres_query(
        handle,
        "SELECT pg_tablespace_location(t.oid) FROM pg_tablespace t, pg_database d "
        "WHERE d.datname = current_database() AND CASE current_setting('default_tablespace') "
        "WHEN '' THEN t.oid = d.dattablespace "
        "ELSE t.spcname = current_setting('default_tablespace') END",
        "asking for the tablespace", &result, why);
    if (status != OP_OK)
        return status;
    snprintf(location, PATH_MAX, "%s", PQntuples(result) == 1 ? PQgetvalue(result, 0, 0) : "");
    PQclear(result);
    return OP_OK;
}

static enum op_status tell_paths(const struct postgres_db *db, PGconn *handle,
                                 const struct place_host *host, const struct adapter_sink *sink,
                                 struct op_error *why)
{
    char location[PATH_MAX] = "";
    enum op_status status = OP_OK;
    if (layout_files(db->load) == 1) /* databases of our own lie in the data directory */
        status = default_tablespace(handle, location, why);
    if (status != OP_OK)
        return status;
    if (db->settings.tablespace != NULL)
        sink->path(sink->ctx, DEVICE_DATA, db->settings.tablespace);
    else if (location[0] == '/')
        sink->path(sink->ctx, DEVICE_DATA, location);
    else if (host->data_directory != NULL)
        sink->path(sink->ctx, DEVICE_DATA, host->data_directory);
    if (host->data_directory == NULL)
        return OP_OK;
    char *link = fs_path("%s/pg_wal", host->data_directory);
    char *real = realpath(link, NULL); /* NULL: another user's eyes do not see into it */
    if (real != NULL)
        sink->path(sink->ctx, DEVICE_WAL, real);
    free(real);
    free(link);
    return OP_OK;
}

enum op_status postgres_place_paths(const struct adapter_config *config,
                                    const struct adapter_sink *sink, struct op_error *why)
{
    struct postgres_db db = {
        .config = config, .load = config->load, .conninfo = config->target, .run = "loadline"};
    struct place_host host = {.here = false};
    PGconn *handle = NULL;
    postgres_settings_read(&db.settings, config->load);
    enum op_status status = postgres_connect(&db, NULL, "_paths", &handle, why);
    if (status == OP_OK && db.settings.tablespace != NULL)
        status = place_tablespace_check(handle, db.settings.tablespace, why);
    if (status == OP_OK)
        status = place_host_look(handle, &host, why);
    if (status == OP_OK && host.here)
        status = tell_paths(&db, handle, &host, sink, why);
    place_host_release(&host);
    PQfinish(handle);
    return status;
}
