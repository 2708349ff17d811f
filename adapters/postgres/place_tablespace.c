/* CREATE TABLESPACE takes a directory that is not empty, even a file system's root, and makes it
 * its user's alone: so ours is a sub-directory of our own wherever we can make one. */
#include "postgres/place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"

#define FOLDER "loadline-data-" /* and the run's twelve digits */

static const char key[] = "postgres.tablespace";

/* Who makes the folder that the server's user must own. */
enum maker {
    MAKER_ROOT,   /* we are root: make it, and give it away */
    MAKER_SAME,   /* we are the server's user */
    MAKER_PERSON, /* the directory itself, made for it */
};

static enum maker maker_of(const struct place_host *host)
{
    if (geteuid() == host->user)
        return MAKER_SAME;
    return geteuid() == 0 ? MAKER_ROOT : MAKER_PERSON;
}

/* What we see: it is there, and a directory. */
static enum op_status check_seen(const char *directory, struct stat *st, struct op_error *why)
{
    char text[128];
    if (stat(directory, st) != 0 && errno == ENOENT)
        return op_fail(why, OP_FATAL, ENOENT, "%s = %s: there is no such directory; make it", key,
                       directory);
    if (stat(directory, st) != 0)
        return op_fail(why, OP_FATAL, errno,
                       "%s = %s cannot be looked at: %s; run loadline as a user who can, such as "
                       "the server's",
                       key, directory, strerror_r(errno, text, sizeof text));
    if (!S_ISDIR(st->st_mode))
        return op_fail(why, OP_FATAL, ENOTDIR, "%s = %s is no directory; name one", key, directory);
    return OP_OK;
}

/* What the server sees there: -1 nothing, else the number of things in it. */
static enum op_status ask_server(PGconn *handle, const char *directory, long *things,
                                 struct op_error *why)
{
    PGresult *result = NULL;
    struct op_error cause;
    char *quoted = PQescapeLiteral(handle, directory, strlen(directory));
    if (quoted == NULL)
        return op_fail(why, OP_FATAL, 0, "%s = %s is no text in UTF-8", key, directory);
    char *text = fs_path("SELECT CASE WHEN (pg_stat_file(%s, true)).isdir THEN (SELECT count(*) "
                         "FROM pg_ls_dir(%s, true, false)) ELSE -1 END",
                         quoted, quoted);
    enum op_status status =
        postgres_query(handle, text, "looking into the directory", &result, &cause);
    if (status == OP_OK)
        *things = strtol(PQgetvalue(result, 0, 0), NULL, 10);
    else if (status == OP_LOST)
        *why = cause;
    else
        op_fail(why, OP_FATAL, 0,
                "%s = %s: the server's user may not look into it; let it in with chmod o+rx, also "
                "into the directories above (%.100s)",
                key, directory, cause.text);
    PQclear(result);
    PQfreemem(quoted);
    free(text);
    return status == OP_OK || status == OP_LOST ? status : OP_FATAL;
}

static bool is_mount_root(const char *directory, const struct stat *st)
{
    struct stat above;
    char *parent = fs_path("%s/..", directory);
    bool is_root =
        stat(parent, &above) == 0 && (above.st_dev != st->st_dev || above.st_ino == st->st_ino);
    free(parent);
    return is_root;
}

/* The directory itself becomes the tablespace: it must have been made for that. */
static enum op_status check_given(const struct place_host *host, const char *directory,
                                  const struct stat *st, long things, struct op_error *why)
{
    const char *fault = NULL;
    if (is_mount_root(directory, st))
        fault = "is the root of a file system";
    else if (st->st_uid != host->user)
        fault = "is not the server's user's";
    else if (things > 0)
        fault = "is not empty";
    if (fault == NULL)
        return OP_OK;
    return op_fail(why, OP_FATAL, 0,
                   "%s = %s %s, and only root or %s could make a sub-directory there: sudo install "
                   "-d -m 700 -o %s %s/tablespace, and name that",
                   key, directory, fault, host->user_name, host->user_name, directory);
}

static enum op_status check_rights(PGconn *handle, struct op_error *why)
{
    struct postgres_rights rights;
    enum op_status status = postgres_db_rights(handle, &rights, why);
    if (status != OP_OK || rights.superuser)
        return status;
    return op_fail(why, OP_FATAL, 0,
                   "%s: only a superuser makes a tablespace, and the role %s is none; connect as "
                   "one, or let one make it and say ALTER ROLE \"%s\" SET default_tablespace",
                   key, PQuser(handle), PQuser(handle));
}

/* `above` NULL: not known. */
static bool is_below(const char *directory, const char *above)
{
    char *real = above == NULL ? NULL : realpath(directory, NULL);
    size_t length = above == NULL ? 0 : strlen(above);
    bool below =
        real != NULL && strncmp(real, above, length) == 0 && (real[length] == '/' || !real[length]);
    free(real);
    return below;
}

static enum op_status check_all(PGconn *handle, const char *directory,
                                const struct place_host *host, struct op_error *why)
{
    struct stat st;
    long things = -1;
    if (!host->here)
        return op_fail(why, OP_FATAL, 0,
                       "%s = %s is not on this host: %s; run loadline there, or let its "
                       "administrator make a tablespace and set it as default_tablespace",
                       key, directory, host->reason);
    enum op_status status = check_seen(directory, &st, why);
    if (status != OP_OK || (status = ask_server(handle, directory, &things, why)) != OP_OK)
        return status;
    if (things < 0)
        return op_fail(why, OP_FATAL, 0,
                       "%s = %s: the server does not see this directory; it has a view of its own "
                       "of the file system (a container, or PrivateTmp of its service)",
                       key, directory);
    if (is_below(directory, host->data_directory))
        return op_fail(why, OP_FATAL, 0,
                       "%s = %s lies in the server's own data directory, where no tablespace may "
                       "be; give a directory on the drive under test",
                       key, directory);
    switch (maker_of(host)) {
    case MAKER_PERSON:
        return check_given(host, directory, &st, things, why);
    case MAKER_SAME:
        if (faccessat(AT_FDCWD, directory, W_OK | X_OK, AT_EACCESS) == 0)
            return OP_OK;
        return op_fail(why, OP_FATAL, 0,
                       "%s = %s cannot be written to by %s; make a sub-directory for it: sudo "
                       "install -d -m 700 -o %s %s/loadline, and name that",
                       key, directory, host->user_name, host->user_name, directory);
    case MAKER_ROOT:
        break;
    }
    return OP_OK;
}

enum op_status place_tablespace_check(PGconn *handle, const char *directory, struct op_error *why)
{
    struct place_host host;
    if (directory[0] != '/')
        return op_fail(why, OP_FATAL, 0, "%s = %s: give an absolute path, beginning with /", key,
                       directory);
    enum op_status status = check_rights(handle, why);
    if (status != OP_OK || (status = place_host_look(handle, &host, why)) != OP_OK)
        return status;
    status = check_all(handle, directory, &host, why);
    place_host_release(&host);
    return status;
}

/* ---- make ---- */

/* *made: heap, the folder of ours; NULL: the directory itself serves. */
static enum op_status make_folder(const struct postgres_db *db, const struct place_host *host,
                                  char **made, struct op_error *why)
{
    char text[128];
    enum maker maker = maker_of(host);
    *made = NULL;
    if (maker == MAKER_PERSON)
        return OP_OK;
    char *path =
        fs_path("%s/" FOLDER "%s", db->settings.tablespace, strchr(db->tablespace, '_') + 1);
    bool is_made = mkdir(path, 0700) == 0;
    if (is_made && (maker != MAKER_ROOT || chown(path, host->user, (gid_t)-1) == 0)) {
        *made = path;
        return OP_OK;
    }
    int number = errno;
    if (is_made)
        rmdir(path);
    bool is_full = number == ENOSPC || number == EDQUOT;
    op_fail(why, is_full ? OP_NO_SPACE : OP_FATAL, number, "making %s for %s: %s", path,
            host->user_name, strerror_r(number, text, sizeof text));
    free(path);
    return is_full ? OP_NO_SPACE : OP_FATAL;
}

static enum op_status create(struct postgres_db *db, const char *location, struct op_error *why)
{
    char *quoted = PQescapeLiteral(db->admin, location, strlen(location));
    if (quoted == NULL)
        return op_fail(why, OP_FATAL, 0, "%s = %s is no text in UTF-8", key, location);
    char *text = fs_path("CREATE TABLESPACE %s LOCATION %s", db->tablespace, quoted);
    enum op_status status = postgres_run(db->admin, text, "CREATE TABLESPACE", why);
    PQfreemem(quoted);
    free(text);
    if (status != OP_OK)
        return status;
    db->tablespace_made = true;
    return place_mark(db->admin, "TABLESPACE", db->tablespace, why);
}

enum op_status place_tablespace_make(struct postgres_db *db, struct op_error *why)
{
    struct place_host host;
    char *folder = NULL;
    const char *directory = db->settings.tablespace;
    enum op_status status = place_tablespace_check(db->admin, directory, why);
    if (status != OP_OK || (status = place_host_look(db->admin, &host, why)) != OP_OK)
        return status;
    status = make_folder(db, &host, &folder, why);
    if (status == OP_OK)
        status = create(db, folder != NULL ? folder : directory, why);
    if (status != OP_OK && !db->tablespace_made && folder != NULL)
        rmdir(folder);
    free(folder);
    place_host_release(&host);
    return status;
}

/* ---- drop ---- */

/* Is it a folder that we made for the tablespace of this name? */
static bool is_our_folder(const char *location, const char *name)
{
    const char *base = strrchr(location, '/');
    return base != NULL && strncmp(base + 1, FOLDER, strlen(FOLDER)) == 0 &&
           strcmp(base + 1 + strlen(FOLDER), strchr(name, '_') + 1) == 0;
}

static enum op_status find_location(PGconn *handle, const char *name, char location[PATH_MAX],
                                    struct op_error *why)
{
    char text[160];
    PGresult *result = NULL;
    snprintf(text, sizeof text,
             "SELECT pg_tablespace_location(oid) FROM pg_tablespace WHERE spcname = '%s'", name);
    enum op_status status = postgres_query(handle, text, "asking for a tablespace", &result, why);
    if (status != OP_OK)
        return status;
    snprintf(location, PATH_MAX, "%s", PQntuples(result) == 1 ? PQgetvalue(result, 0, 0) : "");
    PQclear(result);
    return OP_OK;
}

enum op_status place_tablespace_drop(PGconn *handle, const char *name, struct op_error *why)
{
    char location[PATH_MAX], text[128];
    struct place_host host;
    enum op_status status = find_location(handle, name, location, why);
    if (status != OP_OK)
        return status;
    snprintf(text, sizeof text, "DROP TABLESPACE IF EXISTS %s", name);
    status = postgres_run(handle, text, "DROP TABLESPACE", why);
    if (status != OP_OK || !is_our_folder(location, name))
        return status;
    status = place_host_look(handle, &host, why);
    bool here = status == OP_OK && host.here;
    place_host_release(&host);
    if (status != OP_OK || (here && rmdir(location) == 0) || (here && errno == ENOENT))
        return status;
    return op_fail(why, OP_FATAL, errno,
                   "the tablespace %s is dropped, but its empty directory is not removed: rmdir %s",
                   name, location);
}
