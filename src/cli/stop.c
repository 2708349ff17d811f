#include "cli/stop.h"

#include <signal.h>
#include <stddef.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { SIGNALS = sizeof signals / sizeof *signals };

static volatile int asked;

static void ask(int number)
{
    struct sigaction default_action = {.sa_handler = SIG_DFL};

    asked = number;
    for (size_t i = 0; i < SIGNALS; i++)
        sigaction(signals[i], &default_action, NULL);
}

const volatile int *stop_install(void)
{
    struct sigaction action = {.sa_handler = ask, .sa_flags = SA_RESTART}, before;

    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < SIGNALS; i++) {
        /* nohup means what it says. */
        if (signals[i] == SIGHUP && sigaction(SIGHUP, NULL, &before) == 0 &&
            before.sa_handler == SIG_IGN)
            continue;
        sigaction(signals[i], &action, NULL);
    }
    return &asked;
}
