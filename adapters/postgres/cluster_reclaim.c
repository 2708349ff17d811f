#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "files.h"
#include "postgres/cluster_inner.h"
#include "postgres/server.h"

static bool is_directory(const char *path, uid_t *owner)
{
    struct stat st;
    if (lstat(path, &st) != 0 || !S_ISDIR(st.st_mode))
        return false;
    *owner = st.st_uid;
    return true;
}

/* The log's directory is called pgwal, wherever it is. */
static bool is_wal_name(const char *path)
{
    const char *name = strrchr(path, '/');
    return path[0] == '/' && name != NULL && strcmp(name + 1, POSTGRES_WAL) == 0;
}

static enum op_status remove_wal(const char *path, unsigned *removed, struct op_error *why)
{
    uid_t owner;
    if (path == NULL || !is_wal_name(path) || !is_directory(path, &owner))
        return OP_OK;
    return postgres_files_remove_tree(path, removed, why);
}

/* What the kernel keeps of a server that was killed (a few bytes of System V shared memory,
 * segments in /dev/shm) is that server's own matter: only the next one on the same directory would
 * know them. */
enum op_status postgres_cluster_reclaim(const struct adapter_config *config, unsigned *removed,
                                        struct op_error *why)
{
    char *data = fs_path("%s/" POSTGRES_DATA, config->directory);
    char *note = fs_path("%s/" POSTGRES_NOTE, config->directory);
    char *wal = fs_path("%s/" POSTGRES_WAL, config->directory);
    char *log =
        config->log_directory == NULL ? NULL : fs_path("%s/" POSTGRES_WAL, config->log_directory);
    char *socket = NULL, *noted_wal = NULL;
    enum op_status status = OP_OK;
    uid_t owner = geteuid();
    *removed = 0;
    postgres_files_read_note(note, &socket, &noted_wal);
    if (is_directory(data, &owner)) {
        status = postgres_server_stop(data, NULL, POSTGRES_STOP_IMMEDIATE, config->stop, why);
        if (status == OP_OK)
            status = postgres_files_remove_tree(data, removed, why);
    }
    if (status == OP_OK)
        status = remove_wal(wal, removed, why);
    if (status == OP_OK)
        status = remove_wal(log, removed, why);
    if (status == OP_OK)
        status = remove_wal(noted_wal, removed, why);
    if (status == OP_OK && socket != NULL)
        status = postgres_files_remove_socket(socket, owner, removed, why);
    /* Last, so that what was cut short can be done again. */
    if (status == OP_OK && unlink(note) == 0)
        ++*removed;
    else if (status == OP_OK && errno != ENOENT)
        status = files_fail(why, "unlink", note);
    free(socket);
    free(noted_wal);
    free(log);
    free(wal);
    free(note);
    free(data);
    return status;
}
