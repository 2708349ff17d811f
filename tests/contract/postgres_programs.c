/* Where PostgreSQL's programs are found, what their output says, and the text of a configuration:
 * no server needed. */
#include "cluster_support.h"

#include "postgres/cluster_conf.h"
#include "postgres/programs.h"
#include "postgres/server_log.h"

static char *root;

static int set_up(void **state)
{
    (void)state;
    root = fs_path("/tmp/programs-test-XXXXXX");
    assert_non_null(mkdtemp(root));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    char *command = fs_path("rm -r '%s'", root);
    assert_int_equal(system(command), 0);
    free(command);
    free(root);
    return 0;
}

/* A script ROOT/DIRECTORY/NAME. */
static void program(const char *directory, const char *name, const char *body)
{
    char *command = fs_path("mkdir -p '%s/%s'", root, directory);
    char *path = fs_path("%s/%s/%s", root, directory, name);
    assert_int_equal(system(command), 0);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\n%s\n", body);
    fclose(file);
    assert_int_equal(chmod(path, 0755), 0);
    free(path);
    free(command);
}

static void server(const char *directory, const char *version)
{
    char *body = fs_path("[ \"$*\" = --version ] && echo 'postgres (PostgreSQL) %s'", version);
    program(directory, "initdb", "exit 1");
    program(directory, "postgres", body);
    free(body);
}

struct found {
    enum op_status status;
    char *directory; /* below root, or NULL */
    int version;
    struct op_error why;
};

/* given and search: below root, or NULL; versions: ROOT/versions. */
static struct found search(const char *given, const char *first, const char *second)
{
    struct found found = {.version = -1};
    char *path = fs_path("relative::%s/%s:%s/%s", root, first, root, second), *directory = NULL;
    char *versions = fs_path("%s/versions", root);
    char *chosen = given == NULL ? NULL : fs_path("%s/%s", root, given);
    struct postgres_places places = {.given = chosen, .search = path, .versions = versions};
    found.status = postgres_programs_search(&places, &directory, &found.version, &found.why);
    if (directory != NULL)
        found.directory = fs_path("%s", directory + strlen(root) + 1);
    free(directory);
    free(chosen);
    free(versions);
    free(path);
    return found;
}

static void expect_found(struct found found, const char *directory, int version)
{
    if (found.status != OP_OK)
        fail_msg("%s", found.why.text);
    assert_string_equal(found.directory, directory);
    assert_int_equal(found.version, version);
    free(found.directory);
}

static void expect_words(struct found found, const char *words)
{
    assert_int_equal(found.status, OP_FATAL);
    assert_null(found.directory);
    if (strstr(found.why.text, words) == NULL)
        fail_msg("'%s' lacks '%s'", found.why.text, words);
}

static void nothing_is_installed(void **state)
{
    (void)state;
    expect_words(search(NULL, "a", "b"), "apt install postgresql");
}

static void the_order_of_places(void **state)
{
    (void)state;
    server("versions/9/bin", "9.6.1");
    server("versions/14/bin", "14.2");
    server("versions/16/bin", "16.4 (Debian 16.4-1)");
    server("versions/x/bin", "17.0");
    expect_found(search(NULL, "a", "b"), "versions/16/bin", 16);
    server("b", "15.18");
    expect_found(search(NULL, "a", "b"), "b", 15);
    server("c", "13.0");
    char *body = fs_path("[ \"$*\" = --bindir ] && echo '%s/c'", root);
    program("b", "pg_config", body);
    free(body);
    expect_found(search(NULL, "a", "b"), "c", 13);
    expect_found(search("versions/14/bin", "a", "b"), "versions/14/bin", 14);
}

static void places_without_a_server(void **state)
{
    (void)state;
    program("client", "psql", "exit 0");
    program("client", "pg_config", "echo /nowhere/bin");
    program("half", "initdb", "exit 0");
    server("mute", "");
    program("mute", "postgres", "exit 0");
    expect_words(search(NULL, "client", "half"), "is not installed here");
    server("versions/15/bin", "15.1");
    expect_found(search(NULL, "client", "half"), "versions/15/bin", 15);
    expect_words(search("client", "a", "b"), "there is no initdb");
    expect_words(search("half", "a", "b"), "there is no postgres");
    expect_words(search("mute", "a", "b"), "does not say its version");
}

static void servers_that_are_too_old(void **state)
{
    (void)state;
    server("old", "12.20");
    expect_words(search(NULL, "old", "b"), "PostgreSQL 12 in ");
    expect_words(search("old", "b", "c"), "needs 13 or later");
    server("versions/13/bin", "13.1");
    expect_found(search(NULL, "old", "b"), "versions/13/bin", 13);
}

static void a_relative_directory(void **state)
{
    (void)state;
    struct postgres_places places = {.given = "bin", .versions = "/nowhere"};
    struct op_error why;
    char *directory;
    int version;
    assert_int_equal(postgres_programs_search(&places, &directory, &version, &why), OP_FATAL);
    assert_non_null(strstr(why.text, "absolute"));
    assert_null(directory);
}

static void versions(void **state)
{
    (void)state;
    assert_int_equal(postgres_programs_version("postgres (PostgreSQL) 15.18 (Debian 15)"), 15);
    assert_int_equal(postgres_programs_version("postgres (PostgreSQL) 9.6.24"), 9);
    assert_int_equal(postgres_programs_version("postgres (PostgreSQL) 19devel"), 19);
    assert_int_equal(postgres_programs_version("postgres (EnterpriseDB) 15"), 0);
    assert_int_equal(postgres_programs_version(""), 0);
    assert_int_equal(postgres_programs_version("postgres (PostgreSQL) devel"), 0);
}

static void reasons(void **state)
{
    (void)state;
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {"", ""},
        {"one\ntwo\n\n", "two"},
        {"2026-01-01 00:00:00 UTC [7] LOG:  starting\n", "starting"},
        {"x LOG:  invalid value for parameter \"a\": \"b\" in file \"/c d\" line 3\n"
         "x FATAL:  configuration file \"/c d\" contains errors\n",
         "invalid value for parameter \"a\": \"b\""},
        {"a FATAL:  first\na FATAL:  second\n", "first"},
        {"a FATAL:  first\na PANIC:  worse\nLOG:  end\n", "worse"},
        {"a FATAL:  could not write \"x\": No space left on device\nPANIC:  cannot abort\n",
         "could not write \"x\": No space left on device"},
        {"FATAL:  could not resize shared memory segment: No space left on device\n",
         "could not resize shared memory segment: No space left on device"},
        {"running bootstrap script ... initdb: error: it is so\ninitdb: removing contents\n",
         "it is so"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char reason[200];
        postgres_log_reason(cases[i].text, reason, sizeof reason);
        assert_string_equal(reason, cases[i].reason);
        assert_int_equal(postgres_log_is_no_space(cases[i].text), i == 6);
    }
    char small[4];
    postgres_log_reason("abcdef", small, sizeof small);
    assert_string_equal(small, "abc");
}

static void names_in_words(void **state)
{
    (void)state;
    assert_true(postgres_log_names("parameter \"work_mem\": \"x\"", "Work_Mem"));
    assert_true(postgres_log_names("less than max_connections (5)", "max_connections"));
    assert_false(postgres_log_names("less than max_connections (5)", "max_conn"));
    assert_false(postgres_log_names("less than max_connections (5)", "connections"));
    assert_false(postgres_log_names("", "a"));
    assert_false(postgres_log_names("a", ""));
}

static void sizes(void **state)
{
    (void)state;
    static const double MiB = 1048576;
    char text[32];
    postgres_conf_wal_size(1024 * MiB, 100000 * MiB, text);
    assert_string_equal(text, "4096MB");
    postgres_conf_wal_size(1 * MiB, 100000 * MiB, text);
    assert_string_equal(text, "1024MB");
    postgres_conf_wal_size(1024 * MiB, 3000 * MiB, text);
    assert_string_equal(text, "1500MB");
    postgres_conf_wal_size(1024 * MiB, 10 * MiB, text);
    assert_string_equal(text, "64MB");
    postgres_conf_buffers(2048 * MiB, text);
    assert_string_equal(text, "512MB");
    postgres_conf_buffers(200000 * MiB, text);
    assert_string_equal(text, "1024MB");
    postgres_conf_buffers(-1, text);
    assert_string_equal(text, "16MB");
}

static void quotes(void **state)
{
    (void)state;
    char *quoted = postgres_conf_quote("it's a\\b\n\xe6\x97\xa5");
    assert_string_equal(quoted, "'it''s a\\\\b\\n\xe6\x97\xa5'");
    free(quoted);
    quoted = postgres_conf_quote("");
    assert_string_equal(quoted, "''");
    free(quoted);
}

/* The later line wins: a person's key over ours, the socket over everything. */
static void the_order_of_a_configuration(void **state)
{
    (void)state;
    confs = (const struct conf[]){{"checkpoint_timeout", "30s"}, {NULL, NULL}};
    struct postgres_conf conf = {
        .socket = "/tmp/x", .max_wal_size = "2GB", .shared_buffers = "1GB", .connections = 10};
    char *text = postgres_conf_text(&conf);
    const char *ours = strstr(text, "checkpoint_timeout = '1h'\n");
    const char *theirs = strstr(text, "checkpoint_timeout = '30s'\n");
    assert_non_null(ours);
    assert_true(theirs > ours);
    assert_true(strstr(text, "listen_addresses = ''\n") > theirs);
    assert_non_null(strstr(text, "\nmax_wal_size = '2GB'\nmin_wal_size = '2GB'\n"));
    assert_non_null(strstr(text, "\nmax_connections = 26\n"));
    free(text);
    confs = NULL;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nothing_is_installed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_order_of_places, set_up, tear_down),
        cmocka_unit_test_setup_teardown(places_without_a_server, set_up, tear_down),
        cmocka_unit_test_setup_teardown(servers_that_are_too_old, set_up, tear_down),
        cmocka_unit_test(a_relative_directory),
        cmocka_unit_test(versions),
        cmocka_unit_test(reasons),
        cmocka_unit_test(names_in_words),
        cmocka_unit_test(sizes),
        cmocka_unit_test(quotes),
        cmocka_unit_test(the_order_of_a_configuration),
    };
    return cmocka_run_group_tests_name("postgres_programs", tests, NULL, NULL);
}
