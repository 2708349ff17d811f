#include "analysis/waiting.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/standing.h"
#include "base/format.h"
#include "result/keys.h"

#define DOMINATES_SHARE 0.50 /* of the streams' time: from here on a kind of wait is the cause */
#define BUSY_SHARE      0.90 /* of all CPUs */
#define FULL_SHARE      0.95 /* of all CPUs: who waits for neither flush nor lock waits for them */
#define MENTIONED_SHARE 0.03 /* less is not worth a word */

static const char *const words[WAITS_GROUPS] = {
    [WAITS_CPU] = "CPU",
    [WAITS_FLUSH] = "flush leader",
    [WAITS_GROUP] = "group commit",
    [WAITS_LOG_INSERT] = "WAL insert",
    [WAITS_EXTEND] = "extend",
    [WAITS_ROW] = "row lock",
    [WAITS_BUFFER] = "page",
    [WAITS_FILE] = "data file",
    [WAITS_CLIENT] = "client",
    [WAITS_OTHER] = "other",
};

/* "the streams' time waits ..." */
static const char *const locks[WAITS_GROUPS] = {
    [WAITS_LOG_INSERT] = "for room in the WAL's buffer",
    [WAITS_EXTEND] = "to extend the table",
    [WAITS_ROW] = "for row and transaction locks",
    [WAITS_BUFFER] = "for a page that another stream uses",
};

const char *waiting_word(enum waits_group group)
{
    return words[group];
}

bool waiting_read(const struct group *group, struct waiting *waiting)
{
    bool known = false;
    *waiting = (struct waiting){.checkpoint = 0};
    for (int g = 0; g < WAITS_GROUPS; g++) {
        char path[64];
        snprintf(path, sizeof path, "waits.groups.%s", waits_groups[g]);
        waiting->groups[g] = group_median(group, path);
        known |= !isnan(waiting->groups[g]);
    }
    const char *name;
    json_t *share;
    json_object_foreach((json_t *)json_at(group->phases[0], "waits.events"), name, share)
    {
        if (strstr(name, "Checkpoint"))
            waiting->checkpoint += json_number_value(share);
    }
    return known && group_median(group, "waits.observations") >= WAITING_LOOKS;
}

static void say(json_t *evidence, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(json_t *evidence, const char *format, ...)
{
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    json_array_append_new(evidence, json_text(text));
}

/* " (Lock:extend)": the group's largest event, in the first repeat. */
static void add_event(char *text, size_t size, const struct group *group, enum waits_group wait)
{
    const json_t *leading = json_at(group->phases[0], "waits.leading");
    const char *event = json_string_value(json_object_get(leading, waits_groups[wait]));
    size_t used = strlen(text);
    if (event)
        snprintf(text + used, size - used, " (%.48s)", event);
}

/* "group commit 42% (LWLock:WALWrite), flush leader 20%": those of `wanted`, the largest first. */
static void list(const struct group *group, const struct waiting *w, const bool *wanted,
                 bool with_events, char *text, size_t size)
{
    bool told[WAITS_GROUPS] = {false};
    text[0] = 0;
    for (int rank = 0; rank < WAITS_GROUPS; rank++) {
        int most = -1;
        for (int g = 0; g < WAITS_GROUPS; g++)
            if (!told[g] && (!wanted || wanted[g]) && w->groups[g] >= MENTIONED_SHARE &&
                (most < 0 || w->groups[g] > w->groups[most]))
                most = g;
        if (most < 0)
            return;
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s %.0f%%", used ? ", " : "", words[most],
                 w->groups[most] * 100);
        if (with_events)
            add_event(text, size, group, (enum waits_group)most);
        told[most] = true;
    }
}

/* A table of its own for each stream is no remedy where each has one. */
static const char *remedy(const struct group *group, int most)
{
    const char *layout = keys_text(group->summary, group->trials[0], "workload.layout");
    bool shared = layout && strcmp(layout, "shared-table") == 0;
    bool helps = most == WAITS_EXTEND || most == WAITS_BUFFER;
    return shared && helps ? "; separate tables share no such lock" : "";
}

/* Who waits for another one that waits for a CPU. */
static void add_busy(char *text, size_t size, double host_busy)
{
    size_t used = strlen(text);
    if (host_busy >= BUSY_SHARE)
        snprintf(text + used, size - used, "; host CPU %.0f%% busy", host_busy * 100);
}

static void say_lock(json_t *evidence, const struct group *group, const struct waiting *w,
                     double share, double host_busy)
{
    const double nearly_all = 0.8;
    bool wanted[WAITS_GROUPS];
    int most = WAITS_ROW;
    char text[240] = "", busy[40] = "";
    add_busy(busy, sizeof busy, host_busy);
    for (int g = 0; g < WAITS_GROUPS; g++) {
        wanted[g] = locks[g] != NULL;
        if (wanted[g] && w->groups[g] > w->groups[most])
            most = g;
    }
    if (w->groups[most] >= share * nearly_all) {
        add_event(text, sizeof text, group, (enum waits_group)most);
        say(evidence, "lock: %.0f%% of the streams' time waits %s%s%s%s", w->groups[most] * 100,
            locks[most], text, remedy(group, most), busy);
        return;
    }
    list(group, w, wanted, true, text, sizeof text);
    say(evidence, "lock: %.0f%% of the streams' time waits for other streams: %s%s%s", share * 100,
        text, remedy(group, most), busy);
}

static void say_flush(json_t *evidence, const struct group *group, const struct waiting *w,
                      double share, double host_busy)
{
    static const bool wanted[WAITS_GROUPS] = {[WAITS_FLUSH] = true, [WAITS_GROUP] = true};
    bool loose = standing_is_loose(standing_of(group));
    const char *apart = group_log_apart(group);
    char text[240], place[80] = "", more[80] = "";
    struct format_text ms;
    if (apart)
        snprintf(place, sizeof place, " on %.60s", apart);
    list(group, w, wanted, true, text, sizeof text);
    if (loose) {
        say(evidence, "WAL: %.0f%% of the streams' time waits for it to be written%s", share * 100,
            place);
        return;
    }
    double flush_ms = group_median(group, "wal.flush_await_ms");
    if (!isnan(flush_ms))
        snprintf(more, sizeof more, "; %s ms a flush", format_digits(&ms, flush_ms));
    add_busy(more, sizeof more, host_busy);
    say(evidence, "flush: %.0f%% of the streams' time waits for the WAL%s: %s%s", share * 100,
        place, text, more);
}

static const char *judge_rest(const struct group *group, const struct waiting *w, double host_busy,
                              json_t *evidence)
{
    const double *g = w->groups;
    char text[240] = "", busy[40] = "";
    add_busy(busy, sizeof busy, host_busy);
    if (g[WAITS_FILE] >= DOMINATES_SHARE) {
        add_event(text, sizeof text, group, WAITS_FILE);
        say(evidence, "data files: %.0f%% of the streams' time waits for them%s%s",
            g[WAITS_FILE] * 100, text, busy);
        return "device";
    }
    if (host_busy >= FULL_SHARE && g[WAITS_CPU] < DOMINATES_SHARE) {
        list(group, w, NULL, false, text, sizeof text);
        say(evidence,
            "CPU: the host's CPUs were %.0f%% busy, and no flush or lock takes half of the "
            "streams' time: %s",
            host_busy * 100, text);
        return "cpu";
    }
    if (g[WAITS_CLIENT] >= DOMINATES_SHARE) {
        add_event(text, sizeof text, group, WAITS_CLIENT);
        say(evidence, "client: %.0f%% of the streams' time the server waits for loadline%s%s",
            g[WAITS_CLIENT] * 100, text, busy);
        return "client";
    }
    if (g[WAITS_CPU] >= DOMINATES_SHARE && host_busy >= BUSY_SHARE) {
        say(evidence,
            "CPU: %.0f%% of the streams' time is work without a wait; the host's CPUs were "
            "%.0f%% busy",
            g[WAITS_CPU] * 100, host_busy * 100);
        return "cpu";
    }
    list(group, w, NULL, false, text, sizeof text);
    say(evidence, "no single limit of the streams' time: %s%s", text, busy);
    return "unknown";
}

const char *waiting_judge(const struct group *group, const struct waiting *w, double host_busy,
                          json_t *evidence)
{
    const double *g = w->groups;
    double lock = g[WAITS_ROW] + g[WAITS_EXTEND] + g[WAITS_BUFFER] + g[WAITS_LOG_INSERT];
    double flush = g[WAITS_FLUSH] + g[WAITS_GROUP];
    if (w->checkpoint >= DOMINATES_SHARE) {
        say(evidence, "checkpoint: %.0f%% of the streams' time waits for one", w->checkpoint * 100);
        return "checkpoint";
    }
    if (lock >= DOMINATES_SHARE) {
        say_lock(evidence, group, w, lock, host_busy);
        return "lock";
    }
    if (flush >= DOMINATES_SHARE) {
        say_flush(evidence, group, w, flush, host_busy);
        return group_log_apart(group) ? "wal" : "device";
    }
    return judge_rest(group, w, host_busy, evidence);
}
