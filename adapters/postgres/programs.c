#include "postgres/programs.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "postgres/cluster.h"
#include "postgres/process.h"

#define DEBIAN_VERSIONS "/usr/lib/postgresql"
#define ANSWER_NS       (10 * NS_PER_S)

/* What was found on the way, for the message when nothing will do. */
struct search {
    char *directory; /* of the newest that will do; NULL: none yet */
    int version;
    char *too_old; /* directory of a server before POSTGRES_PROGRAMS_OLDEST; NULL: none */
    int old_version;
};

int postgres_programs_version(const char *line)
{
    static const char name[] = "(PostgreSQL) ";
    const char *at = strstr(line, name);
    if (at == NULL)
        return 0;
    long major = strtol(at + strlen(name), NULL, 10);
    return major > 0 && major < 1000 ? (int)major : 0;
}

/* The first line that DIRECTORY/NAME prints for `argument`; heap; NULL: it fails. */
static char *ask(const char *directory, const char *name, const char *argument)
{
    char *program = fs_path("%s/%s", directory, name), *text = NULL;
    const char *const argv[] = {program, argument, NULL};
    int output = postgres_process_output(), status;
    struct postgres_command command = {.argv = argv, .output = output, .death_signal = SIGKILL};
    pid_t pid;
    if (output >= 0 && access(program, X_OK) == 0 && postgres_process_start(&command, &pid) == 0 &&
        postgres_process_wait(pid, ANSWER_NS, NULL, &status) == POSTGRES_PROCESS_ENDED &&
        status == 0) {
        text = postgres_process_text(output);
        text[strcspn(text, "\n")] = '\0';
    }
    if (output >= 0)
        close(output);
    free(program);
    return text;
}

static bool has_program(const char *directory, const char *name)
{
    char *program = fs_path("%s/%s", directory, name);
    bool there = access(program, X_OK) == 0;
    free(program);
    return there;
}

/* The server's version in a directory that has initdb and postgres; 0: it has not. */
static int version_in(const char *directory)
{
    if (directory[0] != '/' || !has_program(directory, "initdb"))
        return 0;
    char *line = ask(directory, "postgres", "--version");
    int version = line == NULL ? 0 : postgres_programs_version(line);
    free(line);
    return version;
}

/* Keeps `directory` if it is the first that will do, or notes why it will not. */
static void consider(struct search *search, const char *directory)
{
    int version = search->directory == NULL ? version_in(directory) : 0;
    if (version >= POSTGRES_PROGRAMS_OLDEST) {
        search->directory = fs_path("%s", directory);
        search->version = version;
    } else if (version > 0 && search->too_old == NULL) {
        search->too_old = fs_path("%s", directory);
        search->old_version = version;
    }
}

/* pg_config may belong to the client's development files alone: then its directory has no server,
 * and the search goes on. */
static void consider_path(struct search *search, const char *list)
{
    for (int round = 0; round < 2; round++) {
        for (const char *at = list; at != NULL && *at != '\0' && search->directory == NULL;) {
            size_t size = strcspn(at, ":");
            char *directory = fs_path("%.*s", (int)size, at);
            if (round == 1) {
                consider(search, directory);
            } else if (directory[0] == '/') {
                char *told = ask(directory, "pg_config", "--bindir");
                if (told != NULL)
                    consider(search, told);
                free(told);
            }
            free(directory);
            at += size + (at[size] == ':');
        }
    }
}

/* The highest number below `limit` that `versions` holds; 0: none. */
static long next_lower(const char *versions, long limit)
{
    long best = 0;
    DIR *dir = opendir(versions);
    if (dir == NULL)
        return 0;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        char *end;
        long number = strtol(entry->d_name, &end, 10);
        if (end != entry->d_name && (*end == '\0' || *end == '.') && number > best &&
            number < limit)
            best = number;
    }
    closedir(dir);
    return best;
}

static void consider_versions(struct search *search, const char *versions)
{
    for (long number = 1000; (number = next_lower(versions, number)) > 0;) {
        char *directory = fs_path("%s/%ld/bin", versions, number);
        consider(search, directory);
        free(directory);
    }
}

static enum op_status fail_given(const char *given, struct op_error *why)
{
    const char *missing = !has_program(given, "initdb")     ? "initdb"
                          : !has_program(given, "postgres") ? "postgres"
                                                            : NULL;
    if (given[0] != '/')
        return op_fail(why, OP_FATAL, 0, "postgres.programs = %s: give an absolute directory",
                       given);
    if (missing != NULL)
        return op_fail(why, OP_FATAL, 0,
                       "postgres.programs = %s: there is no %s that we may run; name the "
                       "directory of initdb and postgres",
                       given, missing);
    return op_fail(why, OP_FATAL, 0,
                   "postgres.programs = %s: what is called postgres there does not say its "
                   "version (postgres --version)",
                   given);
}

enum op_status postgres_programs_search(const struct postgres_places *places, char **directory,
                                        int *version, struct op_error *why)
{
    struct search search = {.directory = NULL};
    enum op_status status = OP_OK;
    if (places->given != NULL) {
        consider(&search, places->given);
    } else {
        consider_path(&search, places->search);
        consider_versions(&search, places->versions);
    }
    if (search.directory == NULL && search.too_old != NULL)
        status =
            op_fail(why, OP_FATAL, 0, "PostgreSQL %d in %s is too old: loadline needs %d or later",
                    search.old_version, search.too_old, POSTGRES_PROGRAMS_OLDEST);
    else if (search.directory == NULL && places->given != NULL)
        status = fail_given(places->given, why);
    else if (search.directory == NULL)
        status = op_fail(why, OP_FATAL, 0,
                         "PostgreSQL's server (initdb and postgres) is not installed here; install "
                         "postgresql (Debian: apt install postgresql), or name its directory with "
                         "postgres.programs");
    free(search.too_old);
    *directory = search.directory;
    *version = search.version;
    return status;
}

enum op_status postgres_programs_find(const char *given, char **directory, int *version,
                                      struct op_error *why)
{
    struct postgres_places places = {
        .given = given, .search = getenv("PATH"), .versions = DEBIAN_VERSIONS};
    return postgres_programs_search(&places, directory, version, why);
}
