/* Where a server's data and log lie on this host, and tablespaces there. */
#include <pwd.h>

#include "contract/place_support.h"

static void test_paths(void **state)
{
    struct trial trial;
    struct paths paths;
    char expected[256];
    (void)state;
    trial_init(&trial, "postgresql", "t0001", SETTINGS("workload.rows", "100"));
    expect_ok(&trial, find_paths(&trial, &paths));
    assert_int_equal(paths.times, 2);
    snprintf(expected, sizeof expected, "%s/pgdata", server.root);
    assert_string_equal(paths.data, expected);
    snprintf(expected, sizeof expected, "%s/pgdata/pg_wal", server.root);
    assert_string_equal(paths.wal, expected);
    trial_close(&trial);
    /* A role that may not see data_directory: root still finds it, by the server's process. */
    trial_init(&trial, "postgresql", "t0001", SETTINGS("workload.rows", "100"));
    trial.config.target = plain;
    expect_ok(&trial, find_paths(&trial, &paths));
    snprintf(expected, sizeof expected, "%s/pgdata", server.root);
    assert_string_equal(paths.data, expected);
    trial_close(&trial);
    trial_init(&trial, "postgresql", "t0001",
               SETTINGS("workload.rows", "100", "postgres.tablespace", "/no/such/place"));
    expect_fatal(&trial, find_paths(&trial, &paths), "no such directory");
    trial_close(&trial);
}

/* ---- tablespaces ---- */

struct place {
    char directory[64];
    uid_t server_user;
    char user_name[64];
};

static void place_init(struct place *place, const char *pattern, mode_t mode)
{
    struct stat st;
    char data[128];
    snprintf(place->directory, sizeof place->directory, "%s", pattern);
    assert_non_null(mkdtemp(place->directory));
    assert_int_equal(chmod(place->directory, mode), 0);
    snprintf(data, sizeof data, "%s/pgdata", server.root);
    assert_int_equal(stat(data, &st), 0);
    place->server_user = st.st_uid;
    snprintf(place->user_name, sizeof place->user_name, "%s", getpwuid(st.st_uid)->pw_name);
}

/* As `user` sees it; the connection is ours. */
static enum op_status check_as(uid_t user, struct trial *trial, const char *conninfo,
                               const char *directory)
{
    PGconn *handle = PQconnectdb(conninfo);
    uid_t self = geteuid();
    assert_int_equal(PQstatus(handle), CONNECTION_OK);
    assert_int_equal(seteuid(user), 0);
    enum op_status status = place_tablespace_check(handle, directory, &trial->why);
    if (seteuid(self) != 0)
        abort();
    PQfinish(handle);
    return status;
}

static enum op_status check_place(struct trial *trial, const char *conninfo, const char *directory)
{
    return check_as(geteuid(), trial, conninfo, directory);
}

static void test_tablespace(void **state)
{
    struct trial trial;
    struct place place;
    struct paths paths;
    char sql[512];
    (void)state;
    place_init(&place, "/tmp/contract-space-XXXXXX", 0755);
    char *file = fs_path("%s/lost+found", place.directory);
    assert_int_equal(mkdir(file, 0700), 0); /* others' things beside ours: fine */
    trial_init(&trial, "postgresql", "t0001",
               SETTINGS("workload.rows", "100", "row.indexes", "1", "postgres.tablespace",
                        place.directory));
    expect_ok(&trial, find_paths(&trial, &paths));
    assert_string_equal(paths.data, place.directory);
    expect_ok(&trial, trial.ops->open(&trial.config, &trial.db, &trial.why));
    expect_ok(&trial, trial.ops->create(trial.db, &trial.why));
    snprintf(sql, sizeof sql,
             "SELECT count(*) FROM pg_class c JOIN pg_tablespace t ON t.oid = c.reltablespace "
             "WHERE c.relnamespace = '%s'::regnamespace AND relkind IN ('r', 'i') AND spcname = "
             "'%s' AND pg_tablespace_location(t.oid) = '%s/loadline-data-%s' AND "
             "shobj_description(t.oid, 'pg_tablespace') ~ '^made by loadline'",
             db_of(&trial)->run, db_of(&trial)->run, place.directory, db_of(&trial)->run + 9);
    ask_is(sql, "3"); /* table, primary key, index */
    assert_int_equal(directory_entries(place.directory), 2);
    trial_close(&trial);
    assert_int_equal(directory_entries(place.directory), 1);
    expect_clean();
    /* Killed: clean finds it by the server's catalog. */
    begin(&trial, server.conninfo,
          SETTINGS("workload.rows", "100", "postgres.tablespace", place.directory));
    expect_ok(&trial, trial.ops->create(trial.db, &trial.why));
    kill_run(&trial);
    assert_int_equal(directory_entries(place.directory), 2);
    expect_cleaned(2);
    assert_int_equal(directory_entries(place.directory), 1);
    expect_clean();
    assert_int_equal(rmdir(file), 0);
    assert_int_equal(rmdir(place.directory), 0);
    free(file);
}

static void test_tablespace_checks(void **state)
{
    struct trial trial = {.ops = NULL};
    struct place place;
    (void)state;
    place_init(&place, "/tmp/contract-space-XXXXXX", 0755);
    char *file = fs_path("%s/file", place.directory);
    fclose(fopen(file, "w"));
    expect_fatal(&trial, check_place(&trial, server.conninfo, "relative/path"), "absolute");
    expect_fatal(&trial, check_place(&trial, server.conninfo, "/no/such"), "make it");
    expect_fatal(&trial, check_place(&trial, server.conninfo, file), "is no directory");
    expect_fatal(&trial, check_place(&trial, plain, place.directory), "superuser");
    expect_ok(&trial, check_place(&trial, server.conninfo, place.directory));
    if (geteuid() == 0) {
        assert_int_equal(chmod(place.directory, 0700), 0);
        expect_fatal(&trial, check_place(&trial, server.conninfo, place.directory), "chmod o+rx");
    }
    unlink(file);
    free(file);
    assert_int_equal(rmdir(place.directory), 0);
}

/* Neither root nor the server's user: the directory itself, if it was made for the server. */
static void test_tablespace_of_a_person(void **state)
{
    enum { NOBODY = 65534 };
    struct trial trial = {.ops = NULL};
    struct place place;
    struct stat st;
    (void)state;
    if (geteuid() != 0)
        skip();
    place_init(&place, "/tmp/contract-space-XXXXXX", 0755);
    expect_fatal(&trial, check_as(NOBODY, &trial, server.conninfo, place.directory),
                 "is not the server's user's");
    expect_text(&trial, "install -d -m 700 -o ");
    assert_int_equal(chown(place.directory, place.server_user, (gid_t)-1), 0);
    assert_int_equal(chmod(place.directory, 0700), 0);
    char *inside = fs_path("%s/inside", place.directory);
    assert_int_equal(mkdir(inside, 0700), 0);
    expect_fatal(&trial, check_as(NOBODY, &trial, server.conninfo, place.directory),
                 "is not empty");
    assert_int_equal(rmdir(inside), 0);
    free(inside);
    trial_init(&trial, "postgresql", "t0001",
               SETTINGS("workload.rows", "100", "postgres.tablespace", place.directory));
    expect_ok(&trial, trial.ops->open(&trial.config, &trial.db, &trial.why));
    assert_int_equal(seteuid(NOBODY), 0);
    enum op_status created = trial.ops->create(trial.db, &trial.why);
    if (seteuid(0) != 0)
        abort();
    expect_ok(&trial, created);
    trial_close(&trial);
    expect_clean();
    assert_int_equal(stat(place.directory, &st), 0); /* not ours to remove */
    assert_int_equal(rmdir(place.directory), 0);
}

/* The server's own user makes the folder where it may. */
static void test_tablespace_of_the_server(void **state)
{
    struct trial trial = {.ops = NULL};
    struct place place;
    (void)state;
    if (geteuid() != 0)
        skip();
    place_init(&place, "/tmp/contract-space-XXXXXX", 0755);
    expect_fatal(&trial, check_as(place.server_user, &trial, server.conninfo, place.directory),
                 "cannot be written to by");
    assert_int_equal(chmod(place.directory, 0777), 0);
    expect_ok(&trial, check_as(place.server_user, &trial, server.conninfo, place.directory));
    assert_int_equal(rmdir(place.directory), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_tablespace),
        cmocka_unit_test(test_tablespace_checks),
        cmocka_unit_test(test_tablespace_of_a_person),
        cmocka_unit_test(test_tablespace_of_the_server),
    };
    if (!place_begin())
        return 77;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    server_stop(&server);
    return failed;
}
