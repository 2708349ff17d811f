#include "cli/device_smart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/format.h"
#include "base/fs.h"
#include "cli/listing.h"
#include "device/hwmon_json.h"
#include "device/smart.h"

enum { SMART_LIMIT = 16 << 20 };

/* Takes the document. */
static int print_json(json_t *document, struct err *err)
{
    int status = json_write_pretty(stdout, document, err);
    json_decref(document);
    return status;
}

static void add_number(struct listing *listing, const char *what, double value, const char *unit)
{
    struct format_text number;
    char text[64];
    snprintf(text, sizeof text, "%s%s", format_fixed(&number, value, 0), unit);
    const char *cells[] = {what, isnan(value) ? NULL : text};
    listing_add(listing, cells);
}

static void add_text(struct listing *listing, const char *what, const char *text)
{
    const char *cells[] = {what, text[0] != 0 ? text : NULL};
    listing_add(listing, cells);
}

static void add_bytes(struct listing *listing, const char *what, const struct smart_bytes *bytes)
{
    struct format_text amount;
    char text[256];
    snprintf(text, sizeof text, "%s (%s)", format_bytes(&amount, bytes->bytes), bytes->how);
    add_text(listing, what, isnan(bytes->bytes) ? "" : text);
}

static int print_smart(const struct smart *smart, struct err *err)
{
    static const char *const titles[] = {"drive", "says", NULL};
    struct listing *listing = listing_create(stdout, titles);
    add_text(listing, "model", smart->model);
    add_text(listing, "firmware", smart->firmware);
    add_text(listing, "protocol", smart->protocol);
    add_number(listing, "temperature", smart->temperature_c, " C");
    add_bytes(listing, "written by the host", &smart->host);
    add_bytes(listing, "written to the flash", &smart->nand);
    add_number(listing, "endurance used", smart->wear.used_pct, "%");
    add_number(listing, "power-on hours", smart->power_on_hours, "");
    add_text(listing, "health", smart->passed < 0 ? "" : smart->passed ? "passed" : "FAILED");
    for (size_t i = 0; i < SMART_ERRORS; i++)
        if (!isnan(smart_error(&smart->errors, i)))
            add_number(listing, smart_error_names[i].words, smart_error(&smart->errors, i), "");
    if (smart->serial[0] != 0)
        add_text(listing, "serial number", smart->serial);
    if (smart->wwn[0] != 0)
        add_text(listing, "WWN", smart->wwn);
    if (smart->asleep)
        add_text(listing, "state", "asleep, and not woken to be asked");
    add_text(listing, "message", smart->message);
    return listing_print(listing, err);
}

int device_smart_file(const char *path, enum smart_identify identify, bool json, struct err *err)
{
    struct smart smart;
    struct err told;
    char *text;
    size_t size;
    if (fs_read(path, SMART_LIMIT, &text, &size, err) != 0)
        return -1;
    smart_parse(text, size, identify, &smart, &told);
    free(text);
    return json ? print_json(smart_json(&smart), err) : print_smart(&smart, err);
}

int device_smart_temperatures(const char *root, bool json, struct err *err)
{
    static const char *const titles[] = {"disk", ">C", NULL};
    json_t *document = hwmon_json(root), *value;
    const char *disk;
    if (json)
        return print_json(document, err);
    struct listing *listing = listing_create(stdout, titles);
    json_object_foreach(json_object_get(document, "temperature_c"), disk, value)
    {
        struct format_text degrees;
        double celsius = json_is_number(value) ? json_number_value(value) : NAN;
        const char *cells[] = {disk, format_fixed(&degrees, celsius, 1)};
        listing_add(listing, cells);
    }
    json_decref(document);
    return listing_print(listing, err);
}
