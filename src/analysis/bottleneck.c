#include "analysis/bottleneck.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "analysis/standing.h"
#include "analysis/waiting.h"
#include "base/format.h"
#include "result/keys.h"
#include "result/metric.h"
#include "result/put.h"

/* From these shares on a cause is named. */
#define CAP_SHARE        0.90 /* of a limit above the drive */
#define CAP_SHARE_MAX    1.20 /* who writes more is not held by it */
#define LOCK_SHARE       0.50 /* of a transaction spent waiting for the lock */
#define DEVICE_SHARE     0.60 /* of the time the drive was at work for commits */
#define CPU_SHARE        0.90 /* of all CPUs busy */
#define CLIENT_SHARE     0.90 /* of a CPU for each stream, or of all CPUs where they are fewer */
#define MENTIONED_SHARE  0.03 /* of the time: less is not worth a word */
#define CHECKPOINT_SHARE 0.50 /* of the streams' time spent checkpointing */
#define HOST_UNSEEN_S    1.0  /* a phase that is shorter may have too few ticks of the CPUs */
#define OFFER_SHARE      0.98 /* of the transactions that an open loop offers */

/* Shares of time, 0 to 1 and NaN where not known. */
struct shares {
    double streams;
    double lock_ms, transaction_ms, lock;
    double flush_ms, writes_ms, commit_ms; /* of one commit, at one stream */
    double flush, writes;                  /* of the phase; at several streams writes is NaN */
    double host, client, checkpoint;
    double cpus;      /* that the streams could use at one time: the client's share is of these */
    bool is_server;   /* the engine works in processes of its own */
    bool host_unseen; /* the phase was measured, and too short for a share of the host's CPUs */
    bool has_waits;   /* a server's sessions were observed */
    struct waiting waiting;
};

/* Flush and write times add up over what runs side by side. */
static double share(double part, double whole)
{
    double value = whole > 0 ? part / whole : NAN;
    return value > 1 ? 1 : value;
}

/* Of the device that commits wait for: that of the log. */
static void read_device(const struct group *group, struct shares *s)
{
    double commits = group_median(group, "commits");
    double phase_ms = group_median(group, "wal.seconds") * 1e3;
    double flush_ms = group_median(group, "wal.flush_ms");
    double data_ms = group_median(group, "wal.write_ms") - flush_ms;
    s->flush = share(flush_ms, phase_ms);
    s->writes = s->streams > 1 ? NAN : share(data_ms < 0 ? 0 : data_ms, phase_ms);
    s->commit_ms = commits > 0 ? phase_ms / commits : NAN;
    s->flush_ms = commits > 0 ? flush_ms / commits : NAN;
    s->writes_ms = commits > 0 && data_ms > 0 ? data_ms / commits : 0;
}

static void read_shares(const struct group *group, struct shares *s)
{
    double elapsed_s = group_median(group, "elapsed_s");
    *s = (struct shares){.streams = group_median(group, "stream_count")};
    s->transaction_ms = group_median(group, "latency_ms.transaction.mean");
    s->lock_ms = group_median(group, "latency_ms.lock_wait.mean");
    s->lock = share(s->lock_ms, s->transaction_ms);
    read_device(group, s);
    s->host = group_median(group, "cpu.host_busy");
    double cpus = json_number_at(group->summary, "environment.cpus");
    s->cpus = s->streams <= 1 ? 1 : s->streams <= cpus ? s->streams : cpus;
    s->client = share(group_median(group, "cpu.client_s"), elapsed_s * s->cpus);
    s->host_unseen = isnan(s->host) && elapsed_s < HOST_UNSEEN_S;
    const char *engine = group_engine(group);
    s->is_server = engine && strcmp(engine, "postgres") == 0;
    if (standing_is_loose(standing_of(group))) /* no commit waits for what the drive does then */
        s->flush = s->writes = NAN;
    s->checkpoint =
        share(group_median(group, "engine.checkpoint_ms"), elapsed_s * 1e3 * s->streams);
    s->has_waits = waiting_read(group, &s->waiting);
}

static void say(json_t *evidence, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(json_t *evidence, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    json_array_append_new(evidence, json_text(text));
}

static void say_lock(json_t *evidence, const struct shares *s)
{
    struct format_text wait, whole;
    say(evidence, "lock: %s of %s ms (%.0f%%) of a transaction at %.0f streams",
        format_digits(&wait, s->lock_ms), format_digits(&whole, s->transaction_ms), s->lock * 100,
        s->streams);
}

static void say_device(json_t *evidence, const struct shares *s)
{
    struct format_text part, whole;
    char also[32] = "";
    if (s->host >= CPU_SHARE)
        snprintf(also, sizeof also, "; host CPU %.0f%% busy", s->host * 100);
    if (s->streams > 1) {
        say(evidence, "flush: one in flight %.0f%% of the time%s", s->flush * 100, also);
        return;
    }
    bool flush_alone = s->flush >= DEVICE_SHARE;
    const char *what = flush_alone ? "flush" : "writes and flush";
    double part_ms = flush_alone ? s->flush_ms : s->flush_ms + s->writes_ms;
    if (part_ms > s->commit_ms) /* side by side, or another's on the same drive */
        say(evidence, "%s: all of the %s ms of a commit (%s ms of requests that overlap)%s", what,
            format_digits(&whole, s->commit_ms), format_digits(&part, part_ms), also);
    else
        say(evidence, "%s: %s of %s ms (%.0f%%) of a commit%s", what, format_digits(&part, part_ms),
            format_digits(&whole, s->commit_ms), share(part_ms, s->commit_ms) * 100, also);
}

/* "CPU 51%, flush 28%, writes 21%": what is known and not negligible.  At one stream the CPU
 * is the client's share of one, at several the host's share of all; it is the client's alone where
 * the engine works in processes of its own or nobody knows what the host did. */
static void say_all(json_t *evidence, const char *lead, const struct shares *s)
{
    bool own_only = s->streams <= 1 && (s->is_server || isnan(s->host));
    struct part {
        const char *name;
        double value;
    } parts[] = {
        {"lock", s->streams > 1 ? s->lock : NAN},
        {own_only ? "loadline's own CPU" : "CPU", s->streams > 1 ? s->host : s->client},
        {"flush", s->flush},
        {"writes", s->writes},
        {"checkpoint", s->checkpoint},
    };
    enum { PARTS = sizeof parts / sizeof *parts };
    for (size_t i = 0; i < PARTS; i++)
        if (isnan(parts[i].value))
            parts[i].value = 0;        /* not mentioned */
    for (size_t i = 1; i < PARTS; i++) /* the largest first */
        for (size_t k = i; k > 0 && parts[k].value > parts[k - 1].value; k--) {
            struct part swapped = parts[k];
            parts[k] = parts[k - 1];
            parts[k - 1] = swapped;
        }
    char text[200] = "";
    for (size_t i = 0; i < PARTS; i++) {
        size_t used = strlen(text);
        if (parts[i].value >= MENTIONED_SHARE)
            snprintf(text + used, sizeof text - used, "%s%s %.0f%%", used ? ", " : "",
                     parts[i].name, parts[i].value * 100);
    }
    say(evidence, "%s%s%s", lead, *text ? text : "nothing that was measured explains the time",
        s->host_unseen ? "; the host's CPU is unknown: the phase is too short" : "");
}

static bool is_near(double rate, double cap)
{
    return rate >= cap * CAP_SHARE && rate <= cap * CAP_SHARE_MAX;
}

/* Does the group write about as much to the device of this role as a limit above it allows?  Its
 * sentence, then. */
static bool is_capped_at(const struct group *group, const char *role, const json_t *device,
                         json_t *evidence)
{
    static const char *const members[] = {"seconds", "write_bytes", "writes", "write_merges"};
    enum { MEMBERS = sizeof members / sizeof *members };
    double values[MEMBERS];
    for (size_t i = 0; i < MEMBERS; i++) {
        char path[32];
        snprintf(path, sizeof path, "%s.%s", role, members[i]);
        values[i] = group_median(group, path);
    }
    const char *where = group_log_apart(group) && strcmp(role, "wal") == 0 ? "WAL's cap" : "cap";
    double bytes_per_s = values[1] / values[0], writes_per_s = values[2] / values[0];
    /* The kernel holds requests back before it joins them, and counts them after. */
    double asked_per_s = isnan(values[3]) ? NAN : writes_per_s + values[3] / values[0];
    double bytes_cap = json_number_at(device, "cap.write_bytes_per_s");
    double writes_cap = json_number_at(device, "cap.write_iops");
    struct format_text rate, limit, left;
    if (is_near(bytes_per_s, bytes_cap))
        say(evidence, "%s: %s/s written of the %s/s that a control group allows", where,
            format_bytes(&rate, bytes_per_s), format_bytes(&limit, bytes_cap));
    else if (is_near(writes_per_s, writes_cap))
        say(evidence, "%s: %s of the %s writes/s that a control group allows", where,
            format_digits(&rate, writes_per_s), format_digits(&limit, writes_cap));
    else if (is_near(asked_per_s, writes_cap))
        say(evidence, "%s: %s of the %s writes/s that a control group allows, joined to %s", where,
            format_digits(&rate, asked_per_s), format_digits(&limit, writes_cap),
            format_digits(&left, writes_per_s));
    else
        return false;
    return true;
}

static bool is_capped(const struct group *group, json_t *evidence)
{
    return is_capped_at(group, "wal", group_log_device(group), evidence) ||
           is_capped_at(group, "data", group_device(group), evidence);
}

/* Does an open loop do what it offers?  Then nothing else holds it. */
static bool keeps_offer(const struct group *group, json_t *evidence)
{
    double offered = keys_number(group->summary, group->trials[0], "workload.rate");
    struct spread done;
    struct format_text a, b;
    group_rate(group, "commits_per_s", &done);
    if (!(offered > 0) || !(done.median >= OFFER_SHARE * offered))
        return false;
    say(evidence, "rate: %s of the %s transactions/s offered were done: no limit but the offer",
        format_digits(&a, done.median), format_digits(&b, offered));
    return true;
}

/* The process has no time left.  An engine inside of it works on that time too: then it is no more
 * loadline's than the engine's. */
static const char *judge_client(const struct group *group, const struct shares *s, json_t *evidence)
{
    const char *engine = group_engine(group);
    char whose[96];
    snprintf(whose, sizeof whose, "%.0f stream%s used %.0f%% of %.0f CPU%s", s->streams,
             s->streams == 1 ? "" : "s", s->client * 100, s->cpus, s->cpus == 1 ? "" : "s");
    if (s->is_server) {
        say(evidence, "client: %s", whose);
        return "client";
    }
    say(evidence, "CPU: %s, %s's work included", whose, engine ? engine : "the engine");
    return "cpu";
}

/* Nothing but loadline was at work: what it did is what it can. */
static const char *judge_null(const struct shares *s, json_t *evidence)
{
    if (isnan(s->client)) {
        say(evidence, "client: no engine and no drive were at work, only loadline itself");
        return "client";
    }
    say(evidence,
        "client: no engine and no drive were at work; loadline itself used %.0f%% of %.0f CPU%s",
        s->client * 100, s->cpus, s->cpus == 1 ? "" : "s");
    return "client";
}

static const char *judge_times(const struct group *group, const struct shares *s, json_t *evidence)
{
    if (s->streams > 1 && s->lock > LOCK_SHARE) {
        say_lock(evidence, s);
        return "lock";
    }
    if (s->checkpoint > CHECKPOINT_SHARE) {
        say(evidence, "checkpoint: %.0f%% of the streams' time", s->checkpoint * 100);
        return "checkpoint";
    }
    double device = s->flush + (isnan(s->writes) ? 0 : s->writes);
    if (device >= DEVICE_SHARE) {
        say_device(evidence, s);
        return group_log_apart(group) ? "wal" : "device";
    }
    if (s->host >= CPU_SHARE) {
        say(evidence, "CPU: the host's CPUs were %.0f%% busy", s->host * 100);
        return "cpu";
    }
    if (s->client >= CLIENT_SHARE)
        return judge_client(group, s, evidence);
    say_all(evidence, "no single limit: ", s);
    return "unknown";
}

static const char *judge(const struct group *group, const struct shares *s, json_t *evidence)
{
    if (keeps_offer(group, evidence))
        return "client";
    if (standing_of(group) == STANDING_NO_DRIVE)
        return judge_null(s, evidence);
    if (is_capped(group, evidence)) /* what waits for the drive waits for it */
        return "cap";
    return s->has_waits ? waiting_judge(group, &s->waiting, s->host, evidence)
                        : judge_times(group, s, evidence);
}

static bool is_elsewhere(const struct group *group)
{
    for (size_t i = 0; i < group->count; i++)
        if (json_is_true(json_object_get(group->phases[i], "measured_elsewhere")))
            return true;
    return false;
}

static json_t *shares_json(const struct shares *s)
{
    json_t *shares = json_object();
    put_real(shares, "lock", s->lock);
    put_real(shares, "flush", s->flush);
    put_real(shares, "writes", s->writes);
    put_real(shares, "client_cpu", s->client);
    put_real(shares, "host_cpu", s->host);
    put_real(shares, "checkpoint", s->checkpoint);
    json_t *waits = s->has_waits ? json_object() : NULL;
    for (int g = 0; waits && g < WAITS_GROUPS; g++)
        put_real(waits, waits_groups[g], s->waiting.groups[g]);
    put(shares, "waits", waits);
    return shares;
}

json_t *bottleneck_json(const struct group *group)
{
    struct shares s;
    read_shares(group, &s);
    json_t *evidence = json_array();
    const char *cause = "unknown";
    if (is_elsewhere(group)) {
        say(evidence, "the drive under test saw no write: the run measured something else");
    } else {
        cause = judge(group, &s, evidence);
        if (strcmp(cause, "device") == 0 && group_memory(group)) {
            json_array_clear(evidence);
            cause = "unknown";
            say(evidence, "the device lies in memory (%s): its times say nothing of a drive",
                group_memory(group));
        }
        if (strcmp(cause, "unknown") != 0)
            say_all(evidence, "shares of the time: ", &s);
    }
    json_t *entry = json_object();
    put_text(entry, "part", group->part);
    put_text(entry, "phase", group->phase);
    put(entry, "factors", group->factors ? json_deep_copy(group->factors) : json_object());
    put_text(entry, "cause", cause);
    put(entry, "evidence", evidence);
    put(entry, "shares", shares_json(&s));
    return entry;
}
