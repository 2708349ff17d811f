/* Every tick of the sampler comes through here, with one line a device and hundreds of
 * devices: a line that nobody asked for costs a look at its name. */
#include <stdio.h>
#include <string.h>

#include "device/diskstats.h"

/* One bit for each wanted name, from its length and last letters. */
static unsigned name_bit(const char *name, size_t size)
{
    unsigned last = (unsigned char)name[size - 1];
    unsigned before = size > 1 ? (unsigned char)name[size - 2] : 0;
    return (last + 7 * before + 17 * (unsigned)size) & 63;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *skip_digits(const char *at, const char *end)
{
    while (at < end && is_digit(*at))
        at++;
    return at;
}

bool diskstats_path_head(const char *name, size_t size, char *head, size_t capacity)
{
    const char *end = name + size;
    if (size < 8 || size >= capacity || memcmp(name, "nvme", 4) != 0)
        return false;
    const char *c = skip_digits(name + 4, end);
    if (c == name + 4 || c == end || *c != 'c')
        return false;
    const char *n = skip_digits(c + 1, end);
    if (n == c + 1 || n == end || *n != 'n' || n + 1 == end || skip_digits(n + 1, end) != end)
        return false;
    size_t first = (size_t)(c - name), rest = (size_t)(end - n);
    memcpy(head, name, first);
    memcpy(head + first, n, rest);
    head[first + rest] = 0;
    return true;
}

bool diskstats_is_idle_head(const struct diskstats *row)
{
    const char *end = row->name + strlen(row->name);
    if (strncmp(row->name, "nvme", 4) != 0 || !diskstats_has(row, DISK_READS) ||
        !diskstats_has(row, DISK_WRITES))
        return false;
    const char *n = skip_digits(row->name + 4, end);
    if (n == row->name + 4 || *n != 'n' || n + 1 == end || skip_digits(n + 1, end) != end)
        return false;
    return (row->value[DISK_READS] | row->value[DISK_WRITES] | row->value[DISK_DISCARDS] |
            row->value[DISK_FLUSHES]) == 0;
}

/* The name on a line, without parsing its numbers. */
static const char *line_name(const char *at, const char *end, size_t *size)
{
    for (int word = 0; word < 2; word++) {
        while (at < end && *at == ' ')
            at++;
        at = skip_digits(at, end);
    }
    while (at < end && *at == ' ')
        at++;
    const char *name = at;
    while (at < end && *at != ' ' && *at != '\t' && *at != '\r')
        at++;
    *size = (size_t)(at - name);
    return name;
}

static size_t line_end(const char *text, size_t size, size_t start)
{
    const char *newline = memchr(text + start, '\n', size - start);
    return newline ? (size_t)(newline - text) : size;
}

/* sum += row.  What one of them does not carry is unknown of the sum. */
static void add_row(struct diskstats *sum, const struct diskstats *row)
{
    sum->present &= row->present;
    for (int f = 0; f < DISK_FIELDS; f++) {
        uint64_t both = sum->value[f] + row->value[f]; /* each below 2^63 */
        if (both > INT64_MAX)
            sum->present &= ~(1U << f);
        sum->value[f] = (sum->present >> f) & 1 ? both : 0;
    }
}

/* Rare: only where a head that was asked for stands at 0 and paths were seen. */
static void sum_paths(const char *text, size_t size, struct diskstats *head)
{
    struct diskstats sum = *head, path;
    bool any = false;
    const char *why;
    for (size_t start = 0, end; start < size; start = end + 1) {
        end = line_end(text, size, start);
        size_t length;
        char owner[sizeof head->name];
        const char *name = line_name(text + start, text + end, &length);
        if (!diskstats_path_head(name, length, owner, sizeof owner) ||
            strcmp(owner, head->name) != 0 ||
            !diskstats_parse_line(text + start, end - start, &path, &why))
            continue;
        if (!any) {
            sum.present = path.present;
            memset(sum.value, 0, sizeof sum.value);
        }
        any = true;
        add_row(&sum, &path);
    }
    if (any)
        *head = sum;
}

/* Rare too: a row of several devices. */
static void sum_members(const char *text, size_t size, const char *names, struct diskstats *row)
{
    struct diskstats sum = {.present = (1U << DISK_FIELDS) - 1};
    for (const char *at = names; *at != 0;) {
        char member[sizeof row->name];
        const char *one = member;
        struct diskstats part;
        size_t length = strcspn(at, (const char[]){DISK_SUM_SIGN, 0});
        if (length >= sizeof member)
            return;
        memcpy(member, at, length);
        member[length] = 0;
        diskstats_pick(text, size, &one, 1, &part);
        if (part.name[0] == 0)
            return;
        add_row(&sum, &part);
        at += length;
        at += *at == DISK_SUM_SIGN;
    }
    *row = sum;
    snprintf(row->name, sizeof row->name, "%s", names);
}

void diskstats_pick(const char *text, size_t size, const char *const *names, size_t count,
                    struct diskstats *rows)
{
    uint64_t wanted = 0;
    bool paths = false;
    for (size_t i = 0; i < count; i++) {
        rows[i] = (struct diskstats){.present = 0};
        size_t length = strlen(names[i]);
        if (length != 0)
            wanted |= UINT64_C(1) << name_bit(names[i], length);
    }
    for (size_t start = 0, end; start < size; start = end + 1) {
        end = line_end(text, size, start);
        size_t length;
        const char *name = line_name(text + start, text + end, &length);
        if (length == 0)
            continue;
        if (length >= 8 && name[0] == 'n' && !paths) {
            char head[sizeof rows->name];
            paths = diskstats_path_head(name, length, head, sizeof head);
        }
        if (!((wanted >> name_bit(name, length)) & 1))
            continue;
        for (size_t i = 0; i < count; i++) {
            const char *why;
            if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0)
                diskstats_parse_line(text + start, end - start, &rows[i], &why);
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (paths && diskstats_is_idle_head(&rows[i]))
            sum_paths(text, size, &rows[i]);
        if (rows[i].name[0] == 0 && strchr(names[i], DISK_SUM_SIGN) != NULL)
            sum_members(text, size, names[i], &rows[i]);
    }
}
