#include "device/identity_link.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "device/sysfs.h"

/* ---- folders on the way ---- */

/* Where the buses begin: what lies in front is no business of the drive's. */
static const char *bus_path(const char *directory)
{
    static const char devices[] = "/sys/devices/";
    const char *found = NULL;
    for (const char *at = strstr(directory, devices); at != NULL; at = strstr(at + 1, devices))
        found = at + sizeof devices - 2;
    return found ? found : directory + strlen(directory);
}

/* Cuts the last name off the path; false: that was the last bus. */
static bool go_up(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash <= bus_path(path))
        return false;
    *slash = 0;
    return true;
}

/* The last folder on the path whose name is `prefix` and a digit: the path up to its end, heap;
 * NULL: there is none. */
static char *folder(const char *directory, const char *prefix)
{
    size_t size = strlen(prefix), end = 0;
    for (const char *at = strchr(bus_path(directory), '/'); at != NULL; at = strchr(at + 1, '/'))
        if (strncmp(at + 1, prefix, size) == 0 && isdigit((unsigned char)at[1 + size]))
            end = (size_t)(at - directory) + 1 + strcspn(at + 1, "/");
    return end > 0 ? fs_path("%.*s", (int)end, directory) : NULL;
}

static bool has_folder(const char *directory, const char *prefix)
{
    char *found = folder(directory, prefix);
    free(found);
    return found != NULL;
}

static const char *last_name(const char *path)
{
    return strrchr(path, '/') + 1;
}

/* ---- links ---- */

/* Version by GT/s (PCI Express Base Specification 6.0, 1.2). */
static const char *pcie_version(double gigatransfers)
{
    static const struct {
        double speed;
        const char *version;
    } versions[] = {{2.5, "1.0"}, {5, "2.0"}, {8, "3.0"}, {16, "4.0"}, {32, "5.0"}, {64, "6.0"}};
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
        if (gigatransfers == versions[i].speed)
            return versions[i].version;
    return NULL;
}

/* Of the closest function above the drive that has a link: "8.0 GT/s PCIe" and "4". */
static void pcie_link(const char *directory, char *link, size_t capacity)
{
    char *at = fs_path("%s", directory), speed[32];
    while (go_up(at)) {
        if (!sysfs_text(at, "current_link_speed", speed, sizeof speed))
            continue;
        const char *version = pcie_version(strtod(speed, NULL));
        int64_t lanes = sysfs_number(at, "current_link_width");
        if (version != NULL && lanes > 0 && lanes <= 32)
            snprintf(link, capacity, "PCIe %s x%d", version, (int)lanes);
        break;
    }
    free(at);
}

/* A file whose text is a number and a unit of Gbit/s, however it is spelled. */
static void gigabit_link(const char *directory, const char *file, const char *name, char *link,
                         size_t capacity)
{
    char speed[32];
    if (sysfs_text(directory, file, speed, sizeof speed) && isdigit((unsigned char)speed[0]) &&
        strstr(speed, " G") != NULL)
        snprintf(link, capacity, "%s %.*s Gb/s", name, (int)strcspn(speed, " "), speed);
}

/* .../ata3/host2/... has its link in .../ata3/link3/ata_link/link3. */
static void sata_link(const char *root, const char *port, char *link, size_t capacity)
{
    const char *number = last_name(port) + strlen("ata");
    char *own = fs_path("%s/link%s/ata_link/link%s", port, number, number);
    char *class = fs_path("%s/sys/class/ata_link/link%s", root, number);
    gigabit_link(own, "sata_spd", "SATA", link, capacity);
    if (link[0] == 0)
        gigabit_link(class, "sata_spd", "SATA", link, capacity);
    free(class);
    free(own);
}

/* The phys of a port are named in its folder; a wide port has several of one rate. */
static void sas_link(const char *root, const char *directory, char *link, size_t capacity)
{
    char *end = folder(directory, "end_device-");
    if (end == NULL)
        return;
    *strrchr(end, '/') = 0;
    char **names;
    size_t count = sysfs_list(end, &names);
    for (size_t i = 0; i < count && link[0] == 0; i++) {
        if (strncmp(names[i], "phy-", 4) != 0)
            continue;
        char *phy = fs_path("%s/sys/class/sas_phy/%s", root, names[i]);
        gigabit_link(phy, "negotiated_linkrate", "SAS", link, capacity);
        free(phy);
    }
    sysfs_list_free(names, count);
    free(end);
}

/* The folder of a USB device ("2-7", "2-7.1") says its speed in Mbit/s. */
static void usb_link(const char *directory, char *link, size_t capacity)
{
    char *at = fs_path("%s", directory);
    while (go_up(at)) {
        int64_t megabits = sysfs_number(at, "speed");
        if (megabits <= 0)
            continue;
        if (megabits >= 1000)
            snprintf(link, capacity, "USB %g Gb/s", (double)megabits / 1000);
        else
            snprintf(link, capacity, "USB %d Mb/s", (int)megabits);
        break;
    }
    free(at);
}

/* ---- transports ---- */

/* The driver of a SCSI host; "" unknown. */
static void host_driver(const char *root, const char *directory, char driver[32])
{
    char *host = folder(directory, "host");
    driver[0] = 0;
    if (host == NULL)
        return;
    char *own = fs_path("%s/scsi_host/%s", host, last_name(host));
    char *class = fs_path("%s/sys/class/scsi_host/%s", root, last_name(host));
    if (!sysfs_text(own, "proc_name", driver, 32))
        sysfs_text(class, "proc_name", driver, 32);
    free(class);
    free(own);
    free(host);
}

/* Drivers of RAID controllers, which show volumes of theirs as if they were drives. */
static bool is_raid_driver(const char *driver)
{
    static const char *const drivers[] = {"megaraid", "hpsa", "smartpqi", "aacraid", "arcmsr",
                                          "3w-",      "ips",  "cciss",    "pmcraid", "ipr"};
    for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++)
        if (strncmp(driver, drivers[i], strlen(drivers[i])) == 0)
            return true;
    return false;
}

static void ata_transport(const char *root, const char *directory, struct identity *identity)
{
    char driver[32], *port = folder(directory, "ata");
    sata_link(root, port, identity->link, sizeof identity->link);
    host_driver(root, directory, driver);
    bool sata =
        identity->link[0] != 0 || strcmp(driver, "ahci") == 0 || strncmp(driver, "sata", 4) == 0;
    snprintf(identity->transport, sizeof identity->transport, "%s", sata ? "sata" : "ata");
    free(port);
}

static void nvme_transport(const char *directory, struct identity *identity)
{
    char kind[16];
    bool told = sysfs_text(directory, "device/transport", kind, sizeof kind) ||
                sysfs_text(directory, "../transport", kind, sizeof kind);
    bool local = !told || strcmp(kind, "pcie") == 0;
    snprintf(identity->transport, sizeof identity->transport, "nvme%s%.*s", local ? "" : "-",
             local ? 0 : 8, kind);
    if (local)
        pcie_link(directory, identity->link, sizeof identity->link);
}

static void scsi_transport(const char *root, const char *directory, struct identity *identity)
{
    char driver[32];
    host_driver(root, directory, driver);
    snprintf(identity->transport, sizeof identity->transport, "%s",
             is_raid_driver(driver) ? "raid" : "scsi");
}

static void read_link(const char *root, const char *directory, struct identity *identity)
{
    /* Buses that carry others' commands come first: a SCSI disk on USB is a USB disk. */
    static const struct {
        const char *folder, *transport;
    } buses[] = {{"usb", "usb"}, {"virtio", "virtio"}, {"rport-", "fc"},  {"session", "iscsi"},
                 {"mmc", "mmc"}, {"vbd-", "xen"},      {"cciss", "raid"}, {"pmem", "nvdimm"},
                 {"nbd", "nbd"}, {"rbd", "rbd"}};
    for (size_t i = 0; i < sizeof buses / sizeof *buses; i++)
        if (has_folder(directory, buses[i].folder)) {
            snprintf(identity->transport, sizeof identity->transport, "%s", buses[i].transport);
            if (i == 0)
                usb_link(directory, identity->link, sizeof identity->link);
            return;
        }
    if (has_folder(directory, "end_device-")) {
        snprintf(identity->transport, sizeof identity->transport, "sas");
        sas_link(root, directory, identity->link, sizeof identity->link);
    } else if (has_folder(directory, "ata")) {
        ata_transport(root, directory, identity);
    } else if (has_folder(directory, "nvme")) {
        nvme_transport(directory, identity);
    } else if (has_folder(directory, "target")) {
        scsi_transport(root, directory, identity);
    }
}

void identity_link_read(const char *root, const char *directory, struct identity *identity)
{
    char *attached = sysfs_attached(root, directory);
    if (attached != NULL)
        read_link(root, attached, identity);
    free(attached);
}
