#include "device/hazard.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "device/mountinfo.h"

struct teller {
    const struct hazard_facts *facts;
    const char *options; /* of the mount */
    void (*say)(void *ctx, const char *sentence);
    void *ctx;
};

static void say(const struct teller *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void say(const struct teller *t, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    t->say(t->ctx, text);
}

static bool is_kind(const struct teller *t, const char *kind)
{
    return strcmp(t->facts->stack->filesystem, kind) == 0;
}

/* A word of the list of options: "sync", "barrier=0". */
static bool has(const struct teller *t, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = t->options; *at != 0; at += strcspn(at, ","), at += *at == ',')
        if (strcspn(at, ",") == length && strncmp(at, word, length) == 0)
            return true;
    return false;
}

/* NAME, or NAME=anything but what turns it off. */
static bool has_setting(const struct teller *t, const char *name)
{
    char *value = mount_option(t->options, name);
    bool on = value != NULL && strcmp(value, "none") != 0 && strcmp(value, "no") != 0 &&
              strcmp(value, "off") != 0;
    free(value);
    return on || has(t, name);
}

/* ---- the file system ---- */

static void tell_overlay(const struct teller *t)
{
    if (!is_kind(t, "overlay"))
        return;
    char *upper = mount_option(t->options, "upperdir");
    say(t,
        "%s is on overlay: what is written goes to its upper directory%s%s, whose drive is the "
        "one measured, and a file of a lower layer is copied up whole at its first write",
        t->facts->stack->path, upper ? " " : "", upper ? upper : "");
    free(upper);
}

static void tell_fuse(const struct teller *t)
{
    const char *kind = t->facts->stack->filesystem;
    if (strncmp(kind, "fuse", 4) == 0)
        say(t,
            "%s is on %s: a user program stands between loadline and the drive, and its CPU "
            "time, its caches and whether it passes flushes on are part of every commit",
            t->facts->stack->path, kind);
}

static void tell_copy_on_write(const struct teller *t)
{
    static const char *const copying[] = {"btrfs", "bcachefs", "zfs"};
    for (size_t i = 0; i < sizeof copying / sizeof *copying; i++)
        if (is_kind(t, copying[i]) && !has(t, "nodatacow") && t->facts->nocow != HAZARD_YES)
            say(t,
                "%s is on %s with copy-on-write: each page is written to a new place and the "
                "metadata that points to it too, so a commit costs more writes and bytes than on "
                "ext4 or xfs%s",
                t->facts->stack->path, copying[i],
                i == 0 ? "; chattr +C on an empty target directory turns it off" : "");
    if (is_kind(t, "f2fs") || is_kind(t, "nilfs2"))
        say(t,
            "%s is on %s, which writes each page to a new place and cleans up later: cleaning is "
            "in the numbers of a long run, not of a short one",
            t->facts->stack->path, t->facts->stack->filesystem);
}

static void tell_compression(const struct teller *t)
{
    bool on = t->facts->compressed == HAZARD_YES;
    struct format_text share;
    if (is_kind(t, "btrfs"))
        on |= has_setting(t, "compress") || has_setting(t, "compress-force");
    else if (is_kind(t, "f2fs"))
        on |= t->facts->compressed != HAZARD_NO && has_setting(t, "compress_algorithm");
    else if (is_kind(t, "bcachefs"))
        on |= has_setting(t, "compression") || has_setting(t, "background_compression");
    if (!on)
        return;
    if (t->facts->compressible > 0)
        say(t,
            "%s compresses, and %s%% of each payload is constant: fewer bytes reach the drive "
            "than rows hold, and CPU time of the kernel is spent on it",
            t->facts->stack->path, format_digits(&share, t->facts->compressible * 100));
    else
        say(t,
            "%s compresses: payloads are random and will not shrink, pages that are half empty "
            "will, and CPU time of the kernel is spent on it",
            t->facts->stack->path);
}

/* ---- mount options ---- */

static void tell_barriers(const struct teller *t)
{
    const char *word = has(t, "nobarrier") ? "nobarrier" : has(t, "barrier=0") ? "barrier=0" : NULL;
    const char *path = t->facts->stack->path;
    if (word == NULL && is_kind(t, "f2fs") && has(t, "fsync_mode=nobarrier"))
        word = "fsync_mode=nobarrier";
    if (word != NULL)
        say(t,
            "%s is mounted with %s: commits are not flushed to the drive, so their rates are "
            "those of its cache, and a power cut may take what was committed",
            path, word);
}

static void tell_options(const struct teller *t)
{
    const char *path = t->facts->stack->path;
    if (has(t, "data=journal"))
        say(t,
            "%s is mounted with data=journal: every page is written twice, first to the file "
            "system's journal, so a commit costs about twice the bytes",
            path);
    if (has(t, "data=writeback"))
        say(t,
            "%s is mounted with data=writeback: after a crash new files may hold old bytes; "
            "commits that are flushed cost the same",
            path);
    if (has(t, "sync"))
        say(t,
            "%s is mounted with sync: every single write waits for the drive, not only the "
            "commit, so commits cost more flushes than the engine asks for",
            path);
    if (has(t, "dirsync"))
        say(t,
            "%s is mounted with dirsync: making and removing files waits for the drive, which "
            "journals that are deleted at each commit pay for",
            path);
    if (has_setting(t, "discard") && !has(t, "discard=async")) /* that one is done later */
        say(t,
            "%s is mounted with discard: freed space is discarded at once, and a commit that "
            "deletes or truncates its journal pays for it",
            path);
}

/* ---- the devices ---- */

static void tell_journal(const struct teller *t, const struct stack_log *log)
{
    const struct stack *stack = t->facts->stack;
    const char *where = log->name[0] ? log->name : "a device that cannot be found";
    if (log->same_disk)
        say(t,
            "%s keeps its journal on %s, another partition of the same disk: the journal's writes "
            "and bytes are not in the counters of %s, so a commit costs more of both than is shown",
            stack->path, where, stack->sampled);
    else
        say(t,
            "%s keeps its journal on another device, %s: the journal's writes, bytes and flushes "
            "are not in the counters of %s, so a commit costs more than is shown, and waits for "
            "both",
            stack->path, where, stack->sampled);
}

static void tell_logs(const struct teller *t)
{
    const struct stack *stack = t->facts->stack;
    for (size_t i = 0; i < stack->log_count; i++) {
        const struct stack_log *log = &stack->logs[i];
        const char *name = log->name[0] ? log->name : "a device that cannot be found";
        if (log->use == STACK_LOG_JOURNAL)
            tell_journal(t, log);
        else if (log->use == STACK_LOG_REALTIME)
            say(t,
                "%s keeps the data of realtime files on another device, %s: what is written there "
                "is not in the counters of %s",
                stack->path, name, stack->sampled);
        else
            say(t,
                "%s is cached by %s%s%s%s: a commit may be on the cache alone, and the drive "
                "behind it gets its bytes later or not at all in a short run",
                log->of, name, log->mode[0] ? " (" : "", log->mode, log->mode[0] ? ")" : "");
    }
}

static void tell_cache(const struct teller *t)
{
    const struct identity *id = t->facts->identity;
    if (t->facts->cache_by_hand == HAZARD_YES && strcmp(id->write_cache, "write through") == 0)
        say(t,
            "%s was set to write through by hand: the kernel sends it no flushes, so commits do "
            "not wait for one and a power cut may take what was committed; echo \"write back\" > "
            "/sys/block/%s/queue/write_cache undoes it",
            id->name, id->name);
}

static void tell_memory(const struct teller *t)
{
    const struct hazard_facts *f = t->facts;
    if (f->memory != NULL && f->memory[0] != 0)
        say(t, "%s lies in memory (%s): nothing measured there says anything of a drive",
            f->stack->path, f->memory);
}

static void tell_loop(const struct teller *t)
{
    const struct hazard_facts *f = t->facts;
    if (f->backing_file[0] != 0)
        say(t,
            "%s is a loop device: %s%s%s and the drive below it are part of every number, and "
            "memory may hold what seems to be on a drive",
            f->stack->leaf_count > 0 ? f->stack->leaves[0] : f->stack->sampled, f->backing_file,
            f->backing_filesystem[0] ? " on " : "", f->backing_filesystem);
}

static void tell_cap(const struct teller *t)
{
    const struct cap *cap = t->facts->cap;
    struct format_text bytes, writes;
    bool has_bytes = !isnan(cap->write_bytes_per_s), has_writes = !isnan(cap->write_iops);
    if (!has_bytes && !has_writes)
        return;
    say(t,
        "a control group limits writes to %s to %s%s%s%s%s (%s): above that the numbers are "
        "the limit's, not the drive's",
        cap->device, has_bytes ? format_bytes(&bytes, cap->write_bytes_per_s) : "",
        has_bytes ? "/s" : "", has_bytes && has_writes ? " and " : "",
        has_writes ? format_digits(&writes, cap->write_iops) : "", has_writes ? " writes/s" : "",
        cap->source);
}

void hazard_memory(const struct hazard_facts *f, void (*tell)(void *ctx, const char *sentence),
                   void *ctx)
{
    const struct teller t = {f, "", tell, ctx};
    struct format_text part, memory;
    if (f->filesystem_bytes < f->memory_bytes)
        say(&t,
            "reads come from memory, not the drive: the file system (%s) is smaller than memory "
            "(%s)",
            format_bytes(&part, f->filesystem_bytes), format_bytes(&memory, f->memory_bytes));
    else if (f->reads && f->data_bytes < f->memory_bytes)
        say(&t, "reads come from memory, not the drive: the data (%s) is smaller than memory (%s)",
            format_bytes(&part, f->data_bytes), format_bytes(&memory, f->memory_bytes));
}

void hazard_list(const struct hazard_facts *facts, void (*tell)(void *ctx, const char *sentence),
                 void *ctx)
{
    const struct teller t = {facts, facts->stack->mount_options, tell, ctx};
    tell_overlay(&t);
    tell_fuse(&t);
    tell_copy_on_write(&t);
    tell_compression(&t);
    tell_barriers(&t);
    tell_options(&t);
    tell_logs(&t);
    tell_cache(&t);
    tell_memory(&t);
    tell_loop(&t);
    tell_cap(&t);
}
