#include "device/smart_attribute.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct attribute {
    int id;
    const char *name;
    double normalised; /* NaN */
    double raw;        /* NaN */
};

static double counter(double count)
{
    bool ones = count == 0x1p32 - 1 || count == 0x1p48 - 1 || count == 0x1p56 - 1;
    return count >= 0 && count < 0x1p62 && count == floor(count) && !ones ? count : NAN;
}

double smart_counter(const json_t *value)
{
    return json_is_number(value) ? counter(json_number_value(value)) : NAN;
}

void smart_bytes_set(struct smart_bytes *out, double count, double step_bytes, const char *format,
                     ...)
{
    double bytes = count * step_bytes;
    if (!(bytes >= 0 && bytes < SMART_BYTES_MAX))
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(out->how, sizeof out->how, format, args);
    va_end(args);
    out->bytes = bytes;
    out->step_bytes = step_bytes;
}

/* The unpacked number in front of what smartctl prints ("2725 (151 234 0)" of 167031278144165),
 * else the raw value itself. */
static double raw_value(const json_t *raw)
{
    const char *text = json_text_at(raw, "string");
    double value = smart_counter(json_at(raw, "value"));
    if (text == NULL || !isdigit((unsigned char)text[0]))
        return value;
    char *end;
    unsigned long long number = strtoull(text, &end, 10);
    if ((*end != 0 && *end != ' ') || end - text > 18)
        return value;
    return counter((double)number);
}

static bool attribute_at(const json_t *root, size_t index, struct attribute *out)
{
    const json_t *table = json_at(root, "ata_smart_attributes.table");
    if (index >= json_array_size(table))
        return false;
    const json_t *row = json_array_get(table, index);
    const char *name = json_text_at(row, "name");
    double id = json_number_at(row, "id"), normalised = json_number_at(row, "value");
    *out = (struct attribute){.id = id >= 1 && id <= 255 ? (int)id : 0,
                              .name = name ? name : "",
                              .normalised = normalised >= 0 ? normalised : NAN,
                              .raw = raw_value(json_at(row, "raw"))};
    return true;
}

static bool has(const char *name, const char *part)
{
    return strcasestr(name, part) != NULL;
}

static bool has_any(const char *name, const char *const *parts)
{
    for (; *parts != NULL; parts++)
        if (has(name, *parts))
            return true;
    return false;
}

/* "GiB", "32MiB", "1GiB", "GB", "LBAs", "Sectors"; 0: no unit. */
static double token_bytes(const char *token, size_t size, double sector_bytes)
{
    static const struct {
        const char *name;
        double bytes;
    } units[] = {{"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"TiB", 0x1p40},
                 {"KB", 1e3},     {"MB", 1e6},     {"GB", 1e9},     {"TB", 1e12},
                 {"LBAs", -1},    {"LBA", -1},     {"Sectors", -1}, {"Sector", -1}};
    double times = 0;
    size_t digits = 0;
    while (digits < size && digits < 6 && isdigit((unsigned char)token[digits]))
        times = 10 * times + (token[digits++] - '0');
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strlen(units[i].name) != size - digits ||
            strncmp(token + digits, units[i].name, size - digits) != 0)
            continue;
        double unit = units[i].bytes > 0 ? units[i].bytes : sector_bytes;
        return digits > 0 ? times * unit : unit;
    }
    return 0;
}

static double name_bytes(const char *name, double sector_bytes)
{
    for (const char *token = name;;) {
        size_t size = strcspn(token, "_");
        double bytes = token_bytes(token, size, sector_bytes);
        if (bytes > 0 || token[size] == 0)
            return bytes;
        token += size + 1;
    }
}

enum writes { WRITES_NONE, WRITES_HOST, WRITES_NAND, WRITES_TLC, WRITES_SLC };

/* What an attribute counts, when it counts bytes written. */
static enum writes name_writes(const char *name)
{
    static const char *const not_bytes[] = {"Error",   "Fail", "Erase", "Protect",
                                            "Throttl", "Perc", "Amp",   "Retry",
                                            "Command", "Read", NULL};
    static const char *const nand[] = {"NAND", "Flash", "Flsh", "Media", "TLC", "SLC", NULL};
    /* The halves of a number ("Total_LBAs_Written_Low") say nothing alone. */
    if (has_any(name, not_bytes) || has(name, "_Low") || has(name, "_High"))
        return WRITES_NONE;
    bool media = has_any(name, nand), written = has(name, "Writ") || has(name, "Wts");
    if (!written && !(media && (has(name, "Prog") || has(name, "Prg"))))
        return WRITES_NONE;
    if (!media)
        return WRITES_HOST;
    return has(name, "TLC") ? WRITES_TLC : has(name, "SLC") ? WRITES_SLC : WRITES_NAND;
}

/* The first attribute of a kind, which has a unit and a value. */
static bool find_writes(const json_t *root, enum writes kind, double sector_bytes,
                        struct attribute *found, double *step_bytes)
{
    for (size_t i = 0; attribute_at(root, i, found); i++) {
        *step_bytes = name_bytes(found->name, sector_bytes);
        if (name_writes(found->name) == kind && *step_bytes > 0 && !isnan(found->raw))
            return true;
    }
    return false;
}

static void set_writes(const struct attribute *a, double step_bytes, struct smart_bytes *out)
{
    smart_bytes_set(out, a->raw, step_bytes, "%d %s x %.0f", a->id, a->name, step_bytes);
}

void smart_attribute_host(const json_t *root, double sector_bytes, struct smart_bytes *out)
{
    struct attribute found;
    double step_bytes;
    /* Drives that show one count under two numbers (225 and 241) show it twice: never add. */
    if (find_writes(root, WRITES_HOST, sector_bytes, &found, &step_bytes))
        set_writes(&found, step_bytes, out);
}

static bool find_pages(const json_t *root, const char *kind, struct attribute *found)
{
    for (size_t i = 0; attribute_at(root, i, found); i++)
        if (has(found->name, "Program_Page_C") && has(found->name, kind) && !isnan(found->raw))
            return true;
    return false;
}

static void nand_by_pages(const json_t *root, const struct smart_bytes *host,
                          struct smart_bytes *out)
{
    struct attribute by_host, by_drive;
    if (!find_pages(root, "Host", &by_host) || by_host.raw <= 0 || isnan(host->bytes) ||
        (!find_pages(root, "Bckgnd", &by_drive) && !find_pages(root, "FTL", &by_drive)))
        return;
    double page_bytes = host->bytes / by_host.raw;
    smart_bytes_set(out, by_host.raw + by_drive.raw, page_bytes, "host bytes x (%d + %d) / %d",
                    by_host.id, by_drive.id, by_host.id);
    out->bytes = round(out->bytes);
}

void smart_attribute_nand(const json_t *root, double sector_bytes, const struct smart_bytes *host,
                          struct smart_bytes *out)
{
    struct attribute all, slc;
    double step_bytes, slc_step_bytes;
    if (find_writes(root, WRITES_NAND, sector_bytes, &all, &step_bytes)) {
        set_writes(&all, step_bytes, out);
        return;
    }
    if (!find_writes(root, WRITES_TLC, sector_bytes, &all, &step_bytes)) {
        nand_by_pages(root, host, out);
        return;
    }
    /* Data that go through the SLC cache are written twice: once there, once as TLC. */
    if (find_writes(root, WRITES_SLC, sector_bytes, &slc, &slc_step_bytes) &&
        slc_step_bytes == step_bytes)
        smart_bytes_set(out, all.raw + slc.raw, step_bytes, "(%d %s + %d %s) x %.0f", all.id,
                        all.name, slc.id, slc.name, step_bytes);
    else
        set_writes(&all, step_bytes, out);
}

enum wear_source { WEAR_RAW_USED, WEAR_RAW_LEFT, WEAR_NORMALISED };

static void set_wear(struct smart_wear *out, const struct attribute *a, enum wear_source source)
{
    static const char *const texts[][2] = {
        [WEAR_RAW_USED] = {"raw", " (raw counts up from 0 = used; normalised counts down)"},
        [WEAR_RAW_LEFT] = {"100 - raw", ""},
        [WEAR_NORMALISED] = {"100 - normalised", ""}};
    out->used_pct = source == WEAR_RAW_USED   ? a->raw
                    : source == WEAR_RAW_LEFT ? 100 - a->raw
                                              : 100 - a->normalised;
    snprintf(out->how, sizeof out->how, "%s %d%s", texts[source][0], a->id, texts[source][1]);
}

enum life { LIFE_NONE, LIFE_USED, LIFE_LEFT };

static enum life name_life(const char *name)
{
    if (!has(name, "Life") || has(name, "0.01") || has(name, "Spare") || has(name, "Amp"))
        return LIFE_NONE;
    if (has(name, "Used"))
        return LIFE_USED;
    return has(name, "Left") || has(name, "Remain") ? LIFE_LEFT : LIFE_NONE;
}

/* An attribute called "remaining" may count down, count up (Micron's 202: raw + normalised is
 * 100), or have a raw value that is no percentage at all (SandForce's 231: 2^32). */
static void wear_of_life(const struct attribute *a, enum life life, const char *vendor,
                         struct smart_wear *out)
{
    double raw = a->raw, normalised = a->normalised;
    bool percent = raw >= 0 && raw <= 100 && !has(vendor, "SandForce");
    bool fixed = !(normalised >= 0 && normalised < 100); /* says nothing: 100 at any age, or 0xFD */
    bool up = raw + normalised == 100 || (raw > 100 && raw <= 255 && normalised == 0);
    if (up || (life == LIFE_USED && percent))
        set_wear(out, a, WEAR_RAW_USED);
    else if (percent && (fixed || raw == normalised))
        set_wear(out, a, WEAR_RAW_LEFT);
    else if (normalised <= 100)
        set_wear(out, a, WEAR_NORMALISED);
}

void smart_attribute_wear(const json_t *root, const char *vendor, struct smart_wear *out)
{
    struct attribute a;
    for (size_t i = 0; attribute_at(root, i, &a); i++) {
        enum life life = name_life(a.name);
        if (life != LIFE_NONE)
            wear_of_life(&a, life, vendor, out);
        if (!isnan(out->used_pct))
            return;
    }
    for (size_t i = 0; attribute_at(root, i, &a); i++) {
        /* smartctl calls 233 so on drives that it does not know, where it may count anything:
         * Intel's has no raw value.  Samsung's 177 is a percentage, other vendors' is not. */
        bool intel = a.id == 233 && strcmp(a.name, "Media_Wearout_Indicator") == 0 &&
                     (a.raw == 0 || has(vendor, "Intel"));
        bool samsung =
            a.id == 177 && strcmp(a.name, "Wear_Leveling_Count") == 0 && has(vendor, "Samsung");
        if ((intel || samsung) && a.normalised <= 100)
            set_wear(out, &a, WEAR_NORMALISED);
        if (!isnan(out->used_pct))
            return;
    }
}
