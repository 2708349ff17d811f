/* A private cluster that cannot be started, or is not wanted any more: what it says, and that
 * nothing is left. */
#include "cluster_support.h"

#include <sys/time.h>

static void settings_that_are_refused(void **state)
{
    (void)state;
    static const struct {
        struct conf conf;
        const char *words[2];
    } cases[] = {
        {{"wal_level", "mini'mal"}, {"postgres.conf.wal_level = mini'mal: ", "invalid value"}},
        {{"no_such_thing", "1"}, {"postgres.conf.no_such_thing = 1: ", "unrecognized"}},
        {{"max_connections", "2"}, {"postgres.conf.max_connections = 2: ", "must be less than"}},
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

/* On an idle machine it takes less than 2 s. */
#define SOON_NS (6 * NS_PER_S)

/* Whatever the moment: back soon, and nothing is left. */
static void stopped_while_it_starts(void **state)
{
    (void)state;
    signal(SIGALRM, on_alarm);
    for (int delay_ms = 1; delay_ms < 3000; delay_ms = delay_ms * 2 + 50) {
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
        assert_true(took_ns < delay_ms * NS_PER_MS + SOON_NS);
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
    assert_true(clock_now_ns() - begun_ns < SOON_NS);
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
        cmocka_unit_test(settings_that_are_refused),
        cmocka_unit_test(a_parent_that_stops_the_servers_user),
        cmocka_unit_test(users_that_will_not_do),
        cmocka_unit_test(what_is_there_already_is_left),
        cmocka_unit_test(stopped_while_it_starts),
        cmocka_unit_test(removed_in_a_hurry),
        cmocka_unit_test(a_drive_that_is_full),
    };
    if (!cluster_can_run())
        return 77;
    return cmocka_run_group_tests_name("postgres_cluster_faults", tests, NULL, NULL);
}
