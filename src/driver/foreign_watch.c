#include "driver/foreign_watch.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/format.h"
#include "driver/trial.h"

#define LOOK_NS (20 * NS_PER_MS) /* how soon a signal ends the baseline */

static void read_groups(struct trial *t, struct foreign_reading *reading)
{
    foreign_cgroup_read(&t->foreign.cgroup, t->foreign.method, t->foreign.disks,
                        t->devices->name_count, reading);
}

/* NaN where the engine reads in processes of its own. */
static double own_read_bytes(const struct trial *t)
{
    uint32_t caps = t->adapter->caps & (ADAPTER_LOCAL_FILES | ADAPTER_OTHER_USER);
    return caps == ADAPTER_LOCAL_FILES ? foreign_own_read_bytes("") : NAN;
}

/* The control groups tell what each device's disks were written by whom. */
static bool groups_tell(const struct trial *t)
{
    for (size_t i = 0; i < t->devices->count; i++)
        if (t->devices->devices[i].leaf_count > 0 &&
            !foreign_is_charged(&t->devices->devices[i], &t->foreign.start))
            return false;
    return true;
}

static void watch_idle(struct trial *t, const struct sample *settled)
{
    struct sample *from = sample_create(t->load->streams, t->devices->name_count);
    sample_copy(from, settled);
    int64_t until_ns = from->t1_ns + t->load->baseline_ns;
    context_progress(t->ctx, "baseline", 0);
    while (clock_now_ns() < until_ns && !context_is_stopped(t->ctx)) {
        int64_t next_ns = clock_now_ns() + LOOK_NS;
        clock_sleep_until(next_ns < until_ns ? next_ns : until_ns);
    }
    const struct sample *to = sampler_mark(t->sampler, SAMPLE_SETTLED, t->phase_number, 0);
    for (size_t i = 0; i < t->devices->count; i++) {
        const struct device *device = &t->devices->devices[i];
        t->foreign.idle_bytes_per_s[i] = foreign_idle_rate(device, from, to);
        t->foreign.idle_read_bytes_per_s[i] = foreign_idle_read_rate(device, from, to);
    }
    sample_destroy(from);
}

void foreign_watch_open(struct trial *t, const struct sample *settled)
{
    struct foreign_watch *w = &t->foreign;
    for (size_t i = 0; i < DEVICE_SET_ROLES; i++)
        w->idle_bytes_per_s[i] = w->idle_read_bytes_per_s[i] = NAN;
    memcpy(w->disks, settled->disks, settled->disk_count * sizeof *w->disks);
    cgroup_find("", &w->cgroup);
    w->method = foreign_cgroup_method(&w->cgroup);
    read_groups(t, &w->start);
    if (groups_tell(t) || t->load->baseline_ns == 0)
        return;
    w->method = FOREIGN_UNKNOWN;
    watch_idle(t, settled);
}

void foreign_watch_close(struct foreign_watch *watch)
{
    cgroup_release(&watch->cgroup);
}

void foreign_watch_begin(struct trial *t)
{
    read_groups(t, &t->foreign.start);
    t->foreign.start_read_bytes = own_read_bytes(t);
}

void foreign_watch_end(struct trial *t)
{
    read_groups(t, &t->foreign.end);
    t->foreign.end_read_bytes = own_read_bytes(t);
}

static void warn(struct trial *t, const struct device *device, enum phase_kind kind,
                 const struct foreign_share *share)
{
    struct format_text bytes;
    bool estimated = share->method == FOREIGN_BASELINE;
    double part = foreign_share_part(share), reads = share->read_bytes;
    bool by_reads = part > foreign_part(share->write_bytes, share->of_bytes);
    if (!(part > FOREIGN_DISTURBS) || t->foreign.warned)
        return;
    t->foreign.warned = true;
    context_event(
        t->ctx, (int)t->plan->index, "disturbed",
        "%s%s (%.0f%%) of what %s wrote%s in the %s phase came from others%s%s%s: its rates "
        "and costs are not this run's alone; stop what else uses the drive",
        estimated ? "about " : "",
        format_bytes(&bytes, share->write_bytes + (by_reads ? reads : 0)), part * 100,
        device->stack.sampled, by_reads ? " and read" : "", phase_name(kind),
        estimated ? ", by what it wrote" : "", estimated && by_reads ? " and read" : "",
        estimated ? " while no stream ran" : "");
}

size_t foreign_watch_worst(const struct foreign_share *shares, size_t count)
{
    size_t worst = 0;
    for (size_t i = 1; i < count; i++) {
        double part = foreign_share_part(&shares[i]);
        double most = foreign_share_part(&shares[worst]);
        if (part > most || (isnan(most) && !isnan(part)))
            worst = i;
    }
    return worst;
}

void foreign_watch_judge(struct trial *t, enum phase_kind kind, const struct sample *start,
                         const struct sample *end, struct foreign_share shares[DEVICE_SET_ROLES])
{
    struct foreign_watch *w = &t->foreign;
    for (size_t i = 0; i < t->devices->count; i++) {
        const struct device *device = &t->devices->devices[i];
        struct foreign_evidence evidence = {
            .method = w->method,
            .start = &w->start,
            .end = &w->end,
            .idle_bytes_per_s = w->idle_bytes_per_s[i],
            .idle_read_bytes_per_s = w->idle_read_bytes_per_s[i],
            .own_read_bytes =
                foreign_reads_are_plain("", device) ? w->end_read_bytes - w->start_read_bytes : NAN,
            .commit_flushes = t->forecast.engine.commit_flushes,
        };
        foreign_judge(&evidence, device, start, end, &shares[i]);
    }
    size_t worst = foreign_watch_worst(shares, t->devices->count);
    if (t->devices->count > 0)
        warn(t, &t->devices->devices[worst], kind, &shares[worst]);
}
