/* Mixed phases on SQLite: streams that change twelve common rows at the same time, and every row
 * accounted for; who harms one behind the streams' backs is noticed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "driver/overlap.h"
#include "driver/verify.h"
#include "workload/spec.h"

enum { STREAMS = 4, ROWS = 1200, KEYS = 12 };

struct bench {
    const struct adapter *sqlite;
    char *directory;
    struct workload *load;
    struct adapter_config config;
    struct adapter_db *db;
    struct stage stage;
    struct op_error why;
    struct verify_record record;
};

static struct workload *make_load(const struct adapter *sqlite, const char *const *settings)
{
    const struct key *const tables[] = {sqlite->options, NULL};
    struct spec *spec = spec_create(tables);
    struct workload *load;
    struct err err = {0};
    for (; *settings != NULL; settings += 2)
        if (spec_set(spec, settings[0], settings[1], "test", &err) != 0)
            fail_msg("%s", err.text);
    size_t *choice = calloc(spec_key_count(spec), sizeof *choice);
    if (spec_resolve(spec, 0, choice, &load, &err) != 0)
        fail_msg("%s", err.text);
    free(choice);
    spec_destroy(spec);
    return load;
}

static void must(const struct bench *b, enum op_status status)
{
    if (status != OP_OK)
        fail_msg("status %d: %s", (int)status, b->why.text);
}

static struct bench *bench_open(const char *busy, const char *per_commit, const char *indexes)
{
    const char *const settings[] = {"workload.phases",
                                    "mixed",
                                    "workload.rows",
                                    "1200",
                                    "workload.rows_per_commit",
                                    per_commit,
                                    "workload.streams",
                                    "4",
                                    "workload.layout",
                                    "shared-table",
                                    "row.keys",
                                    "overlapping",
                                    "row.indexes",
                                    indexes,
                                    "sqlite.busy",
                                    busy,
                                    "sqlite.synchronous",
                                    "off",
                                    NULL};
    char pattern[] = "overlap-XXXXXX";
    struct bench *b = calloc(1, sizeof *b);
    struct err err;
    b->sqlite = adapter_find("sqlite");
    b->load = make_load(b->sqlite, settings);
    assert_non_null(mkdtemp(pattern));
    b->directory = fs_real_path(pattern, &err);
    assert_non_null(b->directory);
    b->config =
        (struct adapter_config){.target = b->directory, .directory = b->directory, .load = b->load};
    must(b, b->sqlite->open(&b->config, &b->db, &b->why));
    must(b, b->sqlite->create(b->db, &b->why));
    assert_int_equal(stage_open(&b->stage, b->sqlite, b->db, b->load, true, &err), 0);
    assert_true(stage_wait(&b->stage, 20 * NS_PER_S));
    return b;
}

static void bench_release(struct bench *b)
{
    stage_close(&b->stage);
    must(b, b->sqlite->destroy(b->db, &b->why));
    b->sqlite->close(b->db);
    assert_int_equal(rmdir(b->directory), 0);
    free(b->directory);
    workload_destroy(b->load);
    free(b);
}

static void run_phase(struct bench *b)
{
    uint64_t rows = 0;
    stage_prepare(&b->stage, PHASE_MIXED);
    stage_start(&b->stage, 0, 0);
    assert_true(stage_wait(&b->stage, 100 * NS_PER_S));
    if (b->stage.failed)
        fail_msg("%s", b->stage.failure.text);
    for (unsigned i = 0; i < STREAMS; i++)
        rows += counter_read(&b->stage.streams[i].counters->rows) -
                atomic_load(&b->stage.streams[i].base_rows);
    assert_int_equal(rows, ROWS * STREAMS);
}

static void expect(struct bench *b, uint64_t lost, uint64_t surplus, uint64_t wrong)
{
    struct err err;
    if (verify_stage(&b->stage, NULL, &b->record, &err) != 0)
        fail_msg("%s", err.text);
    assert_true(b->record.checked && b->record.integrity_ok);
    assert_int_equal(b->record.lost_rows, lost);
    assert_int_equal(b->record.surplus_rows, surplus);
    assert_int_equal(b->record.wrong_rows, wrong);
    assert_int_equal(b->record.found_rows, b->record.expected_rows - lost + surplus);
    assert_true(b->record.expected_rows <= KEYS);
}

/* Main thread, streams at the gate: on stream 0's connection, unseen by its records. */
static void harm(struct bench *b, uint64_t key, bool take, bool *there)
{
    struct stream *s = &b->stage.streams[0];
    s->batch->count = 0;
    must(b, b->sqlite->begin(s->conn, &b->why));
    if (take) {
        row_batch_add_key(s->batch, row_id(0, key));
        must(b, b->sqlite->erase(s->conn, s->batch, there, &b->why));
    } else {
        row_batch_add_as(s->batch, &b->load->shape, row_id(0, key), 999999);
        must(b, b->sqlite->upsert(s->conn, s->batch, &b->why));
    }
    must(b, b->sqlite->commit(s->conn, &b->why));
}

static void check_harm(struct bench *b)
{
    uint64_t present = KEYS, absent = KEYS;
    bool there = false;
    for (uint64_t key = 0; key < KEYS; key++) {
        const struct overlap_change *newest = NULL;
        for (unsigned i = 0; i < STREAMS; i++) {
            const struct overlap_change *last = &b->stage.streams[i].overlap->last[key];
            if (newest == NULL || last->ticket > newest->ticket)
                newest = last;
        }
        *(newest->sequence == OVERLAP_ERASED || newest->ticket == 0 ? &absent : &present) = key;
    }
    if (present < KEYS) { /* of twelve keys some are there and some not, but for bad luck */
        harm(b, present, false, &there);
        expect(b, 0, 0, 1);
        harm(b, present, true, &there);
        assert_true(there);
        expect(b, 1, 0, 0);
        harm(b, present, true, &there);
        assert_false(there);
    }
    if (absent < KEYS) {
        harm(b, absent, false, &there);
        expect(b, present < KEYS, 1, 0);
        assert_int_equal(b->record.first[present < absent ? 1 : 0].id, row_id(0, absent));
    }
    assert_true(present < KEYS || absent < KEYS);
}

static void streams_share_twelve_rows(void **state)
{
    static const char *const busy[] = {"queue", "native"};
    static const char *const per_commit[] = {"1", "5", "12"};
    (void)state;
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < 3; k++) {
            struct bench *b = bench_open(busy[i], per_commit[k], k == 1 ? "2" : "0");
            expect(b, 0, 0, 0);
            run_phase(b);
            expect(b, 0, 0, 0);
            run_phase(b);
            expect(b, 0, 0, 0);
            check_harm(b);
            bench_release(b);
        }
}

/* A stop cuts transactions: what was rolled back is not expected. */
static void a_stop_in_the_middle(void **state)
{
    (void)state;
    for (int busy = 0; busy <= 1; busy++) {
        struct bench *b = bench_open(busy ? "native" : "queue", "3", "0");
        stage_prepare(&b->stage, PHASE_MIXED);
        stage_start(&b->stage, 0, 0);
        (void)stage_wait(&b->stage, 5 * NS_PER_MS);
        stage_stop(&b->stage, STOP_WRITE_BYTES);
        assert_true(stage_wait(&b->stage, 20 * NS_PER_S));
        assert_false(b->stage.failed);
        expect(b, 0, 0, 0);
        bench_release(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_share_twelve_rows),
        cmocka_unit_test(a_stop_in_the_middle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
