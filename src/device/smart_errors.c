#include "device/smart_errors.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "device/smart_attribute.h"

#define FIELD(name) offsetof(struct smart_errors, name)
const struct smart_error_name smart_error_names[SMART_ERRORS] = {
    {"critical_warning", "critical warning bits", FIELD(critical_warning)},
    {"reallocated", "reallocated sectors", FIELD(reallocated)},
    {"pending", "pending sectors", FIELD(pending)},
    {"uncorrectable", "uncorrectable sectors", FIELD(uncorrectable)},
    {"reported", "reported uncorrectable errors", FIELD(reported)},
    {"media", "media errors", FIELD(media)},
};

double smart_error(const struct smart_errors *errors, size_t index)
{
    double value;
    memcpy(&value, (const char *)errors + smart_error_names[index].offset, sizeof value);
    return value;
}

json_t *smart_errors_json(const struct smart_errors *errors)
{
    bool known = false;
    json_t *object = json_object();
    for (size_t i = 0; i < SMART_ERRORS; i++) {
        double value = smart_error(errors, i);
        known |= !isnan(value);
        json_object_set_new(object, smart_error_names[i].key,
                            isnan(value) ? json_null() : json_integer((json_int_t)value));
    }
    if (known)
        return object;
    json_decref(object);
    return NULL;
}

static double count(const json_t *value)
{
    double number = smart_counter(value);
    return number < SMART_BYTES_MAX ? number : NAN;
}

/* An attribute counts by its number and its name: vendors use numbers for other things too. */
static void read_attributes(const json_t *root, struct smart_errors *errors)
{
    const struct {
        double id;
        const char *name;
        double *value;
    } attributes[] = {{5, "Realloc", &errors->reallocated},
                      {187, "Uncorrect", &errors->reported},
                      {197, "Pending", &errors->pending},
                      {198, "Uncorrect", &errors->uncorrectable}};
    size_t index;
    const json_t *row;
    json_array_foreach(json_at(root, "ata_smart_attributes.table"), index, row)
    {
        const char *name = json_text_at(row, "name");
        for (size_t i = 0; name != NULL && i < sizeof attributes / sizeof *attributes; i++)
            if (json_number_at(row, "id") == attributes[i].id &&
                strstr(name, attributes[i].name) != NULL)
                *attributes[i].value = count(json_at(row, "raw.value"));
    }
}

static void read_scsi(const json_t *root, struct smart_errors *errors)
{
    static const char *const kinds[] = {"read", "write", "verify"};
    const json_t *log = json_at(root, "scsi_error_counter_log");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const json_t *kind = json_object_get(log, kinds[i]);
        double value = count(json_object_get(kind, "total_uncorrected_errors"));
        if (!isnan(value))
            errors->media = isnan(errors->media) ? value : errors->media + value;
    }
    const json_t *defects = json_object_get(root, "scsi_grown_defect_list");
    if (json_is_number(defects))
        errors->reallocated = count(defects);
}

void smart_errors_read(const json_t *root, struct smart_errors *errors)
{
    const json_t *nvme = json_object_get(root, "nvme_smart_health_information_log");
    if (nvme != NULL) {
        double bits = count(json_object_get(nvme, "critical_warning"));
        errors->critical_warning = bits <= 255 ? bits : NAN;
        errors->media = count(json_object_get(nvme, "media_errors"));
        return;
    }
    read_attributes(root, errors);
    read_scsi(root, errors);
}
