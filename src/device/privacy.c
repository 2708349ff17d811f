#include "device/privacy.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "device/smart_load.h"
#include "device/stack_paths.h"
#include "device/sysfs.h"

enum { PAGE_LIMIT = 4096, PAGE_HEADER = 4 };
enum { WORD_MIN = 8, WORD_HIDDEN_MIN = 4, WWN_DIGITS_MIN = 16 };

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

/* Replaces the letters from `at` to `end` by a dash; where the text goes on. */
static char *put_dash(char *at, const char *end)
{
    *at = '-';
    memmove(at + 1, end, strlen(end) + 1);
    return at + 1;
}

static bool begins_like_wwn(const char *name, size_t size)
{
    static const char *const begins[] = {"eui.",  "naa.", "t10.", "nvme.",
                                         "uuid.", "wwn-", "ata-", "scsi-"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (size > strlen(begins[i]) && strncasecmp(name, begins[i], strlen(begins[i])) == 0)
            return true;
    /* scsi_id puts the kind of the number, one digit, in front of it. */
    return size >= WORD_MIN && isdigit((unsigned char)name[0]);
}

/* Letters and digits in one run, at least half of them digits, as drives' numbers are written. */
static bool holds_serial(const char *name, size_t size)
{
    size_t run = 0, digits = 0;
    for (size_t i = 0; i <= size; i++) {
        if (i < size && isalnum((unsigned char)name[i])) {
            run++;
            digits += isdigit((unsigned char)name[i]) != 0;
            continue;
        }
        if (run >= WORD_MIN && 2 * digits >= run)
            return true;
        run = digits = 0;
    }
    return false;
}

/* Without the number of a partition behind it, "-part1". */
static size_t name_size(const char *name, size_t size)
{
    size_t end = size;
    while (end > 0 && isdigit((unsigned char)name[end - 1]))
        end--;
    return end < size && end >= 5 && strncmp(name + end - 5, "-part", 5) == 0 ? end - 5 : size;
}

/* The parts of one path below a folder of /dev; kernel names stand in /dev itself. */
static void hide_in_folder(char *at)
{
    at += strcspn(at, "/ ,;\"'()");
    while (*at == '/') {
        char *name = at + 1;
        size_t size = strcspn(name, "/ ,;\"'()"), own = name_size(name, size);
        at = name + size;
        if (own > 0 && (begins_like_wwn(name, own) || holds_serial(name, own)))
            at = put_dash(name, name + own) + (size - own);
    }
}

static void hide_devices(char *text)
{
    static const char dev[] = "/dev/", arrays[] = "md/";
    for (char *at = text; (at = strstr(at, dev)) != NULL;) {
        at += sizeof dev - 1;
        char *host = at + sizeof arrays - 1, *colon;
        if (strncmp(at, arrays, sizeof arrays - 1) == 0) {
            colon = host + strcspn(host, ":/ ,;\"'()");
            if (*colon == ':' && colon > host)
                put_dash(host, colon);
        }
        hide_in_folder(at);
    }
}

void privacy_hide_paths(char *text)
{
    hide_links(text);
    hide_devices(text);
}

void privacy_hide_word(char *text, const char *word)
{
    size_t size = word != NULL ? strlen(word) : 0;
    if (size < WORD_HIDDEN_MIN)
        return;
    for (char *at = text; (at = strcasestr(at, word)) != NULL;)
        at = put_dash(at, at + size);
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

static bool has_wwn_digits(const char *name)
{
    size_t run = 0;
    for (; *name != 0 && run < WWN_DIGITS_MIN; name++)
        run = isxdigit((unsigned char)*name) ? run + 1 : 0;
    return run >= WWN_DIGITS_MIN;
}

bool privacy_is_wwn(const char *directory, const char *name)
{
    static const char multipath[] = "mpath-";
    char uuid[256];
    if (has_wwn_digits(name))
        return true;
    if (!sysfs_text(directory, "dm/uuid", uuid, sizeof uuid))
        return false;
    const char *wwn = strstr(uuid, multipath);
    return wwn != NULL && wwn[sizeof multipath - 1] != 0 &&
           strstr(name, wwn + sizeof multipath - 1) != NULL;
}
