#include "analysis/buyer_worth.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "analysis/buyer_point.h"
#include "analysis/number.h"
#include "analysis/place.h"
#include "result/drive.h"
#include "result/metric.h"
#include "result/put.h"

#define DAY_S 86400.0

/* Sums over the repeats; what is not known of one is not known. */
struct load {
    double bytes, seconds, rows;
};

/* Where the log has a device of its own, one rating is that of the data's. */
static void read_load(const struct group *group, struct load *load)
{
    bool apart = group_log_apart(group) != NULL;
    const char *written = apart ? "data.write_bytes" : "device_sum.write_bytes";
    const char *settled = apart ? "data.settle_write_bytes" : "device_sum.settle_write_bytes";
    *load = (struct load){0, 0, 0};
    for (size_t i = 0; i < group->count; i++) {
        const json_t *phase = group->phases[i];
        double later = metric_value(phase, settled), later_s = metric_value(phase, "settle_s");
        load->bytes += metric_value(phase, written) + (isnan(later) ? 0 : later);
        load->seconds += metric_value(phase, "elapsed_s") + (isnan(later_s) ? 0 : later_s);
        load->rows += metric_value(phase, "rows");
    }
}

/* "53 days", "2.9 years", "9.5 h". */
static const char *lifetime(struct format_text *out, double days)
{
    const double year = 365.25, years_from = 2 * year;
    struct format_text number;
    double value = days >= years_from ? days / year : days >= 2 ? days : days * 24;
    const char *unit = days >= years_from ? "years" : days >= 2 ? "days" : "hours";
    snprintf(out->text, sizeof out->text, "%s %s",
             value < 9.95 ? format_fixed(&number, value, 1) : format_grouped(&number, value), unit);
    return out->text;
}

static void say_endurance(json_t *points, const struct group *group, double tbw_bytes,
                          double bytes_per_s, double bytes_per_row, double nand)
{
    struct format_text rated, rate, life, rows, each, factor;
    char place[PLACE_TEXT], more[64] = "";
    place_write(group, place);
    if (!isnan(nand))
        snprintf(more, sizeof more, "; its flash takes %s times that",
                 number_decimals(&factor, nand));
    buyer_point(points, "endurance",
                "%s of rated endurance last %s at this load (%s/s, %s), or %s rows of %s on the "
                "drive%s",
                format_bytes(&rated, tbw_bytes), lifetime(&life, tbw_bytes / bytes_per_s / DAY_S),
                format_bytes(&rate, bytes_per_s), place,
                format_short(&rows, tbw_bytes / bytes_per_row), format_bytes(&each, bytes_per_row),
                more);
}

json_t *buyer_worth_endurance(const struct asked *asked, const struct buyer_choice *choice,
                              json_t *points)
{
    struct load load = {NAN, NAN, NAN};
    struct drive_rise rise;
    if (isnan(asked->tbw_bytes))
        return NULL;
    if (choice->group)
        read_load(choice->group, &load);
    double bytes_per_s = load.bytes / load.seconds, bytes_per_row = load.bytes / load.rows;
    if (!(bytes_per_s > 0) || !isfinite(bytes_per_s) || !(bytes_per_row > 0) ||
        !isfinite(bytes_per_row)) {
        buyer_point(points, "endurance",
                    "days at this load unknown: nothing is known of the "
                    "drive's writes");
        return NULL;
    }
    drive_rise_read(group_device(choice->group), &rise);
    json_t *object = json_object();
    put_real(object, "tbw_bytes", asked->tbw_bytes);
    put_real(object, "bytes_per_s", bytes_per_s);
    put_real(object, "days", asked->tbw_bytes / bytes_per_s / DAY_S);
    put_real(object, "rows_per_tbw", asked->tbw_bytes / bytes_per_row);
    put_real(object, "device_bytes_per_row", bytes_per_row);
    put_real(object, "nand_amplification", rise.amplification);
    put_text(object, "part", choice->group->part);
    put_text(object, "phase", choice->group->phase);
    put(object, "factors",
        choice->group->factors ? json_deep_copy(choice->group->factors) : json_object());
    say_endurance(points, choice->group, asked->tbw_bytes, bytes_per_s, bytes_per_row,
                  rise.amplification);
    return object;
}

json_t *buyer_worth_price(const struct asked *asked, const struct buyer_choice *choice,
                          enum buyer_lasting lasting, json_t *points)
{
    struct format_text price, each, rate;
    char place[PLACE_TEXT];
    if (isnan(asked->price))
        return NULL;
    if (!choice->group) {
        buyer_point(points, "price", "of a commit/s unknown: no rate of this drive was measured");
        return NULL;
    }
    double per_commit = asked->price / choice->commits_per_s;
    place_write(choice->group, place);
    buyer_point(points, "price", "%s for the drive is %s for each of %s %s (%s)%s",
                format_grouped(&price, asked->price), format_digits(&each, per_commit),
                format_digits(&rate, choice->commits_per_s), buyer_rate_words(choice->group), place,
                lasting == BUYER_SUSTAINED ? ", sustained" : "; a burst, not sustained");
    json_t *object = json_object();
    put_real(object, "price", asked->price);
    put_real(object, "per_commit_per_s", per_commit);
    put_real(object, "commits_per_s", choice->commits_per_s);
    put(object, "sustained", json_boolean(lasting == BUYER_SUSTAINED));
    return object;
}

struct heat {
    double start_c, max_c;
};

/* Of one target, over all phases: the coldest start, for that comes first. */
static void read_heat(const struct groups *groups, double target, struct heat *heat)
{
    *heat = (struct heat){NAN, NAN};
    for (size_t i = 0; i < groups->count; i++) {
        const struct group *group = &groups->items[i];
        double of = json_number_at(group->trials[0], "target");
        if (of != target && !(isnan(of) && target == 0))
            continue;
        for (size_t k = 0; k < group->count; k++) {
            heat->start_c =
                fmin(heat->start_c, metric_value(group->phases[k], "data.temperature_c.start"));
            heat->max_c =
                fmax(heat->max_c, metric_value(group->phases[k], "data.temperature_c.max"));
        }
    }
}

static void put_heat(json_t *object, const struct heat *heat)
{
    put_real(object, "start_c", heat->start_c);
    put_real(object, "max_c", heat->max_c);
    put_real(object, "rise_c", heat->max_c - heat->start_c);
}

json_t *buyer_worth_thermal(const struct groups *groups, json_t *points)
{
    enum { TARGETS_MOST = 64 };
    const json_t *targets = json_object_get(groups->summary, "targets");
    struct heat most = {NAN, NAN};
    size_t count = json_array_size(targets);
    json_t *list = json_array();
    for (size_t t = 0; t < (count > 0 ? count : 1) && t < TARGETS_MOST; t++) {
        struct heat heat;
        read_heat(groups, (double)t, &heat);
        json_t *object = json_object();
        put_text(object, "target", json_text_at(json_array_get(targets, t), "target"));
        put_heat(object, &heat);
        json_array_append_new(list, object);
        double rise = heat.max_c - heat.start_c;
        if (isnan(most.start_c) ? !isnan(rise) : rise > most.max_c - most.start_c)
            most = heat;
    }
    if (isnan(most.start_c)) {
        json_decref(list);
        return NULL;
    }
    buyer_point(points, "thermal", "the drive went from %.0f to %.0f C, a rise of %.0f",
                most.start_c, most.max_c, most.max_c - most.start_c);
    json_t *object = json_object();
    put_heat(object, &most);
    put(object, "per_target", list);
    return object;
}
