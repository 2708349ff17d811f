/* thermometer.h - how warm the first disk under a trial's data is, as often as it may be asked.
 *
 * A value is kept between readings: about a second, or HWMON_DISTURBED_S where each reading
 * disturbs the drive.  Lives longer than a sampler, so that the pauses hold from trial to trial.
 * One thread at a time. */
#ifndef MEASURE_THERMOMETER_H
#define MEASURE_THERMOMETER_H

#include <stdint.h>

#include "device/device_set.h"
#include "device/hwmon.h"

struct thermometer {
    struct hwmon sensor;
    int64_t due_ns; /* not asked before; 0: not asked yet */
    double celsius; /* of the last reading; NaN: unknown */
};

/* The sensor of the first leaf of the first device with the role "data", below root ("" = the real
 * system).  Without one every reading is NaN. */
void thermometer_open(const char *root, const struct device_set *devices,
                      struct thermometer *thermometer);
/* `now_ns`: clock_now_ns(). */
double thermometer_read_c(struct thermometer *thermometer, int64_t now_ns);
void thermometer_close(struct thermometer *thermometer);

#endif
