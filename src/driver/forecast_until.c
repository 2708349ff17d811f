#include "driver/forecast_until.h"

#include <math.h>

#include "stats/steady.h"

/* One more cycle after the pause, each of its phases no longer than workload.duration. */
static double share_of_cycle(const struct workload *load, double cycle_s)
{
    double most_s = (double)load->duration_ns / 1e9 * (double)load->phase_count;
    return load->duration_ns > 0 && cycle_s > most_s ? most_s / cycle_s : 1;
}

static void add_cycles(struct trial_forecast *forecast, const struct trial_forecast *cycle,
                       double count)
{
    forecast->seconds += cycle->seconds * count;
    forecast->write_bytes += cycle->write_bytes * count;
}

/* Does every cycle leave its rows behind? */
static bool only_inserts(const struct workload *load)
{
    for (size_t i = 0; i < load->phase_count; i++)
        if (load->phases[i] != PHASE_INSERT)
            return false;
    return true;
}

static void add_rounds(const struct workload *load, struct trial_forecast *forecast,
                       const struct trial_forecast *cycle)
{
    double round_s = fmax((double)load->steady_round_ns / 1e9, cycle->seconds);
    double rounds = load->steady_rounds, least = STEADY_WINDOW;
    if (load->duration_ns > 0)
        rounds = fmin(rounds, fmax(1, (double)load->duration_ns / 1e9 / round_s));
    least = fmin(least, rounds);
    double cycles = cycle->seconds > 0 ? round_s / cycle->seconds : 1;
    if (load->pause_ns > 0) {
        rounds++;
        least++;
    }
    add_cycles(forecast, cycle, rounds * cycles);
    forecast->open_bytes = cycle->write_bytes * (rounds - least) * cycles;
    forecast->space_bytes = cycle->space_bytes * (only_inserts(load) ? ceil(least * cycles) : 1);
    double limit = (double)load->limit_write_bytes;
    if (forecast->write_bytes > limit) /* the time that it takes to get there */
        forecast->seconds *= limit / forecast->write_bytes;
}

void forecast_until(const struct workload *load, struct trial_forecast *forecast,
                    void (*phases)(const struct workload *load, struct trial_forecast *forecast))
{
    struct workload once = *load;
    struct trial_forecast cycle = {.engine = forecast->engine};
    once.duration_ns = 0;
    phases(&once, &cycle);
    forecast->seconds += (double)load->pause_ns / 1e9;
    if (load->until_steady) {
        add_rounds(load, forecast, &cycle);
        return;
    }
    phases(load, forecast);
    if (load->pause_ns > 0)
        add_cycles(forecast, &cycle, share_of_cycle(load, cycle.seconds));
}

double forecast_until_bound(struct run_forecast *forecast, double limit)
{
    double least = forecast->write_bytes - forecast->open_bytes;
    if (forecast->open_bytes > 0)
        forecast->write_bytes = fmin(forecast->write_bytes, limit);
    return least;
}

double forecast_until_cooldown_s(const struct trial_plan *trial)
{
    return trial->index > 0 ? (double)trial->load->cooldown_ns / 1e9 : 0;
}
