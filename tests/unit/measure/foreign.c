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
    assert_true(r.own_read_bytes[0] == 0 && r.other_read_bytes[0] == 1 + 12);
    assert_true(r.own_bytes[1] == 0 && r.other_bytes[1] == 5);
    assert_true(isnan(r.own_read_bytes[2]) && isnan(r.other_read_bytes[3]));
    assert_true(isnan(r.own_bytes[2]) && isnan(r.other_bytes[2])); /* no row */
    assert_true(isnan(r.own_bytes[3]));
    assert_true(foreign_is_charged(&on_sda, &r));

    assert_int_equal(read_tree("v2", &r), FOREIGN_CGROUP2);
    assert_true(r.own_bytes[0] == 400000);
    assert_true(r.other_bytes[0] == 300000 + 1000000);
    assert_true(r.own_bytes[1] == 0 && r.other_bytes[1] == 30);
    assert_true(r.own_read_bytes[0] == 0 && r.other_read_bytes[0] == 5);

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
        s->disks[i].present = 1u << DISK_WRITE_SECTORS | 1u << DISK_WRITES |
                              1u << DISK_READ_SECTORS | 1u << DISK_FLUSHES;
        s->disks[i].value[DISK_READ_SECTORS] = (uint64_t)seconds * 200; /* 102,400 bytes/s */
        s->disks[i].value[DISK_FLUSHES] = (uint64_t)seconds * 10;
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
    struct foreign_evidence e = {FOREIGN_CGROUP2, &start, &end, 1e9, NAN, NAN, false};
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
    struct foreign_evidence e = {FOREIGN_UNKNOWN, NULL, NULL, 10240, NAN, NAN, false};
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

/* In 10 s 1,024,000 bytes are read from each disk. */
static void what_others_read(void **state)
{
    (void)state;
    struct foreign_reading start = {.own_bytes = {100}, .other_read_bytes = {50}};
    struct foreign_reading end = {.own_bytes = {900100}, .other_read_bytes = {50 + 819200}};
    struct foreign_evidence e = {FOREIGN_CGROUP1, &start, &end, NAN, NAN, NAN, false};
    struct foreign_share share;
    judge(&on_sda, &e, &share);
    assert_int_equal(share.method, FOREIGN_CGROUP1);
    assert_true(share.write_bytes == 0 && share.of_bytes == 1024000);
    assert_true(share.read_bytes == 819200 && share.of_read_bytes == 1024000);
    assert_true(foreign_share_part(&share) == 0.4);
    /* A group was removed: its reads are unknown, what was written is not. */
    end.other_read_bytes[0] = 0;
    judge(&on_sda, &e, &share);
    assert_int_equal(share.method, FOREIGN_CGROUP1);
    assert_true(isnan(share.read_bytes) && foreign_share_part(&share) == 0);

    struct foreign_evidence idle = {FOREIGN_UNKNOWN, NULL, NULL, 0, 81920, NAN, false};
    judge(&on_sda, &idle, &share);
    assert_int_equal(share.method, FOREIGN_BASELINE);
    assert_true(fabs(share.read_bytes - 819200) < 1e-6);
    assert_true(fabs(foreign_share_part(&share) - 0.4) < 1e-9);
    /* More than was read at all in the phase. */
    idle.idle_read_bytes_per_s = 102500;
    judge(&on_sda, &idle, &share);
    assert_true(isnan(share.read_bytes) && foreign_share_part(&share) == 0);
    /* What this process read is known: the rest was not ours, whatever the group or the baseline.
     */
    idle.own_read_bytes = 24000;
    judge(&on_sda, &idle, &share);
    assert_true(share.read_bytes == 1000000);
    e.own_read_bytes = 1024000 - 5;
    judge(&on_sda, &e, &share);
    assert_true(share.read_bytes == 5);
    e.own_read_bytes = 1e9; /* most of it elsewhere */
    judge(&on_sda, &e, &share);
    assert_true(share.read_bytes == 0);
    struct sample *from = sample_at(1, 0, 0), *to = sample_at(3, 0, 0);
    assert_true(fabs(foreign_idle_read_rate(&on_sda, from, to) - 102400) < 1e-6);
    assert_true(fabs(foreign_idle_read_rate(&on_both, from, to) - 204800) < 1e-6);
    sample_destroy(from);
    sample_destroy(to);

    /* Our own reads are no excuse for what others write. */
    share = (struct foreign_share){FOREIGN_CGROUP1, 10, 100, 0, 1e9};
    assert_true(foreign_share_part(&share) == 0.1);
    share = (struct foreign_share){FOREIGN_CGROUP1, NAN, NAN, 10, 100};
    assert_true(isnan(foreign_share_part(&share)));
}

static void what_this_process_read(void **state)
{
    (void)state;
    char *root = tree_make(TESTS_DIR "/fixtures/device/stack/old.tree");
    char *file = fs_path("%s/proc/self/io", root);
    assert_true(isnan(foreign_own_read_bytes(root)));
    tree_append(file, "rchar: 99\nwchar: 5\nsyscr: 1\nread_bytes: 8192\nwrite_bytes: 7");
    assert_true(foreign_own_read_bytes(root) == 8192);
    free(file);

    struct device device = {.role = "data", .leaf_count = 1};
    struct err err;
    assert_int_equal(stack_resolve(root, "/f", &device.stack, &err), 0);
    assert_true(foreign_reads_are_plain(root, &device));                 /* ext3 on a partition */
    snprintf(device.stack.kept_on, sizeof device.stack.kept_on, "f2fs"); /* cleans up */
    assert_false(foreign_reads_are_plain(root, &device));
    snprintf(device.stack.kept_on, sizeof device.stack.kept_on, "xfs");
    device.leaf_count = 3; /* parity */
    assert_false(foreign_reads_are_plain(root, &device));
    device.leaf_count = 1;
    char *level = fs_path("%s/sys/class/block/sda/md/level", root);
    tree_make_parents(level);
    tree_append(level, "raid5");
    assert_false(foreign_reads_are_plain(root, &device));
    free(level);
    tree_remove(root);
}

/* 1,024,000 bytes in 10 s with 100 flushes. */
static void a_flushed_commit_is_a_block_of_ours(void **state)
{
    (void)state;
    struct foreign_evidence e = {FOREIGN_UNKNOWN, NULL, NULL, 81920, NAN, NAN, true};
    struct foreign_share share;
    struct sample *from = sample_at(5, 100, 50), *to = sample_at(15, 100 + 2000, 50 + 1000);
    to->commits = to->rows = 40;
    to->row_bytes = 100;
    foreign_judge(&e, &on_sda, from, to, &share); /* 163,840 are ours, 819,200 may be others' */
    assert_int_equal(share.method, FOREIGN_BASELINE);
    to->commits = to->rows = 60; /* 245,760 are ours */
    foreign_judge(&e, &on_sda, from, to, &share);
    assert_int_equal(share.method, FOREIGN_UNKNOWN);
    assert_true(isnan(share.write_bytes));
    e.commit_flushes = false;
    foreign_judge(&e, &on_sda, from, to, &share);
    assert_int_equal(share.method, FOREIGN_BASELINE);
    /* Commits that share a flush may share a block. */
    e.commit_flushes = true;
    to->disks[0].value[DISK_FLUSHES] = from->disks[0].value[DISK_FLUSHES] + 5;
    foreign_judge(&e, &on_sda, from, to, &share);
    assert_int_equal(share.method, FOREIGN_BASELINE);
    to->disks[0].present &= ~(1u << DISK_FLUSHES);
    foreign_judge(&e, &on_sda, from, to, &share);
    assert_int_equal(share.method, FOREIGN_BASELINE);
    to->rows = 3000; /* 300,000 bytes of rows */
    foreign_judge(&e, &on_sda, from, to, &share);
    assert_int_equal(share.method, FOREIGN_UNKNOWN);
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
        cmocka_unit_test(what_others_read),
        cmocka_unit_test(what_this_process_read),
        cmocka_unit_test(a_flushed_commit_is_a_block_of_ours),
        cmocka_unit_test(parts_and_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
