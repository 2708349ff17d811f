/* workspace.h - TARGET/loadline-data: the only place where loadline makes anything.
 *
 * Mode 0700, with a marker file.  The lock is flock on the target directory itself: it holds
 * through links and bind mounts and nothing of it stays behind. */
#ifndef DRIVER_WORKSPACE_H
#define DRIVER_WORKSPACE_H

#include "base/err.h"

struct workspace;

#define WORKSPACE_NAME "loadline-data"

/* Locks `target` (a directory) and makes the marked sub-directory.  ERR_REFUSED: not a directory,
 * not writable, busy (another run), left over from a killed run (says `loadline clean`),
 * or not ours. */
int workspace_open(const char *target, struct workspace **workspace, struct err *err);
const char *workspace_path(const struct workspace *workspace);   /* absolute */
const char *workspace_target(const struct workspace *workspace); /* the directory given, likewise */

enum workspace_mode {
    WORKSPACE_PRIVATE,  /* 0700 */
    WORKSPACE_PASSABLE, /* as root 0711: a server of another user gets to its own folder below */
};
/* Notes that the same run has a workspace in `other` too, so that cleaning this one cleans that. */
int workspace_note(const struct workspace *workspace, const char *other, struct err *err);
/* Makes tNNNN below it; heap path, caller frees. */
int workspace_trial(struct workspace *workspace, unsigned trial, enum workspace_mode mode,
                    char **path, struct err *err);
/* Removes what a trial's directory still holds of ours, and the directory. */
int workspace_trial_remove(struct workspace *workspace, unsigned trial, struct err *err);
/* Removes marker and directory, unlocks.  Complains when something not ours is inside, and
 * leaves that. */
int workspace_close(struct workspace *workspace, struct err *err);

/* `loadline clean`: removes what a killed run left behind; each engine's slot `clean` is asked for
 * each trial's directory first; workspaces of the same run elsewhere are cleaned too.  *removed:
 * number of files and directories; 0 when there was nothing.  *left: things that are not ours, left
 * alone. */
int workspace_clean(const char *target, unsigned *removed, unsigned *left, struct err *err);

#endif
