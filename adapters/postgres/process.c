#include "postgres/process.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

enum { TEXT_MAX = 1 << 20 };
#define LOOK_NS  (5 * NS_PER_MS)
#define DYING_NS (300 * NS_PER_MS)

static bool is_kept(const char *variable)
{
    return strncmp(variable, "PG", 2) != 0 && strncmp(variable, "LC_", 3) != 0 &&
           strncmp(variable, "LANG", 4) != 0;
}

/* The array is heap, its texts are environ's. */
static const char **environment(void)
{
    size_t count = 0, kept = 0;
    while (environ[count] != NULL)
        count++;
    const char **list = calloc(count + 2, sizeof *list);
    if (list == NULL)
        abort();
    for (size_t i = 0; i < count; i++)
        if (is_kept(environ[i]))
            list[kept++] = environ[i];
    list[kept] = "LC_ALL=C";
    return list;
}

static void reset_signals(void)
{
    struct sigaction fresh = {.sa_handler = SIG_DFL};
    sigset_t none;
    for (int number = 1; number < NSIG; number++)
        sigaction(number, &fresh, NULL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* In the child; only what is async-signal-safe.  Returns when it could not, with errno set. */
static void become_program(const struct postgres_command *command, const char *const *variables,
                           pid_t parent)
{
    int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    setsid();
    reset_signals();
    umask(077);
    if (input < 0 || dup2(input, STDIN_FILENO) < 0 || dup2(command->output, STDOUT_FILENO) < 0 ||
        dup2(command->output, STDERR_FILENO) < 0 || chdir("/") != 0)
        return;
    /* Ours are close-on-exec as it is; those of libraries may not be. */
    close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
    if (command->owner != NULL && postgres_owner_become(command->owner) != 0)
        return;
    /* After the change of user, which would clear it. */
    if (prctl(PR_SET_PDEATHSIG, (unsigned long)command->death_signal) != 0)
        return;
    if (getppid() != parent) {
        errno = ESRCH;
        return;
    }
    execve(command->argv[0], (char *const *)(uintptr_t)command->argv,
           (char *const *)(uintptr_t)variables);
}

int postgres_process_start(const struct postgres_command *command, pid_t *pid)
{
    int ends[2], number = 0, reported = 0;
    pid_t parent = getpid();
    const char **variables = environment();
    *pid = -1;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        number = errno;
        goto out;
    }
    pid_t child = fork();
    if (child == 0) {
        become_program(command, variables, parent);
        number = errno;
        _Exit(write(ends[1], &number, sizeof number) == (ssize_t)sizeof number ? 127 : 126);
    }
    if (child < 0)
        number = errno;
    close(ends[1]);
    /* Ends with nothing when exec closes the other side. */
    ssize_t got = 0;
    while (child > 0 && (got = read(ends[0], &reported, sizeof reported)) < 0 && errno == EINTR)
        ;
    if (child > 0 && got == (ssize_t)sizeof reported) {
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
            ;
        number = reported;
    } else if (child > 0) {
        *pid = child;
    }
    close(ends[0]);
out:
    free(variables);
    return number;
}

static bool is_over(pid_t pid, int *status)
{
    pid_t result = waitpid(pid, status, WNOHANG);
    return result == pid || (result < 0 && errno != EINTR);
}

enum postgres_process_end postgres_process_wait(pid_t pid, int64_t limit_ns,
                                                const volatile int *stop, int *status)
{
    int64_t end_ns = clock_now_ns() + limit_ns;
    *status = 0;
    for (;;) {
        if (is_over(pid, status))
            return POSTGRES_PROCESS_ENDED;
        bool stopped = stop != NULL && *stop != 0;
        if (stopped || clock_now_ns() >= end_ns) {
            /* Its session, so its group: initdb's own children too. */
            kill(-pid, SIGKILL);
            while (waitpid(pid, status, 0) < 0 && errno == EINTR)
                ;
            end_ns = clock_now_ns() + DYING_NS;
            while (kill(-pid, 0) == 0 && clock_now_ns() < end_ns)
                clock_sleep_until(clock_now_ns() + LOOK_NS);
            return stopped ? POSTGRES_PROCESS_STOPPED : POSTGRES_PROCESS_LATE;
        }
        clock_sleep_until(clock_now_ns() + LOOK_NS);
    }
}

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif

int postgres_process_output(void)
{
    /* Kernels before 6.3 do not know the flag, later ones may insist on it. */
    int output = memfd_create("loadline-postgres", MFD_CLOEXEC | MFD_NOEXEC_SEAL);
    return output >= 0 ? output : memfd_create("loadline-postgres", MFD_CLOEXEC);
}

char *postgres_process_text(int output)
{
    struct stat st;
    size_t size = 0, have = 0;
    off_t from = 0;
    if (fstat(output, &st) == 0) {
        from = st.st_size > TEXT_MAX ? st.st_size - TEXT_MAX : 0;
        size = (size_t)(st.st_size - from);
    }
    char *text = malloc(size + 1);
    if (text == NULL)
        abort();
    while (have < size) {
        ssize_t got = pread(output, text + have, size - have, from + (off_t)have);
        if (got <= 0)
            break;
        have += (size_t)got;
    }
    text[have] = '\0';
    return text;
}
