/* Any text as the output of smartctl; every figure that comes out must be one. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "device/smart.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int holds)
{
    if (!holds)
        abort();
}

static void check_within(double value, double low, double high)
{
    check(isnan(value) || (value >= low && value <= high));
}

static void check_bytes(const struct smart_bytes *count)
{
    check_within(count->bytes, 0, 0x1p62);
    check(isnan(count->bytes) == (count->how[0] == 0));
    check(isnan(count->bytes) || count->step_bytes >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct smart smart;
    struct err err;
    int failed = smart_parse((const char *)data, size, SMART_IDENTIFY, &smart, &err);
    check(!failed || (!smart_known(&smart) && err.text[0] != 0));
    check_within(smart.temperature_c, -60, 150);
    check_within(smart.wear.used_pct, 0, 255);
    check_within(smart.power_on_hours, 0, 1e6);
    check_bytes(&smart.host);
    check_bytes(&smart.nand);
    check(smart.passed >= -1 && smart.passed <= 1 && smart.exit_status <= 255);
    json_t *json = smart_json(&smart);
    char *text = json_dumps(json, 0); /* NULL: a text that is no UTF-8 */
    check(text != NULL);
    free(text);
    json_decref(json);
    smart_parse((const char *)data, size, SMART_ANONYMOUS, &smart, &err);
    check(smart.serial[0] == 0 && smart.wwn[0] == 0);
    return 0;
}
