/* A private cluster from initdb to its removal, on a real server. */
#include "cluster_support.h"

#include <fcntl.h>

static void settings_of_a_cluster(void **state)
{
    (void)state;
    struct place place;
    place_init(&place, "t0001");
    place_started(&place);
    char *socket = noted_socket(&place);
    expect_answer(&place, "show listen_addresses", "");
    expect_answer(&place, "show unix_socket_directories", socket);
    expect_answer(&place, "show data_checksums", "on");
    expect_answer(&place, "show server_encoding", "UTF8");
    expect_answer(&place, "show lc_collate", "C");
    expect_answer(&place, "show max_connections", "36");
    expect_answer(&place, "show max_wal_size", postgres_cluster_max_wal_size(place.cluster));
    assert_string_equal(postgres_cluster_max_wal_size(place.cluster), "3815MB");
    expect_answer(&place, "select current_setting('min_wal_size', true)::text", "3815MB");
    expect_answer(&place, "show fsync", "on");
    expect_answer(&place, "show autovacuum", "on");
    expect_answer(&place, "show log_checkpoints", "off");
    expect_answer(&place, "select current_user", "loadline");
    struct stat st;
    assert_int_equal(stat(socket, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0700);
    assert_int_equal(access(place.directory, F_OK), 0);
    char words[256];
    assert_true(postgres_cluster_last_words(place.cluster, words, sizeof words));
    free(socket);
    place_removed(&place, POSTGRES_STOP_FAST);
}

static char *read_proc(pid_t pid, const char *name, size_t *size)
{
    struct err err = {.kind = ERR_NONE};
    char *path = fs_path("/proc/%d/%s", (int)pid, name), *text = NULL;
    if (fs_read(path, 1 << 20, &text, size, &err) != 0)
        fail_msg("%s", err.text);
    free(path);
    return text;
}

static void what_the_server_inherits(void **state)
{
    (void)state;
    struct place place;
    size_t size;
    place_init(&place, "t0001");
    setenv("PGPORT", "1", 1);
    setenv("PGOPTIONS", "-c fsync=off", 1);
    setenv("LANG", "ja_JP.UTF-8", 1);
    signal(SIGPIPE, SIG_IGN);
    int leak = open("/dev/null", O_RDONLY);
    place_started(&place);
    pid_t pid = postmaster(&place);
    assert_int_equal(getsid(pid), pid);
    char *text = read_proc(pid, "environ", &size);
    assert_null(memmem(text, size, "PGPORT", 6));
    assert_null(memmem(text, size, "PGOPTIONS", 9));
    assert_null(memmem(text, size, "LANG=", 5));
    assert_non_null(memmem(text, size, "LC_ALL=C", 8));
    free(text);
    char *path = fs_path("/proc/%d/fd/%d", (int)pid, leak), link[256] = "";
    if (readlink(path, link, sizeof link - 1) > 0)
        assert_string_not_equal(link, "/dev/null");
    free(path);
    if (geteuid() == 0) {
        struct stat st;
        path = fs_path("/proc/%d", (int)pid);
        assert_int_equal(stat(path, &st), 0);
        assert_int_not_equal(st.st_uid, 0);
        free(path);
    }
    expect_answer(&place, "show fsync", "on");
    close(leak);
    signal(SIGPIPE, SIG_DFL);
    unsetenv("PGPORT");
    unsetenv("PGOPTIONS");
    unsetenv("LANG");
    place_removed(&place, POSTGRES_STOP_FAST);
}

static void odd_names(void **state)
{
    (void)state;
    static const char *const names[] = {
        "blank 'quotes' \"double\" a#b%c$d;e&f\\g \xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e",
        "long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-"
        "long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-"
        "long-long-long-long",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct place place;
        place_init(&place, names[i]);
        place_started(&place);
        expect_answer(&place, "select 1", "1");
        place_removed(&place, POSTGRES_STOP_IMMEDIATE);
    }
}

static void a_name_that_no_server_can_have(void **state)
{
    (void)state;
    struct place place;
    place_init(&place, "two\nlines");
    assert_int_equal(place_start(&place), OP_FATAL);
    assert_non_null(strstr(place.why.text, "line feed"));
    expect_nothing(&place, NULL);
    place_release(&place);
}

static void the_log_apart(void **state)
{
    (void)state;
    struct place place;
    char link[256] = "";
    place_init(&place, "t0001");
    place.log = fs_path("%s/other drive", place.root);
    assert_int_equal(mkdir(place.log, 0711), 0);
    place.config.log_directory = place.log;
    place_started(&place);
    char *path = fs_path("%s/pgdata/pg_wal", place.directory);
    char *wanted = fs_path("%s/pgwal", place.log);
    assert_true(readlink(path, link, sizeof link - 1) > 0);
    assert_string_equal(link, wanted);
    expect_answer(&place, "select count(*) > 0 from pg_ls_waldir()", "t");
    free(path);
    free(wanted);
    place_removed(&place, POSTGRES_STOP_FAST);
}

static void restarted_by_a_person(void **state)
{
    (void)state;
    struct place place;
    place_init(&place, "t0001");
    confs = (const struct conf[]){{"work_mem", "7MB"}, {NULL, NULL}};
    place_started(&place);
    pid_t before = postmaster(&place);
    control(&place, "stop -m immediate");
    control(&place, "start");
    assert_int_not_equal(postmaster(&place), before);
    expect_answer(&place, "show work_mem", "7MB");
    expect_answer(&place, "show max_connections", "36");
    expect_answer(&place, "show max_wal_size", postgres_cluster_max_wal_size(place.cluster));
    place_removed(&place, POSTGRES_STOP_FAST);
}

/* A postmaster that was killed leaves its postmaster.pid; as a zombie it would hold it. */
static void crashed_and_started_again(void **state)
{
    (void)state;
    static const int signals[] = {SIGKILL, SIGQUIT};
    struct place place;
    place_init(&place, "t0001");
    place_started(&place);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(kill(postmaster(&place), signals[i]), 0);
        await_silence(&place);
        control(&place, "start");
        expect_answer(&place, "select 1", "1");
    }
    place_removed(&place, POSTGRES_STOP_FAST);
}

static void crashed_for_good(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct place place;
        place_init(&place, "t0001");
        place_started(&place);
        if (i == 0)
            assert_int_equal(kill(postmaster(&place), SIGQUIT), 0);
        else
            kill_postmaster(&place);
        place_removed(&place, POSTGRES_STOP_FAST);
    }
}

/* Connected sessions are no reason to wait. */
static void many_streams(void **state)
{
    (void)state;
    struct place place;
    place_init(&place, "t0001");
    if (postgres_cluster_start(&place.config, &place.settings, 0, 200, &place.cluster,
                               &place.why) != OP_OK)
        fail_msg("%s", place.why.text);
    char *programs = programs_directory();
    char *script = fs_path("%s/script", place.root);
    FILE *file = fopen(script, "we");
    fputs("select 1;\n", file);
    fclose(file);
    char *command = fs_path("'%s/pgbench' -n -c 200 -j 2 -t 3 -f '%s' -h \"$(head -n 1 "
                            "'%s/postgres.socket')\" -U loadline postgres 2>&1 | grep -c "
                            "'actually processed: 600/600'",
                            programs, script, place.directory);
    char *line = first_line(command);
    assert_string_equal(line, "1");
    unlink(script);
    free(line);
    free(command);
    free(script);
    free(programs);
    place_removed(&place, POSTGRES_STOP_FAST);
}

static void settings_that_are_taken(void **state)
{
    (void)state;
    struct place place;
    place_init(&place, "t0001");
    place.settings.checksums = false;
    confs = (const struct conf[]){{"max_wal_size", "300MB"},
                                  {"fsync", "off"},
                                  {"log_line_prefix", "it's \\ %m "},
                                  {NULL, NULL}};
    place_started(&place);
    assert_string_equal(postgres_cluster_max_wal_size(place.cluster), "300MB");
    expect_answer(&place, "show max_wal_size", "300MB");
    expect_answer(&place, "show fsync", "off");
    expect_answer(&place, "show data_checksums", "off");
    expect_answer(&place, "show log_line_prefix", "it's \\ %m ");
    place_removed(&place, POSTGRES_STOP_FAST);
}

/* What links lead to is somebody else's. */
static void links_are_not_followed(void **state)
{
    (void)state;
    struct place place;
    place_init(&place, "t0001");
    place_started(&place);
    char *outside = fs_path("%s/outside", place.root);
    char *file = fs_path("%s/file", outside);
    char *link = fs_path("%s/pgdata/pg_tblspc/12345", place.directory);
    assert_int_equal(mkdir(outside, 0700), 0);
    close(open(file, O_CREAT | O_WRONLY, 0600));
    assert_int_equal(symlink(outside, link), 0);
    control(&place, "stop -m fast");
    char *socket = noted_socket(&place);
    assert_int_equal(postgres_cluster_remove(place.cluster, POSTGRES_STOP_FAST, &place.why), OP_OK);
    expect_nothing(&place, socket);
    assert_int_equal(unlink(file), 0);
    assert_int_equal(rmdir(outside), 0);
    free(socket);
    free(link);
    free(file);
    free(outside);
    place_release(&place);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_of_a_cluster),
        cmocka_unit_test(what_the_server_inherits),
        cmocka_unit_test(odd_names),
        cmocka_unit_test(a_name_that_no_server_can_have),
        cmocka_unit_test(the_log_apart),
        cmocka_unit_test(restarted_by_a_person),
        cmocka_unit_test(crashed_and_started_again),
        cmocka_unit_test(crashed_for_good),
        cmocka_unit_test(many_streams),
        cmocka_unit_test(settings_that_are_taken),
        cmocka_unit_test(links_are_not_followed),
    };
    if (!cluster_can_run())
        return 77;
    return cmocka_run_group_tests_name("postgres_cluster", tests, NULL, NULL);
}
