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
    for (size_t i = 0; i < t->devices->count; i++)
        t->foreign.idle_bytes_per_s[i] = foreign_idle_rate(&t->devices->devices[i], from, to);
    sample_destroy(from);
}

void foreign_watch_open(struct trial *t, const struct sample *settled)
{
    struct foreign_watch *w = &t->foreign;
    for (size_t i = 0; i < DEVICE_SET_ROLES; i++)
        w->idle_bytes_per_s[i] = NAN;
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
}

void foreign_watch_end(struct trial *t)
{
    read_groups(t, &t->foreign.end);
}

static void warn(struct trial *t, const struct device *device, enum phase_kind kind,
                 const struct foreign_share *share)
{
    struct format_text bytes;
    double part = foreign_part(share->write_bytes, share->of_bytes);
    if (!(part > FOREIGN_DISTURBS) || t->foreign.warned)
        return;
    t->foreign.warned = true;
    context_event(
        t->ctx, (int)t->plan->index, "disturbed",
        "%s%s (%.0f%%) of what %s wrote in the %s phase came from others%s: its rates "
        "and costs are not this run's alone; stop what else uses the drive",
        share->method == FOREIGN_BASELINE ? "about " : "", format_bytes(&bytes, share->write_bytes),
        part * 100, device->stack.sampled, phase_name(kind),
        share->method == FOREIGN_BASELINE ? ", by what it wrote while no stream ran" : "");
}

void foreign_watch_judge(struct trial *t, enum phase_kind kind, const struct sample *start,
                         const struct sample *end, struct foreign_share shares[DEVICE_SET_ROLES])
{
    struct foreign_watch *w = &t->foreign;
    for (size_t i = 0; i < t->devices->count; i++) {
        const struct device *device = &t->devices->devices[i];
        struct foreign_evidence evidence = {.method = w->method,
                                            .start = &w->start,
                                            .end = &w->end,
                                            .idle_bytes_per_s = w->idle_bytes_per_s[i]};
        foreign_judge(&evidence, device, start, end, &shares[i]);
        if (strcmp(device->role, "data") == 0)
            warn(t, device, kind, &shares[i]);
    }
}
