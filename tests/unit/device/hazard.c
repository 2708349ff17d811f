/* What about a target is said before any load, and what is not. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "device/hazard.h"

static struct stack stack;
static struct identity identity;
static struct cap cap;
static struct hazard_facts facts;
static char said[8192];
static int count;

static void hear(void *ctx, const char *sentence)
{
    (void)ctx;
    size_t used = strlen(said);
    snprintf(said + used, sizeof said - used, "%s\n", sentence);
    count++;
}

static int calm(void **state)
{
    (void)state;
    stack = (struct stack){.path = "/mnt/\xe3\x83\x87\xe3\x83\xbc\xe3\x82\xbf",
                           .filesystem = "ext4",
                           .mount_options = "rw,noatime,relatime",
                           .known = true,
                           .sampled = "sda1",
                           .leaves = {"sda"},
                           .leaf_count = 1};
    identity = (struct identity){.name = "sda", .write_cache = "write back", .rotational = 0};
    cap = (struct cap){.write_bytes_per_s = NAN, .write_iops = NAN};
    facts = (struct hazard_facts){.stack = &stack,
                                  .identity = &identity,
                                  .cap = &cap,
                                  .compressible = 0,
                                  .filesystem_bytes = 1e12,
                                  .memory_bytes = 16e9,
                                  .data_bytes = 1e9};
    return 0;
}

static void mounted(const char *kind, const char *options)
{
    snprintf(stack.filesystem, sizeof stack.filesystem, "%s", kind);
    snprintf(stack.mount_options, sizeof stack.mount_options, "%s", options);
}

/* One sentence that holds all of `texts`; without texts, none at all. */
static void expect(const char *const *texts)
{
    said[0] = 0;
    count = 0;
    hazard_list(&facts, hear, NULL);
    if (count != (texts[0] != NULL))
        fail_msg("%d sentences for %s %s:\n%s", count, stack.filesystem, stack.mount_options, said);
    for (size_t i = 0; texts[i] != NULL; i++)
        if (strstr(said, texts[i]) == NULL)
            fail_msg("\"%s\" is not in: %s", texts[i], said);
}
#define EXPECT(...)      expect((const char *const[]){__VA_ARGS__, NULL})
#define EXPECT_NOTHING() expect((const char *const[]){NULL})

static void a_plain_drive(void **state)
{
    (void)state;
    EXPECT_NOTHING();
    mounted("xfs", "rw,noatime,attr2,inode64,logbufs=8");
    EXPECT_NOTHING();
    mounted("ext4", "rw,barrier=1,data=ordered,nodiscard,async,lazytime");
    EXPECT_NOTHING();
    identity.write_cache[0] = 0; /* nothing is known of anything */
    stack = (struct stack){.path = "/x"};
    facts.compressible = facts.filesystem_bytes = facts.memory_bytes = facts.data_bytes = NAN;
    facts.reads = true;
    EXPECT_NOTHING();
}

static void layers(void **state)
{
    (void)state;
    mounted("overlay", "rw,lowerdir=/l1:/l2,upperdir=/var/up\\040per,workdir=/w");
    EXPECT("/mnt/\xe3\x83\x87\xe3\x83\xbc\xe3\x82\xbf is on overlay", "/var/up per", "copied up");
    mounted("overlay", "rw,lowerdir=/l1:/l2");
    EXPECT("is on overlay");
    mounted("fuseblk", "rw,user_id=0");
    EXPECT("is on fuseblk: a user program stands between");
    mounted("fuse.mergerfs", "rw");
    EXPECT("fuse.mergerfs", "user program");
}

static void copy_on_write(void **state)
{
    (void)state;
    mounted("btrfs", "rw,relatime,discard=async,space_cache=v2,subvolid=5,subvol=/");
    EXPECT("btrfs with copy-on-write", "chattr +C");
    facts.nocow = HAZARD_NO;
    EXPECT("copy-on-write");
    facts.nocow = HAZARD_YES;
    EXPECT_NOTHING();
    facts.nocow = HAZARD_NO;
    mounted("btrfs", "rw,nodatasum,nodatacow,subvol=/");
    EXPECT_NOTHING();
    mounted("bcachefs", "rw");
    EXPECT("bcachefs with copy-on-write");
    mounted("f2fs", "rw,background_gc=on");
    EXPECT("f2fs, which writes each page to a new place");
}

static void compression(void **state)
{
    (void)state;
    facts.nocow = HAZARD_YES;
    facts.compressible = 0.5;
    mounted("btrfs", "rw,compress=zstd:3");
    EXPECT("compresses, and 50.0% of each payload is constant", "fewer bytes");
    mounted("btrfs", "rw,compress-force=lzo");
    EXPECT("fewer bytes");
    mounted("btrfs", "rw,compress");
    EXPECT("fewer bytes");
    facts.compressible = 0;
    EXPECT("payloads are random and will not shrink");
    mounted("btrfs", "rw,compress=none");
    EXPECT_NOTHING();
    mounted("btrfs", "rw,compress=no");
    EXPECT_NOTHING();
    facts.compressed = HAZARD_YES; /* chattr +c */
    EXPECT("compresses");
    mounted("ext4", "rw,compress=zstd"); /* no such thing there */
    facts.compressed = HAZARD_NO;
    EXPECT_NOTHING();
}

static void options(void **state)
{
    (void)state;
    mounted("ext4", "rw,noatime,nobarrier");
    EXPECT("nobarrier: commits are not flushed", "power cut");
    mounted("ext3", "rw,barrier=0");
    EXPECT("barrier=0: commits are not flushed");
    mounted("f2fs", "rw,fsync_mode=nobarrier");
    said[0] = 0;
    hazard_list(&facts, hear, NULL);
    assert_non_null(strstr(said, "fsync_mode=nobarrier: commits are not flushed"));
    mounted("ext4", "rw,data=journal");
    EXPECT("written twice");
    mounted("ext4", "rw,data=writeback");
    EXPECT("after a crash");
    mounted("ext4", "rw,sync");
    EXPECT("every single write waits");
    mounted("ext4", "rw,dirsync");
    EXPECT("making and removing files waits");
    mounted("ext4", "rw,discard");
    EXPECT("freed space is discarded at once");
    mounted("xfs", "rw,async,nodirsyncs,barrier=01,datasync"); /* whole words only */
    EXPECT_NOTHING();
}

static void caches(void **state)
{
    (void)state;
    snprintf(identity.write_cache, sizeof identity.write_cache, "write through");
    EXPECT_NOTHING(); /* a drive without a volatile cache says so too */
    facts.cache_by_hand = HAZARD_YES;
    EXPECT("sda was set to write through by hand", "no flushes", "/sys/block/sda/queue");
    snprintf(identity.write_cache, sizeof identity.write_cache, "write back");
    EXPECT_NOTHING();
}

static void devices(void **state)
{
    (void)state;
    snprintf(stack.leaves[0], STACK_NAME, "loop3");
    snprintf(facts.backing_file, sizeof facts.backing_file, "/images/a b");
    EXPECT("loop3 is a loop device: /images/a b and the drive below it");
    snprintf(facts.backing_filesystem, sizeof facts.backing_filesystem, "xfs");
    EXPECT("/images/a b on xfs and the drive below it");
}

static void devices_in_memory(void **state)
{
    (void)state;
    facts.memory = "";
    EXPECT_NOTHING();
    facts.memory = "zram0";
    EXPECT("lies in memory (zram0): nothing measured there says anything of a drive");
}

static void limits(void **state)
{
    (void)state;
    snprintf(cap.device, sizeof cap.device, "sda");
    snprintf(cap.source, sizeof cap.source, "/sys/fs/cgroup/x/io.max");
    cap.write_bytes_per_s = 1048576;
    EXPECT("limits writes to sda to 1.0 MB/s (/sys/fs/cgroup/x/io.max)");
    cap.write_iops = 120;
    EXPECT("1.0 MB/s and 120 writes/s (");
    cap.write_bytes_per_s = NAN;
    EXPECT("limits writes to sda to 120 writes/s");
}

/* "": nothing. */
static void expect_of_memory(const char *sentence)
{
    said[0] = 0;
    count = 0;
    hazard_memory(&facts, hear, NULL);
    assert_int_equal(count, sentence[0] != 0);
    if (count > 0)
        said[strlen(said) - 1] = 0;
    assert_string_equal(said, sentence);
    EXPECT_NOTHING(); /* among the others */
}

static void memory(void **state)
{
    (void)state;
    facts.filesystem_bytes = 1e9;
    expect_of_memory("reads come from memory, not the drive: the file system (1.0 GB) is smaller "
                     "than memory (16 GB)");
    facts.filesystem_bytes = 1e12;
    expect_of_memory(""); /* nothing is read */
    facts.reads = true;
    expect_of_memory("reads come from memory, not the drive: the data (1.0 GB) is smaller than "
                     "memory (16 GB)");
    facts.data_bytes = 17e9;
    expect_of_memory("");
    facts.filesystem_bytes = 1e9;
    facts.memory_bytes = NAN;
    expect_of_memory("");
}

static void logs(void **state)
{
    (void)state;
    stack.log_count = 1;
    stack.logs[0] = (struct stack_log){.use = STACK_LOG_JOURNAL, .name = "sdb1"};
    EXPECT("journal on another device, sdb1", "bytes and flushes are not in the counters of sda1");
    stack.logs[0].same_disk = true;
    EXPECT("journal on sdb1, another partition of the same disk", "not in the counters of sda1");
    stack.logs[0] = (struct stack_log){.use = STACK_LOG_JOURNAL};
    EXPECT("journal on another device, a device that cannot be found:");
    stack.logs[0] = (struct stack_log){.use = STACK_LOG_REALTIME, .name = "sdc"};
    EXPECT("realtime files on another device, sdc");
    stack.logs[0] = (struct stack_log){
        .use = STACK_LOG_CACHE, .name = "nvme0n1", .of = "bcache0", .mode = "writeback"};
    EXPECT("bcache0 is cached by nvme0n1 (writeback): a commit may be on the cache alone");
    stack.logs[0].mode[0] = 0;
    EXPECT("bcache0 is cached by nvme0n1: a commit");
}

static void several_at_once(void **state)
{
    (void)state;
    mounted("btrfs", "rw,sync,compress=zstd,nobarrier,discard");
    said[0] = 0;
    count = 0;
    hazard_list(&facts, hear, NULL);
    assert_int_equal(count, 5);
    assert_true(strstr(said, "copy-on-write") < strstr(said, "compresses"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_plain_drive, calm),
        cmocka_unit_test_setup(layers, calm),
        cmocka_unit_test_setup(copy_on_write, calm),
        cmocka_unit_test_setup(compression, calm),
        cmocka_unit_test_setup(options, calm),
        cmocka_unit_test_setup(caches, calm),
        cmocka_unit_test_setup(devices, calm),
        cmocka_unit_test_setup(devices_in_memory, calm),
        cmocka_unit_test_setup(limits, calm),
        cmocka_unit_test_setup(memory, calm),
        cmocka_unit_test_setup(logs, calm),
        cmocka_unit_test_setup(several_at_once, calm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
