#include "device/diskstats.h"

#include <string.h>

const char *const disk_field_names[DISK_FIELDS] = {
    "reads",          "read_merges",     "read_sectors", "read_ms", "writes",      "write_merges",
    "write_sectors",  "write_ms",        "in_flight",    "io_ms",   "weighted_ms", "discards",
    "discard_merges", "discard_sectors", "discard_ms",   "flushes", "flush_ms"};

enum {
    BASIC_COUNT = DISK_DISCARDS,                  /* since 2.6.0 */
    DISCARD_COUNT = DISK_FLUSHES - DISK_DISCARDS, /* since 4.18 */
    FLUSH_COUNT = DISK_FIELDS - DISK_FLUSHES,     /* since 5.5 */
    OLD_PARTITION_COUNT = 4,
    TOKENS_MAX = DISK_FIELDS, /* counters behind these are of kernels to come */
};

struct token {
    const char *text;
    size_t size;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* The next word; size 0 at the end. */
static struct token next_token(const char **at, const char *end)
{
    while (*at < end && is_blank(**at))
        (*at)++;
    struct token token = {*at, 0};
    while (*at < end && !is_blank(**at))
        (*at)++;
    token.size = (size_t)(*at - token.text);
    return token;
}

static bool is_number(struct token token)
{
    for (size_t i = 0; i < token.size; i++)
        if (token.text[i] < '0' || token.text[i] > '9')
            return false;
    return token.size > 0;
}

/* Leading zeros are decimal, as the kernel prints them. */
static bool parse_u64(struct token token, uint64_t *value)
{
    if (!is_number(token))
        return false;
    *value = 0;
    for (size_t i = 0; i < token.size; i++) {
        if (__builtin_mul_overflow(*value, UINT64_C(10), value) ||
            __builtin_add_overflow(*value, (uint64_t)(token.text[i] - '0'), value))
            return false;
    }
    return true;
}

static bool parse_unsigned(struct token token, unsigned *value)
{
    uint64_t wide;
    if (!parse_u64(token, &wide) || wide > UINT32_MAX)
        return false;
    *value = (unsigned)wide;
    return true;
}

/* A signed int in the kernel, printed with %u or %d, and now and then below 0. */
static bool parse_in_flight(struct token token, uint64_t *value)
{
    if (token.size > 1 && token.text[0] == '-') {
        token.text++;
        token.size--;
        bool ok = parse_u64(token, value);
        *value = 0;
        return ok;
    }
    if (!parse_u64(token, value))
        return false;
    if (*value >> 63 || (*value <= UINT32_MAX && *value >> 31))
        *value = 0;
    return true;
}

/* True of what is a number, whether or not it is a count. */
static bool put_counter(struct diskstats *row, enum disk_field field, struct token token)
{
    bool ok = field == DISK_IN_FLIGHT ? parse_in_flight(token, &row->value[field])
                                      : parse_u64(token, &row->value[field]);
    bool is_count = ok && row->value[field] <= INT64_MAX;
    if (!is_count)
        row->value[field] = 0;
    row->present |= (uint32_t)is_count << field;
    return ok;
}

/* How many of `seen` counters can be told apart; a group that is cut short is left out. */
static size_t known_counters(size_t seen)
{
    if (seen >= BASIC_COUNT + DISCARD_COUNT + FLUSH_COUNT)
        return BASIC_COUNT + DISCARD_COUNT + FLUSH_COUNT;
    if (seen >= BASIC_COUNT + DISCARD_COUNT)
        return BASIC_COUNT + DISCARD_COUNT;
    return BASIC_COUNT;
}

static bool parse_counters(const char *at, const char *end, size_t least, struct diskstats *row,
                           const char **why)
{
    static const enum disk_field old_partition[OLD_PARTITION_COUNT] = {
        DISK_READS, DISK_READ_SECTORS, DISK_WRITES, DISK_WRITE_SECTORS};
    struct token tokens[TOKENS_MAX];
    size_t seen = 0;
    while (seen < TOKENS_MAX && (tokens[seen] = next_token(&at, end)).size != 0)
        seen++;
    if (seen < BASIC_COUNT && (seen != OLD_PARTITION_COUNT || least != OLD_PARTITION_COUNT)) {
        *why = "neither 7 nor at least 14";
        return false;
    }
    size_t count = seen < BASIC_COUNT ? OLD_PARTITION_COUNT : known_counters(seen);
    for (size_t i = 0; i < count; i++) {
        enum disk_field field = seen < BASIC_COUNT ? old_partition[i] : (enum disk_field)i;
        if (!put_counter(row, field, tokens[i])) {
            *why = "a counter is no number of 64 bits";
            return false;
        }
    }
    return true;
}

static bool put_name(struct diskstats *row, struct token name, const char **why)
{
    if (name.size == 0 || is_number(name)) {
        *why = "third field is a number: 2.4 layout or a broken line";
        return false;
    }
    if (name.size >= sizeof row->name || memchr(name.text, 0, name.size) != NULL) {
        *why = "the name is longer than any device's";
        return false;
    }
    memcpy(row->name, name.text, name.size);
    return true;
}

bool diskstats_parse_line(const char *line, size_t size, struct diskstats *row, const char **why)
{
    const char *at = line, *end = line + size;
    struct diskstats read = {.present = 0};
    *row = read;
    struct token major = next_token(&at, end), minor = next_token(&at, end);
    if (!parse_unsigned(major, &read.major) || !parse_unsigned(minor, &read.minor)) {
        *why = "does not begin with major and minor number";
        return false;
    }
    if (!put_name(&read, next_token(&at, end), why) ||
        !parse_counters(at, end, OLD_PARTITION_COUNT, &read, why))
        return false;
    *row = read;
    return true;
}

bool diskstats_parse_stat(const char *text, size_t size, const char *name, struct diskstats *row,
                          const char **why)
{
    struct diskstats read = {.present = 0};
    *row = read;
    if (!put_name(&read, (struct token){name, strlen(name)}, why) ||
        !parse_counters(text, text + size, BASIC_COUNT, &read, why))
        return false;
    *row = read;
    return true;
}
