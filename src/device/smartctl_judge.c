#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "device/smartctl.h"

/* Bits of smartctl's exit status, see smartctl(8); the others come with good data. */
enum { STATUS_USAGE = 1, STATUS_OPEN = 2 };

static bool says(const struct smart *smart, const char *part)
{
    return strcasestr(smart->message, part) != NULL;
}

static enum smartctl_outcome explain(const struct smart *smart, const char *disk,
                                     char reason[SMARTCTL_REASON])
{
    bool opened =
        smart->exit_status < 0 || (smart->exit_status & (STATUS_USAGE | STATUS_OPEN)) == 0;
    if (says(smart, "Permission denied") || says(smart, "not permitted") ||
        (!opened && geteuid() != 0 && smart->message[0] == 0)) {
        snprintf(reason, SMARTCTL_REASON,
                 "smartctl may not ask /dev/%s: run as root, or give smartctl cap_sys_rawio (for "
                 "NVMe cap_sys_admin)",
                 disk);
        return SMARTCTL_NOT_PERMITTED;
    }
    if (says(smart, "detect device type") || says(smart, "Unknown USB") ||
        says(smart, "Unsupported USB") || says(smart, "specify device type") ||
        says(smart, "No such device") || says(smart, "No such file")) {
        snprintf(reason, SMARTCTL_REASON, "/dev/%s is no drive that smartctl knows (%s)", disk,
                 smart->message);
        return SMARTCTL_NO_DRIVE;
    }
    if (opened && smart->message[0] == 0) {
        snprintf(reason, SMARTCTL_REASON,
                 "/dev/%s tells smartctl nothing about its health, as RAID volumes, virtual disks "
                 "and some USB bridges do",
                 disk);
        return SMARTCTL_NO_DRIVE;
    }
    snprintf(reason, SMARTCTL_REASON, "smartctl has no answer from /dev/%s%s%s", disk,
             smart->message[0] ? ": " : "", smart->message);
    return SMARTCTL_NO_ANSWER;
}

enum smartctl_outcome smartctl_judge(const struct smartctl_request *request, const char *text,
                                     size_t size, struct smart *smart, char reason[SMARTCTL_REASON])
{
    struct err err;
    reason[0] = 0;
    if (smart_parse(text, size, request->identify, smart, &err) != 0) {
        snprintf(reason, SMARTCTL_REASON,
                 "smartctl 7.0 or later is needed to read /dev/%s, this one printed no JSON%s%s",
                 request->disk, smart->message[0] ? ": " : "", smart->message);
        return SMARTCTL_NO_ANSWER;
    }
    if (smart->asleep) {
        snprintf(reason, SMARTCTL_REASON, "/dev/%s is asleep and was not woken", request->disk);
        return SMARTCTL_ASLEEP;
    }
    return smart_known(smart) ? SMARTCTL_OK : explain(smart, request->disk, reason);
}
