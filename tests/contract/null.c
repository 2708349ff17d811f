/* The null engine's checksum: made again from the seed, and known answers. */
#include "contract/support.h"

#include "null/checksum.h"

static void test_known_answers(void **state)
{
    static const unsigned char text[] = "loadline";
    (void)state;
    /* Worked out by other means: mix64(id x g + size + word x 3g), g = 0x9e3779b97f4a7c15. */
    assert_true(checksum_row(0, text, 0) == 0);
    assert_true(checksum_row(1, text, 0) == UINT64_C(0xe220a8397b1dcdaf)); /* SplitMix64's first */
    assert_true(checksum_row(0, text, 8) == UINT64_C(0x7d3e34d9f5a2f7c2));
    assert_true(checksum_row(2, text, 3) == UINT64_C(0xf2427911dfe8357e));
}

/* Every single flipped bit shows, also in a tail of less than eight bytes, and every swap. */
static void test_sees_every_bit(void **state)
{
    unsigned char payload[29];
    (void)state;
    for (size_t i = 0; i < sizeof payload; i++)
        payload[i] = (unsigned char)(i * 37);
    uint64_t right = checksum_row(5, payload, sizeof payload);
    for (size_t bit = 0; bit < 8 * sizeof payload; bit++) {
        payload[bit / 8] ^= (unsigned char)(1 << bit % 8);
        assert_true(checksum_row(5, payload, sizeof payload) != right);
        payload[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    assert_true(checksum_row(6, payload, sizeof payload) != right);
    assert_true(checksum_row(5, payload, sizeof payload - 1) != right);
    memmove(payload, payload + 8, 8);
    assert_true(checksum_row(5, payload, sizeof payload) != right);
}

static void test_gauge_from_the_seed(void **state)
{
    enum { STREAMS = 3, ROWS = 1000 };
    struct trial trial;
    struct adapter_conn *conns[STREAMS];
    uint64_t sum = 0;
    (void)state;
    trial_init(&trial, "null", "t0001",
               (const char *const[]){"workload.streams", "3", "workload.rows", "1000", NULL});
    trial_open(&trial);
    for (unsigned stream = 0; stream < STREAMS; stream++) {
        conns[stream] = trial_connect(&trial, stream);
        transact(&trial, conns[stream], stream, WORK_INSERT, ORDER_RANDOM, 0, 0, ROWS);
        transact(&trial, conns[stream], stream, WORK_REMOVE, ORDER_RANDOM, 0, 0, 10);
    }
    for (unsigned stream = 0; stream < STREAMS; stream++)
        for (uint64_t sequence = 0; sequence < ROWS; sequence++) {
            int32_t keys[ROW_KEYS_MAX];
            unsigned char payload[100];
            row_make(&trial.load->shape, stream, sequence, keys, payload);
            sum += checksum_row(row_id(stream, sequence), payload, sizeof payload);
        }
    assert_true(trial_metric(&trial, "payload_checksum") == checksum_gauge(sum));
    assert_true(trial_metric(&trial, "rows_inserted") == STREAMS * ROWS);
    assert_true(trial_metric(&trial, "rows_removed") == STREAMS * 10);
    for (unsigned stream = 0; stream < STREAMS; stream++)
        trial.ops->disconnect(conns[stream]);
    trial_close(&trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_answers),
        cmocka_unit_test(test_sees_every_bit),
        cmocka_unit_test(test_gauge_from_the_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
