#include "driver/precheck.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/fs.h"
#include "device/hazard.h"
#include "device/kind.h"
#include "device/mountinfo.h"
#include "device/sysfs.h"
#include "driver/forecast.h"
#include "measure/environment.h"

enum keeper { KEEPER_DISK, KEEPER_MEMORY, KEEPER_NETWORK };

static enum keeper keeper_of(const char *kind, bool is_network)
{
    if (fs_kind_is_memory(kind))
        return KEEPER_MEMORY;
    return is_network || fs_kind_is_network(kind) ? KEEPER_NETWORK : KEEPER_DISK;
}

int precheck_filesystem(struct run_context *ctx, const char *path, struct err *err)
{
    char kind[32], where[160];
    struct err ignored;
    if (fs_kind(path, kind, err) != 0)
        return -1;
    enum keeper keeper = keeper_of(kind, false);
    struct stack *stack = malloc(sizeof *stack);
    if (stack == NULL)
        abort();
    snprintf(where, sizeof where, "%s", kind);
    if (keeper == KEEPER_DISK && stack_resolve("", path, stack, &ignored) == 0) {
        keeper = keeper_of(stack->kept_on, stack->is_network);
        bool same = strcmp(stack->kept_on, stack->filesystem) == 0;
        snprintf(where, sizeof where, "%s%s%s", stack->filesystem, same ? "" : " over ",
                 same ? "" : stack->kept_on);
    }
    free(stack);
    if (keeper == KEEPER_DISK)
        return 0;
    if (!ctx->options->any_filesystem)
        return err_set(
            err, ERR_REFUSED,
            "%s is on %s, which %s: nothing measured there says anything of a drive; choose "
            "a directory on a local disk, or run with --any-filesystem and get no "
            "verdict of a drive",
            path, where, keeper == KEEPER_MEMORY ? "is memory" : "is not on this host's disks");
    context_warn(ctx, -1, "%s is on %s: the figures say nothing of a drive", path, where);
    return 0;
}

static bool holds(const struct stack *stack, const char *name)
{
    for (size_t i = 0; i < stack->count; i++)
        if (strcmp(stack->names[i], name) == 0)
            return true;
    return false;
}

/* Is the device `name` somewhere under `path`, the disks below loop devices' files too?  Where the
 * path leads to no device at all, it may be. */
static bool is_under(const char *path, const char *name, unsigned depth)
{
    enum { LOOPS_MAX = 8 };
    struct stack *stack = malloc(sizeof *stack);
    struct err ignored;
    bool under = true;
    if (stack == NULL)
        abort();
    if (depth < LOOPS_MAX && stack_resolve("", path, stack, &ignored) == 0 && stack->known)
        under = holds(stack, name);
    for (size_t i = 0; !under && i < stack->leaf_count; i++) {
        char *directory = sysfs_block("", stack->leaves[i]), file[1024];
        under = directory != NULL && kind_backing_file(directory, file, sizeof file) &&
                is_under(file, name, depth + 1);
        free(directory);
    }
    free(stack);
    return under;
}

static void check_override(struct run_context *ctx, const struct device *device, const char *path)
{
    const char *name = device->stack.tops[0];
    struct stack *stack = malloc(sizeof *stack);
    struct err ignored;
    if (stack == NULL)
        abort();
    if (!is_under(path, name, 0) && stack_resolve("", path, stack, &ignored) == 0)
        context_warn(ctx, -1,
                     "--device %s is not under %s, which lies on %s: the counters of %s show "
                     "nothing of what this run writes there",
                     name, path, stack->tops[0], name);
    free(stack);
}

void precheck_device(struct run_context *ctx, const struct device *device, const char *path)
{
    const char *reason = device->stack.reason;
    if (device->leaf_count == 0)
        context_warn(ctx, -1,
                     "the device under %s is unknown%s%s%s: its writes and flushes are not "
                     "measured; name it with --device",
                     path, reason[0] ? " (" : "", reason, reason[0] ? ")" : "");
    else if (ctx->options->device_override != NULL)
        check_override(ctx, device, path);
}

static void read_attributes(const char *path, struct hazard_facts *facts)
{
    int flags = 0, fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    if (ioctl(fd, FS_IOC_GETFLAGS, &flags) == 0) {
        facts->nocow = flags & FS_NOCOW_FL ? HAZARD_YES : HAZARD_NO;
        facts->compressed = flags & FS_COMPR_FL ? HAZARD_YES : HAZARD_NO;
    }
    close(fd);
}

/* A SCSI or SATA drive's own word on its cache, beside what the kernel was told. */
static bool scsi_cache_is_on(const char *directory)
{
    char *list = fs_path("%s/device/scsi_disk", directory), text[64] = "", **names;
    size_t count = sysfs_list(list, &names);
    if (count > 0) {
        char *disk = fs_path("%s/%s", list, names[0]);
        sysfs_text(disk, "cache_type", text, sizeof text);
        free(disk);
    }
    sysfs_list_free(names, count);
    free(list);
    return strncmp(text, "write back", 10) == 0;
}

/* Only where a volatile cache is there is forced unit access of use to the kernel, so a disk with
 * it and without a cache has been set (block/blk-settings.c). */
static void read_disk(const char *name, struct hazard_facts *facts)
{
    char *directory = sysfs_block("", name);
    if (directory == NULL)
        return;
    bool is_loop = kind_backing_file(directory, facts->backing_file, sizeof facts->backing_file);
    bool has_cache =
        is_loop || sysfs_number(directory, "queue/fua") == 1 || scsi_cache_is_on(directory);
    facts->cache_by_hand = has_cache ? HAZARD_YES : HAZARD_UNKNOWN;
    struct err ignored;
    char kind[32];
    if (is_loop && fs_kind(facts->backing_file, kind, &ignored) == 0)
        memcpy(facts->backing_filesystem, kind, sizeof kind);
    free(directory);
}

/* The most that the plan keeps there at one time. */
static void read_plan(const struct run_context *ctx, const struct site *site,
                      struct hazard_facts *facts)
{
    const struct plan *plan = ctx->options->plan;
    facts->data_bytes = 0;
    for (size_t i = 0; i < plan->count; i++) {
        const struct trial_plan *trial = &plan->trials[i];
        struct trial_forecast forecast;
        struct err ignored;
        if (site_of(ctx, trial) != site ||
            forecast_first(site_target(ctx, site), trial->load, &forecast, &ignored) != 0)
            continue;
        facts->data_bytes = fmax(facts->data_bytes, forecast.space_bytes);
        facts->compressible = workload_number(trial->load, "row.compressible");
        for (size_t k = 0; k < trial->load->phase_count; k++)
            facts->reads |= trial->load->phases[k] != PHASE_INSERT;
    }
}

static void warn(void *ctx, const char *sentence)
{
    context_warn(ctx, -1, "%s", sentence);
}

static void warn_of_memory(void *vctx, const char *sentence)
{
    struct run_context *ctx = vctx;
    ctx->warned_of_memory = true;
    warn(ctx, sentence);
}

static void look_at(struct run_context *ctx, const struct site *site, const struct device *device)
{
    struct environment machine;
    struct err ignored;
    uint64_t free_bytes, total_bytes;
    struct hazard_facts facts = {.stack = &device->stack,
                                 .identity = &device->identity,
                                 .cap = &device->cap,
                                 .memory = device->memory,
                                 .compressible = NAN,
                                 .filesystem_bytes = NAN,
                                 .memory_bytes = NAN,
                                 .data_bytes = NAN};
    environment_read(&machine);
    if (machine.memory_bytes > 0)
        facts.memory_bytes = (double)machine.memory_bytes;
    if (fs_space(device->stack.path, &free_bytes, &total_bytes, &ignored) == 0)
        facts.filesystem_bytes = (double)total_bytes;
    read_attributes(device->stack.path, &facts);
    if (device->leaf_count > 0)
        read_disk(device->stack.leaves[0], &facts);
    read_plan(ctx, site, &facts);
    hazard_list(&facts, warn, ctx);
    if (!ctx->warned_of_memory)
        hazard_memory(&facts, warn_of_memory, ctx);
}

void precheck_warn(struct run_context *ctx, const struct site *site)
{
    const struct device_set *set = &site->devices;
    for (size_t i = 0; i < set->count; i++) {
        bool seen = false;
        for (size_t k = 0; k < i; k++)
            seen |=
                strcmp(set->devices[k].stack.mount_point, set->devices[i].stack.mount_point) == 0;
        if (!seen)
            look_at(ctx, site, &set->devices[i]);
    }
}
