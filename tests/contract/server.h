/* server.h - a PostgreSQL server of a test's own, by the code that makes private clusters. */
#ifndef TESTS_CONTRACT_SERVER_H
#define TESTS_CONTRACT_SERVER_H

#include <libpq-fe.h>

#include "contract/support.h"
#include "postgres/cluster.h"
#include "postgres/options.h"

struct server {
    struct workload *load;
    struct adapter_config config;
    char root[32];
    struct postgres_cluster *cluster;
    char conninfo[512]; /* of its superuser; support_server while it runs */
};

/* Exit status 77 is for the caller: false, and the reason printed, where no server can run. */
static inline bool server_can_run(void)
{
    struct op_error why;
    char *programs = NULL;
    int version = 0;
    if (postgres_programs_find(NULL, &programs, &version, &why) != OP_OK) {
        printf("skipped: %s\n", why.text);
        return false;
    }
    free(programs);
    return true;
}

static inline void server_start(struct server *server)
{
    struct postgres_settings settings;
    struct op_error why;
    *server = (struct server){.root = "/tmp/contract-XXXXXX"};
    server->load = support_workload((const char *const[]){"postgres.conf.fsync", "off", NULL});
    if (mkdtemp(server->root) == NULL || chmod(server->root, 0711) != 0)
        abort();
    server->config = (struct adapter_config){
        .target = server->root, .directory = server->root, .load = server->load};
    postgres_settings_read(&settings, server->load);
    if (postgres_cluster_start(&server->config, &settings, 0, 40, &server->cluster, &why) !=
        OP_OK) {
        fprintf(stderr, "no server for the tests: %s\n", why.text);
        abort();
    }
    snprintf(server->conninfo, sizeof server->conninfo, "%s dbname=" POSTGRES_CLUSTER_DATABASE,
             postgres_cluster_conninfo(server->cluster));
    support_server = server->conninfo;
}

static inline void server_stop(struct server *server)
{
    struct op_error why;
    support_server = NULL;
    if (postgres_cluster_remove(server->cluster, POSTGRES_STOP_IMMEDIATE, &why) != OP_OK)
        fprintf(stderr, "the tests' server: %s\n", why.text);
    if (rmdir(server->root) != 0)
        fprintf(stderr, "the tests' server left something in %s\n", server->root);
    workload_destroy(server->load);
}

/* The one value of a query, as text; "" where it has no row.  Fails the test on an error. */
struct server_value {
    char text[512];
};

static inline struct server_value server_ask(const char *conninfo, const char *sql)
{
    struct server_value value = {.text = ""};
    PGconn *handle = PQconnectdb(conninfo);
    PGresult *result = PQexec(handle, sql);
    ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
        print_error("%s: %s\n", sql, PQerrorMessage(handle));
        PQclear(result);
        PQfinish(handle);
        fail();
    }
    if (PQntuples(result) > 0)
        snprintf(value.text, sizeof value.text, "%s", PQgetvalue(result, 0, 0));
    PQclear(result);
    PQfinish(handle);
    return value;
}

#endif
