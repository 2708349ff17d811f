#include "device/smart.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/privacy.h"
#include "device/smart_attribute.h"
#include "device/smart_errors.h"
#include "device/smart_load.h"

enum { NVME_UNIT_BYTES = 512000, SCSI_STEP_BYTES = 1000000 };

void smart_init(struct smart *smart)
{
    const struct smart_bytes unknown = {.bytes = NAN, .step_bytes = NAN};
    *smart = (struct smart){.temperature_c = NAN,
                            .errors = {NAN, NAN, NAN, NAN, NAN, NAN},
                            .host = unknown,
                            .nand = unknown,
                            .wear = {.used_pct = NAN},
                            .power_on_hours = NAN,
                            .passed = -1,
                            .exit_status = -1};
}

static double between(double value, double low, double high)
{
    return value >= low && value <= high ? value : NAN;
}

/* Of doubles that may be NaN, the first that is none. */
static double first_known(double one, double other)
{
    return isnan(one) ? other : one;
}

static void copy_text(const json_t *root, const char *path, char out[SMART_TEXT])
{
    const char *text = json_text_at(root, path);
    if (out[0] == 0 && text != NULL)
        smart_load_text(out, SMART_TEXT, text, strlen(text));
}

/* smartctl up to 7.2 names SCSI's parts without the prefix. */
static void read_scsi_model(const json_t *root, struct smart *smart)
{
    char vendor[SMART_TEXT] = "", product[SMART_TEXT] = "", both[2 * SMART_TEXT];
    copy_text(root, "scsi_vendor", vendor);
    copy_text(root, "vendor", vendor);
    copy_text(root, "scsi_product", product);
    copy_text(root, "product", product);
    int size = snprintf(both, sizeof both, "%s %s", vendor, product);
    smart_load_text(smart->model, sizeof smart->model, both, (size_t)size);
}

static void read_wwn(const json_t *root, char wwn[SMART_TEXT])
{
    double naa = json_number_at(root, "wwn.naa"), oui = json_number_at(root, "wwn.oui"),
           id = json_number_at(root, "wwn.id");
    if (naa >= 0 && naa < 16 && oui >= 0 && oui < 0x1p24 && id >= 0 && id < 0x1p36)
        snprintf(wwn, SMART_TEXT, "0x%x%06x%09" PRIx64, (unsigned)naa, (unsigned)oui, (uint64_t)id);
    copy_text(root, "logical_unit_id", wwn);
}

static void read_identity(const json_t *root, enum smart_identify identify, struct smart *smart)
{
    copy_text(root, "model_name", smart->model);
    copy_text(root, "scsi_model_name", smart->model);
    if (smart->model[0] == 0)
        read_scsi_model(root, smart);
    copy_text(root, "firmware_version", smart->firmware);
    copy_text(root, "scsi_revision", smart->firmware);
    copy_text(root, "revision", smart->firmware);
    copy_text(root, "device.protocol", smart->protocol);
    if (identify == SMART_IDENTIFY) {
        copy_text(root, "serial_number", smart->serial);
        read_wwn(root, smart->wwn);
    }
}

static const char *message_of(const json_t *root, const char *severity)
{
    const json_t *message;
    size_t index;
    json_array_foreach(json_at(root, "smartctl.messages"), index, message)
    {
        const char *is = json_text_at(message, "severity");
        if (is != NULL && strcmp(is, severity) == 0 && json_text_at(message, "string") != NULL)
            return json_text_at(message, "string");
    }
    return NULL;
}

/* Some messages quote what the drive said of itself. */
static void hide_quoted(const json_t *root, char *message)
{
    static const char *const keys[] = {"serial_number", "logical_unit_id"};
    privacy_hide_paths(message);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        privacy_hide_word(message, json_text_at(root, keys[i]));
    char wwn[SMART_TEXT] = "";
    read_wwn(root, wwn);
    privacy_hide_word(message, wwn);
}

static void read_messages(const json_t *root, enum smart_identify identify, struct smart *smart)
{
    double status = json_number_at(root, "smartctl.exit_status");
    smart->exit_status = status >= 0 && status <= 255 ? (int)status : -1;
    const char *text = message_of(root, "error");
    if (text == NULL)
        text = message_of(root, "warning");
    if (text != NULL)
        smart_load_text(smart->message, sizeof smart->message, text, strlen(text));
    if (identify == SMART_ANONYMOUS)
        hide_quoted(root, smart->message);
    text = message_of(root, "information");
    smart->asleep = text != NULL && strstr(text, " mode, exit(") != NULL;
}

static double celsius(double value)
{
    return value == 0 ? NAN : between(value, -60, 150);
}

static void read_nvme(const json_t *root, struct smart *smart)
{
    const json_t *log = json_at(root, "nvme_smart_health_information_log");
    double units = smart_counter(json_object_get(log, "data_units_written"));
    if (units > 0)
        smart_bytes_set(&smart->host, units, NVME_UNIT_BYTES, "nvme data_units_written x %d",
                        NVME_UNIT_BYTES);
    smart->wear.used_pct = between(json_number_at(log, "percentage_used"), 0, 255);
    if (!isnan(smart->wear.used_pct))
        snprintf(smart->wear.how, sizeof smart->wear.how, "nvme percentage_used");
    smart->temperature_c = celsius(json_number_at(log, "temperature"));
    smart->power_on_hours = smart_counter(json_object_get(log, "power_on_hours"));
}

/* "13782.768" of 10^9 bytes, exactly; NaN where it is anything else. */
static double gigabytes_text(const char *text)
{
    enum { DECIMALS = 9, DIGITS_MAX = 10 };
    uint64_t bytes = 0;
    size_t digits = strspn(text, "0123456789"), decimals = 0;
    if (digits == 0 || digits > DIGITS_MAX)
        return NAN;
    const char *point = text + digits, *end = point;
    if (*point == '.') {
        decimals = strspn(point + 1, "0123456789");
        end = point + 1 + decimals;
    }
    if (*end != 0 || decimals > DECIMALS)
        return NAN;
    for (const char *c = text; c < end; c++)
        if (*c != '.')
            bytes = 10 * bytes + (uint64_t)(*c - '0');
    for (size_t i = decimals; i < DECIMALS; i++)
        bytes *= 10;
    return (double)bytes;
}

static void read_scsi(const json_t *root, struct smart *smart)
{
    const json_t *written = json_at(root, "scsi_error_counter_log.write.gigabytes_processed");
    double bytes = json_is_string(written)
                       ? gigabytes_text(json_string_value(written))
                       : round(json_is_number(written) ? json_number_value(written) * 1e9 : NAN);
    smart_bytes_set(&smart->host, bytes, 1, "scsi write gigabytes_processed x 10^9");
    if (!isnan(smart->host.bytes))
        smart->host.step_bytes = SCSI_STEP_BYTES;
}

/* A valid entry of the device statistics log, or NaN. */
static double statistic(const json_t *root, int page_number, int offset)
{
    const json_t *page, *row;
    size_t p, r;
    json_array_foreach(json_at(root, "ata_device_statistics.pages"), p, page)
    {
        if (json_number_at(page, "number") != page_number)
            continue;
        json_array_foreach(json_object_get(page, "table"), r, row)
        {
            if (json_number_at(row, "offset") != offset)
                continue;
            if (json_is_false(json_at(row, "flags.valid")))
                return NAN;
            return smart_counter(json_object_get(row, "value"));
        }
    }
    return NAN;
}

static double sector_bytes(const json_t *root)
{
    double bytes = json_number_at(root, "logical_block_size");
    return bytes >= 512 && bytes <= 65536 && fmod(bytes, 512) == 0 ? bytes : 512;
}

static void read_ata(const json_t *root, struct smart *smart)
{
    double sector = sector_bytes(root);
    smart_bytes_set(&smart->host, statistic(root, 1, 24), sector, "device statistics 1/24 x %.0f",
                    sector);
    if (isnan(smart->host.bytes))
        smart_attribute_host(root, sector, &smart->host);
    smart_attribute_nand(root, sector, &smart->host, &smart->nand);
    smart->power_on_hours = statistic(root, 1, 16);
    smart->temperature_c = celsius(statistic(root, 5, 8));
    smart->wear.used_pct = between(statistic(root, 7, 8), 0, 255);
    if (!isnan(smart->wear.used_pct))
        snprintf(smart->wear.how, sizeof smart->wear.how, "device statistics 7/8");
}

static void wear_from(const json_t *root, const char *path, const char *how,
                      struct smart_wear *wear)
{
    double used_pct = between(json_number_at(root, path), 0, 255);
    if (!isnan(wear->used_pct) || isnan(used_pct))
        return;
    wear->used_pct = used_pct;
    snprintf(wear->how, sizeof wear->how, "%s", how);
}

static void read_wear(const json_t *root, struct smart *smart)
{
    const char *family = json_text_at(root, "model_family");
    char vendor[3 * SMART_TEXT];
    wear_from(root, "endurance_used.current_percent", "endurance_used", &smart->wear);
    wear_from(root, "scsi_percentage_used_endurance_indicator",
              "scsi percentage_used_endurance_indicator", &smart->wear);
    snprintf(vendor, sizeof vendor, "%s %s", smart->model, family ? family : "");
    bool turns = json_number_at(root, "rotation_rate") > 0;
    if (isnan(smart->wear.used_pct) && !turns)
        smart_attribute_wear(root, vendor, &smart->wear);
}

static void read_document(const json_t *root, enum smart_identify identify, struct smart *smart)
{
    enum { HOURS_MAX = 1000000 }; /* a century; packed raw values are far above */
    read_identity(root, identify, smart);
    read_messages(root, identify, smart);
    if (json_object_get(root, "nvme_smart_health_information_log") != NULL)
        read_nvme(root, smart);
    else if (json_object_get(root, "scsi_error_counter_log") != NULL)
        read_scsi(root, smart);
    else
        read_ata(root, smart);
    read_wear(root, smart);
    smart_errors_read(root, &smart->errors);
    smart->temperature_c =
        first_known(celsius(json_number_at(root, "temperature.current")), smart->temperature_c);
    smart->power_on_hours =
        between(first_known(json_number_at(root, "power_on_time.hours"), smart->power_on_hours), 0,
                HOURS_MAX);
    const json_t *passed = json_at(root, "smart_status.passed");
    smart->passed = json_is_boolean(passed) ? json_is_true(passed) : -1;
}

/* Anything may stand there: half a document, a report in words, a complaint with a host's name.
 * Only what smartctl says before it has asked a drive is shown. */
static bool is_harmless(const char *line)
{
    static const char *const begins[] = {"smartctl ", "smartctl: ", "smartctl open device",
                                         "sudo: a password is required"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncasecmp(line, begins[i], strlen(begins[i])) == 0)
            return strcasestr(line, "serial") == NULL;
    return false;
}

static int no_document(const char *text, size_t size, enum smart_identify identify,
                       struct smart *smart, struct err *err)
{
    while (size > 0 && (*text == '\n' || *text == '\r' || *text == ' '))
        text++, size--;
    const char *newline = size == 0 ? NULL : memchr(text, '\n', size);
    size_t line = newline ? (size_t)(newline - text) : size;
    smart_load_text(smart->message, sizeof smart->message, text,
                    line > 0 && text[line - 1] == '\r' ? line - 1 : line);
    if (smart->message[0] == 0)
        return err_set(err, ERR_FAILED, "smartctl printed nothing");
    if (identify == SMART_ANONYMOUS) {
        privacy_hide_paths(smart->message);
        if (!is_harmless(smart->message))
            smart->message[0] = 0;
    }
    if (smart->message[0] == 0)
        return err_set(err, ERR_FAILED, "no output of smartctl --json");
    return err_set(err, ERR_FAILED, "no output of smartctl --json but \"%s\"", smart->message);
}

int smart_parse(const char *text, size_t size, enum smart_identify identify, struct smart *smart,
                struct err *err)
{
    smart_init(smart);
    json_t *root = smart_load(text, size);
    if (root == NULL)
        return no_document(text, size, identify, smart, err);
    read_document(root, identify, smart);
    json_decref(root);
    return 0;
}

bool smart_known(const struct smart *smart)
{
    return !isnan(smart->temperature_c) || !isnan(smart->host.bytes) ||
           !isnan(smart->wear.used_pct) || !isnan(smart->power_on_hours) || smart->passed >= 0;
}
