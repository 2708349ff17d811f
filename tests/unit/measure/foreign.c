/* Whose bytes they were: by the control groups' counts, by the idle drive, or not known. */
#include "unit/device/tree.h"

#include "base/clock.h"
#include "measure/foreign.h"

/* A partition of sda, and a volume on sda and sdb. */
static const struct device on_sda = {.role = "data", .sampled = 2, .leaves = {0}, .leaf_count = 1};
static const struct device on_both = {
    .role = "data", .sampled = 2, .leaves = {0, 1}, .leaf_count = 2};
static const struct diskstats disks[] = {
    {.name = "sda", .major = 8}, {.name = "sdb", .major = 8, .minor = 16}, {.name = ""}};

/* Of a tree; the rest is not known. */
static enum foreign_method read_tree(const char *name, struct foreign_reading *reading)
{
    char *path = fs_path("%s/fixtures/device/cgroup/%s.tree", TESTS_DIR, name);
    char *root = tree_make(path);
    struct cgroup cgroup;
    free(path);
    cgroup_find(root, &cgroup);
    enum foreign_method method = foreign_cgroup_method(&cgroup);
    foreign_cgroup_read(&cgroup, method, disks, 3, reading);
    cgroup_release(&cgroup);
    tree_remove(root);
    return method;
}

static void groups_beside_ours(void **state)
{
    (void)state;
    struct foreign_reading r;
    /* The root's 99 MB hold the journal's: they are not foreign.  Groups without a line for the
     * disk never wrote to it. */
    assert_int_equal(read_tree("v1", &r), FOREIGN_CGROUP1);
    assert_true(r.own_bytes[0] == 400000);
    assert_true(r.other_bytes[0] == 300000 + 1000000);
    assert_true(r.own_bytes[1] == 0 && r.other_bytes[1] == 5);
    assert_true(isnan(r.own_bytes[2]) && isnan(r.other_bytes[2])); /* no row */
    assert_true(isnan(r.own_bytes[3]));
    assert_true(foreign_is_charged(&on_sda, &r));

    assert_int_equal(read_tree("v2", &r), FOREIGN_CGROUP2);
    assert_true(r.own_bytes[0] == 400000);
    assert_true(r.other_bytes[0] == 300000 + 1000000);
    assert_true(r.own_bytes[1] == 0 && r.other_bytes[1] == 30);

    assert_int_equal(read_tree("hybrid", &r), FOREIGN_CGROUP2);
    assert_true(r.own_bytes[0] == 0 && r.other_bytes[0] == 77);
    assert_false(foreign_is_charged(&on_sda, &r));
}

static void groups_that_do_not_tell(void **state)
{
    (void)state;
    static const char *const trees[] = {"v1-root",      "v1-part",    "v2-root",
                                        "v2-namespace", "v2-outside", "no-io"};
    struct foreign_reading r;
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        if (read_tree(trees[i], &r) != FOREIGN_UNKNOWN)
            fail_msg("%s tells", trees[i]);
        assert_true(isnan(r.own_bytes[0]) && isnan(r.other_bytes[0]));
        assert_false(foreign_is_charged(&on_sda, &r));
    }
}

static void a_group_that_may_not_be_read(void **state)
{
    (void)state;
    if (geteuid() == 0 && seteuid(65534) != 0) {
        printf("SKIPPED: root cannot become somebody else\n");
        skip();
    }
    char *root = tree_make(TESTS_DIR "/fixtures/device/cgroup/v2.tree");
    char *file = fs_path("%s/sys/fs/cgroup/user.slice/a b.scope/io.stat", root);
    struct cgroup cgroup;
    struct foreign_reading r;
    assert_int_equal(chmod(file, 0), 0);
    cgroup_find(root, &cgroup);
    assert_int_equal(cgroup.version, CGROUP_V2);
    assert_int_equal(foreign_cgroup_method(&cgroup), FOREIGN_UNKNOWN);
    foreign_cgroup_read(&cgroup, FOREIGN_CGROUP2, disks, 3, &r); /* it went meanwhile */
    assert_true(isnan(r.own_bytes[0]) && isnan(r.other_bytes[0]));
    cgroup_release(&cgroup);
    free(file);
    tree_remove(root);
    if (getuid() == 0)
        assert_int_equal(seteuid(0), 0);
}

static struct sample *sample_at(double seconds, uint64_t sda_sectors, uint64_t sdb_sectors)
{
    struct sample *s = sample_create(1, 3);
    s->t0_ns = (int64_t)(seconds * 1e9) - 1000;
    s->t1_ns = s->t0_ns + 2000;
    for (size_t i = 0; i < 3; i++) {
        s->disks[i] = disks[i];
        s->disks[i].present = 1u << DISK_WRITE_SECTORS | 1u << DISK_WRITES;
        s->disks[i].value[DISK_WRITE_SECTORS] = i == 0 ? sda_sectors : sdb_sectors;
        s->disks[i].value[DISK_WRITES] = 1;
    }
    return s;
}

/* From 1,000,000 bytes on sda and 512,000 on sdb in 10 s. */
static void judge(const struct device *device, const struct foreign_evidence *evidence,
                  struct foreign_share *share)
{
    struct sample *from = sample_at(5, 100, 50), *to = sample_at(15, 100 + 2000, 50 + 1000);
    foreign_judge(evidence, device, from, to, share);
    sample_destroy(from);
    sample_destroy(to);
}

static void by_groups(void **state)
{
    (void)state;
    struct foreign_reading start = {.own_bytes = {100, 1}, .other_bytes = {1000, 7}};
    struct foreign_reading end = {.own_bytes = {900100, 1}, .other_bytes = {1000 + 102400, 7 + 3}};
    struct foreign_evidence e = {FOREIGN_CGROUP2, &start, &end, 1e9};
    struct foreign_share share;
    judge(&on_sda, &e, &share);
    assert_int_equal(share.method, FOREIGN_CGROUP2);
    assert_true(share.write_bytes == 102400 && share.of_bytes == 1024000);
    assert_true(foreign_part(share.write_bytes, share.of_bytes) == 0.1);
    judge(&on_both, &e, &share);
    assert_true(share.write_bytes == 102403 && share.of_bytes == 1536000);

    /* The disk wrote, but nothing of it was charged to us: nobody counts here. */
    end.own_bytes[0] = 100;
    e.idle_bytes_per_s = 102300;
    judge(&on_sda, &e, &share);
    assert_int_equal(share.method, FOREIGN_BASELINE);
    /* A baseline that leaves no room for our own bytes tells nothing of the phase. */
    e.idle_bytes_per_s = 102500;
    judge(&on_sda, &e, &share);
    assert_int_equal(share.method, FOREIGN_UNKNOWN);
    e.idle_bytes_per_s = NAN;
    judge(&on_sda, &e, &share);
    assert_int_equal(share.method, FOREIGN_UNKNOWN);
    assert_true(isnan(share.write_bytes) && share.of_bytes == 1024000);

    /* A group was removed, and its count with it. */
    end.own_bytes[0] = 900100;
    end.other_bytes[0] = 10;
    judge(&on_sda, &e, &share);
    assert_int_equal(share.method, FOREIGN_UNKNOWN);
}

static void by_the_idle_drive(void **state)
{
    (void)state;
    struct foreign_evidence e = {FOREIGN_UNKNOWN, NULL, NULL, 10240};
    struct foreign_share share;
    judge(&on_sda, &e, &share);
    assert_int_equal(share.method, FOREIGN_BASELINE);
    assert_true(fabs(share.write_bytes - 102400) < 1e-6);
    assert_true(fabs(foreign_part(share.write_bytes, share.of_bytes) - 0.1) < 1e-9);
    struct sample *from = sample_at(1, 0, 0), *to = sample_at(3, 2000, 1000);
    assert_true(fabs(foreign_idle_rate(&on_sda, from, to) - 512000) < 1e-6);
    assert_true(fabs(foreign_idle_rate(&on_both, from, to) - 768000) < 1e-6);
    assert_true(isnan(foreign_idle_rate(&on_sda, from, from)));
    to->disks[0].present = 0;
    assert_true(isnan(foreign_idle_rate(&on_sda, from, to)));
    foreign_judge(&e, &on_sda, from, to, &share);
    assert_true(share.method == FOREIGN_UNKNOWN && isnan(share.of_bytes));
    struct device none = {.role = "data"};
    foreign_judge(&e, &none, from, to, &share);
    assert_true(share.method == FOREIGN_UNKNOWN && isnan(share.of_bytes));
    sample_destroy(from);
    sample_destroy(to);
}

static void parts_and_names(void **state)
{
    (void)state;
    assert_true(foreign_part(0, 10) == 0);
    assert_true(foreign_part(20, 10) == 1);
    assert_true(isnan(foreign_part(0, 0)));
    assert_true(isnan(foreign_part(NAN, 10)) && isnan(foreign_part(1, NAN)));
    assert_null(foreign_method_name(FOREIGN_UNKNOWN));
    for (int i = FOREIGN_CGROUP2; i <= FOREIGN_BASELINE; i++)
        assert_int_equal(foreign_method_of(foreign_method_name((enum foreign_method)i)), i);
    assert_int_equal(foreign_method_of(NULL), FOREIGN_UNKNOWN);
    assert_int_equal(foreign_method_of("else"), FOREIGN_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_beside_ours),
        cmocka_unit_test(groups_that_do_not_tell),
        cmocka_unit_test(a_group_that_may_not_be_read),
        cmocka_unit_test(by_groups),
        cmocka_unit_test(by_the_idle_drive),
        cmocka_unit_test(parts_and_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
