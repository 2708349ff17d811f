/* cluster_support.h - for the tests of PostgreSQL's private cluster: a place that the server's user
 * can reach, settings, and looks at the running server from outside.
 *
 * Needs initdb and postgres, else the program skips (77). */
#ifndef TESTS_CONTRACT_CLUSTER_SUPPORT_H
#define TESTS_CONTRACT_CLUSTER_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "postgres/cluster.h"

/* The keys postgres.conf.* of the test at hand, ended by NULL: these two stand in for options.c. */
struct conf {
    const char *name, *value;
};
static const struct conf *confs;

void postgres_settings_conf(const struct workload *load,
                            void (*each)(void *ctx, const char *name, const char *value), void *ctx)
{
    (void)load;
    for (const struct conf *conf = confs; conf != NULL && conf->name != NULL; conf++)
        each(ctx, conf->name, conf->value);
}

const char *postgres_settings_conf_value(const struct workload *load, const char *name)
{
    (void)load;
    for (const struct conf *conf = confs; conf != NULL && conf->name != NULL; conf++)
        if (strcmp(conf->name, name) == 0)
            return conf->value;
    return NULL;
}

struct place {
    char root[64];
    char *directory;
    char *log; /* NULL: none */
    volatile int stop;
    struct workload load;
    struct adapter_config config;
    struct postgres_settings settings;
    struct postgres_cluster *cluster;
    struct op_error why;
};

static inline void place_init(struct place *place, const char *name)
{
    *place = (struct place){.root = "/tmp/cluster-test-XXXXXX", .settings = {.checksums = true}};
    confs = NULL;
    assert_non_null(mkdtemp(place->root));
    assert_int_equal(chmod(place->root, 0711), 0);
    place->directory = fs_path("%s/%s", place->root, name);
    assert_int_equal(mkdir(place->directory, 0711), 0);
    place->config = (struct adapter_config){.target = place->root,
                                            .directory = place->directory,
                                            .load = &place->load,
                                            .stop = &place->stop};
}

static inline unsigned entries(const char *path)
{
    DIR *directory = opendir(path);
    unsigned count = 0;
    assert_non_null(directory);
    while (readdir(directory) != NULL)
        count++;
    closedir(directory);
    return count - 2;
}

/* A process that has `text` in its command line; 0: none. */
static inline long process_with(const char *text)
{
    long found = 0;
    DIR *proc = opendir("/proc");
    assert_non_null(proc);
    for (struct dirent *entry; (entry = readdir(proc)) != NULL && found == 0;) {
        long pid = strtol(entry->d_name, NULL, 10);
        char path[64], line[4096];
        if (pid <= 0 || pid == getpid())
            continue;
        snprintf(path, sizeof path, "/proc/%ld/cmdline", pid);
        FILE *file = fopen(path, "re");
        size_t size = file == NULL ? 0 : fread(line, 1, sizeof line - 1, file);
        if (file != NULL)
            fclose(file);
        if (memmem(line, size, text, strlen(text)) != NULL)
            found = pid;
    }
    closedir(proc);
    return found;
}

/* The folder of the socket, by the note; heap. */
static inline char *noted_socket(const struct place *place)
{
    struct err err = {.kind = ERR_NONE};
    char *path = fs_path("%s/postgres.socket", place->directory), *text = NULL;
    size_t size;
    if (fs_read(path, 4096, &text, &size, &err) != 0)
        fail_msg("%s", err.text);
    text[strcspn(text, "\n")] = '\0';
    free(path);
    return text;
}

static inline void expect_nothing(const struct place *place, const char *socket)
{
    assert_int_equal(entries(place->directory), 0);
    if (place->log != NULL)
        assert_int_equal(entries(place->log), 0);
    if (socket != NULL)
        assert_int_equal(access(socket, F_OK), -1);
    assert_int_equal(process_with(place->root), 0);
}

static inline void place_release(struct place *place)
{
    assert_int_equal(rmdir(place->directory), 0);
    if (place->log != NULL)
        assert_int_equal(rmdir(place->log), 0);
    assert_int_equal(rmdir(place->root), 0);
    free(place->directory);
    free(place->log);
}

static inline enum op_status place_start(struct place *place)
{
    return postgres_cluster_start(&place->config, &place->settings, 1e9, 20, &place->cluster,
                                  &place->why);
}

static inline void place_started(struct place *place)
{
    if (place_start(place) != OP_OK)
        fail_msg("%s", place->why.text);
}

/* Removes the cluster, and looks that nothing is left. */
static inline void place_removed(struct place *place, enum postgres_stop how)
{
    char *socket = noted_socket(place);
    if (postgres_cluster_remove(place->cluster, how, &place->why) != OP_OK)
        fail_msg("%s", place->why.text);
    expect_nothing(place, socket);
    free(socket);
    place_release(place);
}

/* What a shell command prints first; heap. */
static inline char *first_line(const char *command)
{
    char *line = NULL;
    size_t room = 0;
    FILE *pipe = popen(command, "re");
    assert_non_null(pipe);
    if (getline(&line, &room, pipe) < 0) {
        free(line);
        line = fs_path("%s", "");
    }
    pclose(pipe);
    line[strcspn(line, "\n")] = '\0';
    return line;
}

static inline char *programs_directory(void)
{
    struct op_error why;
    char *directory;
    int version;
    return postgres_programs_find(NULL, &directory, &version, &why) == OP_OK ? directory : NULL;
}

/* The answer of the server to one question; heap. */
static inline char *answer(const struct place *place, const char *sql)
{
    char *programs = programs_directory();
    char *command = fs_path("'%s/psql' -XAtq -c \"%s\" \"%s dbname=postgres\" 2>&1", programs, sql,
                            postgres_cluster_conninfo(place->cluster));
    char *line = first_line(command);
    free(command);
    free(programs);
    return line;
}

static inline void expect_answer(const struct place *place, const char *sql, const char *wanted)
{
    char *line = answer(place, sql);
    assert_string_equal(line, wanted);
    free(line);
}

static inline pid_t postmaster(const struct place *place)
{
    struct err err = {.kind = ERR_NONE};
    char *path = fs_path("%s/pgdata/postmaster.pid", place->directory), *text = NULL;
    size_t size;
    if (fs_read(path, 4096, &text, &size, &err) != 0)
        fail_msg("%s", err.text);
    long pid = strtol(text, NULL, 10);
    free(text);
    free(path);
    return (pid_t)pid;
}

/* A person's `pg_ctl -D pgdata ...`, as the server's user. */
static inline void control(const struct place *place, const char *what)
{
    char *programs = programs_directory();
    char *command = fs_path(
        "%s'%s/pg_ctl' -s -w -D '%s/pgdata' %s </dev/null >'%s/pg_ctl.out' 2>&1",
        geteuid() == 0 ? "cd / && setpriv --reuid=postgres --regid=postgres --init-groups " : "",
        programs, place->directory, what, place->root);
    int result = system(command);
    if (result != 0) {
        free(command);
        command = fs_path("cat '%s/pg_ctl.out' >&2", place->root);
        (void)!system(command);
    }
    assert_int_equal(result, 0);
    free(command);
    command = fs_path("%s/pg_ctl.out", place->root);
    unlink(command);
    free(command);
    free(programs);
}

/* Waits until no process runs on the place. */
static inline void await_silence(const struct place *place)
{
    int64_t end_ns = clock_now_ns() + 10 * NS_PER_S;
    while (process_with(place->root) != 0 && clock_now_ns() < end_ns)
        clock_sleep_until(clock_now_ns() + 10 * NS_PER_MS);
    assert_int_equal(process_with(place->root), 0);
}

/* SIGKILL to the postmaster, and what the kernel then keeps of it for the next one is removed: its
 * System V segment (postmaster.pid, line 7) and what it mapped of /dev/shm. */
static inline void kill_postmaster(const struct place *place)
{
    pid_t pid = postmaster(place);
    char *command = fs_path("sed -n '7s/.* //p' '%s/pgdata/postmaster.pid'", place->directory);
    char *segment = first_line(command);
    free(command);
    command = fs_path(
        "grep -o '/dev/shm/PostgreSQL[.][0-9]*' /proc/%d/maps | sort -u | tr '\\n' ' '", (int)pid);
    char *mapped = first_line(command);
    free(command);
    assert_int_equal(kill(pid, SIGKILL), 0);
    await_silence(place);
    command = fs_path("ipcrm -m %s; rm -f %s", segment, mapped);
    assert_int_equal(system(command), 0);
    free(command);
    free(mapped);
    free(segment);
}

static inline bool cluster_can_run(void)
{
    char *programs = programs_directory();
    bool there = programs != NULL;
    free(programs);
    if (!there)
        printf("skipped: PostgreSQL's server (initdb, postgres) is not installed\n");
    return there;
}

#endif
