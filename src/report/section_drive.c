#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/sections.h"
#include "result/drive.h"

/* Several roles or targets may lie on the same disks: those are told once. */
static bool is_told(const json_t *devices, size_t index)
{
    const json_t *leaves = json_object_get(json_array_get(devices, index), "leaves");
    for (size_t i = 0; i < index; i++)
        if (json_equal(json_object_get(json_array_get(devices, i), "leaves"), leaves))
            return true;
    return false;
}

static void print_rise(const struct view *view, const struct drive_rise *rise)
{
    struct text text = {0};
    struct format_text host, kernel, nand;
    text_add(&text, "host wrote %s by the drive's own count",
             format_bytes(&host, rise->host_bytes));
    if (!isnan(rise->diskstats_bytes))
        text_add(&text, " (diskstats %s)", format_bytes(&kernel, rise->diskstats_bytes));
    if (!isnan(rise->amplification))
        text_add(&text, "; NAND %s, amplification %.2f", format_bytes(&nand, rise->nand_bytes),
                 rise->amplification);
    view_finding(view, "smart", SINK_CALM, &text);
}

static void print_failing(const struct view *view, const json_t *device)
{
    struct text text = {0};
    const char *name = json_string_value(json_array_get(json_object_get(device, "leaves"), 0));
    char *clean = view_clean(view, name);
    text_add(&text, "the drive under %s says of itself that it is failing", clean);
    free(clean);
    view_finding(view, "smart", SINK_LOUD, &text);
}

static void print_changes(const struct view *view)
{
    size_t index;
    const json_t *event;
    json_array_foreach(json_object_get(view->summary, "events"), index, event)
    {
        const char *kind = json_text_at(event, "kind"), *said = json_text_at(event, "text");
        if (!kind || !said || strcmp(kind, "smart change") != 0)
            continue;
        struct text text = {0};
        char *clean = view_clean(view, said);
        text_add(&text, "%s", clean);
        free(clean);
        view_finding(view, "smart", SINK_LOUD, &text);
    }
}

void section_drive(const struct view *view)
{
    const json_t *devices = json_object_get(view->summary, "devices");
    size_t index;
    const json_t *device;
    json_array_foreach(devices, index, device)
    {
        struct drive_rise rise;
        if (is_told(devices, index))
            continue;
        drive_rise_read(device, &rise);
        if (json_is_false(json_object_get(device, "passed")) ||
            json_is_false(json_object_get(device, "passed_after")))
            print_failing(view, device);
        if (rise.host_bytes > 0)
            print_rise(view, &rise);
    }
    print_changes(view);
}
