/* stop.h - Ctrl-C, SIGTERM and SIGHUP: the first asks the run to end, one that comes
 * half a second later or more kills.
 *
 * Handlers belong to the process; main thread. */
#ifndef CLI_STOP_H
#define CLI_STOP_H

/* Installs the handlers; the flag turns non-zero when a signal came. */
const volatile int *stop_install(void);

#endif
