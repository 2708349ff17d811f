/* Any text as /proc/diskstats, then again as its own later sample. */
#include <stdio.h>
#include <stdlib.h>

#include "device/rates.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_numbers(const struct disk_delta *delta)
{
    for (unsigned f = 0; f < DISK_FIELDS; f++)
        if (delta->value[f] < 0 || (delta->value[f] != 0 && !((delta->present >> f) & 1)))
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"sda", "nvme0n1", "cciss/c0d0", "nvme0c0n1", ""};
    enum { COUNT = sizeof names / sizeof *names };
    struct diskstats first[COUNT], second[COUNT], row;
    struct disk_rates rates;
    struct disk_delta delta, total;
    const char *text = (const char *)data, *why = NULL;
    if (diskstats_parse_line(text, size, &row, &why) != (row.name[0] != 0))
        abort();
    diskstats_parse_stat(text, size, "sda", &row, &why);
    diskstats_pick(text, size, names, COUNT, first);
    diskstats_pick(text, size / 2, names, COUNT, second);
    disk_delta_start(&total);
    for (size_t i = 0; i < COUNT; i++)
        for (size_t j = 0; j < COUNT; j++) {
            diskstats_delta(&second[i], &first[j], &delta);
            check_numbers(&delta);
            disk_delta_add(&total, &delta);
            check_numbers(&total);
            diskstats_rates(&second[i], &first[j], 0.1, &rates);
        }
    return 0;
}
