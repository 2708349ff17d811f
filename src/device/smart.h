/* smart.h - what a drive says about itself, from the output of `smartctl --json`.
 *
 * Reads ATA, NVMe and SCSI drives, smartctl 6.7 and later, all of its output or a part of it
 * (--info, -A, -a, -x).  Pure, any thread.  Unknown is NaN, "" or -1, never 0.
 *
 * Where the figures come from, in this order:
 *
 *   temperature    temperature.current; 0 is what drives without a sensor say
 *   bytes written  NVMe: data units of 512,000 bytes (NVMe 2.0, 5.16.1.3: 0 means not reported);
 *                  SCSI: gigabytes processed, 10^9; ATA: device statistics page 1 offset 24
 *                  (ACS-3, A.5), else a vendor attribute (smart_attribute.h)
 *   wear           NVMe: percentage used; ATA: device statistics page 7 offset 8; smartctl's
 *                  own endurance_used; SCSI: percentage used endurance indicator, else a vendor
 *                  attribute.  100 is the rated endurance, more is possible
 *   NAND bytes     vendor attributes, ATA alone
 */
#ifndef DEVICE_SMART_H
#define DEVICE_SMART_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/json.h"

/* Whether serial number and WWN are read at all. */
enum smart_identify { SMART_ANONYMOUS, SMART_IDENTIFY };

enum { SMART_TEXT = 128, SMART_MESSAGE = 256 };

/* A cumulative count of bytes, with its source in words ("241 Total_LBAs_Written x 512") and
 * the step in which the drive counts: a difference of two readings may be off by one step. */
struct smart_bytes {
    double bytes;      /* NaN */
    double step_bytes; /* NaN */
    char how[SMART_TEXT];
};

/* Share of the rated endurance that is used up, in percent. */
struct smart_wear {
    double used_pct; /* NaN */
    char how[SMART_TEXT];
};

/* Counts of what went wrong; a rise during a run is news.  All NaN where not told. */
struct smart_errors {
    double critical_warning; /* NVMe: bits, 0 is well (NVMe 2.0, 5.16.1.3) */
    double reallocated;      /* sectors: ATA attribute 5; SCSI: grown defects */
    double pending;          /* sectors: ATA attribute 197 */
    double uncorrectable;    /* sectors: ATA attribute 198 */
    double reported;         /* errors that the host was told of: ATA attribute 187 */
    double media;            /* errors: NVMe; SCSI: uncorrected ones of all kinds */
};

struct smart {
    char model[SMART_TEXT];
    char firmware[SMART_TEXT];
    char protocol[SMART_TEXT];                /* "ATA", "NVMe", "SCSI" */
    char serial[SMART_TEXT], wwn[SMART_TEXT]; /* with SMART_IDENTIFY alone */
    double temperature_c;                     /* NaN */
    struct smart_bytes host;                  /* written by the host */
    struct smart_bytes nand;                  /* written to the flash */
    struct smart_wear wear;
    struct smart_errors errors;
    double power_on_hours;       /* NaN */
    int passed;                  /* the drive's own verdict: 1, 0, -1 */
    int exit_status;             /* smartctl's, bits as in smartctl(8); -1 */
    bool asleep;                 /* left alone, as -n standby asks */
    char message[SMART_MESSAGE]; /* smartctl's first error, else its first warning */
};

/* All unknown. */
void smart_init(struct smart *smart);
/* `text` is what smartctl printed; text before and behind the JSON does not matter.  ERR_FAILED
 * where there is no JSON of smartctl in it: all is unknown then, and `message` and *err hold the
 * first line; with SMART_ANONYMOUS only one that cannot tell a serial number. */
int smart_parse(const char *text, size_t size, enum smart_identify identify, struct smart *smart,
                struct err *err);
/* True when at least one figure of health is known. */
bool smart_known(const struct smart *smart);

/* By name, for messages and JSON: "reallocated"; `offset` in struct smart_errors. */
struct smart_error_name {
    const char *key, *words;
    size_t offset;
};
enum { SMART_ERRORS = 6 };
extern const struct smart_error_name smart_error_names[SMART_ERRORS];
double smart_error(const struct smart_errors *errors, size_t index);
/* All of them by key; NULL where none is known. New reference. */
json_t *smart_errors_json(const struct smart_errors *errors);

/* The object that `device --smartctl-json` prints; new reference.  serial_number and wwn are
 * members only where they were read. */
json_t *smart_json(const struct smart *smart);

#endif
