/* support.h - what the contract tests share: a workload from a few settings, a trial with
 * its directory, transactions, and a scan that checks every row. */
#ifndef TESTS_CONTRACT_SUPPORT_H
#define TESTS_CONTRACT_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adapter.h"
#include "base/fs.h"
#include "workload/layout.h"
#include "workload/order.h"
#include "workload/spec.h"

/* The connection string of a server that the program has started; NULL: none. */
static const char *support_server;

struct trial {
    const struct adapter *ops;
    struct workload *load;
    struct adapter_config config;
    char *root;      /* of mkdtemp */
    char *directory; /* the trial's, inside */
    struct adapter_db *db;
    struct op_error why;
};

/* Pairs of key and value, ended by NULL, on top of the engines' defaults. */
static inline struct workload *support_workload(const char *const *settings)
{
    const struct key *tables[16] = {NULL};
    struct workload *load = NULL;
    struct err err = {.kind = ERR_NONE};
    size_t count = 0, keys;
    for (const struct adapter *const *each = adapter_registry; *each != NULL; each++)
        if ((*each)->options != NULL && (count == 0 || tables[count - 1] != (*each)->options))
            tables[count++] = (*each)->options; /* two schemes may share their keys */
    struct spec *spec = spec_create(tables);
    for (; *settings != NULL; settings += 2)
        if (spec_set(spec, settings[0], settings[1], "test", &err) != 0)
            fail_msg("%s = %s: %s", settings[0], settings[1], err.text);
    keys = spec_key_count(spec);
    size_t *choice = calloc(keys, sizeof *choice);
    if (spec_resolve(spec, 0, choice, &load, &err) != 0)
        fail_msg("%s", err.text);
    free(choice);
    spec_destroy(spec);
    return load;
}

/* `name`: of the trial's directory, as odd as a path can be.  A server that may run as another user
 * must come through to it. */
static inline void trial_init(struct trial *trial, const char *engine, const char *name,
                              const char *const *settings)
{
    char here[] = "contract-XXXXXX", public[] = "/tmp/contract-XXXXXX";
    struct err err = {.kind = ERR_NONE};
    *trial = (struct trial){.ops = adapter_find(engine)};
    assert_non_null(trial->ops);
    bool other_user = (trial->ops->caps & ADAPTER_OTHER_USER) != 0;
    char *pattern = other_user ? public : here;
    trial->load = support_workload(settings);
    assert_non_null(mkdtemp(pattern));
    trial->root = fs_real_path(pattern, &err);
    assert_non_null(trial->root);
    trial->directory = fs_path("%s/%s", trial->root, name);
    assert_int_equal(mkdir(trial->directory, 0700), 0);
    if (other_user) {
        assert_int_equal(chmod(trial->root, 0711), 0);
        assert_int_equal(chmod(trial->directory, 0711), 0);
    }
    trial->config = (struct adapter_config){.target = trial->root, .load = trial->load};
    if ((trial->ops->caps & ADAPTER_LOCAL_FILES) != 0)
        trial->config.directory = trial->directory;
    if (support_server != NULL)
        trial->config.target = support_server;
}

static inline void expect_ok_at(struct trial *trial, enum op_status status, const char *file,
                                int line)
{
    if (status != OP_OK) {
        print_error("%s:%d: %s: status %d: %s\n", file, line, trial->ops->name, (int)status,
                    trial->why.text);
        fail();
    }
}
#define expect_ok(trial, status) expect_ok_at(trial, status, __FILE__, __LINE__)

static inline void trial_open(struct trial *trial)
{
    expect_ok(trial, trial->ops->open(&trial->config, &trial->db, &trial->why));
    expect_ok(trial, trial->ops->create(trial->db, &trial->why));
    expect_ok(trial, trial->ops->settle(trial->db, &trial->why));
}

static inline unsigned directory_entries(const char *path)
{
    DIR *directory = opendir(path);
    unsigned count = 0;
    assert_non_null(directory);
    while (readdir(directory) != NULL)
        count++;
    closedir(directory);
    return count - 2; /* . and .. */
}

static inline void trial_maintain(struct trial *trial, enum phase_kind next)
{
    if (trial->ops->maintain != NULL)
        expect_ok(trial, trial->ops->maintain(trial->db, next, &trial->why));
}

/* Destroys, and checks that nothing is left; a server of a trial's own stays until close. */
static inline void trial_close(struct trial *trial)
{
    if (trial->db != NULL) {
        expect_ok(trial, trial->ops->destroy(trial->db, &trial->why));
        if ((trial->ops->caps & ADAPTER_OTHER_USER) == 0)
            assert_int_equal(directory_entries(trial->directory), 0);
        trial->ops->close(trial->db);
    }
    assert_int_equal(rmdir(trial->directory), 0);
    assert_int_equal(rmdir(trial->root), 0);
    free(trial->directory);
    free(trial->root);
    workload_destroy(trial->load);
}

static inline struct adapter_conn *trial_connect(struct trial *trial, unsigned stream)
{
    struct adapter_conn *conn = NULL;
    expect_ok(trial, trial->ops->connect(trial->db, stream, &conn, &trial->why));
    assert_non_null(conn);
    assert_ptr_equal(conn->ops, trial->ops);
    return conn;
}

enum work { WORK_INSERT, WORK_REMOVE };

/* The statements of one transaction: rows at positions [from, to) of an order of a cycle, whose
 * sequences begin at `base`.  Safe on any thread. */
static inline enum op_status do_rows(const struct trial *trial, struct adapter_conn *conn,
                                     unsigned stream, enum work work, enum order_kind kind,
                                     uint64_t base, uint64_t from, uint64_t to,
                                     struct op_error *why)
{
    struct row_batch *batch = row_batch_create(&trial->load->shape, stream);
    struct order order;
    enum op_status status = OP_OK;
    order_init(&order, kind, trial->load->rows, 7 + stream);
    while (from < to && status == OP_OK) {
        batch->count = 0;
        for (; from < to && batch->count < batch->capacity; from++) {
            uint64_t sequence = base + order_at(&order, from);
            if (work == WORK_INSERT)
                row_batch_add(batch, &trial->load->shape, sequence);
            else
                row_batch_add_id(batch, sequence);
        }
        status = work == WORK_INSERT ? trial->ops->insert(conn, batch, why)
                                     : trial->ops->remove(conn, batch, why);
    }
    row_batch_destroy(batch);
    return status;
}

/* After the last batch. */
static inline enum op_status execute(const struct trial *trial, struct adapter_conn *conn,
                                     struct op_error *why)
{
    return trial->ops->execute == NULL ? OP_OK : trial->ops->execute(conn, why);
}

static inline void transact(struct trial *trial, struct adapter_conn *conn, unsigned stream,
                            enum work work, enum order_kind kind, uint64_t base, uint64_t from,
                            uint64_t to)
{
    expect_ok(trial, trial->ops->begin(conn, &trial->why));
    expect_ok(trial, do_rows(trial, conn, stream, work, kind, base, from, to, &trial->why));
    expect_ok(trial, execute(trial, conn, &trial->why));
    expect_ok(trial, trial->ops->commit(conn, &trial->why));
}

struct found {
    const struct row_shape *shape;
    unsigned char *scratch;
    uint64_t rows, wrong, misplaced;
    int64_t last_id;
    uint64_t stop_after; /* 0: never */
    uint64_t id_sum;
};

static inline bool found_row(void *ctx, const struct row *row)
{
    struct found *found = ctx;
    found->rows++;
    found->misplaced += row->id <= found->last_id;
    found->wrong += !row_is_right(found->shape, row, found->scratch);
    found->id_sum += (uint64_t)row->id;
    found->last_id = row->id;
    return found->rows != found->stop_after;
}

static inline struct found trial_scan(struct trial *trial, unsigned table, uint64_t stop_after)
{
    struct found found = {.shape = &trial->load->shape, .stop_after = stop_after};
    struct row_visitor visitor = {.ctx = &found, .row = found_row};
    found.scratch = malloc(trial->load->shape.payload_bytes + 1);
    expect_ok(trial, trial->ops->scan(trial->db, table, &visitor, &trial->why));
    free(found.scratch);
    found.scratch = NULL;
    assert_int_equal(found.misplaced, 0);
    return found;
}

/* Rows in all tables; none may be wrong. */
static inline uint64_t trial_rows(struct trial *trial)
{
    uint64_t rows = 0;
    for (unsigned table = 0; table < layout_tables(trial->load); table++) {
        struct found found = trial_scan(trial, table, 0);
        assert_int_equal(found.wrong, 0);
        rows += found.rows;
    }
    return rows;
}

static inline void expect_sound(struct trial *trial)
{
    bool ok = false;
    expect_ok(trial, trial->ops->integrity(trial->db, &ok, &trial->why));
    if (!ok)
        fail_msg("%s", trial->why.text);
}

/* Collects one number or one fact by its name. */
struct wanted {
    const char *name;
    double value;
    char text[256];
    unsigned times;
};

static inline void wanted_metric(void *ctx, const char *name, enum metric_kind kind, double value)
{
    struct wanted *wanted = ctx;
    (void)kind;
    if (strcmp(name, wanted->name) != 0)
        return;
    wanted->value = value;
    wanted->times++;
}

static inline void wanted_fact(void *ctx, const char *name, const char *text)
{
    struct wanted *wanted = ctx;
    if (strcmp(name, wanted->name) != 0)
        return;
    snprintf(wanted->text, sizeof wanted->text, "%s", text);
    wanted->times++;
}

static inline void wanted_path(void *ctx, enum device_role role, const char *path)
{
    struct wanted *wanted = ctx;
    (void)role;
    snprintf(wanted->text, sizeof wanted->text, "%s", path);
    wanted->times++;
}

static inline struct adapter_sink wanted_sink(struct wanted *wanted)
{
    return (struct adapter_sink){
        .ctx = wanted, .metric = wanted_metric, .fact = wanted_fact, .path = wanted_path};
}

/* The value of one metric of stats(); the metric must be there once. */
static inline double trial_metric(struct trial *trial, const char *name)
{
    struct wanted wanted = {.name = name};
    struct adapter_sink sink = wanted_sink(&wanted);
    expect_ok(trial, trial->ops->stats(trial->db, &sink, &trial->why));
    assert_int_equal(wanted.times, 1);
    return wanted.value;
}

#endif
