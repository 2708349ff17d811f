/* identity_link.h - how a drive is attached, from the place of its directory in sysfs.
 *
 * The path names every bus between the machine and the drive; the folders on the way tell what
 * was negotiated (Documentation/ABI: current_link_speed of PCI, sata_spd of ata_link,
 * negotiated_linkrate of sas_phy, speed of usb). */
#ifndef DEVICE_IDENTITY_LINK_H
#define DEVICE_IDENTITY_LINK_H

#include "device/identity.h"

/* Fills transport and link of the disk in `directory`; leaves what is not known. */
void identity_link_read(const char *root, const char *directory, struct identity *identity);

#endif
