#include "device/stack_log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/parse.h"
#include "device/kind.h"
#include "device/mountinfo.h"
#include "device/stack_holders.h"
#include "device/sysfs.h"

const char *const stack_log_names[] = {"journal", "realtime", "cache"};

/* NULL: there is no room for another. */
static struct stack_log *add_log(struct stack *stack, enum stack_log_use use, const char *name)
{
    for (size_t i = 0; i < stack->log_count; i++)
        if (stack->logs[i].use == use && strcmp(stack->logs[i].name, name) == 0)
            return &stack->logs[i];
    if (stack->log_count == STACK_LOGS)
        return NULL;
    struct stack_log *log = &stack->logs[stack->log_count++];
    *log = (struct stack_log){.use = use};
    snprintf(log->name, sizeof log->name, "%s", name);
    return log;
}

static bool lists(char list[][STACK_NAME], size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i], name) == 0)
            return true;
    return false;
}

static void judge_disks(const char *root, struct stack *stack, struct stack_log *log)
{
    struct stack *below = calloc(1, sizeof *below);
    if (below == NULL)
        abort();
    log->same_disk = log->name[0] != 0 && stack_of_device(root, log->name, below) && below->known;
    for (size_t i = 0; i < below->leaf_count; i++)
        log->same_disk &= lists(stack->leaves, stack->leaf_count, below->leaves[i]);
    free(below);
}

/* ---- by mount option ---- */

static void by_directory(struct stack *stack, enum stack_log_use use, char *directory)
{
    char name[STACK_NAME] = "";
    if (directory != NULL && !sysfs_name(directory, name, sizeof name))
        name[0] = 0;
    add_log(stack, use, name);
    free(directory);
}

/* The kernel's own encoding in 32 bits (new_decode_dev): mmmM MMmm. */
static char *device_by_number(const char *root, const char *text)
{
    char *end;
    unsigned long number = strtoul(text, &end, 0);
    if (end == text || *end != 0 || number > UINT32_MAX)
        return NULL;
    return sysfs_block_number(root, (unsigned)(number >> 8 & 0xfff),
                              (unsigned)((number & 0xff) | (number >> 12 & 0xfff00)));
}

static bool has_log(const struct stack *stack, enum stack_log_use use)
{
    for (size_t i = 0; i < stack->log_count; i++)
        if (stack->logs[i].use == use)
            return true;
    return false;
}

static void by_options(const char *root, struct stack *stack)
{
    static const struct {
        const char *filesystem, *option;
        enum stack_log_use use;
    } options[] = {
        {"xfs", "logdev", STACK_LOG_JOURNAL},        {"xfs", "rtdev", STACK_LOG_REALTIME},
        {"ext3", "journal_path", STACK_LOG_JOURNAL}, {"ext4", "journal_path", STACK_LOG_JOURNAL},
        {"ext3", "journal_dev", STACK_LOG_JOURNAL},  {"ext4", "journal_dev", STACK_LOG_JOURNAL},
        {"reiserfs", "jdev", STACK_LOG_JOURNAL},
    };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        if (strcmp(stack->filesystem, options[i].filesystem) != 0 || has_log(stack, options[i].use))
            continue;
        char *value = mount_option(stack->mount_options, options[i].option);
        if (value != NULL && value[0] != 0)
            by_directory(stack, options[i].use,
                         value[0] == '/' ? stack_holders_source(root, value)
                                         : device_by_number(root, value));
        free(value);
    }
}

/* ---- by the journal's thread ---- */

/* Kernels before 5.17 cut a thread's name after this many letters. */
enum { COMM_MAX = 15 };

/* "jbd2/sdb1" -> "sdb1"; "": the journal is a file on the file system's own device `own`. */
static void journal_name(const char *comm, const char *own, char name[STACK_NAME])
{
    static const char jbd[] = "jbd2/";
    name[0] = 0;
    if (strncmp(comm, jbd, sizeof jbd - 1) != 0)
        return;
    const char *device = comm + sizeof jbd - 1;
    size_t size = strlen(own);
    if (strncmp(device, own, size) == 0 && (device[size] == 0 || device[size] == '-'))
        return;
    if (strlen(comm) >= COMM_MAX && strncmp(device, own, strlen(device)) == 0)
        return;
    size_t length = strlen(device);
    if (length < STACK_NAME) /* no device is called by a part of a longer name */
        memcpy(name, device, length + 1);
}

static void by_thread(const char *root, struct stack *stack)
{
    char own[STACK_NAME], name[STACK_NAME], number[32], comm[128] = "";
    if (stack->top_count != 1)
        return;
    memcpy(own, stack->tops[0], sizeof own);
    for (char *c = own; *c != 0; c++) /* as in sysfs */
        *c = *c == '/' ? '!' : *c;
    char *folder = fs_path("%s/sys/fs/ext4/%s", root, own);
    int64_t id;
    struct err ignored;
    if (sysfs_text(folder, "journal_task", number, sizeof number) &&
        parse_integer(number, &id, &ignored) == 0 && id > 0) {
        char *process = fs_path("%s/proc/%" PRId64, root, id);
        sysfs_text(process, "comm", comm, sizeof comm);
        free(process);
    }
    free(folder);
    journal_name(comm, own, name);
    /* What names no device is the name of a file's journal, cut off or strange. */
    char *directory = name[0] != 0 ? sysfs_block(root, name) : NULL;
    if (directory != NULL)
        by_directory(stack, STACK_LOG_JOURNAL, directory);
}

/* ---- caches ---- */

/* "writethrough [writeback] none" -> "writeback" */
static void read_mode(const char *directory, char mode[32])
{
    char text[256];
    mode[0] = 0;
    if (!sysfs_text(directory, "bcache/cache_mode", text, sizeof text))
        return;
    const char *start = strchr(text, '[');
    if (start != NULL)
        snprintf(mode, 32, "%.*s", (int)strcspn(start + 1, "]"), start + 1);
}

static void add_caches(const char *root, struct stack *stack, const char *name,
                       const char *directory)
{
    char *path = fs_path("%s/bcache/cache", directory), *set = sysfs_real(root, path), **members;
    free(path);
    size_t count = set != NULL ? sysfs_list(set, &members) : 0;
    for (size_t i = 0; i < count; i++) {
        size_t digits = strspn(members[i] + strcspn(members[i], "0123456789"), "0123456789");
        if (strncmp(members[i], "cache", 5) != 0 || strlen(members[i]) != 5 + digits || digits == 0)
            continue;
        /* /sys/fs/bcache/UUID/cache0 -> the cache device's own folder "bcache" */
        char *link = fs_path("%s/%s", set, members[i]), *own = sysfs_real(root, link);
        char *slash = own != NULL ? strrchr(own, '/') : NULL, cache[STACK_NAME];
        if (slash != NULL)
            *slash = 0;
        struct stack_log *log = own != NULL && sysfs_name(own, cache, sizeof cache)
                                    ? add_log(stack, STACK_LOG_CACHE, cache)
                                    : NULL;
        if (log != NULL) {
            memcpy(log->of, name, strlen(name) + 1);
            read_mode(directory, log->mode);
        }
        free(own);
        free(link);
    }
    if (set != NULL)
        sysfs_list_free(members, count);
    free(set);
}

static void by_cache(const char *root, struct stack *stack)
{
    for (size_t i = 0; i < stack->count; i++) {
        char *directory = sysfs_block(root, stack->names[i]), kind[KIND_SIZE] = "";
        if (directory != NULL)
            kind_read(directory, kind);
        if (strcmp(kind, "bcache") == 0)
            add_caches(root, stack, stack->names[i], directory);
        free(directory);
    }
}

void stack_log_find(const char *root, struct stack *stack)
{
    stack->log_count = 0;
    by_thread(root, stack);
    by_options(root, stack);
    by_cache(root, stack);
    for (size_t i = 0; i < stack->log_count; i++)
        judge_disks(root, stack, &stack->logs[i]);
}
