#include "result/drive.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "result/put.h"

void drive_reading_init(struct drive_reading *reading)
{
    *reading = (struct drive_reading){.temperature_c = NAN,
                                      .host_bytes = NAN,
                                      .host_step = NAN,
                                      .nand_bytes = NAN,
                                      .nand_step = NAN,
                                      .wear_used_pct = NAN,
                                      .power_hours = NAN,
                                      .errors = {NAN, NAN, NAN, NAN, NAN, NAN},
                                      .passed = -1,
                                      .diskstats_bytes = NAN};
}

/* fmax would take the known one of two. */
static double larger(double a, double b)
{
    return isnan(a) || isnan(b) ? NAN : fmax(a, b);
}

static void add_first(struct drive_reading *r, const struct smart *smart)
{
    snprintf(r->model, sizeof r->model, "%s", smart->model);
    snprintf(r->firmware, sizeof r->firmware, "%s", smart->firmware);
    snprintf(r->serial, sizeof r->serial, "%s", smart->serial);
    snprintf(r->wwn, sizeof r->wwn, "%s", smart->wwn);
    r->temperature_c = smart->temperature_c;
    r->host_bytes = smart->host.bytes;
    r->host_step = smart->host.step_bytes;
    r->nand_bytes = smart->nand.bytes;
    r->nand_step = smart->nand.step_bytes;
    r->wear_used_pct = smart->wear.used_pct;
    r->power_hours = smart->power_on_hours;
    r->errors = smart->errors;
    r->passed = smart->passed;
}

static void add_errors(struct smart_errors *sum, const struct smart_errors *more)
{
    /* Bits of several drives make no sum: any that is set is kept. */
    sum->critical_warning = larger(sum->critical_warning, more->critical_warning);
    sum->reallocated += more->reallocated;
    sum->pending += more->pending;
    sum->uncorrectable += more->uncorrectable;
    sum->reported += more->reported;
    sum->media += more->media;
}

static void add_next(struct drive_reading *r, const struct smart *smart)
{
    r->host_bytes += smart->host.bytes;
    r->host_step += smart->host.step_bytes;
    r->nand_bytes += smart->nand.bytes;
    r->nand_step += smart->nand.step_bytes;
    r->wear_used_pct = larger(r->wear_used_pct, smart->wear.used_pct);
    r->power_hours = larger(r->power_hours, smart->power_on_hours);
    add_errors(&r->errors, &smart->errors);
    if (r->passed == 0 || smart->passed == 0)
        r->passed = 0;
    else if (smart->passed < 0)
        r->passed = -1;
}

void drive_reading_add(struct drive_reading *r, const struct smart *smart, const char *reason)
{
    if (r->count++ == 0)
        add_first(r, smart);
    else
        add_next(r, smart);
    if (r->reason[0] == 0)
        snprintf(r->reason, sizeof r->reason, "%s", reason);
}

bool drive_change(const char *disk, const struct smart *before, const struct smart *after,
                  char text[DRIVE_CHANGE])
{
    size_t used =
        (size_t)snprintf(text, DRIVE_CHANGE, "%.64s changed while it was measured:", disk);
    size_t start = used;
    if (before->passed >= 0 && after->passed >= 0 && before->passed != after->passed)
        used += (size_t)snprintf(text + used, DRIVE_CHANGE - used, " health %s -> %s",
                                 before->passed ? "passed" : "FAILED",
                                 after->passed ? "passed" : "FAILED");
    for (size_t i = 0; i < SMART_ERRORS; i++) {
        double from = smart_error(&before->errors, i), to = smart_error(&after->errors, i);
        if (isnan(from) || isnan(to) || from == to)
            continue;
        used += (size_t)snprintf(text + used, DRIVE_CHANGE - used, "%s %s %.0f -> %.0f",
                                 used > start ? "," : "", smart_error_names[i].words, from, to);
    }
    return used > start;
}

void drive_put(json_t *object, const struct drive_reading *r)
{
    put_real(object, "temperature_c", r->temperature_c);
    put_number(object, "host_bytes_written", r->host_bytes);
    put_number(object, "host_bytes_written_step", r->host_step);
    put_number(object, "nand_bytes_written", r->nand_bytes);
    put_number(object, "nand_bytes_written_step", r->nand_step);
    put_number(object, "diskstats_bytes_written", r->diskstats_bytes);
    put_number(object, "wear_pct_used", r->wear_used_pct);
    put_number(object, "power_on_hours", r->power_hours);
    put(object, "errors", smart_errors_json(&r->errors));
    put(object, "passed", r->passed < 0 ? NULL : json_boolean(r->passed));
    put_text(object, "smart", r->reason);
}

static double rise(const json_t *device, const char *before, const char *after, const char *step)
{
    double bytes = json_number_at(device, after) - json_number_at(device, before);
    double least = step != NULL ? DRIVE_STEPS * json_number_at(device, step) : 0;
    return bytes >= least ? bytes : NAN;
}

void drive_rise_read(const json_t *device, struct drive_rise *r)
{
    r->host_bytes =
        rise(device, "host_bytes_written", "host_bytes_written_after", "host_bytes_written_step");
    r->nand_bytes =
        rise(device, "nand_bytes_written", "nand_bytes_written_after", "nand_bytes_written_step");
    r->diskstats_bytes =
        rise(device, "diskstats_bytes_written", "diskstats_bytes_written_after", NULL);
    r->amplification = r->host_bytes > 0 ? r->nand_bytes / r->host_bytes : NAN;
}

void drive_merge(json_t *device, const json_t *after)
{
    static const char *const keys[] = {"temperature_c",
                                       "host_bytes_written",
                                       "nand_bytes_written",
                                       "diskstats_bytes_written",
                                       "wear_pct_used",
                                       "power_on_hours",
                                       "errors",
                                       "passed",
                                       "smart"};
    struct drive_rise r;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char name[64];
        json_t *value = json_object_get(after, keys[i]);
        snprintf(name, sizeof name, "%s_after", keys[i]);
        put(device, name, value ? json_incref(value) : NULL);
    }
    drive_rise_read(device, &r);
    put_real(device, "nand_write_amplification", r.amplification);
}
