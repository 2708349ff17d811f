#include "measure/sampler.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

enum { RING = 64, STACK_BYTES = 256 * 1024, TEXT_SLACK = 64 * 1024 };

struct sampler {
    struct sampler_config config;
    pthread_t thread;
    int diskstats_fd;
    char *text; /* /proc/diskstats of this tick */
    size_t text_capacity;

    struct sample *ring[RING]; /* single producer, single consumer */
    _Atomic unsigned head, tail;
    _Atomic uint64_t missed;

    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t wake, marked;
    bool leave, ticking, mark_wanted;
    enum sample_mark mark;
    unsigned phase, cycle;
    struct sample *mark_sample;
};

static size_t read_diskstats(struct sampler *s)
{
    size_t size = 0;
    if (s->diskstats_fd < 0)
        return 0;
    while (size < s->text_capacity) {
        ssize_t n = pread(s->diskstats_fd, s->text + size, s->text_capacity - size, (off_t)size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        size += (size_t)n;
    }
    return size;
}

static void take(struct sampler *s, struct sample *sample, enum sample_mark mark, unsigned phase,
                 unsigned cycle)
{
    const struct sampler_config *c = &s->config;
    sample->mark = mark;
    sample->trial = c->trial;
    sample->phase = phase;
    sample->cycle = cycle;
    sample->row_bytes = c->row_bytes;
    sample->t0_ns = clock_now_ns();
    sample->commits = sample->rows = sample->retries = 0;
    for (size_t i = 0; i < c->stream_count; i++) {
        sample->stream_commits[i] = counter_read(&c->counters[i].commits);
        sample->stream_rows[i] = counter_read(&c->counters[i].rows);
        sample->commits += sample->stream_commits[i];
        sample->rows += sample->stream_rows[i];
        sample->retries += counter_read(&c->counters[i].retries);
    }
    size_t size = c->devices->name_count != 0 ? read_diskstats(s) : 0;
    sample->t1_ns = clock_now_ns();
    diskstats_pick(s->text, size, c->devices->names, c->devices->name_count, sample->disks);
    hist_reset(sample->commit);
    for (size_t i = 0; i < c->stream_count; i++)
        interval_hist_take(&c->commits[i], sample->commit);
    sample->client_cpu_ns = clock_process_cpu_ns();
    if (environment_host_cpu(&sample->host) != 0)
        sample->host = (struct host_cpu){0, 0};
    sample->temperature_c =
        c->thermometer != NULL ? thermometer_read_c(c->thermometer, sample->t1_ns) : NAN;
    sample->gauge_count = 0;
    if (c->observe != NULL)
        c->observe(c->ctx, sample);
}

static void tick(struct sampler *s, unsigned phase, unsigned cycle)
{
    unsigned head = atomic_load_explicit(&s->head, memory_order_relaxed);
    unsigned tail = atomic_load_explicit(&s->tail, memory_order_acquire);
    if (head - tail == RING) {
        atomic_fetch_add(&s->missed, 1);
        return;
    }
    take(s, s->ring[head % RING], SAMPLE_TICK, phase, cycle);
    atomic_store_explicit(&s->head, head + 1, memory_order_release);
}

/* Waits for a mark, the next tick or the end; called with the lock held. */
static void wait_until(struct sampler *s, int64_t due_ns)
{
    struct timespec until = {.tv_sec = due_ns / NS_PER_S, .tv_nsec = due_ns % NS_PER_S};
    if (s->ticking)
        pthread_cond_timedwait(&s->wake, &s->lock, &until);
    else
        pthread_cond_wait(&s->wake, &s->lock);
}

static void *sampler_main(void *arg)
{
    struct sampler *s = arg;
    int64_t due_ns = 0;
    pthread_mutex_lock(&s->lock);
    while (!s->leave) {
        if (s->mark_wanted) {
            take(s, s->mark_sample, s->mark, s->phase, s->cycle);
            s->mark_wanted = false;
            if (s->mark == SAMPLE_PHASE_START) {
                s->ticking = true;
                due_ns = s->mark_sample->t0_ns + s->config.interval_ns;
            } else if (s->mark == SAMPLE_PHASE_END) {
                s->ticking = false;
            }
            pthread_cond_signal(&s->marked);
        } else if (s->ticking && clock_now_ns() >= due_ns) {
            unsigned phase = s->phase, cycle = s->cycle;
            pthread_mutex_unlock(&s->lock);
            tick(s, phase, cycle);
            pthread_mutex_lock(&s->lock);
            /* On the grid of the first tick; a late tick does not make the next ones bunch. */
            int64_t now_ns = clock_now_ns();
            due_ns += s->config.interval_ns;
            if (due_ns <= now_ns)
                due_ns += (now_ns - due_ns) / s->config.interval_ns * s->config.interval_ns +
                          s->config.interval_ns;
        } else {
            wait_until(s, due_ns);
        }
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

static struct sample *sample_with_hist(const struct sampler_config *config)
{
    struct sample *sample = sample_create(config->stream_count, config->devices->name_count);
    sample->commit = hist_create();
    return sample;
}

static int start_thread(struct sampler *s, struct err *err)
{
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, STACK_BYTES);
    int failed = pthread_create(&s->thread, &attr, sampler_main, s);
    pthread_attr_destroy(&attr);
    return failed ? err_set_errno(err, ERR_FAILED, failed, "starting the sampler's thread") : 0;
}

static void release(struct sampler *s)
{
    for (unsigned i = 0; i < RING; i++) {
        hist_destroy(s->ring[i]->commit);
        sample_destroy(s->ring[i]);
    }
    hist_destroy(s->mark_sample->commit);
    sample_destroy(s->mark_sample);
    if (s->diskstats_fd >= 0)
        close(s->diskstats_fd);
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->wake);
    pthread_cond_destroy(&s->marked);
    free(s->text);
    free(s);
}

int sampler_create(const struct sampler_config *config, struct sampler **sampler, struct err *err)
{
    struct sampler *s = calloc(1, sizeof *s);
    if (s == NULL)
        return err_set(err, ERR_FAILED, "out of memory");
    s->config = *config;
    s->diskstats_fd = open("/proc/diskstats", O_RDONLY | O_CLOEXEC);
    /* Twice what is there now: devices may come while we run, memory may not. */
    s->text_capacity = TEXT_SLACK;
    s->text = malloc(s->text_capacity);
    size_t size = read_diskstats(s);
    while (size == s->text_capacity) {
        s->text_capacity *= 2;
        free(s->text);
        s->text = malloc(s->text_capacity);
        size = read_diskstats(s);
    }
    if (2 * size > s->text_capacity) {
        s->text_capacity = 2 * size;
        free(s->text);
        s->text = malloc(s->text_capacity);
    }
    for (unsigned i = 0; i < RING; i++)
        s->ring[i] = sample_with_hist(config);
    s->mark_sample = sample_with_hist(config);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->wake, &monotonic);
    pthread_cond_init(&s->marked, NULL);
    pthread_condattr_destroy(&monotonic);
    if (start_thread(s, err) != 0) {
        release(s);
        return -1;
    }
    *sampler = s;
    return 0;
}

void sampler_destroy(struct sampler *s)
{
    if (s == NULL)
        return;
    pthread_mutex_lock(&s->lock);
    s->leave = true;
    pthread_cond_signal(&s->wake);
    pthread_mutex_unlock(&s->lock);
    pthread_join(s->thread, NULL);
    release(s);
}

const struct sample *sampler_mark(struct sampler *s, enum sample_mark mark, unsigned phase,
                                  unsigned cycle)
{
    assert(mark != SAMPLE_TICK);
    pthread_mutex_lock(&s->lock);
    s->mark = mark;
    s->phase = phase;
    s->cycle = cycle;
    s->mark_wanted = true;
    pthread_cond_signal(&s->wake);
    while (s->mark_wanted)
        pthread_cond_wait(&s->marked, &s->lock);
    pthread_mutex_unlock(&s->lock);
    return s->mark_sample;
}

const struct sample *sampler_peek(struct sampler *s)
{
    unsigned tail = atomic_load_explicit(&s->tail, memory_order_relaxed);
    if (tail == atomic_load_explicit(&s->head, memory_order_acquire))
        return NULL;
    return s->ring[tail % RING];
}

void sampler_pop(struct sampler *s)
{
    unsigned tail = atomic_load_explicit(&s->tail, memory_order_relaxed);
    atomic_store_explicit(&s->tail, tail + 1, memory_order_release);
}

uint64_t sampler_missed(const struct sampler *s)
{
    return atomic_load(&((struct sampler *)s)->missed);
}
