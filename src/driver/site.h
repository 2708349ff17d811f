/* site.h - where a run's data lie: each target, with each directory that its engine's log has of
 * its own (adapter.log_key), and the devices under them.
 *
 * Two sites may name one directory (sqlite:D and fsync:D; or one log directory for several
 * targets): they share its workspace.  Main thread only. */
#ifndef DRIVER_SITE_H
#define DRIVER_SITE_H

#include "device/device_set.h"
#include "driver/run.h"
#include "driver/workspace.h"
#include "measure/thermometer.h"

struct run_context;

enum { SITES_MAX = 64 };

struct site {
    unsigned target;                 /* index of the run's --target */
    const char *log_path;            /* as the key has it; NULL: the log lies with the data */
    struct workspace *workspace;     /* NULL: an engine without local files */
    struct workspace *log_workspace; /* NULL without log_path */
    struct device_set devices;
    struct thermometer thermometer;
    bool log_elsewhere; /* a server whose tables are on the drive under test, but not its log */
};

/* ctx->sites of the plan; nothing is touched.  ERR_USAGE: more than SITES_MAX. */
int sites_list(struct run_context *ctx, struct err *err);
/* Checks every directory, locks it, makes its workspace, finds its devices.  ERR_REFUSED. */
int sites_open(struct run_context *ctx, struct err *err);
/* Removes the workspaces. */
int sites_close(struct run_context *ctx, struct err *err);
/* After sites_close(), with no thread left that reads them. */
void sites_free(struct run_context *ctx);

struct site *site_of(const struct run_context *ctx, const struct trial_plan *trial);
const struct run_target *site_target(const struct run_context *ctx, const struct site *site);

#endif
