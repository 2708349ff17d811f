/* process.h - PostgreSQL's programs as children of ours, without a shell.
 *
 * A child has a session of its own (Ctrl-C at the terminal does not reach it), "/" as its working
 * directory, umask 077, our environment without PG* and with LC_ALL=C, signals as a fresh program
 * has them, no file of ours but its output.
 *
 * Main thread: a child gets `death_signal` when the thread that started it ends. */
#ifndef ADAPTERS_POSTGRES_PROCESS_H
#define ADAPTERS_POSTGRES_PROCESS_H

#include <stdint.h>
#include <sys/types.h>

#include "postgres/owner.h"

struct postgres_command {
    const char *const *argv;            /* argv[0]: the program's absolute path; ends with NULL */
    const struct postgres_owner *owner; /* who runs it; NULL: we */
    int output;                         /* descriptor for what it prints */
    int death_signal;
};

/* 0, or an errno value: of fork, of becoming the owner, or of exec. */
int postgres_process_start(const struct postgres_command *command, pid_t *pid);

enum postgres_process_end {
    POSTGRES_PROCESS_ENDED,
    POSTGRES_PROCESS_LATE,
    POSTGRES_PROCESS_STOPPED
};

/* Waits until it ends, or kills it and its children: after `limit_ns`, or when *stop (may be NULL)
 * turns nonzero.  *status as of waitpid().  Reaps it in every case. */
enum postgres_process_end postgres_process_wait(pid_t pid, int64_t limit_ns,
                                                const volatile int *stop, int *status);

/* A file in memory for what a child prints: nothing of it reaches a drive.  -1 and errno. */
int postgres_process_output(void);
/* What was printed so far, or its last part; heap, NUL-terminated; never NULL. */
char *postgres_process_text(int output);

#endif
