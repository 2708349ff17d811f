/* identity.h - what a whole disk says about itself in sysfs.  Unknown is "" or -1. */
#ifndef DEVICE_IDENTITY_H
#define DEVICE_IDENTITY_H

#include <stdint.h>

struct identity {
    char name[64];
    char model[128];
    char firmware[32];
    char scheduler[32];                            /* the active one */
    char write_cache[32];                          /* "write back", "write through" */
    int rotational;                                /* 0, 1, -1 */
    int64_t size_bytes;                            /* -1 */
    int logical_block_bytes, physical_block_bytes; /* -1 */
    char transport[16]; /* "nvme", "sata", "ata", "sas", "usb", "virtio", "fc", "iscsi", ... */
    char link[32];      /* as negotiated: "PCIe 4.0 x4", "SATA 6.0 Gb/s", "USB 5 Gb/s" */
};

/* Reads root/sys/block/NAME (root "" = the real system).  Never fails: unknown stays unknown.
 * What the head of an NVMe multipath does not tell, or tells wrongly, comes from its first path. */
void identity_read(const char *root, const char *name, struct identity *identity);

#endif
