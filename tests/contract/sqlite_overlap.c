/* What SQLite does for keys that overlap: upsert, erase, and how many bytes they take. */
#include "contract/support.h"

#include "sqlite/db.h"

#define SETTINGS(...)                                                                              \
    ((const char *const[]){"workload.phases", "mixed", "row.keys", "overlapping",                  \
                           "workload.layout", "shared-table", __VA_ARGS__, NULL})

/* One change of a common row by stream 1; sequence 0: an erase.  Was there a row to erase? */
static bool change(struct trial *trial, struct adapter_conn *conn, uint64_t key, uint64_t sequence)
{
    struct row_batch *batch = row_batch_create(&trial->load->shape, 1);
    bool there = false;
    if (sequence == 0) {
        row_batch_add_key(batch, row_id(0, key));
        expect_ok(trial, trial->ops->erase(conn, batch, &there, &trial->why));
    } else {
        row_batch_add_as(batch, &trial->load->shape, row_id(0, key), sequence);
        expect_ok(trial, trial->ops->upsert(conn, batch, &trial->why));
    }
    row_batch_destroy(batch);
    return there;
}

struct common {
    const struct trial *trial;
    uint64_t sequences[2]; /* what the rows of keys 0 and 1 were made of; 0: no row */
    unsigned found;
};

static bool see(void *ctx, const struct row *row)
{
    struct common *common = ctx;
    unsigned char scratch[256];
    int64_t key = row->id - row_id(0, 0);
    assert_in_range(key, 0, 1);
    assert_true(row_is_of(&common->trial->load->shape, row, 1, common->sequences[key], scratch));
    common->found++;
    return true;
}

static void expect_common(struct trial *trial, uint64_t first, uint64_t second)
{
    struct common common = {.trial = trial, .sequences = {first, second}};
    struct row_visitor visitor = {.ctx = &common, .row = see};
    expect_ok(trial, trial->ops->scan(trial->db, 0, &visitor, &trial->why));
    assert_int_equal(common.found, (first != 0) + (second != 0));
}

static void test_upsert_and_erase(void **state)
{
    struct trial trial;
    (void)state;
    trial_init(
        &trial, "sqlite", "t0001",
        SETTINGS("workload.streams", "2", "workload.rows_per_commit", "3", "row.indexes", "2"));
    trial_open(&trial);
    struct adapter_conn *conn = trial_connect(&trial, 1);
    expect_ok(&trial, trial.ops->begin(conn, &trial.why));
    change(&trial, conn, 0, 5);
    change(&trial, conn, 1, 6);
    assert_false(change(&trial, conn, 7, 0));
    expect_ok(&trial, trial.ops->commit(conn, &trial.why));
    expect_common(&trial, 5, 6);

    expect_ok(&trial, trial.ops->begin(conn, &trial.why));
    change(&trial, conn, 0, 9);
    assert_true(change(&trial, conn, 1, 0));
    assert_false(change(&trial, conn, 1, 0));
    expect_ok(&trial, trial.ops->rollback(conn, &trial.why));
    expect_common(&trial, 5, 6);

    expect_ok(&trial, trial.ops->begin(conn, &trial.why));
    change(&trial, conn, 0, 9); /* stream, keys and payload are all replaced */
    assert_true(change(&trial, conn, 1, 0));
    expect_ok(&trial, trial.ops->commit(conn, &trial.why));
    expect_common(&trial, 9, 0);
    expect_sound(&trial);
    trial.ops->disconnect(conn);
    trial_close(&trial);
}

/* A second connection waits in begin: its change comes after the one that was committed. */
static void test_two_streams(void **state)
{
    struct trial trial;
    (void)state;
    trial_init(&trial, "sqlite", "t0001",
               SETTINGS("workload.streams", "2", "workload.rows_per_commit", "1"));
    trial_open(&trial);
    struct adapter_conn *first = trial_connect(&trial, 0), *second = trial_connect(&trial, 1);
    expect_ok(&trial, trial.ops->begin(first, &trial.why));
    change(&trial, first, 0, 3);
    assert_int_equal(trial.ops->begin(second, &trial.why), OP_BUSY);
    expect_ok(&trial, trial.ops->rollback(second, &trial.why));
    expect_ok(&trial, trial.ops->commit(first, &trial.why));
    expect_ok(&trial, trial.ops->begin(second, &trial.why));
    assert_true(change(&trial, second, 0, 0));
    change(&trial, second, 0, 4);
    expect_ok(&trial, trial.ops->commit(second, &trial.why));
    expect_common(&trial, 4, 0);
    trial.ops->disconnect(first);
    trial.ops->disconnect(second);
    trial_close(&trial);
}

static struct adapter_forecast forecast_of(const char *const *settings)
{
    struct op_error why;
    struct adapter_forecast forecast;
    struct workload *load = support_workload(settings);
    struct adapter_config config = {.target = "/", .directory = "/", .load = load};
    assert_int_equal(sqlite_adapter.forecast(&config, &forecast, &why), OP_OK);
    workload_destroy(load);
    return forecast;
}

static void test_forecast(void **state)
{
    (void)state;
    struct adapter_forecast f =
        forecast_of(SETTINGS("workload.rows", "1M", "workload.rows_per_commit", "1"));
    assert_true(f.write_bytes[PHASE_MIXED] > 1e6 * 8.5 * 1024);
    assert_true(f.write_bytes[PHASE_MIXED] < 1e6 * 24 * 1024);
    assert_true(f.space_bytes < 10e6); /* however many changes: the rows are a dozen */
    struct adapter_forecast many = forecast_of(
        SETTINGS("workload.rows", "1M", "workload.rows_per_commit", "1", "row.common_keys", "1M"));
    assert_true(many.write_bytes[PHASE_MIXED] > f.write_bytes[PHASE_MIXED]);
    assert_true(many.space_bytes > 120e6 && many.space_bytes < 300e6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_upsert_and_erase),
        cmocka_unit_test(test_two_streams),
        cmocka_unit_test(test_forecast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
