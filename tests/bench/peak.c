/* peak.c - runs a command and prints the most memory that it had, in KiB, on standard error.
 *
 *     peak COMMAND [ARGUMENT...] */
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

extern char **environ;

int main(int argc, char **argv)
{
    pid_t child;
    int status, code;
    struct rusage usage;
    if (argc < 2) {
        fputs("usage: peak COMMAND [ARGUMENT...]\n", stderr);
        return 2;
    }
    code = posix_spawnp(&child, argv[1], NULL, NULL, argv + 1, environ);
    if (code != 0) {
        fprintf(stderr, "peak: %s: %s\n", argv[1], strerror(code));
        return 1;
    }
    while (wait4(child, &status, 0, &usage) < 0)
        if (errno != EINTR)
            return 1;
    fprintf(stderr, "peak_kib %ld\n", usage.ru_maxrss);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
