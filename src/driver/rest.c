#include "driver/rest.h"

#include <math.h>

#include "base/format.h"

#define LOOK_NS (20 * NS_PER_MS) /* for signals, and for the temperature */

/* -1: a signal came. */
static int wait_a_little(struct run_context *ctx, const char *name, int64_t begin_ns,
                         int64_t until_ns, struct err *err)
{
    int64_t now_ns = clock_now_ns();
    double rested_s = (double)(now_ns - begin_ns) / 1e9;
    context_progress(ctx, name, ctx->trial_s > rested_s ? rested_s / ctx->trial_s : 0);
    clock_sleep_until(now_ns + LOOK_NS < until_ns ? now_ns + LOOK_NS : until_ns);
    return context_is_stopped(ctx) ? err_set(err, ERR_INTERRUPTED, "stopped by a signal") : 0;
}

int rest_for(struct run_context *ctx, const char *name, int64_t rest_ns, struct err *err)
{
    int64_t begin_ns = clock_now_ns(), until_ns = begin_ns + rest_ns;
    context_forget_rates(ctx);
    do {
        if (wait_a_little(ctx, name, begin_ns, until_ns, err) != 0)
            return -1;
    } while (clock_now_ns() < until_ns);
    return 0;
}

static double celsius_now(struct site *site)
{
    return thermometer_read_c(&site->thermometer, clock_now_ns());
}

static void warn_of_no_temperature(struct run_context *ctx, const struct trial_plan *plan)
{
    if (ctx->warned_of_temperature)
        return;
    ctx->warned_of_temperature = true;
    context_warn(ctx, (int)plan->index,
                 "run.cooldown = %s: no temperature of the drive can be read, so nothing waits for "
                 "it; an NVMe drive has a sensor in /sys/class/hwmon, a SATA drive with the kernel "
                 "module drivetemp; or set run.cooldown to a time, like 30s",
                 workload_text(plan->load, "run.cooldown"));
}

/* What the rest came to. */
static void tell(struct run_context *ctx, const struct trial_plan *plan, int64_t begin_ns,
                 double before_c, double after_c)
{
    struct format_text rested;
    double wanted_c = plan->load->cooldown_c;
    format_seconds(&rested, (double)(clock_now_ns() - begin_ns) / 1e9);
    if (isnan(before_c) || isnan(after_c))
        context_event(ctx, (int)plan->index, "cooldown",
                      "rested %s; the drive's temperature is not known", rested.text);
    else
        context_event(ctx, (int)plan->index, "cooldown", "rested %s, from %.0f to %.0f C%s",
                      rested.text, before_c, after_c,
                      after_c >= wanted_c ? ": still not as cool as run.cooldown asks" : "");
}

int rest_cooldown(struct run_context *ctx, struct site *site, const struct trial_plan *plan,
                  struct err *err)
{
    const struct workload *load = plan->load;
    int64_t begin_ns = clock_now_ns();
    if (plan->index == 0 || (load->cooldown_ns == 0 && isnan(load->cooldown_c)))
        return 0;
    double before_c = celsius_now(site), after_c = before_c;
    if (load->cooldown_ns > 0) {
        if (rest_for(ctx, "cooldown", load->cooldown_ns, err) != 0)
            return -1;
        after_c = celsius_now(site);
    } else if (isnan(before_c)) {
        warn_of_no_temperature(ctx, plan);
        return 0;
    }
    int64_t until_ns = begin_ns + REST_COOLDOWN_MAX_NS;
    context_forget_rates(ctx);
    while (after_c >= load->cooldown_c && clock_now_ns() < until_ns) {
        if (wait_a_little(ctx, "cooldown", begin_ns, until_ns, err) != 0)
            return -1;
        after_c = celsius_now(site);
    }
    tell(ctx, plan, begin_ns, before_c, after_c);
    return 0;
}
