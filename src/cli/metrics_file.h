/* metrics_file.h - `loadline run --metrics-file`: the state of the run in a file that
 * node_exporter's textfile collector reads, written anew at every sample.  Main thread; streams and
 * the sampler know nothing of it.
 *
 * The text goes to another file in the same folder, which then takes the name: a reader sees the
 * old text or the new one, whole.  Nothing is synced to the drive: the file says what is now, after
 * a power cut it is out of date whatever it says, and a flush at each interval would be load that
 * the run measures. */
#ifndef CLI_METRICS_FILE_H
#define CLI_METRICS_FILE_H

#include "cli/metrics_text.h"
#include "device/stack.h"

struct metrics_file {
    struct run_watch watch; /* hand this to run_execute() */
    const struct run_watch *inner;
    struct metrics_run run;
    const char *path;    /* as given */
    char *folder, *name; /* where links lead to; heap */
    int folder_fd;
    struct stack *place;           /* heap */
    const struct device_set *seen; /* compared with it last */
    unsigned serial;               /* of files that take its name */
    struct run_progress now;
    char run_id[40];
    bool begun, warned_of_writing, warned_of_place;
    struct metrics_totals totals;
    struct text text;
    int64_t written_ns;
};

/* ERR_USAGE: another kind of name than *.prom.  Pure. */
int metrics_file_check_name(const char *path, struct err *err);
/* Checks the place; the first text is written when the run begins.  `inner` sees all that the run
 * shows too; `result`: where the result log goes, NULL for its default.  ERR_USAGE: the folder is
 * not there or not writable, or the file is not one of ours.  Release it in either case. */
int metrics_file_open(struct metrics_file *file, const char *path, const char *result,
                      const struct metrics_run *run, const struct run_watch *inner,
                      struct err *err);
/* Writes the last text: the run has ended. */
void metrics_file_end(struct metrics_file *file, enum metrics_end end);
void metrics_file_release(struct metrics_file *file);

#endif
