/* smartctl_read with a smartctl of our own on PATH: a shell script. */
#include "tree.h"

#include "base/clock.h"
#include "device/smartctl.h"

static char *folder;
static struct smart smart;
static char reason[SMARTCTL_REASON];

static int set_up(void **state)
{
    (void)state;
    const char *temporary = getenv("TMPDIR");
    folder = fs_path("%s/loadline-smartctl-XXXXXX", temporary ? temporary : "/tmp");
    assert_non_null(mkdtemp(folder));
    char *path = fs_path("%s:/usr/bin:/bin", folder);
    setenv("PATH", path, 1);
    free(path);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tree_remove(folder);
    return 0;
}

static void program(const char *body)
{
    char *path = fs_path("%s/smartctl", folder);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\n%s\n", body);
    fclose(file);
    assert_int_equal(chmod(path, 0755), 0);
    free(path);
}

/* Prints one of the project's captures, and ends with `status`. */
static void program_prints(const char *capture, int status)
{
    char *body = fs_path("cat '" TESTS_DIR "/fixtures/device/smart/%s'; exit %d", capture, status);
    program(body);
    free(body);
}

static enum smartctl_outcome read_disk(const char *disk)
{
    struct smartctl_request request = {.disk = disk, .timeout_ns = SMARTCTL_TIMEOUT_NS};
    return smartctl_read(&request, &smart, reason);
}

static void a_healthy_disk(void **state)
{
    (void)state;
    program_prints("nvme.json", 0);
    assert_int_equal(read_disk("nvme0n1"), SMARTCTL_OK);
    assert_string_equal(reason, "");
    assert_string_equal(smart.model, "Example NVMe 1TB");
    assert_string_equal(smart.serial, "");
    assert_true(smart.temperature_c == 41);
}

static void data_that_come_with_an_exit_status_are_good(void **state)
{
    (void)state;
    program_prints("sas.json", 4);
    assert_int_equal(read_disk("sda"), SMARTCTL_OK);
    program_prints("hdd-failing.json", 216);
    assert_int_equal(read_disk("sda"), SMARTCTL_OK);
    assert_int_equal(smart.passed, 0);
}

static void serial_numbers_only_when_asked_for(void **state)
{
    (void)state;
    program_prints("nvme.json", 0);
    struct smartctl_request request = {
        .disk = "nvme0n1", .identify = SMART_IDENTIFY, .timeout_ns = SMARTCTL_TIMEOUT_NS};
    assert_int_equal(smartctl_read(&request, &smart, reason), SMARTCTL_OK);
    assert_string_equal(smart.serial, "EXAMPLE0001");
}

static void how_it_is_asked(void **state)
{
    (void)state;
    char *body = fs_path("echo \"$@\" >'%s/arguments'; echo no >&2; cat >'%s/input'; exec cat "
                         "'" TESTS_DIR "/fixtures/device/smart/nvme.json'",
                         folder, folder);
    program(body);
    free(body);
    assert_int_equal(read_disk("cciss/c0d0"), SMARTCTL_OK);
    size_t size;
    char *text = fixture_text(folder, "arguments", &size);
    assert_string_equal(text, "--json -n standby -a -l devstat /dev/cciss/c0d0\n");
    free(text);
    free(fixture_text(folder, "input", &size));
    assert_int_equal(size, 0);
}

static void names_that_are_none(void **state)
{
    (void)state;
    program("exit 0");
    assert_int_equal(read_disk(""), SMARTCTL_NO_DRIVE);
    assert_int_equal(read_disk("../etc/passwd"), SMARTCTL_NO_DRIVE);
}

static void a_sleeping_disk(void **state)
{
    (void)state;
    program_prints("asleep.json", 2);
    assert_int_equal(read_disk("sda"), SMARTCTL_ASLEEP);
    assert_string_equal(reason, "/dev/sda is asleep and was not woken");
}

static void not_permitted(void **state)
{
    (void)state;
    program_prints("not-opened.json", 2);
    assert_int_equal(read_disk("sda"), SMARTCTL_NOT_PERMITTED);
    assert_non_null(strstr(reason, "run as root"));
    assert_non_null(strstr(reason, "/dev/sda"));
}

static void no_drive(void **state)
{
    (void)state;
    program_prints("loop.json", 1);
    assert_int_equal(read_disk("loop9"), SMARTCTL_NO_DRIVE);
    program_prints("raid-volume.json", 4);
    assert_int_equal(read_disk("sdb"), SMARTCTL_NO_DRIVE);
    assert_non_null(strstr(reason, "RAID"));
}

static void not_installed(void **state)
{
    (void)state;
    struct smartctl_request request = {
        .disk = "sda", .timeout_ns = SMARTCTL_TIMEOUT_NS, .search = "/nosuch:relative:"};
    assert_int_equal(smartctl_read(&request, &smart, reason), SMARTCTL_NOT_INSTALLED);
    assert_non_null(strstr(reason, "install smartmontools"));
    assert_true(isnan(smart.temperature_c));
}

static void garbage(void **state)
{
    (void)state;
    program("echo 'smartctl 6.6'; echo 'UNRECOGNIZED OPTION: json'; exit 1");
    assert_int_equal(read_disk("sda"), SMARTCTL_NO_ANSWER);
    assert_non_null(strstr(reason, "smartctl 6.6"));
    program("head -c 100000 /dev/urandom");
    assert_int_equal(read_disk("sda"), SMARTCTL_NO_ANSWER);
    program("exit 0");
    assert_int_equal(read_disk("sda"), SMARTCTL_NO_ANSWER);
    program("printf '{\"smartctl\": {\"exit_status\": 0'");
    assert_int_equal(read_disk("sda"), SMARTCTL_NO_ANSWER);
    program("kill -9 $$");
    assert_int_equal(read_disk("sda"), SMARTCTL_NO_ANSWER);
}

static void output_without_end(void **state)
{
    (void)state;
    program("exec yes");
    assert_int_equal(read_disk("sda"), SMARTCTL_NO_ANSWER);
    assert_non_null(strstr(reason, "4 MiB"));
}

/* Its own child too, which would hold the pipe and hang about. */
static void one_that_hangs_is_killed(void **state)
{
    (void)state;
    char *body = fs_path("echo '{'; sh -c 'echo $$ >\"%s/child\"; exec sleep 1000'", folder);
    program(body);
    free(body);
    struct smartctl_request request = {.disk = "sda", .timeout_ns = 500 * NS_PER_MS};
    int64_t start_ns = clock_now_ns();
    assert_int_equal(smartctl_read(&request, &smart, reason), SMARTCTL_NO_ANSWER);
    assert_true(clock_now_ns() - start_ns < 5 * NS_PER_S);
    assert_non_null(strstr(reason, "/dev/sda"));
    size_t size;
    char *pid = fixture_text(folder, "child", &size), *comm = NULL;
    /* Nobody waits for it in some containers: dead all the same. */
    for (int i = 0; i < 200; i++) {
        free(comm);
        struct err err;
        char *path = fs_path("/proc/%ld/stat", strtol(pid, NULL, 10));
        int gone = fs_read(path, 4096, &comm, &size, &err);
        free(path);
        if (gone != 0 || strstr(comm, ") Z") != NULL)
            break;
        assert_true(i < 199);
        clock_sleep_until(clock_now_ns() + 10 * NS_PER_MS);
    }
    free(comm);
    free(pid);
}

static void stopped_early(void **state)
{
    (void)state;
    program("exec sleep 1000");
    const volatile int stop = 1;
    struct smartctl_request request = {
        .disk = "sda", .timeout_ns = SMARTCTL_TIMEOUT_NS, .stop = &stop};
    int64_t start_ns = clock_now_ns();
    assert_int_equal(smartctl_read(&request, &smart, reason), SMARTCTL_NO_ANSWER);
    assert_true(clock_now_ns() - start_ns < NS_PER_S);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_healthy_disk),
        cmocka_unit_test(data_that_come_with_an_exit_status_are_good),
        cmocka_unit_test(serial_numbers_only_when_asked_for),
        cmocka_unit_test(how_it_is_asked),
        cmocka_unit_test(names_that_are_none),
        cmocka_unit_test(a_sleeping_disk),
        cmocka_unit_test(not_permitted),
        cmocka_unit_test(no_drive),
        cmocka_unit_test(garbage),
        cmocka_unit_test(output_without_end),
        cmocka_unit_test(one_that_hangs_is_killed),
        cmocka_unit_test(stopped_early),
        cmocka_unit_test(not_installed),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
