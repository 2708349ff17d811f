/* main.c - dispatches the commands.  The only owner of exit codes. */
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "cli/help.h"
#include "cli/say.h"

enum {
    EXIT_USAGE = 2,
    EXIT_REFUSED = 3,
    EXIT_VERIFY = 4,
    EXIT_CROSSED = 5,
    EXIT_INTERRUPTED = 130
};

const char *argp_program_version = "loadline " LOADLINE_VERSION;

static bool output_closed;

static int status_of(enum err_kind kind)
{
    switch (kind) {
    case ERR_USAGE:
        return EXIT_USAGE;
    case ERR_REFUSED:
        return EXIT_REFUSED;
    case ERR_VERIFY:
        return EXIT_VERIFY;
    case ERR_CROSSED:
        return EXIT_CROSSED;
    case ERR_INTERRUPTED:
        return EXIT_INTERRUPTED;
    case ERR_NONE:
    case ERR_FAILED:
        break;
    }
    return EXIT_FAILURE;
}

/* A result that did not reach its reader must not look like success. */
static int close_output(int status)
{
    if (output_closed)
        return status;
    output_closed = true;
    bool bad = ferror(stdout) != 0;
    errno = 0;
    if (fclose(stdout) != 0)
        bad = true;
    if (!bad || status != EXIT_SUCCESS)
        return status;
    fprintf(stderr, "loadline: cannot write to standard output%s%s\n", errno != 0 ? ": " : "",
            errno != 0 ? strerror(errno) : "");
    return EXIT_FAILURE;
}

/* argp leaves by exit() after --help and --version. */
static void close_output_at_exit(void)
{
    if (close_output(EXIT_SUCCESS) != EXIT_SUCCESS)
        _exit(EXIT_FAILURE);
}

/* With 0, 1 or 2 closed, the next file that is opened would be taken for it: a result log
 * would get what is printed.  These stand-ins refuse instead. */
static void hold_standard_files(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) == -1 && errno == EBADF)
            (void)!open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

static int run_command(int argc, char **argv, const struct cmd *cmd)
{
    char name[64];
    struct err err = {.kind = ERR_NONE};
    struct cmd_end end = {.stuck = false};

    snprintf(name, sizeof name, "loadline %s", cmd->name);
    argv[1] = name;
    int status = EXIT_SUCCESS;
    if (cmd->run(argc - 1, argv + 1, &end, &err) != 0) {
        fflush(stdout);
        say(stderr, NULL, err.text);
        status = status_of(err.kind);
    }
    status = close_output(status);
    if (end.stuck)
        _exit(status);
    return status;
}

int main(int argc, char **argv)
{
    hold_standard_files();
    setlocale(LC_ALL, "");
    setlocale(LC_NUMERIC, "C");
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file size limit is an error of the write, told and cleaned up */
    argp_err_exit_status = EXIT_USAGE;
    atexit(close_output_at_exit);

    if (argc < 2) {
        help_short(stderr);
        return EXIT_USAGE;
    }
    const char *first = argv[1];
    if (strcmp(first, "--help") == 0 || strcmp(first, "-?") == 0 || strcmp(first, "-h") == 0) {
        help_full(stdout);
        return close_output(EXIT_SUCCESS);
    }
    if (strcmp(first, "--version") == 0 || strcmp(first, "-V") == 0) {
        puts(argp_program_version);
        return close_output(EXIT_SUCCESS);
    }
    const struct cmd *cmd = cmd_find(first);
    if (cmd == NULL) {
        fprintf(
            stderr,
            "loadline: there is no %s '%s'; the commands are run, report, compare, device, list "
            "and clean (loadline --help)\n",
            first[0] == '-' ? "option" : "command", first);
        return EXIT_USAGE;
    }
    return run_command(argc, argv, cmd);
}
