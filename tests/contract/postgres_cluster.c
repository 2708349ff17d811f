/* A private cluster from initdb to its removal, on a real server. */
#include "cluster_support.h"

#include <fcntl.h>
#include <sys/time.h>

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
        "with blank and 'quotes' \"double\"",
        "a#b%c$d;e&f\\g",
        "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e",
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
    static const int signals[] = {SIGQUIT, SIGKILL};
    for (size_t i = 0; i < 2; i++) {
        struct place place;
        place_init(&place, "t0001");
        place_started(&place);
        assert_int_equal(kill(postmaster(&place), signals[i]), 0);
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

static void settings_that_are_refused(void **state)
{
    (void)state;
    static const struct {
        struct conf conf;
        const char *words[2];
    } cases[] = {
        {{"shared_buffers", "lots"}, {"postgres.conf.shared_buffers = lots: ", "invalid value"}},
        {{"no_such_thing", "1"}, {"postgres.conf.no_such_thing = 1: ", "unrecognized"}},
        {{"wal_level", "mini'mal"}, {"postgres.conf.wal_level = mini'mal: ", "invalid value"}},
        {{"max_connections", "2"}, {"postgres.conf.max_connections = 2: ", "must be less than"}},
        {{"work_mem", "1kB"}, {"postgres.conf.work_mem = 1kB: ", "outside the valid range"}},
        {{"listen_addresses", "*"}, {"postgres.conf.listen_addresses = *: ", "leave the key out"}},
        {{"Data_Directory", "/x"}, {"postgres.conf.Data_Directory = /x: ", "leave the key out"}},
        {{"unix_socket_directories", "/"}, {"unix_socket_directories = /: ", "leave the key out"}},
        {{"a\nb", "1"}, {"postgres.conf.a\nb: ", "cannot be a setting"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct place place;
        struct conf list[2] = {cases[i].conf, {NULL, NULL}};
        place_init(&place, "t0001");
        confs = list;
        assert_int_equal(place_start(&place), OP_FATAL);
        for (size_t k = 0; k < 2; k++)
            if (strstr(place.why.text, cases[i].words[k]) == NULL)
                fail_msg("'%s' lacks '%s'", place.why.text, cases[i].words[k]);
        expect_nothing(&place, NULL);
        place_release(&place);
    }
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

static void a_parent_that_stops_the_servers_user(void **state)
{
    (void)state;
    struct place place;
    if (geteuid() != 0) {
        printf("skipped: only root runs the server as another user\n");
        skip();
    }
    place_init(&place, "shut");
    char *inner = fs_path("%s/inner", place.directory);
    assert_int_equal(mkdir(inner, 0711), 0);
    assert_int_equal(chmod(place.directory, 0700), 0);
    place.config.directory = inner;
    assert_int_equal(place_start(&place), OP_FATAL);
    char *words = fs_path("cannot pass through %s; allow it (chmod o+x)", place.directory);
    if (strstr(place.why.text, words) == NULL)
        fail_msg("%s", place.why.text);
    assert_int_equal(postgres_cluster_check(&place.config, &place.settings, &place.why), OP_FATAL);
    place.config.directory = NULL;
    assert_int_equal(postgres_cluster_check(&place.config, &place.settings, &place.why), OP_OK);
    assert_int_equal(entries(inner), 0);
    free(words);
    rmdir(inner);
    free(inner);
    expect_nothing(&place, NULL);
    place_release(&place);
}

static void users_that_will_not_do(void **state)
{
    (void)state;
    struct place place;
    place_init(&place, "t0001");
    place.settings.user = "no-such-user";
    assert_int_equal(place_start(&place), OP_FATAL);
    assert_non_null(strstr(place.why.text, "postgres.user = no-such-user: "));
    place.settings.user = "root";
    assert_int_equal(place_start(&place), OP_FATAL);
    assert_non_null(strstr(place.why.text, "postgres.user = root: "));
    expect_nothing(&place, NULL);
    place_release(&place);
}

static void what_is_there_already_is_left(void **state)
{
    (void)state;
    struct place place;
    place_init(&place, "t0001");
    char *data = fs_path("%s/pgdata", place.directory);
    assert_int_equal(mkdir(data, 0700), 0);
    assert_int_equal(place_start(&place), OP_FATAL);
    assert_non_null(strstr(place.why.text, "left alone"));
    assert_int_equal(entries(place.directory), 1);
    assert_int_equal(rmdir(data), 0);
    free(data);
    expect_nothing(&place, NULL);
    place_release(&place);
}

static struct place *alarmed;

static void on_alarm(int number)
{
    alarmed->stop = number;
}

/* Whatever the moment: back within 2 s, and nothing is left. */
static void stopped_while_it_starts(void **state)
{
    (void)state;
    signal(SIGALRM, on_alarm);
    for (int delay_ms = 1; delay_ms < 3000; delay_ms = delay_ms * 3 / 2 + 20) {
        struct place place;
        place_init(&place, "t0001");
        alarmed = &place;
        struct itimerval timer = {
            .it_value = {.tv_sec = delay_ms / 1000, .tv_usec = delay_ms % 1000 * 1000}};
        setitimer(ITIMER_REAL, &timer, NULL);
        int64_t begun_ns = clock_now_ns();
        enum op_status status = place_start(&place);
        int64_t took_ns = clock_now_ns() - begun_ns;
        timer = (struct itimerval){.it_value = {.tv_sec = 0}};
        setitimer(ITIMER_REAL, &timer, NULL);
        if (status == OP_OK) {
            place_removed(&place, POSTGRES_STOP_IMMEDIATE);
            break;
        }
        assert_non_null(strstr(place.why.text, "stopped"));
        assert_true(took_ns < delay_ms * NS_PER_MS + 2 * NS_PER_S);
        expect_nothing(&place, NULL);
        place_release(&place);
    }
    signal(SIGALRM, SIG_DFL);
}

static void removed_in_a_hurry(void **state)
{
    (void)state;
    struct place place;
    place_init(&place, "t0001");
    place_started(&place);
    free(answer(&place, "create table t as select g, repeat('x', 900) from generate_series(1, "
                        "100000) g"));
    place.stop = 1;
    int64_t begun_ns = clock_now_ns();
    place_removed(&place, POSTGRES_STOP_IMMEDIATE);
    assert_true(clock_now_ns() - begun_ns < 2 * NS_PER_S);
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

/* A file system of `size` in a file, on `place.directory`; false: this machine cannot. */
static bool mount_image(const struct place *place, const char *size)
{
    char *command =
        fs_path("exec 2>/dev/null; truncate -s %s '%s/image' && mkfs.ext4 -q "
                "'%s/image' && mount -o loop '%s/image' '%s' && chmod 0711 '%s'",
                size, place->root, place->root, place->root, place->directory, place->directory);
    bool mounted = geteuid() == 0 && system(command) == 0;
    free(command);
    return mounted;
}

static void unmount_image(const struct place *place)
{
    char *command = fs_path("umount '%s' && rm '%s/image'", place->directory, place->root);
    assert_int_equal(system(command), 0);
    free(command);
}

/* The first is too small for initdb, the second for what the server writes when it starts. */
static void a_drive_that_is_full(void **state)
{
    (void)state;
    static const char *const sizes[] = {"24M", "48M"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct place place;
        place_init(&place, "mount");
        if (!mount_image(&place, sizes[i])) {
            char *image = fs_path("%s/image", place.root);
            unlink(image);
            free(image);
            place_release(&place);
            printf("skipped: no loop device can be mounted here\n");
            skip();
        }
        enum op_status status = place_start(&place);
        unsigned left = entries(place.directory);
        unmount_image(&place);
        if (status != OP_NO_SPACE)
            fail_msg("%s: status %d, %s", sizes[i], (int)status, place.why.text);
        if (strstr(place.why.text, "No space left on device") == NULL)
            fail_msg("%s", place.why.text);
        assert_int_equal(left, 1); /* lost+found */
        expect_nothing(&place, NULL);
        place_release(&place);
    }
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
        cmocka_unit_test(settings_that_are_refused),
        cmocka_unit_test(settings_that_are_taken),
        cmocka_unit_test(a_parent_that_stops_the_servers_user),
        cmocka_unit_test(users_that_will_not_do),
        cmocka_unit_test(what_is_there_already_is_left),
        cmocka_unit_test(stopped_while_it_starts),
        cmocka_unit_test(removed_in_a_hurry),
        cmocka_unit_test(links_are_not_followed),
        cmocka_unit_test(a_drive_that_is_full),
    };
    if (!cluster_can_run())
        return 77;
    return cmocka_run_group_tests_name("postgres_cluster", tests, NULL, NULL);
}
