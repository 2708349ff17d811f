/* smart_load.h - finds the JSON in what smartctl printed.  Pure, any thread. */
#ifndef DEVICE_SMART_LOAD_H
#define DEVICE_SMART_LOAD_H

#include <stddef.h>

#include "base/json.h"

/* The document; new reference, NULL where there is none.  Tolerates text before it (smartctl
 * before 7.3 prints some on SCSI drives) and behind it, bytes that are no UTF-8, and integers
 * above 63 bits, which become reals. */
json_t *smart_load(const char *text, size_t size);
/* Text without control characters, invalid UTF-8 and blanks at its ends, cut to `capacity`. */
void smart_load_text(char *out, size_t capacity, const char *text, size_t size);

#endif
