#include "cli/device_counters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "cli/device_json.h"
#include "cli/device_rows.h"
#include "cli/listing.h"
#include "device/rates.h"
#include "result/put.h"

/* Short names, in the kernel's order. */
static const char *const keys[DISK_FIELDS] = {
    "reads", "rmerges", "rsectors", "rms",     "writes",   "wmerges", "wsectors", "wms", "inflight",
    "io_ms", "wio_ms",  "discards", "dmerges", "dsectors", "dms",     "flushes",  "fms"};

/* ---- one file ---- */

static json_t *row_json(const struct device_row *row)
{
    json_t *object = json_object();
    put_text(object, "name", row->counters.name);
    if (row->has_number) {
        put_count(object, "major", row->counters.major);
        put_count(object, "minor", row->counters.minor);
    }
    put_count(object, "nfields", (double)row->fields);
    for (int f = 0; f < DISK_FIELDS; f++) {
        uint64_t value = row->counters.value[f];
        bool known = diskstats_has(&row->counters, (enum disk_field)f);
        put(object, keys[f], known ? json_integer((json_int_t)value) : NULL);
    }
    return object;
}

static json_t *multipath_json(const struct device_rows *file)
{
    json_t *object = json_object();
    for (size_t i = 0; i < file->count; i++) {
        json_t *paths = device_rows_paths(file, file->rows[i].counters.name);
        if (json_array_size(paths) > 0)
            device_json_put(object, file->rows[i].counters.name, json_incref(paths));
        json_decref(paths);
    }
    return object;
}

json_t *device_counters(const char *path, struct err *err)
{
    struct device_rows file;
    if (device_rows_read(path, &file, err) != 0)
        return NULL;
    json_t *object = json_object(), *devices = json_array(), *rejected = json_array();
    for (size_t i = 0; i < file.count; i++)
        json_array_append_new(devices, row_json(&file.rows[i]));
    for (size_t i = 0; i < file.rejected_count; i++) {
        json_t *one = json_array();
        json_array_append_new(one, json_integer((json_int_t)file.rejected[i].line));
        json_array_append_new(one, json_text(file.rejected[i].why));
        json_array_append_new(rejected, one);
    }
    put_count(object, "accepted", (double)file.count);
    put(object, "rejected_lines", rejected);
    put(object, "devices", devices);
    json_t *multipath = multipath_json(&file);
    if (json_object_size(multipath) > 0)
        put(object, "multipath", json_incref(multipath));
    json_decref(multipath);
    device_rows_release(&file);
    return object;
}

/* ---- two files ---- */

static void put_requests(json_t *object, const char *letter, const struct request_rates *rates)
{
    const struct {
        const char *key;
        double value;
    } list[] = {{"per_s", rates->per_s},
                {"bytes_per_s", rates->bytes_per_s},
                {"merges_per_s", rates->merges_per_s},
                {"merge_pct", rates->merge_pct},
                {"await_ms", rates->await_ms},
                {"avg_bytes", rates->mean_bytes}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        char key[32];
        snprintf(key, sizeof key, "%s_%s", letter, list[i].key);
        put_real(object, key, list[i].value);
    }
}

static json_t *rates_json(const struct disk_rates *rates)
{
    json_t *object = json_object();
    put_requests(object, "r", &rates->reads);
    put_requests(object, "w", &rates->writes);
    put_requests(object, "d", &rates->discards);
    put_real(object, "f_per_s", rates->flushes_per_s);
    put_real(object, "f_await_ms", rates->flush_await_ms);
    put_real(object, "queue_depth", rates->weighted_depth);
    put_real(object, "util_pct", rates->util_pct);
    return object;
}

/* The counters that are lower than before: those that wrapped, or that show another device. */
static json_t *fallen_json(const struct diskstats *earlier, const struct diskstats *later)
{
    json_t *array = json_array();
    for (int f = 0; f < DISK_FIELDS; f++)
        if (f != DISK_IN_FLIGHT && ((earlier->present & later->present) >> f & 1) &&
            later->value[f] < earlier->value[f])
            json_array_append_new(array, json_string(keys[f]));
    return array;
}

struct pair {
    struct device_rows from, to;
    bool since_boot;
    double seconds;
};

static json_t *device_rates(const struct pair *pair, struct diskstats *earlier,
                            const struct diskstats *later)
{
    static const char *const states[] = {[DISK_OK] = "ok",
                                         [DISK_RESET] = "reset",
                                         [DISK_WRAPPED] = "wrapped",
                                         [DISK_BACKWARDS] = "backwards",
                                         [DISK_MISSING] = "new"};
    struct disk_rates rates;
    json_t *object = json_object(), *via = device_rows_paths(&pair->to, later->name);
    if (pair->since_boot) {
        *earlier = *later;
        memset(earlier->value, 0, sizeof earlier->value);
    }
    diskstats_rates(earlier, later, pair->seconds, &rates);
    bool moved = rates.status == DISK_OK || rates.status == DISK_WRAPPED;
    bool no_interval = !(pair->seconds > 0);
    put_text(object, "status",
             no_interval        ? "no_interval"
             : pair->since_boot ? "since_boot"
                                : states[rates.status]);
    if (json_array_size(via) > 0)
        put(object, "via", json_incref(via));
    if (rates.status != DISK_OK && rates.status != DISK_MISSING)
        put(object, rates.status == DISK_WRAPPED ? "wrapped" : "decreased",
            fallen_json(earlier, later));
    put(object, "rates", moved && !no_interval ? rates_json(&rates) : NULL);
    json_decref(via);
    return object;
}

static void *have(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL)
        abort();
    return memory;
}

static const char **names_of(const struct device_rows *rows)
{
    const char **names = have(rows->count, sizeof *names);
    for (size_t i = 0; i < rows->count; i++)
        names[i] = rows->rows[i].counters.name;
    return names;
}

/* The rows of `from` by the names of `by`; heap. */
static struct diskstats *pick(const struct device_rows *from, const struct device_rows *by)
{
    struct diskstats *picked = have(by->count, sizeof *picked);
    const char **names = names_of(by);
    device_rows_pick(from, names, by->count, picked);
    free(names);
    return picked;
}

static json_t *moved_json(const struct pair *pair)
{
    json_t *devices = json_object();
    struct diskstats *earlier = pick(&pair->from, &pair->to), *later = pick(&pair->to, &pair->to);
    for (size_t i = 0; i < pair->to.count; i++)
        if (!device_rows_is_counted(&pair->to, later[i].name))
            device_json_put(devices, later[i].name, device_rates(pair, &earlier[i], &later[i]));
    free(earlier);
    free(later);
    return devices;
}

static json_t *gone_json(const struct pair *pair)
{
    json_t *gone = json_array();
    struct diskstats *later = pick(&pair->to, &pair->from);
    for (size_t i = 0; i < pair->from.count; i++)
        if (later[i].name[0] == 0)
            json_array_append_new(gone, json_text(pair->from.rows[i].counters.name));
    free(later);
    return gone;
}

/* Files of one device each need not be called alike. */
static void name_alike(struct pair *pair)
{
    if (pair->from.count == 1 && pair->to.count == 1 && !pair->from.rows[0].has_number &&
        !pair->to.rows[0].has_number)
        memcpy(pair->from.rows[0].counters.name, pair->to.rows[0].counters.name,
               sizeof pair->to.rows[0].counters.name);
}

json_t *device_counters_rates(const char *earlier, const char *later, double seconds,
                              struct err *err)
{
    struct pair pair = {.seconds = seconds};
    json_t *object = NULL;
    if ((earlier == NULL || device_rows_read(earlier, &pair.from, err) == 0) &&
        device_rows_read(later, &pair.to, err) == 0) {
        pair.since_boot = device_rows_is_zero(&pair.from);
        name_alike(&pair);
        object = json_object();
        put_real(object, "interval_s", seconds);
        put(object, "devices", moved_json(&pair));
        put(object, "gone", gone_json(&pair));
    }
    device_rows_release(&pair.from);
    device_rows_release(&pair.to);
    return object;
}

/* ---- tables ---- */

static const char *short_count(const json_t *object, const char *key, struct format_text *text)
{
    return format_short(text, json_number_at(object, key));
}

static const char *megabytes(double bytes, struct format_text *text)
{
    return isnan(bytes) ? "-" : format_fixed(text, bytes / 1e6, 2);
}

/* Not one of the lines was a device's. */
static int check_any(size_t count, struct err *err)
{
    if (count > 0)
        return 0;
    return err_set(err, ERR_FAILED,
                   "no line of the file is one of /proc/diskstats or /sys/block/NAME/stat");
}

int device_counters_print(FILE *out, const json_t *counters, struct err *err)
{
    static const char *const titles[] = {"device",      ">reads",   ">MB read", ">writes",
                                         ">MB written", ">flushes", ">busy s",  NULL};
    const json_t *devices = json_object_get(counters, "devices"), *device;
    size_t index;
    if (check_any(json_array_size(devices), err) != 0)
        return -1;
    struct listing *listing = listing_create(out, titles);
    json_array_foreach(devices, index, device)
    {
        struct format_text text[6];
        const char *cells[] = {
            json_text_at(device, "name"),
            short_count(device, "reads", &text[0]),
            megabytes(json_number_at(device, "rsectors") * DISK_SECTOR_BYTES, &text[1]),
            short_count(device, "writes", &text[2]),
            megabytes(json_number_at(device, "wsectors") * DISK_SECTOR_BYTES, &text[3]),
            short_count(device, "flushes", &text[4]),
            format_fixed(&text[5], json_number_at(device, "io_ms") / 1000, 1)};
        listing_add(listing, cells);
    }
    return listing_print(listing, err);
}

int device_counters_print_rates(FILE *out, const json_t *rates, struct err *err)
{
    static const char *const titles[] = {"device", "status", ">r/s", ">w/s",  ">MB/s w",
                                         ">KiB/w", ">w ms",  ">f/s", ">f ms", NULL};
    const char *name;
    json_t *device, *devices = json_object_get(rates, "devices");
    if (check_any(json_object_size(devices), err) != 0)
        return -1;
    struct listing *listing = listing_create(out, titles);
    json_object_foreach(devices, name, device)
    {
        struct format_text text[7];
        const char *cells[] = {
            name,
            json_text_at(device, "status"),
            short_count(device, "rates.r_per_s", &text[0]),
            short_count(device, "rates.w_per_s", &text[1]),
            megabytes(json_number_at(device, "rates.w_bytes_per_s"), &text[2]),
            format_fixed(&text[3], json_number_at(device, "rates.w_avg_bytes") / 1024, 1),
            format_fixed(&text[4], json_number_at(device, "rates.w_await_ms"), 2),
            short_count(device, "rates.f_per_s", &text[5]),
            format_fixed(&text[6], json_number_at(device, "rates.f_await_ms"), 2)};
        listing_add(listing, cells);
    }
    return listing_print(listing, err);
}
