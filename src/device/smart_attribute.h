/* smart_attribute.h - figures in the table of ATA attributes, whose meaning differs by vendor.
 *
 * smartctl's drive database gives an attribute its name, and the name its meaning and unit:
 * the number of an attribute says little (241 is NAND on some drives, 233 is wear, NAND or host).
 * Raw values may be packed; `string` shows what smartctl unpacked.  Pure, any thread. */
#ifndef DEVICE_SMART_ATTRIBUTE_H
#define DEVICE_SMART_ATTRIBUTE_H

#include "device/smart.h"

/* More than this in any count of bytes is no measurement. */
#define SMART_BYTES_MAX 4611686018427387904.0 /* 2^62 */

/* A raw counter, or NaN: negative, no number, or all ones, as drives say "unknown". */
double smart_counter(const json_t *value);
/* Fills a struct smart_bytes, unknown where count or product are none. */
void smart_bytes_set(struct smart_bytes *out, double count, double step_bytes, const char *format,
                     ...) __attribute__((format(printf, 4, 5)));

/* `root` is the whole document.  All leave *out as it is where the drive does not tell. */
void smart_attribute_host(const json_t *root, double sector_bytes, struct smart_bytes *out);
/* Some drives count flash pages, host and background: `host` times the ratio of all to host
 * pages then (Micron TN-FD-22, "write amplification factor"). */
void smart_attribute_nand(const json_t *root, double sector_bytes, const struct smart_bytes *host,
                          struct smart_bytes *out);
/* `vendor`: text that holds the model, and the family if known. */
void smart_attribute_wear(const json_t *root, const char *vendor, struct smart_wear *out);

#endif
