/* What only the SQLite engine does: classes of errors, options, WAL, locks. */
#include "contract/support.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>

#include "base/clock.h"
#include "sqlite/classify.h"
#include "sqlite/db.h"

#define SETTINGS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void start(struct trial *trial, const char *const *settings)
{
    trial_init(trial, "sqlite", "t0001", settings);
    trial_open(trial);
}

/* Numbers as sqlite.org/rescode.html has them. */
static void test_classify(void **state)
{
    static const struct {
        int extended, number;
        enum op_status status;
    } cases[] = {
        {0, 0, OP_OK},
        {5, 0, OP_BUSY},             /* BUSY */
        {261, 0, OP_BUSY},           /* BUSY_RECOVERY */
        {517, 0, OP_CONFLICT},       /* BUSY_SNAPSHOT */
        {773, 0, OP_BUSY},           /* BUSY_TIMEOUT */
        {6, 0, OP_BUSY},             /* LOCKED */
        {262, 0, OP_BUSY},           /* LOCKED_SHAREDCACHE */
        {13, 0, OP_NO_SPACE},        /* FULL */
        {10, ENOSPC, OP_NO_SPACE},   /* IOERR */
        {778, ENOSPC, OP_NO_SPACE},  /* IOERR_WRITE */
        {778, EDQUOT, OP_NO_SPACE},  /* IOERR_WRITE */
        {778, EIO, OP_FATAL},        /* IOERR_WRITE */
        {1034, EIO, OP_FATAL},       /* IOERR_FSYNC */
        {1034, ENOSPC, OP_NO_SPACE}, /* IOERR_FSYNC */
        {4874, ENOSPC, OP_NO_SPACE}, /* IOERR_SHMSIZE */
        {10, 0, OP_FATAL},           /* IOERR */
        {14, ENOSPC, OP_NO_SPACE},   /* CANTOPEN */
        {14, ENOENT, OP_FATAL},      /* CANTOPEN */
        {1, ENOSPC, OP_FATAL},       /* ERROR: errno says nothing about it */
        {8, 0, OP_FATAL},            /* READONLY */
        {9, 0, OP_FATAL},            /* INTERRUPT */
        {11, ENOSPC, OP_FATAL},      /* CORRUPT */
        {15, 0, OP_FATAL},           /* PROTOCOL */
        {1555, 0, OP_FATAL},         /* CONSTRAINT_PRIMARYKEY */
        {26, 0, OP_FATAL},           /* NOTADB */
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (sqlite_classify(cases[i].extended, cases[i].number) != cases[i].status)
            fail_msg("code %d, errno %d", cases[i].extended, cases[i].number);
}

/* One option at one value: rows go in and come out, and the fact says it. */
static void try_option(const char *key, const char *value, const char *fact)
{
    struct trial trial;
    struct wanted wanted = {.name = strchr(key, '.') + 1};
    struct adapter_sink sink = wanted_sink(&wanted);
    start(&trial, SETTINGS("workload.rows", "300", key, value));
    expect_ok(&trial, trial.ops->facts(trial.db, &sink, &trial.why));
    assert_int_equal(wanted.times, 1);
    assert_string_equal(wanted.text, fact);
    struct adapter_conn *conn = trial_connect(&trial, 0);
    transact(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 0, 300);
    expect_ok(&trial, trial.ops->settle(trial.db, &trial.why));
    assert_int_equal(trial_rows(&trial), 300);
    expect_sound(&trial);
    transact(&trial, conn, 0, WORK_REMOVE, ORDER_ASCENDING, 0, 0, 300);
    assert_int_equal(trial_rows(&trial), 0);
    trial.ops->disconnect(conn);
    trial_close(&trial);
}

static void test_every_option_value(void **state)
{
    (void)state;
    for (const struct key *key = sqlite_options; key->name != NULL; key++)
        for (const char *const *each = key->choices; each != NULL && *each != NULL; each++)
            try_option(key->name, *each, *each);
    try_option("sqlite.cache_size", "-100", "-100");
    try_option("sqlite.cache_size", "10", "10");
    try_option("sqlite.wal_autocheckpoint", "1", "1");
    try_option("sqlite.wal_autocheckpoint", "0", "0");
    try_option("sqlite.mmap_size", "64Mi", "67108864");
    try_option("sqlite.busy_timeout", "1.5s", "1500ms");
}

/* A setting that SQLite does not take is no silence. */
static void test_refused_pragma(void **state)
{
    struct trial trial;
    (void)state;
    start(&trial, SETTINGS("workload.rows", "10"));
    struct adapter_conn *conn = trial_connect(&trial, 0);
    struct sqlite3 *handle = ((struct sqlite_conn *)conn)->handle;
    assert_int_equal(sqlite_pragma(handle, "a file", "page_size", "8192", "8192", &trial.why),
                     OP_FATAL);
    assert_non_null(strstr(trial.why.text, "sqlite.page_size on a file: asked for 8192, got 4096"));
    trial.ops->disconnect(conn);
    trial_close(&trial);
}

static void expect_header(const char *path, unsigned page_bytes, unsigned char version)
{
    unsigned char header[100];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(read(fd, header, sizeof header), sizeof header);
    close(fd);
    assert_int_equal(header[16] << 8 | header[17], page_bytes == 65536 ? 1 : page_bytes);
    assert_int_equal(header[18], version); /* 2: WAL, fileformat2.html 1.3.3 */
}

static void test_file_header(void **state)
{
    struct trial trial;
    (void)state;
    start(&trial, SETTINGS("sqlite.page_size", "16384"));
    struct sqlite_db *db = (struct sqlite_db *)trial.db;
    expect_header(db->files[0].path, 16384, 2);
    trial_close(&trial);
    start(&trial, SETTINGS("sqlite.page_size", "65536", "sqlite.journal_mode", "delete"));
    db = (struct sqlite_db *)trial.db;
    expect_header(db->files[0].path, 65536, 1);
    trial_close(&trial);
}

static void test_file_names(void **state)
{
    static const struct {
        const char *layout, *files;
        unsigned count;
        const char *first, *last;
    } cases[] = {
        {"shared-table", "1", 1, "shared.db", "shared.db"},
        {"table-per-stream", "1", 1, "shared.db", "shared.db"},
        {"table-per-stream", "3", 3, "f0000.db", "f0002.db"},
        {"shared-table", "2", 2, "f0000.db", "f0001.db"},
        {"file-per-stream", "1", 6, "s0000.db", "s0005.db"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trial trial;
        start(&trial, SETTINGS("workload.streams", "6", "workload.rows", "10", "workload.layout",
                               cases[i].layout, "workload.files", cases[i].files));
        struct sqlite_db *db = (struct sqlite_db *)trial.db;
        assert_int_equal(db->file_count, cases[i].count);
        assert_string_equal(strrchr(db->files[0].path, '/') + 1, cases[i].first);
        assert_string_equal(strrchr(db->files[db->file_count - 1].path, '/') + 1, cases[i].last);
        for (unsigned stream = 0; stream < 6; stream++)
            assert_int_equal(trial.ops->lock_domain(trial.db, stream),
                             layout_file_of_stream(trial.load, stream));
        trial_close(&trial);
    }
}

static double wal_bytes(struct trial *trial)
{
    struct wanted wanted = {.name = "wal_bytes"};
    struct adapter_sink sink = wanted_sink(&wanted);
    trial->ops->observe(trial->db, &sink);
    assert_int_equal(wanted.times, 1);
    return wanted.value;
}

/* Checkpoints recycle the WAL: it stops growing, and settle leaves its size as it is. */
static void test_wal_recycles(void **state)
{
    struct trial trial;
    double sizes[8];
    (void)state;
    start(&trial, SETTINGS("workload.rows", "1000", "sqlite.wal_autocheckpoint", "50",
                           "sqlite.synchronous", "normal"));
    assert_true(wal_bytes(&trial) == 0);
    struct adapter_conn *conn = trial_connect(&trial, 0);
    for (uint64_t row = 0; row < 800; row++) {
        transact(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, row, row + 1);
        if (row % 100 == 99)
            sizes[row / 100] = wal_bytes(&trial);
        if (row == 399)
            expect_ok(&trial, trial.ops->settle(trial.db, &trial.why));
    }
    assert_true(sizes[0] >= 50 * 4120 && sizes[0] < 60 * 4120);
    for (int i = 1; i < 8; i++)
        assert_true(sizes[i] >= sizes[i - 1] && sizes[i] <= sizes[0] + 4 * 4120);
    double checkpoints = trial_metric(&trial, "checkpoints");
    double frames = trial_metric(&trial, "checkpoint_frames");
    assert_true(checkpoints >= 15 && checkpoints <= 20);
    assert_true(frames >= 50 * checkpoints && frames <= 54 * checkpoints);
    assert_true(trial_metric(&trial, "checkpoint_ms") > 0);
    assert_true(trial_metric(&trial, "cache_writes") >= 800);
    assert_true(trial_metric(&trial, "cache_spills") == 0);
    trial.ops->disconnect(conn);
    assert_true(trial_metric(&trial, "checkpoints") == checkpoints); /* outlives the conn */
    trial_close(&trial);
}

static void test_cache_spills(void **state)
{
    struct trial trial;
    (void)state;
    start(&trial, SETTINGS("workload.rows", "2000", "sqlite.cache_size", "10"));
    struct adapter_conn *conn = trial_connect(&trial, 0);
    transact(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 0, 2000);
    assert_true(trial_metric(&trial, "cache_spills") > 0);
    trial.ops->disconnect(conn);
    trial_close(&trial);
}

static void test_queue_is_busy_at_once(void **state)
{
    struct trial trial;
    (void)state;
    start(&trial, SETTINGS("workload.streams", "2", "workload.layout", "shared-table"));
    struct adapter_conn *first = trial_connect(&trial, 0), *second = trial_connect(&trial, 1);
    expect_ok(&trial, trial.ops->begin(first, &trial.why));
    int64_t start_ns = clock_now_ns();
    assert_int_equal(trial.ops->begin(second, &trial.why), OP_BUSY);
    assert_true(clock_now_ns() - start_ns < NS_PER_S);
    assert_int_equal(trial.why.native & 0xff, 5);
    assert_non_null(strstr(trial.why.text, "BEGIN on /"));
    expect_ok(&trial, trial.ops->rollback(second, &trial.why));
    expect_ok(&trial, trial.ops->commit(first, &trial.why));
    expect_ok(&trial, trial.ops->begin(second, &trial.why));
    expect_ok(&trial, trial.ops->commit(second, &trial.why));
    assert_true(trial_metric(&trial, "busy_waits") == 0);
    trial.ops->disconnect(first);
    trial.ops->disconnect(second);
    trial_close(&trial);
}

struct waiter {
    const struct adapter *ops;
    struct adapter_conn *conn;
    enum op_status status;
    int64_t waited_ns;
};

static void *waiter_main(void *ctx)
{
    struct waiter *waiter = ctx;
    struct op_error why;
    int64_t start_ns = clock_now_ns();
    waiter->status = waiter->ops->begin(waiter->conn, &why);
    waiter->waited_ns = clock_now_ns() - start_ns;
    return NULL;
}

/* `native` waits as long as it should, and no longer than an interrupt lets it. */
static void test_native_waits(void **state)
{
    struct trial trial;
    pthread_t thread;
    (void)state;
    start(&trial, SETTINGS("workload.streams", "2", "workload.layout", "shared-table",
                           "sqlite.busy", "native", "sqlite.busy_timeout", "300ms"));
    assert_int_equal(trial.ops->lock_domain(trial.db, 1), -1);
    struct adapter_conn *first = trial_connect(&trial, 0), *second = trial_connect(&trial, 1);
    struct waiter waiter = {.ops = trial.ops, .conn = second};
    expect_ok(&trial, trial.ops->begin(first, &trial.why));
    waiter_main(&waiter);
    assert_int_equal(waiter.status, OP_BUSY);
    assert_true(waiter.waited_ns >= 290 * NS_PER_MS);
    assert_true(trial_metric(&trial, "busy_waits") == 1);
    assert_true(trial_metric(&trial, "busy_wait_ms") >= 290);
    ((struct sqlite_db *)trial.db)->settings.busy_timeout_ns = 60 * NS_PER_S;
    assert_int_equal(pthread_create(&thread, NULL, waiter_main, &waiter), 0);
    clock_sleep_until(clock_now_ns() + 300 * NS_PER_MS);
    trial.ops->interrupt(second);
    pthread_join(thread, NULL);
    assert_int_not_equal(waiter.status, OP_OK);
    assert_true(waiter.waited_ns < 10 * NS_PER_S);
    expect_ok(&trial, trial.ops->rollback(second, &trial.why));
    expect_ok(&trial, trial.ops->commit(first, &trial.why));
    trial.ops->disconnect(first);
    trial.ops->disconnect(second);
    trial_close(&trial);
}

static void test_exclusive(void **state)
{
    struct trial trial;
    struct adapter_forecast forecast;
    (void)state;
    trial_init(&trial, "sqlite", "t0001",
               SETTINGS("workload.streams", "2", "sqlite.locking_mode", "exclusive"));
    assert_int_equal(trial.ops->forecast(&trial.config, &forecast, &trial.why), OP_FATAL);
    assert_non_null(strstr(trial.why.text, "file-per-stream"));
    trial_close(&trial);
    start(&trial, SETTINGS("workload.streams", "2", "workload.layout", "file-per-stream",
                           "sqlite.locking_mode", "exclusive", "workload.rows", "100"));
    expect_ok(&trial, trial.ops->forecast(&trial.config, &forecast, &trial.why));
    struct adapter_conn *conns[2];
    for (unsigned stream = 0; stream < 2; stream++) {
        conns[stream] = trial_connect(&trial, stream);
        transact(&trial, conns[stream], stream, WORK_INSERT, ORDER_ASCENDING, 0, 0, 100);
    }
    expect_ok(&trial, trial.ops->settle(trial.db, &trial.why));
    assert_int_equal(trial_rows(&trial), 200);
    expect_sound(&trial);
    trial.ops->disconnect(conns[0]);
    trial.ops->disconnect(conns[1]);
    assert_int_equal(trial_rows(&trial), 200);
    trial_close(&trial);
}

static void test_values_at_the_edges(void **state)
{
    static const uint64_t counts[] = {1, 49, 50, 51, 99, 100, 101};
    struct trial trial;
    uint64_t from = 0;
    (void)state;
    start(&trial,
          SETTINGS("workload.rows", "1000", "sqlite.insert_method", "values", "row.indexes", "16"));
    struct adapter_conn *conn = trial_connect(&trial, 0);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; from += counts[i++])
        transact(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, from, from + counts[i]);
    assert_int_equal(trial_rows(&trial), from);
    trial.ops->disconnect(conn);
    trial_close(&trial);
}

/* SQLite gives the whole transaction up by itself when the file is full. */
static void test_full_rolls_back(void **state)
{
    struct trial trial;
    (void)state;
    start(&trial, SETTINGS("workload.rows", "5000"));
    struct adapter_conn *conn = trial_connect(&trial, 0);
    struct sqlite3 *handle = ((struct sqlite_conn *)conn)->handle;
    transact(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 0, 100);
    expect_ok(&trial, sqlite_pragma(handle, "f", "max_page_count", "20", "20", &trial.why));
    expect_ok(&trial, trial.ops->begin(conn, &trial.why));
    assert_int_equal(
        do_rows(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 100, 5000, &trial.why),
        OP_NO_SPACE);
    assert_int_equal(trial.why.native, 13);
    assert_non_null(strstr(trial.why.text, "INSERT into /"));
    expect_ok(&trial, trial.ops->rollback(conn, &trial.why));
    assert_int_equal(trial_rows(&trial), 100);
    transact(&trial, conn, 0, WORK_REMOVE, ORDER_ASCENDING, 0, 0, 100);
    trial.ops->disconnect(conn);
    trial_close(&trial);
}

static void test_damage_is_seen(void **state)
{
    struct trial trial;
    bool ok = true;
    unsigned char junk[64];
    (void)state;
    start(&trial, SETTINGS("workload.rows", "1000", "sqlite.journal_mode", "delete"));
    struct adapter_conn *conn = trial_connect(&trial, 0);
    transact(&trial, conn, 0, WORK_INSERT, ORDER_ASCENDING, 0, 0, 1000);
    trial.ops->disconnect(conn);
    memset(junk, 0xa5, sizeof junk);
    int fd = open(((struct sqlite_db *)trial.db)->files[0].path, O_RDWR | O_CLOEXEC);
    assert_int_equal(pwrite(fd, junk, sizeof junk, 5 * 4096), sizeof junk);
    close(fd);
    expect_ok(&trial, trial.ops->integrity(trial.db, &ok, &trial.why));
    assert_false(ok);
    assert_non_null(strstr(trial.why.text, "integrity_check of /"));
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
    double both = f.write_bytes[PHASE_INSERT] + f.write_bytes[PHASE_DELETE];
    assert_true(both > 20e9 && both < 24e9);
    assert_true(f.commit_flushes && f.begin_locks);
    assert_true(f.space_bytes > 120e6 && f.space_bytes < 160e6);
    f = forecast_of(SETTINGS("workload.rows", "1M", "workload.rows_per_commit", "1000"));
    assert_true(f.write_bytes[PHASE_INSERT] > 1000 * 255 * 1024.0);
    assert_true(f.write_bytes[PHASE_INSERT] < 1000 * 290 * 1024.0);
    f = forecast_of(SETTINGS("workload.rows", "10k", "workload.rows_per_commit", "1",
                             "sqlite.journal_mode", "delete"));
    assert_true(f.write_bytes[PHASE_INSERT] > 1e4 * 57 * 1024 &&
                f.write_bytes[PHASE_INSERT] < 1e4 * 75 * 1024);
    f = forecast_of(SETTINGS("sqlite.synchronous", "normal"));
    assert_false(f.commit_flushes);
    f = forecast_of(SETTINGS("sqlite.synchronous", "normal", "sqlite.journal_mode", "persist"));
    assert_true(f.commit_flushes);
    f = forecast_of(SETTINGS("sqlite.synchronous", "off", "sqlite.journal_mode", "delete"));
    assert_false(f.commit_flushes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classify),
        cmocka_unit_test(test_every_option_value),
        cmocka_unit_test(test_refused_pragma),
        cmocka_unit_test(test_file_header),
        cmocka_unit_test(test_file_names),
        cmocka_unit_test(test_wal_recycles),
        cmocka_unit_test(test_cache_spills),
        cmocka_unit_test(test_queue_is_busy_at_once),
        cmocka_unit_test(test_native_waits),
        cmocka_unit_test(test_exclusive),
        cmocka_unit_test(test_values_at_the_edges),
        cmocka_unit_test(test_full_rolls_back),
        cmocka_unit_test(test_damage_is_seen),
        cmocka_unit_test(test_forecast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
