#include "postgres/server.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "postgres/process.h"

#define LOOK_NS  (10 * NS_PER_MS)
#define READY_NS (120 * NS_PER_S)
#define DYING_NS (300 * NS_PER_MS)

enum { STACK_SIZE = 256 * 1024, STATUS_LINE = 8 };

struct postgres_server {
    char *data;
    pid_t pid;
    int output;
    bool watched;
    pthread_t watcher;
    pthread_mutex_t lock; /* guards pid against a number that is used again: reaped under it */
    bool ended;           /* under lock */
};

static void *watch(void *argument)
{
    struct postgres_server *server = argument;
    siginfo_t info;
    while (waitid(P_PID, (id_t)server->pid, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR)
        ;
    pthread_mutex_lock(&server->lock);
    while (waitpid(server->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    server->ended = true;
    pthread_mutex_unlock(&server->lock);
    return NULL;
}

static bool has_ended(struct postgres_server *server)
{
    pthread_mutex_lock(&server->lock);
    bool ended = server->ended;
    pthread_mutex_unlock(&server->lock);
    return ended;
}

static void signal_child(struct postgres_server *server, int number)
{
    pthread_mutex_lock(&server->lock);
    if (!server->ended)
        kill(server->pid, number);
    pthread_mutex_unlock(&server->lock);
}

/* Signals are the main thread's. */
static int start_watcher(struct postgres_server *server)
{
    pthread_attr_t attributes;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_SIZE);
    int number = pthread_create(&server->watcher, &attributes, watch, server);
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    server->watched = number == 0;
    return number;
}

enum op_status postgres_server_start(const char *programs, const char *data,
                                     const struct postgres_owner *owner,
                                     struct postgres_server **server, struct op_error *why)
{
    struct postgres_server *s = calloc(1, sizeof *s);
    if (s == NULL)
        abort();
    pthread_mutex_init(&s->lock, NULL);
    s->data = fs_path("%s", data);
    s->ended = true;
    s->output = postgres_process_output();
    char *program = fs_path("%s/postgres", programs);
    const char *const argv[] = {program, "-D", data, NULL};
    struct postgres_command command = {
        .argv = argv, .owner = owner, .output = s->output, .death_signal = SIGQUIT};
    int number = s->output < 0 ? errno : postgres_process_start(&command, &s->pid);
    if (number == 0) {
        s->ended = false;
        number = start_watcher(s);
    }
    enum op_status status = OP_OK;
    if (number != 0)
        status = op_fail(why, OP_FATAL, number, "starting %s as %s: %s", program, owner->name,
                         strerror(number));
    free(program);
    if (status != OP_OK) {
        postgres_server_destroy(s);
        return status;
    }
    *server = s;
    return OP_OK;
}

/* postmaster.pid: its first line is the process, the eighth the status. */
static bool is_ready(const struct postgres_server *server)
{
    struct err err = {.kind = ERR_NONE};
    char *path = fs_path("%s/postmaster.pid", server->data), *text = NULL;
    size_t size;
    bool ready = false;
    if (fs_read(path, 65536, &text, &size, &err) == 0) {
        const char *line = text;
        for (int i = 1; i < STATUS_LINE && line != NULL; i++) {
            line = strchr(line, '\n');
            line = line == NULL ? NULL : line + 1;
        }
        ready =
            line != NULL && strtol(text, NULL, 10) == server->pid && strncmp(line, "ready", 5) == 0;
    }
    free(text);
    free(path);
    return ready;
}

enum op_status postgres_server_await(struct postgres_server *server, const volatile int *stop,
                                     struct op_error *why)
{
    int64_t end_ns = clock_now_ns() + READY_NS;
    why->text[0] = '\0';
    for (;;) {
        if (stop != NULL && *stop != 0)
            return op_fail(why, OP_BUSY, 0, "stopped while the server was starting");
        if (has_ended(server))
            return OP_FATAL;
        if (is_ready(server))
            return OP_OK;
        if (clock_now_ns() > end_ns)
            return op_fail(why, OP_FATAL, 0, "the server was not ready after %d s",
                           (int)(READY_NS / NS_PER_S));
        clock_sleep_until(clock_now_ns() + LOOK_NS);
    }
}

char *postgres_server_text(const struct postgres_server *server)
{
    return postgres_process_text(server->output);
}

static void await_end(struct postgres_server *server)
{
    int64_t end_ns = clock_now_ns() + DYING_NS;
    while (!has_ended(server) && clock_now_ns() < end_ns)
        clock_sleep_until(clock_now_ns() + LOOK_NS);
}

void postgres_server_kill(struct postgres_server *server)
{
    if (!server->watched && !server->ended) {
        kill(server->pid, SIGKILL);
        watch(server);
    }
    for (int i = 0; i < 2 && !has_ended(server); i++) {
        signal_child(server, i == 0 ? SIGQUIT : SIGKILL);
        await_end(server);
    }
}

void postgres_server_destroy(struct postgres_server *server)
{
    postgres_server_kill(server);
    /* One that hangs in the kernel keeps its watcher, and the watcher its struct. */
    if (!has_ended(server)) {
        pthread_detach(server->watcher);
        return;
    }
    if (server->watched)
        pthread_join(server->watcher, NULL);
    if (server->output >= 0)
        close(server->output);
    pthread_mutex_destroy(&server->lock);
    free(server->data);
    free(server);
}
