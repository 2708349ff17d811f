#include "driver/site.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "driver/context.h"
#include "driver/precheck.h"

const struct run_target *site_target(const struct run_context *ctx, const struct site *site)
{
    return &ctx->options->targets[site->target];
}

static const char *site_log(const struct run_context *ctx, const struct trial_plan *trial)
{
    const char *key = ctx->options->targets[trial->target].adapter->log_key;
    const char *path = key == NULL ? "-" : workload_text(trial->load, key);
    return strcmp(path, "-") == 0 ? NULL : path;
}

static bool same(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

struct site *site_of(const struct run_context *ctx, const struct trial_plan *trial)
{
    const char *path = site_log(ctx, trial);
    for (size_t i = 0; i < ctx->site_count; i++)
        if (ctx->sites[i].target == trial->target && same(ctx->sites[i].log_path, path))
            return &ctx->sites[i];
    return NULL;
}

int sites_list(struct run_context *ctx, struct err *err)
{
    const struct plan *plan = ctx->options->plan;
    ctx->sites = calloc(SITES_MAX, sizeof *ctx->sites);
    if (ctx->sites == NULL)
        abort();
    for (size_t i = 0; i < plan->count; i++) {
        if (site_of(ctx, &plan->trials[i]) != NULL)
            continue;
        if (ctx->site_count == SITES_MAX)
            return err_set(err, ERR_USAGE,
                           "more than %d targets and directories for logs; use fewer", SITES_MAX);
        struct site *site = &ctx->sites[ctx->site_count++];
        site->target = plan->trials[i].target;
        site->log_path = site_log(ctx, &plan->trials[i]);
        thermometer_open("", &site->devices, &site->thermometer); /* no device yet, so no sensor */
    }
    return 0;
}

/* First of all: a device node lies on a file system of its own, which is not the question. */
static int check_directory(const char *path, const char *real, struct err *err)
{
    struct stat st;
    if (stat(real, &st) != 0)
        return 0; /* what follows says why */
    if (S_ISBLK(st.st_mode))
        return err_set(err, ERR_REFUSED,
                       "%s is a block device, and loadline never writes to one; give a directory "
                       "on a file system on it",
                       path);
    if (!S_ISDIR(st.st_mode))
        return err_set(err, ERR_REFUSED,
                       "%s is no directory; give a directory on the drive under test", path);
    return 0;
}

struct adding {
    struct run_context *ctx;
    struct device_set *set;
};

static void add_path(void *vctx, enum device_role role, const char *path)
{
    static const char *const names[] = {"data", "wal", "temp"};
    struct adding *a = vctx;
    struct err err;
    /* The override names the drive under test, which is where the data are. */
    const char *override = role == DEVICE_DATA ? a->ctx->options->device_override : NULL;
    if (device_set_add(a->set, "", names[role], path, override, &err) != 0)
        context_warn(a->ctx, -1, "the device under %s is unknown: %s", path, err.text);
    else
        precheck_device(a->ctx, &a->set->devices[a->set->count - 1], path);
}

static bool is_below(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

/* The workspace of a directory, made once however many sites name it.  Heap: *real. */
static int open_workspace(struct run_context *ctx, const char *path, char **real,
                          struct workspace **workspace, struct err *err)
{
    struct stat mine, other;
    *real = fs_real_path(path, err);
    if (*real == NULL || check_directory(path, *real, err) != 0 ||
        precheck_filesystem(ctx, path, err) != 0)
        return -1;
    for (size_t i = 0; i < ctx->workspace_count; i++)
        if (is_below(*real, workspace_path(ctx->workspaces[i])))
            return err_set(err, ERR_REFUSED,
                           "%s lies in loadline's own folder %s, which is removed when the run "
                           "ends; give another directory",
                           path, workspace_path(ctx->workspaces[i]));
    bool known = stat(path, &mine) == 0;
    for (size_t i = 0; known && i < ctx->workspace_count; i++)
        if (stat(workspace_target(ctx->workspaces[i]), &other) == 0 &&
            mine.st_dev == other.st_dev && mine.st_ino == other.st_ino) {
            *workspace = ctx->workspaces[i];
            return 0;
        }
    if (workspace_open(path, workspace, err) != 0)
        return -1;
    ctx->workspaces[ctx->workspace_count++] = *workspace;
    return 0;
}

static const struct device *device_of(const struct site *site, const char *role)
{
    for (size_t i = 0; i < site->devices.count; i++)
        if (strcmp(site->devices.devices[i].role, role) == 0)
            return &site->devices.devices[i];
    return NULL;
}

static bool share_a_disk(const struct device *a, const struct device *b)
{
    for (size_t i = 0; i < a->stack.leaf_count; i++)
        for (size_t k = 0; k < b->stack.leaf_count; k++)
            if (strcmp(a->stack.leaves[i], b->stack.leaves[k]) == 0)
                return true;
    return false;
}

static const char *name_of(const struct device *device)
{
    return device->stack.sampled[0] != '\0' ? device->stack.sampled : device->stack.path;
}

/* A server that runs already has its log where it has it: commits wait for that drive. */
static void check_log(struct run_context *ctx, struct site *site)
{
    const struct device *data = device_of(site, "data"), *log = device_of(site, "wal");
    if ((site_target(ctx, site)->adapter->caps & ADAPTER_LOCAL_FILES) != 0 || data == NULL)
        return;
    if (log != NULL && log->leaf_count > 0 && data->leaf_count > 0 && share_a_disk(data, log))
        return;
    site->log_elsewhere = true;
    if (log == NULL || log->leaf_count == 0)
        context_warn(ctx, -1,
                     "where the server's WAL lies is not known: commits wait for that drive, so "
                     "nothing here says what the drive under %s carries; connect as a role that "
                     "may read data_directory, on the server's host",
                     data->stack.path);
    else
        context_warn(
            ctx, -1,
            "the tables lie on %s, the server's WAL on %s (%s): commits wait for the WAL's "
            "drive, so there is no verdict about %s; use postgres:PATH for a cluster that "
            "lies on it whole, or move pg_wal there",
            name_of(data), name_of(log), log->stack.path, name_of(data));
}

/* Directories of our own were looked at before anything was made in them. */
static int check_servers(struct run_context *ctx, const struct site *site, struct err *err)
{
    for (size_t i = 0; i < site->devices.count; i++) {
        const char *path = site->devices.devices[i].stack.path;
        if (access(path, F_OK) == 0 && precheck_filesystem(ctx, path, err) != 0)
            return -1;
    }
    return 0;
}

static const struct workload *first_load(const struct run_context *ctx, const struct site *site)
{
    const struct plan *plan = ctx->options->plan;
    size_t i = 0;
    while (site_of(ctx, &plan->trials[i]) != site)
        i++;
    return plan->trials[i].load;
}

static int open_site(struct run_context *ctx, struct site *site, struct err *err)
{
    const struct run_target *target = site_target(ctx, site);
    char *real = NULL, *log_real = NULL;
    struct op_error why;
    int result = -1;
    if ((target->adapter->caps & ADAPTER_LOCAL_FILES) != 0) {
        if (open_workspace(ctx, target->path, &real, &site->workspace, err) != 0)
            goto out;
        if (site->log_path != NULL &&
            open_workspace(ctx, site->log_path, &log_real, &site->log_workspace, err) != 0)
            goto out;
        if (site->log_path != NULL && site->log_workspace != site->workspace &&
            workspace_note(site->workspace, log_real, err) != 0)
            goto out;
    }
    struct adding adding = {ctx, &site->devices};
    struct adapter_sink sink = {.ctx = &adding, .path = add_path};
    struct adapter_config config = {.target = target->path,
                                    .directory = real,
                                    .log_directory = log_real,
                                    .load = first_load(ctx, site),
                                    .stop = ctx->options->stop};
    if (target->adapter->paths(&config, &sink, &why) != OP_OK) {
        err_set(err, ERR_REFUSED, "%s: %s", target->shown, why.text);
        goto out;
    }
    if ((target->adapter->caps & ADAPTER_LOCAL_FILES) == 0 && check_servers(ctx, site, err) != 0)
        goto out;
    check_log(ctx, site);
    precheck_warn(ctx, site);
    thermometer_open("", &site->devices, &site->thermometer);
    result = 0;
out:
    free(real);
    free(log_real);
    return result;
}

int sites_open(struct run_context *ctx, struct err *err)
{
    for (size_t i = 0; i < ctx->site_count; i++)
        if (open_site(ctx, &ctx->sites[i], err) != 0)
            return -1;
    return 0;
}

int sites_close(struct run_context *ctx, struct err *err)
{
    int result = 0;
    for (size_t i = 0; i < ctx->workspace_count; i++) {
        struct err later;
        if (workspace_close(ctx->workspaces[i], &later) != 0 && result == 0) {
            *err = later;
            result = -1;
        }
    }
    ctx->workspace_count = 0;
    return result;
}

void sites_free(struct run_context *ctx)
{
    for (size_t i = 0; i < ctx->site_count; i++)
        thermometer_close(&ctx->sites[i].thermometer);
    free(ctx->sites);
    ctx->sites = NULL;
    ctx->site_count = 0;
}
