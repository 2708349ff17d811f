/* What a killed run left of a private cluster is found and removed, and nothing else. */
#include "cluster_support.h"

#include <fcntl.h>

/* A run in a process of its own, which is killed; `then`, where not NULL, is what pg_ctl does with
 * its server before. */
static void killed_run(struct place *place, const char *const *then)
{
    int ends[2];
    char byte = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        if (place_start(place) == OP_OK) {
            for (; then != NULL && *then != NULL; then++)
                control(place, *then);
            byte = 1;
        }
        (void)!write(ends[1], &byte, 1);
        for (;;)
            pause();
    }
    assert_int_equal(read(ends[0], &byte, 1), 1);
    close(ends[0]);
    close(ends[1]);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(byte, 1);
}

static void expect_reclaimed(struct place *place, unsigned count)
{
    unsigned removed = 99;
    if (postgres_cluster_reclaim(&place->config, &removed, &place->why) != OP_OK)
        fail_msg("%s", place->why.text);
    assert_int_equal(removed, count);
}

/* Its server goes with it, by an immediate shutdown of its own. */
static void a_run_that_was_killed(void **state)
{
    (void)state;
    struct place place;
    place_init(&place, "t0001");
    killed_run(&place, NULL);
    await_silence(&place);
    char *path = fs_path("%s/pgdata/postmaster.pid", place.directory);
    assert_int_equal(access(path, F_OK), -1);
    free(path);
    char *socket = noted_socket(&place);
    expect_reclaimed(&place, 3); /* data, socket, note */
    expect_nothing(&place, socket);
    expect_reclaimed(&place, 0);
    free(socket);
    place_release(&place);
}

static void a_server_that_still_runs(void **state)
{
    (void)state;
    static const char *const restart[] = {"stop -m fast", "start", NULL};
    struct place place;
    place_init(&place, "t0001");
    place.log = fs_path("%s/log", place.root);
    assert_int_equal(mkdir(place.log, 0711), 0);
    place.config.log_directory = place.log;
    killed_run(&place, restart);
    assert_int_not_equal(process_with(place.root), 0);
    char *socket = noted_socket(&place);
    /* Clean is told the target alone; where the log is stands in the note. */
    place.config.log_directory = NULL;
    expect_reclaimed(&place, 4);
    expect_nothing(&place, socket);
    free(socket);
    place_release(&place);
}

static void the_logs_own_target(void **state)
{
    (void)state;
    struct place place;
    place_init(&place, "t0001");
    place.log = fs_path("%s/log", place.root);
    assert_int_equal(mkdir(place.log, 0711), 0);
    place.config.log_directory = place.log;
    killed_run(&place, NULL);
    await_silence(&place);
    char *socket = noted_socket(&place), *first = place.directory;
    place.config.directory = place.log;
    place.config.log_directory = NULL;
    expect_reclaimed(&place, 1);
    assert_int_equal(entries(place.log), 0);
    place.config.directory = first;
    expect_reclaimed(&place, 3);
    expect_nothing(&place, socket);
    free(socket);
    place_release(&place);
}

static void killed_before_there_was_a_server(void **state)
{
    (void)state;
    struct place place;
    place_init(&place, "t0001");
    expect_reclaimed(&place, 0);
    char *data = fs_path("%s/pgdata", place.directory);
    char *part = fs_path("%s/base", data);
    assert_int_equal(mkdir(data, 0700), 0);
    assert_int_equal(mkdir(part, 0700), 0);
    expect_reclaimed(&place, 1);
    expect_nothing(&place, NULL);
    free(part);
    free(data);
    place_release(&place);
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* A note that names what is not ours, a link instead of the data, another's process. */
static void what_is_not_ours_is_left(void **state)
{
    (void)state;
    struct place place;
    place_init(&place, "t0001");
    char *outside = fs_path("%s/outside", place.root);
    char *inner = fs_path("%s/file", outside);
    char *link = fs_path("%s/pgdata", place.directory);
    char *note = fs_path("%s/postgres.socket", place.directory);
    unsigned removed;
    assert_int_equal(mkdir(outside, 0700), 0);
    write_text(inner, "");
    assert_int_equal(symlink(outside, link), 0);
    char *text = fs_path("%s\n%s\n", outside, outside);
    write_text(note, text);
    expect_reclaimed(&place, 1); /* the note */
    assert_int_equal(access(inner, F_OK), 0);
    assert_int_equal(unlink(link), 0);
    /* A folder of the right name that is open to others. */
    char open_folder[] = "/tmp/loadline-abcdefgh";
    assert_int_equal(mkdir(open_folder, 0700), 0);
    assert_int_equal(chmod(open_folder, 0755), 0);
    free(text);
    text = fs_path("%s\n", open_folder);
    write_text(note, text);
    assert_int_equal(postgres_cluster_reclaim(&place.config, &removed, &place.why), OP_FATAL);
    assert_int_equal(rmdir(open_folder), 0);
    assert_int_equal(unlink(note), 0);
    assert_int_equal(unlink(inner), 0);
    assert_int_equal(rmdir(outside), 0);
    free(text);
    free(note);
    free(link);
    free(inner);
    free(outside);
    expect_nothing(&place, NULL);
    place_release(&place);
}

/* postmaster.pid names a process that is no server of this directory: it goes on. */
static void another_process_is_not_ended(void **state)
{
    (void)state;
    struct place place;
    place_init(&place, "t0001");
    char *data = fs_path("%s/pgdata", place.directory);
    char *pid_file = fs_path("%s/postmaster.pid", data);
    assert_int_equal(mkdir(data, 0700), 0);
    pid_t child = fork();
    if (child == 0)
        for (;;)
            pause();
    char *text = fs_path("%d\n%s\n", (int)child, data);
    write_text(pid_file, text);
    expect_reclaimed(&place, 1);
    assert_int_equal(waitpid(child, NULL, WNOHANG), 0);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
    free(text);
    free(pid_file);
    free(data);
    expect_nothing(&place, NULL);
    place_release(&place);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_that_was_killed),
        cmocka_unit_test(a_server_that_still_runs),
        cmocka_unit_test(the_logs_own_target),
        cmocka_unit_test(killed_before_there_was_a_server),
        cmocka_unit_test(what_is_not_ours_is_left),
        cmocka_unit_test(another_process_is_not_ended),
    };
    if (!cluster_can_run())
        return 77;
    return cmocka_run_group_tests_name("postgres_reclaim", tests, NULL, NULL);
}
