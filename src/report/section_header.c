#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/engine_line.h"
#include "report/foreign_line.h"
#include "report/sections.h"

/* "loadline 0.1.0", the workload, the label, how many runs. */
void section_title(const struct view *view)
{
    enum { PARTS = 4 };
    struct text parts[PARTS] = {{0}};
    const char *shown[PARTS];
    size_t used = 2, repeats = view_repeats(view);
    const char *version = json_text_at(view->summary, "loadline");
    const char *name = json_text_at(view->summary, "workload.name");
    const char *label = json_text_at(view->summary, "label");
    view_add_clean(view, &parts[0], "loadline ", version ? version : "?");
    view_add_clean(view, &parts[1], "", name ? name : "no workload name");
    if (label) {
        view_add_clean(view, &parts[used], "[", label);
        text_add(&parts[used++], "]");
    }
    if (repeats == 1)
        text_add(&parts[used++], "1 run: no intervals");
    else if (repeats > 1)
        text_add(&parts[used++], "%zu runs: medians, with their range", repeats);
    for (size_t i = 0; i < used; i++)
        shown[i] = parts[i].data;
    view_title(view, shown, used);
    for (size_t i = 0; i < used; i++)
        text_release(&parts[i]);
}

/* Mount options but for what nearly every mount has. */
static void add_options(const struct view *view, struct text *text, const char *options)
{
    static const char *const usual[] = {"rw", "relatime"};
    char *clean = view_clean(view, options), *rest = NULL;
    for (char *word = strtok_r(clean, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        bool shown = true;
        for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
            shown = shown && strcmp(word, usual[i]) != 0;
        if (shown)
            text_add(text, " %s", word);
    }
    free(clean);
}

/* "dm-0 on nvme0n1", or the one name that both are. */
static void add_names(const struct view *view, struct text *text, const json_t *device)
{
    const char *sampled = json_text_at(device, "sampled");
    view_add_clean(view, text, "", sampled ? sampled : "unknown device");
    const json_t *leaves = json_object_get(device, "leaves");
    size_t index, shown = 0;
    const json_t *leaf;
    enum { LEAVES_SHOWN = 4 };
    json_array_foreach(leaves, index, leaf)
    {
        const char *name = json_string_value(leaf);
        if (!name || (sampled && strcmp(name, sampled) == 0))
            continue;
        if (shown++ == LEAVES_SHOWN) {
            text_add(text, ", ...");
            return;
        }
        view_add_clean(view, text, shown == 1 ? " on " : ", ", name);
    }
}

/* "PCIe 4.0 x4"; of a drive that does not tell its link, how it is attached. */
static void add_link(const struct view *view, struct text *text, const json_t *device)
{
    const char *transport = json_text_at(device, "transport");
    const char *link = json_text_at(device, "link");
    if (link)
        view_add_clean(view, text, ", ", link);
    else if (transport) {
        view_add_clean(view, text, ", ", transport);
        text_add(text, ", link unknown");
    } else
        text_add(text, ", link unknown");
}

/* Only a result that was made with --identify has them. */
static void add_serial(const struct view *view, struct text *text, const json_t *device)
{
    const char *serial = json_text_at(device, "serial_number"), *wwn = json_text_at(device, "wwn");
    if (serial)
        view_add_clean(view, text, ", serial ", serial);
    if (wwn)
        view_add_clean(view, text, ", wwn ", wwn);
}

static void print_host(const struct view *view)
{
    const char *host = json_text_at(view->summary, "environment.host");
    struct text text = {0};
    if (host)
        view_add_clean(view, &text, "", host);
    view_line(view, "host", &text);
}

static bool same_text_at(const json_t *a, const json_t *b, const char *key)
{
    const char *x = json_text_at(a, key), *y = json_text_at(b, key);
    return x && y && strcmp(x, y) == 0;
}

static bool is_log(const json_t *device)
{
    const char *role = json_text_at(device, "role");
    return role && strcmp(role, "wal") == 0;
}

/* The same file system of the same drive: of several targets, or of tables (`b`) and log. */
static bool same_drive(const json_t *a, const json_t *b)
{
    return same_text_at(a, b, "sampled") && same_text_at(a, b, "mount_point") &&
           (same_text_at(a, b, "role") || is_log(a));
}

static void print_device(const struct view *view, const json_t *device)
{
    const char *model = json_text_at(device, "model");
    const char *firmware = json_text_at(device, "firmware");
    const char *cache = json_text_at(device, "write_cache");
    const json_t *rotational = json_object_get(device, "rotational");
    struct text text = {0};
    struct format_text size;
    add_names(view, &text, device);
    double size_bytes = json_number_at(device, "size_bytes");
    view_add_clean(view, &text, " ", model ? model : "(model unknown)");
    if (!isnan(size_bytes))
        text_add(&text, ", %s", format_bytes(&size, size_bytes));
    double fill = json_number_at(device, "fill");
    if (isnan(fill))
        text_add(&text, ", fill unknown");
    else
        text_add(&text, ", %.0f%% full", 100 * fill);
    if (json_is_true(rotational))
        text_add(&text, ", rotational");
    if (firmware)
        view_add_clean(view, &text, ", fw ", firmware);
    else
        text_add(&text, ", firmware unknown");
    add_link(view, &text, device);
    add_serial(view, &text, device);
    if (cache && strcmp(cache, "write back") == 0)
        text_add(&text, ", cache write-back");
    else if (cache && strcmp(cache, "write through") == 0)
        text_add(&text, ", cache write-through");
    else
        text_add(&text, ", write cache unknown");
    view_line(view, is_log(device) ? "wal" : "drive", &text);
}

/* Was the drive of devices[index], or even its path, listed before it? */
static bool is_listed(const json_t *devices, size_t index, const char *path)
{
    const json_t *device = json_array_get(devices, index);
    for (size_t i = 0; i < index; i++) {
        const json_t *other = json_array_get(devices, i);
        if (same_drive(device, other) && (!path || same_text_at(device, other, path)))
            return true;
    }
    return false;
}

/* All paths that targets have on the drive of devices[index]. */
static void add_paths(const struct view *view, struct text *text, const json_t *devices,
                      size_t index)
{
    const json_t *device = json_array_get(devices, index);
    const char *path = json_text_at(device, "path");
    view_add_clean(view, text, "", path ? path : "unknown");
    for (size_t i = index + 1; i < json_array_size(devices); i++)
        if (same_drive(device, json_array_get(devices, i)) && !is_listed(devices, i, "path"))
            view_add_clean(view, text, ", ", json_text_at(json_array_get(devices, i), "path"));
}

/* "; 38 -> 44 C": before the first phase, and the highest while phases ran. */
static void add_temperature(struct text *text, const json_t *device)
{
    double start = json_number_at(device, "temperature_c");
    double most = json_number_at(device, "temperature_c_max");
    if (isnan(most))
        most = json_number_at(device, "temperature_c_after");
    if (isnan(start) && isnan(most))
        text_add(text, "; temperature unknown");
    else if (isnan(start) || isnan(most) || round(start) == round(most))
        text_add(text, "; %.0f C", isnan(start) ? most : start);
    else
        text_add(text, "; %.0f -> %.0f C", start, most);
}

static void print_path(const struct view *view, const json_t *devices, size_t index)
{
    struct text text = {0};
    const json_t *device = json_array_get(devices, index);
    const char *kind = json_text_at(device, "filesystem");
    const char *scheduler = json_text_at(device, "scheduler");
    const char *options = json_text_at(device, "mount_options");
    add_paths(view, &text, devices, index);
    view_add_clean(view, &text, " ", kind ? kind : "(file system unknown)");
    if (options)
        add_options(view, &text, options);
    view_add_clean(view, &text, "; scheduler ", scheduler ? scheduler : "unknown");
    add_temperature(&text, device);
    view_line(view, "path", &text);
}

static void print_devices(const struct view *view)
{
    enum { DEVICES_SHOWN = 8 };
    const json_t *devices = json_object_get(view->summary, "devices");
    size_t index, shown = 0;
    const json_t *device;
    json_array_foreach(devices, index, device)
    {
        if (is_listed(devices, index, NULL))
            continue;
        if (shown++ == DEVICES_SHOWN)
            break;
        print_device(view, device);
        print_path(view, devices, index);
    }
    if (json_array_size(devices) > 0)
        return;
    struct text text = {0};
    text_add(&text, "none: no drive was under test");
    view_line(view, "drive", &text);
}

/* Several targets, as they were given. */
static void print_targets(const struct view *view)
{
    const json_t *targets = json_object_get(view->summary, "targets");
    struct text text = {0};
    size_t index;
    const json_t *target;
    json_t *seen = json_object(); /* one target may have its log in several places */
    json_array_foreach(targets, index, target)
    {
        const char *given = json_text_at(target, "target");
        if (!given || json_object_get(seen, given))
            continue;
        json_object_set_new(seen, given, json_true());
        view_add_clean(view, &text, text.size ? ", " : "", given);
    }
    if (json_object_size(seen) > 1) {
        text_add(&text, "; loadline compare sets them side by side, in pairs");
        view_line(view, "targets", &text);
    }
    text_release(&text);
    json_decref(seen);
}

void section_header(const struct view *view)
{
    print_host(view);
    print_devices(view);
    print_targets(view);
    engine_line_print(view);
    if (json_array_size(json_object_get(view->summary, "devices")) > 0) {
        struct text text = {0};
        text_add(&text, "not preconditioned by loadline; ");
        foreign_line_add(view, &text);
        view_line(view, "state", &text);
    }
    view_gap(view);
}
