#include "analysis/flush_honesty.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/buyer_point.h"
#include "analysis/number.h"
#include "analysis/place.h"
#include "analysis/standing.h"
#include "result/keys.h"
#include "result/put.h"

#define NEARLY_ALL     0.90 /* of what a commit must flush: samples and commits do not end together */
#define RECYCLED_LEAST 0.50 /* of a phase's commits: less of it says nothing of the whole */
#define CLEARLY_MORE   1.20 /* than the mode asks for */
#define NONE_SEEN      0.02 /* a commit; group commit lets many share one */

static bool is_engine(const struct group *group, const char *name)
{
    const char *engine = group_engine(group);
    return engine && strcmp(engine, name) == 0;
}

/* As the trial's engine said, as it was asked for, as the first trial's engine said. */
static const char *setting(const struct group *group, const char *name, const char *key)
{
    const json_t *settings = json_object_get(group->trials[0], "engine_settings");
    const char *value = json_string_value(json_object_get(settings, name));
    if (!value && key)
        value = keys_text(group->summary, group->trials[0], key);
    if (!value)
        value = json_string_value(
            json_object_get(json_at(group->summary, "environment.engine_settings"), name));
    return value;
}

static void to_upper(char *text)
{
    for (; *text; text++)
        *text = *text >= 'a' && *text <= 'z' ? (char)(*text - 'a' + 'A') : *text;
}

void flush_honesty_mode(const struct group *group, char mode[FLUSH_MODE_TEXT])
{
    mode[0] = 0;
    if (is_engine(group, "sqlite")) {
        const char *journal = setting(group, "journal_mode", "sqlite.journal_mode");
        const char *level = setting(group, "synchronous", "sqlite.synchronous");
        if (journal && level)
            snprintf(mode, FLUSH_MODE_TEXT, "%.40s/%.40s", journal, level);
        to_upper(mode);
    } else if (is_engine(group, "postgres")) {
        const char *fsync = setting(group, "fsync", "postgres.conf.fsync");
        const char *commit = setting(group, "synchronous_commit", "postgres.synchronous_commit");
        if (fsync && commit)
            snprintf(mode, FLUSH_MODE_TEXT, "fsync %.20s, synchronous_commit %.20s", fsync, commit);
    } else if (is_engine(group, "fsync")) {
        snprintf(mode, FLUSH_MODE_TEXT, "fdatasync");
    }
}

static const struct reference {
    const char *mode;
    double bare, journal; /* without and with an ext4 journal */
} references[] = {
    {"WAL/FULL", 1, 1},     {"WAL/EXTRA", 1, 1},     {"WAL/NORMAL", 0, 0},   {"WAL/OFF", 0, 0},
    {"DELETE/FULL", 4, 4},  {"TRUNCATE/FULL", 5, 6}, {"PERSIST/FULL", 5, 6}, {"DELETE/OFF", 0, 0},
    {"TRUNCATE/OFF", 0, 0}, {"PERSIST/OFF", 0, 0},   {"MEMORY/OFF", 0, 0},   {"OFF/OFF", 0, 0},
};

static double sqlite_expected(const struct group *group, const char *mode)
{
    const char *filesystem = json_text_at(group_log_device(group), "filesystem");
    bool journal = filesystem && strcmp(filesystem, "ext4") == 0;
    for (size_t i = 0; i < sizeof references / sizeof *references; i++)
        if (strcmp(references[i].mode, mode) == 0)
            return journal ? references[i].journal : references[i].bare;
    return NAN;
}

static double postgres_expected(const struct group *group)
{
    const char *fsync = setting(group, "fsync", "postgres.conf.fsync");
    const char *commit = setting(group, "synchronous_commit", "postgres.synchronous_commit");
    if (!fsync || !commit)
        return NAN;
    return strcasecmp(fsync, "off") == 0 || strcasecmp(commit, "off") == 0 ? 0 : 1;
}

double flush_honesty_expected(const struct group *group)
{
    char mode[FLUSH_MODE_TEXT];
    flush_honesty_mode(group, mode);
    if (is_engine(group, "sqlite"))
        return sqlite_expected(group, mode);
    if (is_engine(group, "postgres"))
        return postgres_expected(group);
    return is_engine(group, "fsync") ? 1 : NAN;
}

/* Of the log's own device where it has one; of a WAL that is written again where it also grew:
 * growing costs a file system's journal more. */
static double flushes_of(const struct group *group)
{
    double commits = group_median(group, "commits");
    if (group_log_apart(group))
        return commits > 0 ? group_median(group, "wal.flushes") / commits : NAN;
    /* Of a few commits a sample more or less decides. */
    bool enough = group_median(group, "wal_recycled.commits") >= RECYCLED_LEAST * commits;
    double recycled = enough ? group_median(group, "wal_recycled.per_commit.flushes") : NAN;
    return isnan(recycled) ? group_median(group, "per_commit.flushes") : recycled;
}

struct entry {
    const struct group *group;
    char mode[FLUSH_MODE_TEXT];
    double streams, rows, flushes, expected;
    const char *cache, *verdict;
};

static const char *verdict_of(const struct entry *e)
{
    bool through = e->cache && strcmp(e->cache, "write through") == 0;
    if (group_memory(e->group) || isnan(e->flushes) || isnan(e->expected))
        return "unknown";
    if (e->expected == 0 || e->flushes >= NEARLY_ALL * e->expected)
        return "as asked";
    if (e->flushes > NONE_SEEN || group_median(e->group, "per_commit.flushes") > NONE_SEEN)
        return e->streams > 1 ? "merged" : "unknown";
    if (through)
        return "as asked"; /* there is nothing to flush */
    return e->cache ? "NOT FLUSHED" : "unknown";
}

static void entry_read(struct entry *e, const struct group *group)
{
    *e = (struct entry){
        .group = group,
        .streams = group_median(group, "stream_count"),
        .rows = place_rows_per_commit(group),
        .flushes = flushes_of(group),
        .expected = flush_honesty_expected(group),
        .cache = json_text_at(group_log_device(group), "write_cache"),
    };
    flush_honesty_mode(group, e->mode);
    e->verdict = verdict_of(e);
}

static bool is_sound(const struct group *group)
{
    for (size_t i = 0; i < group->count; i++)
        if (json_is_true(json_object_get(group->phases[i], "measured_elsewhere")))
            return false;
    return !group_is_elsewhere(group) && standing_of(group) != STANDING_NO_DRIVE;
}

static bool is_same(const struct entry *a, const struct entry *b)
{
    return a->streams == b->streams && strcmp(a->mode, b->mode) == 0 &&
           group_log_device(a->group) == group_log_device(b->group) &&
           strcmp(group_engine(a->group), group_engine(b->group)) == 0;
}

static size_t collect(const struct groups *groups, struct entry *entries)
{
    size_t count = 0;
    for (size_t i = 0; i < groups->count; i++) {
        const struct group *group = &groups->items[i];
        struct entry entry;
        if (!group_engine(group) || !is_sound(group))
            continue;
        entry_read(&entry, group);
        if (!(entry.streams > 0) || !entry.mode[0])
            continue;
        size_t at = 0;
        while (at < count && !is_same(&entries[at], &entry))
            at++;
        if (at < count && !(entry.rows < entries[at].rows))
            continue;
        if (at < FLUSH_HONESTY_MOST)
            entries[at] = entry;
        count += at == count && count < FLUSH_HONESTY_MOST;
    }
    return count;
}

/* A file that grows makes a file system's journal flush too. */
static const char *why_more(const struct entry *e)
{
    bool grew = group_median(e->group, "wal_growing.commits") >=
                RECYCLED_LEAST * group_median(e->group, "commits");
    return grew && e->flushes > CLEARLY_MORE * e->expected ? ", and its WAL, which still grew, more"
                                                           : "";
}

/* "1.00 flushes a commit at 1 stream; WAL/FULL asks for 1" */
static void say(json_t *points, const struct entry *e)
{
    struct format_text seen, asked, streams;
    number_decimals(&seen, e->flushes);
    format_grouped(&asked, e->expected);
    format_grouped(&streams, e->streams);
    const char *plural = e->streams == 1 ? "" : "s";
    if (isnan(e->flushes) || isnan(e->expected) || group_memory(e->group))
        return;
    if (strcmp(e->verdict, "NOT FLUSHED") == 0)
        buyer_point(
            points, "flushes",
            "NOT FLUSHED: %s flushes a commit at %s stream%s where %s asks for %s; the drive has a "
            "volatile cache, and a power cut may take commits",
            seen.text, streams.text, plural, e->mode, asked.text);
    else if (strcmp(e->verdict, "merged") == 0)
        buyer_point(
            points, "flushes",
            "%s flushes a commit at %s streams: they share flushes; one stream alone needs %s "
            "(%s)",
            seen.text, streams.text, asked.text, e->mode);
    else if (e->expected == 0)
        buyer_point(
            points, "flushes",
            "%s flushes a commit at %s stream%s: %s asks for none, so a power cut may take commits",
            seen.text, streams.text, plural, e->mode);
    else if (e->flushes >= NEARLY_ALL * e->expected)
        buyer_point(points, "flushes", "%s flushes a commit at %s stream%s; %s asks for %s%s",
                    seen.text, streams.text, plural, e->mode, asked.text, why_more(e));
    else if (strcmp(e->verdict, "as asked") == 0)
        buyer_point(
            points, "flushes",
            "%s flushes a commit at %s stream%s: %s asks for %s, and a device without a volatile "
            "cache needs none",
            seen.text, streams.text, plural, e->mode, asked.text);
    else
        buyer_point(
            points, "flushes",
            "%s flushes a commit at %s stream%s where %s asks for %s: fewer than it takes, unknown "
            "why",
            seen.text, streams.text, plural, e->mode, asked.text);
}

static json_t *entry_json(const struct entry *e)
{
    json_t *object = json_object();
    put_text(object, "engine", group_engine(e->group));
    put_text(object, "mode", e->mode);
    put_number(object, "streams", e->streams);
    put_real(object, "flushes_per_commit", e->flushes);
    put_number(object, "expected", e->expected);
    put_text(object, "write_cache", e->cache);
    put_text(object, "verdict", e->verdict);
    return object;
}

/* What a person should not miss first, then the fewest streams, then what the most of them share;
 * a sweep of streams says the same of each. */
static void say_some(json_t *points, const struct entry *entries, size_t count)
{
    static const char *const order[] = {"NOT FLUSHED", "unknown", "as asked", "merged"};
    enum { ORDERS = sizeof order / sizeof *order, SAID_MOST = 3 };
    size_t said = 0;
    for (size_t o = 0; o < ORDERS; o++) {
        const struct entry *last = NULL;
        for (size_t i = 0; i < count; i++) {
            const struct entry *e = &entries[o + 1 < ORDERS ? i : count - 1 - i];
            bool again = last && strcmp(last->mode, e->mode) == 0;
            if (strcmp(e->verdict, order[o]) != 0 || again || said >= SAID_MOST)
                continue;
            say(points, e);
            said++;
            last = e;
        }
    }
}

json_t *flush_honesty_json(const struct groups *groups, json_t *points)
{
    struct entry *entries = calloc(FLUSH_HONESTY_MOST, sizeof *entries);
    json_t *list = json_array();
    size_t count = entries ? collect(groups, entries) : 0;
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, entry_json(&entries[i]));
    say_some(points, entries, count);
    free(entries);
    return list;
}
