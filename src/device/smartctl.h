/* smartctl.h - asks smartctl about a disk.
 *
 * Runs `smartctl --json -n standby -a -l devstat /dev/DISK` without a shell, in a process group of
 * its own, its errors dropped, its output bounded; a disk that sleeps is left asleep.  Needs
 * tens of milliseconds and sends commands to the drive: before and after a run, never during a
 * phase.  Any thread; a child that does not die (a drive that hangs in the kernel) is left
 * behind after half a second. */
#ifndef DEVICE_SMARTCTL_H
#define DEVICE_SMARTCTL_H

#include <stdint.h>

#include "device/smart.h"

enum smartctl_outcome {
    SMARTCTL_OK,
    SMARTCTL_NOT_INSTALLED,
    SMARTCTL_NOT_PERMITTED,
    SMARTCTL_NO_ANSWER, /* timeout, stopped, garbage, an error of the drive */
    SMARTCTL_NO_DRIVE,  /* not a drive that smartctl knows: loop, RAID volume, USB bridge */
    SMARTCTL_ASLEEP,    /* not woken: the values of last time hold */
};

enum { SMARTCTL_REASON = 512 };
#define SMARTCTL_TIMEOUT_NS INT64_C(10000000000)

struct smartctl_request {
    const char *disk; /* kernel name, "nvme0n1" */
    enum smart_identify identify;
    int64_t timeout_ns;       /* SMARTCTL_TIMEOUT_NS */
    const volatile int *stop; /* ends it early when non-zero; NULL */
    const char *search;       /* where to look for it, as in PATH; NULL: PATH, then sbin */
};

/* Fills *smart (all unknown but for SMARTCTL_OK and what smartctl said besides) and `reason`: one
 * sentence that names the disk and the remedy, "" for SMARTCTL_OK. */
enum smartctl_outcome smartctl_read(const struct smartctl_request *request, struct smart *smart,
                                    char reason[SMARTCTL_REASON]);
/* The same of output that is there already.  Pure, but that it asks whether we are root. */
enum smartctl_outcome smartctl_judge(const struct smartctl_request *request, const char *text,
                                     size_t size, struct smart *smart,
                                     char reason[SMARTCTL_REASON]);

#endif
