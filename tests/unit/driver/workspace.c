/* The only folder that is ours: made, locked, marked, refused, swept. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/fs.h"
#include "driver/workspace.h"

struct place {
    char target[64];
};

static int set_up(void **state)
{
    static struct place place;
    snprintf(place.target, sizeof place.target, "workspace-試験 #?%%41-XXXXXX");
    *state = &place;
    return mkdtemp(place.target) == NULL ? -1 : 0;
}

static int tear_down(void **state)
{
    struct place *p = *state;
    char command[256];
    snprintf(command, sizeof command, "%s", p->target);
    return rmdir(command); /* fails the test when anything was left */
}

static void touch(const char *format, const char *target)
{
    char path[256];
    snprintf(path, sizeof path, format, target);
    int fd = open(path, O_WRONLY | O_CREAT, 0600);
    assert_true(fd >= 0);
    close(fd);
}

static bool exists(const char *format, const char *target)
{
    char path[256];
    struct stat st;
    snprintf(path, sizeof path, format, target);
    return lstat(path, &st) == 0;
}

static void drop(const char *format, const char *target)
{
    char path[256];
    snprintf(path, sizeof path, format, target);
    assert_int_equal(remove(path), 0);
}

static void is_private_and_leaves_nothing(void **state)
{
    struct place *p = *state;
    struct workspace *w;
    struct err err;
    struct stat st;
    char *trial;
    assert_int_equal(workspace_open(p->target, &w, &err), 0);
    assert_int_equal(stat(workspace_path(w), &st), 0);
    assert_int_equal(st.st_mode & 0777, 0700);
    assert_int_equal(workspace_trial(w, 1, WORKSPACE_PRIVATE, &trial, &err), 0);
    assert_non_null(strstr(trial, "/loadline-data/t0001"));
    touch("%s/loadline-data/t0001/shared.db", p->target);
    touch("%s/loadline-data/t0001/s0003.db-wal", p->target);
    assert_int_equal(workspace_trial_remove(w, 1, &err), 0);
    assert_false(exists("%s/loadline-data/t0001", p->target));
    assert_int_equal(workspace_close(w, &err), 0);
    assert_false(exists("%s/loadline-data", p->target));
    free(trial);
}

static void a_second_run_is_refused(void **state)
{
    struct place *p = *state;
    struct workspace *w, *second;
    struct err err;
    char linked[] = "workspace-link";
    assert_int_equal(workspace_open(p->target, &w, &err), 0);
    assert_int_equal(workspace_open(p->target, &second, &err), -1);
    assert_int_equal(err.kind, ERR_REFUSED);
    assert_non_null(strstr(err.text, "busy"));
    assert_int_equal(symlink(p->target, linked), 0); /* the lock holds through links */
    assert_int_equal(workspace_open(linked, &second, &err), -1);
    assert_non_null(strstr(err.text, "busy"));
    unlink(linked);
    unsigned removed, left;
    assert_int_equal(workspace_clean(p->target, &removed, &left, &err), -1);
    assert_int_equal(workspace_close(w, &err), 0);
}

static void what_is_not_ours_is_left(void **state)
{
    struct place *p = *state;
    struct workspace *w;
    struct err err;
    unsigned removed, left;
    char *trial;
    /* A folder of that name that we did not make. */
    char path[128];
    snprintf(path, sizeof path, "%s/loadline-data", p->target);
    assert_int_equal(mkdir(path, 0755), 0);
    touch("%s/loadline-data/precious", p->target);
    assert_int_equal(workspace_open(p->target, &w, &err), -1);
    assert_int_equal(err.kind, ERR_REFUSED);
    assert_non_null(strstr(err.text, "not loadline's"));
    assert_int_equal(workspace_clean(p->target, &removed, &left, &err), -1);
    assert_true(exists("%s/loadline-data/precious", p->target));
    drop("%s/loadline-data/precious", p->target);
    drop("%s/loadline-data", p->target);

    /* Files in ours that we did not make, and a link that leads out. */
    touch("%s/outside.db", p->target);
    assert_int_equal(workspace_open(p->target, &w, &err), 0);
    assert_int_equal(workspace_trial(w, 2, WORKSPACE_PRIVATE, &trial, &err), 0);
    free(trial);
    touch("%s/loadline-data/t0002/shared.db", p->target);
    touch("%s/loadline-data/t0002/letter.txt", p->target);
    snprintf(path, sizeof path, "%s/loadline-data/t0002/s0001.db", p->target);
    assert_int_equal(symlink("../../outside.db", path), 0);
    assert_int_equal(workspace_close(w, &err), -1);
    assert_non_null(strstr(err.text, "did not make"));
    assert_false(exists("%s/loadline-data/t0002/shared.db", p->target));
    assert_true(exists("%s/loadline-data/t0002/letter.txt", p->target));
    assert_true(exists("%s/outside.db", p->target));
    assert_int_equal(workspace_clean(p->target, &removed, &left, &err), 0);
    assert_int_equal(left, 2);
    drop("%s/loadline-data/t0002/letter.txt", p->target);
    drop("%s/loadline-data/t0002/s0001.db", p->target);
    drop("%s/outside.db", p->target);
    assert_int_equal(workspace_clean(p->target, &removed, &left, &err), 0);
    assert_int_equal(left, 0);
    assert_false(exists("%s/loadline-data", p->target));
}

static void a_killed_run_is_swept(void **state)
{
    struct place *p = *state;
    struct workspace *w;
    struct err err;
    unsigned removed, left;
    char path[128];
    snprintf(path, sizeof path, "%s/loadline-data", p->target);
    assert_int_equal(mkdir(path, 0700), 0);
    touch("%s/loadline-data/loadline-marker", p->target);
    snprintf(path, sizeof path, "%s/loadline-data/t0001", p->target);
    assert_int_equal(mkdir(path, 0700), 0);
    touch("%s/loadline-data/t0001/f0001.db", p->target);
    touch("%s/loadline-data/t0001/f0001.db-shm", p->target);
    assert_int_equal(workspace_open(p->target, &w, &err), -1);
    assert_non_null(strstr(err.text, "loadline clean"));
    assert_int_equal(workspace_clean(p->target, &removed, &left, &err), 0);
    assert_int_equal(removed, 5); /* two files, the trial's folder, marker, folder */
    assert_int_equal(left, 0);
    assert_int_equal(workspace_clean(p->target, &removed, &left, &err), 0);
    assert_int_equal(removed, 0);
}

static void a_file_or_nothing_is_refused(void **state)
{
    struct place *p = *state;
    struct workspace *w;
    struct err err;
    char path[128];
    touch("%s/file", p->target);
    snprintf(path, sizeof path, "%s/file", p->target);
    assert_int_equal(workspace_open(path, &w, &err), -1);
    assert_int_equal(err.kind, ERR_REFUSED);
    assert_non_null(strstr(err.text, "no directory"));
    unlink(path);
    assert_int_equal(workspace_open(path, &w, &err), -1);
    assert_int_equal(err.kind, ERR_REFUSED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(is_private_and_leaves_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_second_run_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_not_ours_is_left, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_killed_run_is_swept, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_file_or_nothing_is_refused, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
