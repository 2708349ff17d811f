#include "device/privacy.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "device/smart_load.h"
#include "device/stack_paths.h"
#include "device/sysfs.h"

enum { PAGE_LIMIT = 4096, PAGE_HEADER = 4, WWN_DIGITS_MIN = 16 };

/* ---- reading ---- */

/* Vital product data page 0x80, SPC-4 7.8.18: two bytes, a length of two bytes, the number. */
static void read_page(const char *directory, char serial[SMART_TEXT])
{
    char *path = fs_path("%s/device/vpd_pg80", directory), *page = NULL;
    struct err ignored;
    size_t size = 0;
    if (fs_read(path, PAGE_LIMIT, &page, &size, &ignored) == 0 && size > PAGE_HEADER) {
        size_t told = ((size_t)(unsigned char)page[2] << 8) + (unsigned char)page[3];
        size_t length = told < size - PAGE_HEADER ? told : size - PAGE_HEADER;
        smart_load_text(serial, SMART_TEXT, page + PAGE_HEADER,
                        strnlen(page + PAGE_HEADER, length));
    }
    free(page);
    free(path);
}

/* A USB bridge answers for its drive; the folder of the USB device has a number of its own. */
static void read_usb(const char *directory, char serial[SMART_TEXT])
{
    if (strstr(directory, "/usb") == NULL)
        return;
    char *at = fs_path("%s", directory);
    for (char *slash; serial[0] == 0 && (slash = strrchr(at, '/')) != NULL;) {
        *slash = 0;
        if (sysfs_exists(at, "idVendor"))
            sysfs_text(at, "serial", serial, SMART_TEXT);
    }
    free(at);
}

static void read_directory(const char *directory, struct privacy_serial *s)
{
    static const char naa[] = "naa.";
    char wwid[SMART_TEXT];
    if (!sysfs_text(directory, "serial", s->serial, sizeof s->serial) &&
        !sysfs_text(directory, "device/serial", s->serial, sizeof s->serial))
        read_page(directory, s->serial);
    if (s->serial[0] == 0)
        read_usb(directory, s->serial);
    if (!sysfs_text(directory, "wwid", wwid, sizeof wwid) &&
        !sysfs_text(directory, "device/wwid", wwid, sizeof wwid))
        return;
    if (strncmp(wwid, naa, sizeof naa - 1) == 0)
        snprintf(s->wwn, sizeof s->wwn, "0x%.*s", SMART_TEXT - 8, wwid + sizeof naa - 1);
    else
        memcpy(s->wwn, wwid, sizeof wwid);
}

void privacy_serial_read(const char *root, const char *name, struct privacy_serial *serial)
{
    char **paths, *directory = sysfs_block(root, name);
    memset(serial, 0, sizeof *serial);
    if (directory != NULL)
        read_directory(directory, serial);
    free(directory);
    size_t count = stack_paths(root, name, &paths);
    if (count > 0 && serial->serial[0] == 0) {
        struct privacy_serial other = {.serial = ""};
        directory = sysfs_block(root, paths[0]);
        if (directory != NULL)
            read_directory(directory, &other);
        memcpy(serial->serial, other.serial, sizeof other.serial);
        if (serial->wwn[0] == 0)
            memcpy(serial->wwn, other.wwn, sizeof other.wwn);
        free(directory);
    }
    stack_paths_free(paths, count);
}

/* ---- hiding ---- */

static void hide_links(char *text)
{
    static const char disk[] = "/dev/disk/";
    for (char *at = text; (at = strstr(at, disk)) != NULL;) {
        at += sizeof disk - 2;
        char *from = at + strcspn(at, " :,;\"'");
        memmove(at, from, strlen(from) + 1);
    }
}

static void hide_maps(char *text)
{
    static const char mapper[] = "/dev/mapper/";
    for (char *at = text; (at = strstr(at, mapper)) != NULL;) {
        size_t digits = 0;
        at += sizeof mapper - 1;
        while (isxdigit((unsigned char)at[digits]))
            digits++;
        if (digits < WWN_DIGITS_MIN)
            continue;
        *at++ = '-';
        memmove(at, at + digits - 1, strlen(at + digits - 1) + 1);
    }
}

void privacy_hide_paths(char *text)
{
    hide_links(text);
    hide_maps(text);
}

void privacy_hide_options(char *options)
{
    static const char *const names[] = {
        "addr", "clientaddr", "mountaddr", "ip",     "srcaddr",  "unc",  "domain",
        "user", "username",   "workgroup", "source", "mon_addr", "name", "netbiosname"};
    privacy_hide_paths(options);
    for (char *at = options; *at != 0; at += strcspn(at, ","), at += *at == ',') {
        size_t name = strcspn(at, "=,");
        if (at[name] != '=')
            continue;
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            if (strlen(names[i]) != name || strncmp(at, names[i], name) != 0)
                continue;
            char *value = at + name + 1, *end = value + strcspn(value, ",");
            if (end > value) {
                *value = '-';
                memmove(value + 1, end, strlen(end) + 1);
            }
            break;
        }
    }
}

bool privacy_is_wwn(const char *directory, const char *name)
{
    static const char multipath[] = "mpath-";
    char uuid[256];
    if (!sysfs_text(directory, "dm/uuid", uuid, sizeof uuid))
        return false;
    const char *wwn = strstr(uuid, multipath);
    return wwn != NULL && wwn[sizeof multipath - 1] != 0 &&
           strstr(name, wwn + sizeof multipath - 1) != NULL;
}
