#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "report/figure.h"
#include "report/headline.h"
#include "report/sections.h"
#include "report/verdict.h"

static double rate_of(const struct group *group, const char *rate)
{
    struct spread spread;
    group_rate(group, rate, &spread);
    return spread.median;
}

/* "fsync is off: ...": what stands before the colon. */
static void add_risk(const struct view *view, struct text *text, const char *risk)
{
    char *clean = view_clean(view, risk);
    clean[strcspn(clean, ":")] = 0;
    text_add(text, "%s", clean);
    free(clean);
}

/* What the group's rate is a rate of. */
static void add_commits(const struct view *view, struct text *text, const struct group *group)
{
    static const char *const words[] = {
        [FLUSHED_YES] = "flushed commits/s",
        [FLUSHED_NOT_SEEN] = "commits/s NOT FLUSHED",
        [FLUSHED_NOT_ASKED] = "commits/s, not durable,",
        [FLUSHED_UNKNOWN] = "commits/s",
    };
    bool is_drive = standing_of(group) != STANDING_NO_DRIVE;
    const char *risk = is_drive ? standing_risk(group) : NULL;
    if (!risk) {
        text_add(text, "%s", words[is_drive ? standing_flushed(group) : FLUSHED_UNKNOWN]);
        return;
    }
    text_add(text, "commits/s, NOT durable: ");
    add_risk(view, text, risk);
    text_add(text, ",");
}

static void print_sentence(const struct view *view, struct text *text)
{
    view_finding(view, "VERDICT", SINK_LOUD, text);
}

/* "#12 (4 streams, ...)" where the tables have numbers. */
static char *headline_place(const struct view *view, const struct group *group)
{
    char *brief = families_place(view, group), *full = view_place(view, group);
    if (strcmp(brief, full) == 0) {
        free(brief);
        return full;
    }
    char *both = fs_path("%s (%s)", brief, full);
    free(brief);
    free(full);
    return both;
}

static void print_main(const struct view *view, const struct headline *h)
{
    const struct group *group = h->main;
    struct text text = {0};
    struct format_text rate, other, rows, p99;
    char *place = headline_place(view, group);
    const char *at = *place ? " at " : "";
    if (h->combinations > 1)
        text_add(&text, "highest of %zu: ", h->combinations);
    if (h->commit) {
        text_add(&text, "%s ", format_digits(&rate, rate_of(group, "commits_per_s")));
        add_commits(view, &text, group);
        text_add(&text, "%s%s", at, place);
    } else {
        text_add(&text, "%s rows/s%s%s; %s ", format_digits(&rate, rate_of(group, "rows_per_s")),
                 at, place, format_digits(&other, rate_of(group, "commits_per_s")));
        add_commits(view, &text, group);
        text_add(&text, " of %s rows", format_grouped(&rows, view_rows_per_commit(view, group)));
    }
    double p99_ms = group_median(group, "latency_ms.transaction.p99");
    if (!isnan(p99_ms))
        text_add(&text, ", p99 %s ms", view_ms(&p99, p99_ms));
    if (h->standing == STANDING_NO_DRIVE)
        text_add(&text, "; no drive was under test: this is loadline itself");
    free(place);
    print_sentence(view, &text);
}

/* A rate over all streams beside a table that shows the whole phase: say so. */
static void point_tail(const struct view *view, const struct group *group)
{
    struct format_text until, of;
    format_digits(&until, rate_of(group, "commits_per_s"));
    format_digits(&of, group_median(group, "commits_per_s"));
    if (group != families_single(view->families, group) || strcmp(until.text, of.text) == 0)
        return;
    struct text text = {0};
    text_add(&text, "while all %.0f streams ran: %s of %s s", group_median(group, "stream_count"),
             format_digits(&until, group_median(group, "all_streams.elapsed_s")),
             format_digits(&of, group_median(group, "elapsed_s")));
    view_point(view, "time", &text);
}

/* Pairs of runs from which a difference can be told at all (measurement.md, "Repeats"). */
enum { RUNS_FOR_A_WINNER = 6 };

/* From one run there is no winner, and none where the ranges overlap. */
/* Those that stand and count as the best one does, and whose ranges reach into its own. */
static void add_equals(const struct view *view, const struct headline *h, const struct spread *most,
                       struct text *text)
{
    enum { SHOWN = 4 };
    size_t shown = 0;
    for (size_t i = 0; i < view->groups.count && shown < SHOWN; i++) {
        const struct group *group = &view->groups.items[i];
        struct spread spread;
        group_rate(group, headline_rate(h), &spread);
        bool is_bulk = view_rows_per_commit(view, group) >= VIEW_BULK_ROWS;
        if (group == h->main || strcmp(group->phase, h->main->phase) != 0 ||
            standing_of(group) != h->standing || is_bulk != (h->commit == NULL) ||
            !(spread.high >= most->low))
            continue;
        char *place = families_place(view, group);
        text_add(text, "%s%s", shown++ == 0 ? "; not told apart from " : " or ", place);
        free(place);
    }
    if (shown == SHOWN)
        text_add(text, " or others");
}

static void point_range(const struct view *view, const struct headline *h)
{
    struct spread most;
    struct format_text low, high;
    struct text text = {0};
    group_rate(h->main, headline_rate(h), &most);
    if (most.count > 1)
        text_add(&text, "%s-%s over %zu runs", format_digits(&low, most.low),
                 format_digits(&high, most.high), most.count);
    else if (h->combinations > 1)
        text_add(&text, "one run of each: no winner can be named");
    if (most.count > 1 && most.count < RUNS_FOR_A_WINNER && h->combinations > 1)
        text_add(&text, ": too few to name a winner (%d)", RUNS_FOR_A_WINNER);
    if (most.count > 1)
        add_equals(view, h, &most, &text);
    view_point(view, "range", &text);
}

static void point_flushed(const struct view *view, const struct group *group)
{
    struct text text = {0};
    const char *risk = standing_risk(group);
    if (risk) {
        view_add_clean(view, &text, "", risk); /* only the engine knows what is lost, and when */
        view_point(view, "risk", &text);
        return;
    }
    switch (standing_flushed(group)) {
    case FLUSHED_NOT_SEEN:
        text_add(&text, "the engine asks for a flush at each commit, the drive has a volatile "
                        "cache and saw none: a power cut may take commits");
        view_point(view, "FLUSH", &text);
        break;
    case FLUSHED_NOT_ASKED:
        text_add(&text, "with these settings a commit returns before the drive has flushed");
        view_point(view, "durable", &text);
        break;
    case FLUSHED_UNKNOWN:
        text_add(&text, "unknown: nothing says whether a commit waits for the drive's flush");
        view_point(view, "flushed", &text);
        break;
    case FLUSHED_YES:
        break;
    }
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* The first sentence of evidence that the analysis has for this group; heap, safe, or NULL. */
static char *evidence_of(const struct view *view, const struct group *group)
{
    size_t index;
    const json_t *entry;
    json_array_foreach(json_at(view->summary, "analysis.bottleneck"), index, entry)
    {
        const json_t *factors = json_object_get(entry, "factors");
        bool same_factors = group->factors ? json_equal((json_t *)factors, (json_t *)group->factors)
                                           : json_object_size(factors) == 0;
        if (!same_factors || !same_text(json_text_at(entry, "part"), group->part) ||
            !same_text(json_text_at(entry, "phase"), group->phase))
            continue;
        const json_t *first = json_array_get(json_object_get(entry, "evidence"), 0);
        return json_is_string(first) ? view_clean(view, json_string_value(first)) : NULL;
    }
    return NULL;
}

static void point_limit(const struct view *view, const struct group *group)
{
    struct text text = {0};
    char *evidence = evidence_of(view, group);
    text_add(&text, "%s", evidence ? evidence : "unknown");
    free(evidence);
    view_point(view, "limit", &text);
}

static void point_floor(const struct view *view, const struct group *group)
{
    double share = figure_floor(group);
    struct text text = {0};
    struct format_text percent, rate;
    double streams = group_median(group, "stream_count");
    if (isnan(share))
        return;
    text_add(&text, "%s of write+fdatasync by %.0f stream%s on %s drive (%s/s)",
             view_percent(&percent, share), streams, streams == 1 ? "" : "s",
             group_log_apart(group) ? "the WAL's" : "this",
             format_digits(&rate, group_median(group, "floor_commits_per_s")));
    view_point(view, "floor", &text);
}

static void point_bulk(const struct view *view, const struct headline *h)
{
    if (!h->commit || !h->bulk)
        return;
    struct text text = {0};
    struct format_text rate;
    char *evidence = evidence_of(view, h->bulk);
    text_add(&text, "%s rows/s; %s", format_short(&rate, rate_of(h->bulk, "rows_per_s")),
             evidence ? evidence : "limit unknown");
    free(evidence);
    view_point(view, "bulk", &text);
}

/* What a WAL that grows costs is another thing than what one costs that is written again. */
static void point_wal(const struct view *view, const struct group *group)
{
    double grew_s = group_median(group, "wal_growing.seconds");
    double reused_s = group_median(group, "wal_recycled.seconds");
    struct text text = {0};
    struct format_text of, whole, grown, reused;
    if (isnan(grew_s))
        return;
    view_kib(&grown, group_median(group, "wal_growing.per_commit.bytes"));
    view_kib(&reused, group_median(group, "wal_recycled.per_commit.bytes"));
    const double hardly = 0.05; /* of the time: too little to say what it costs then */
    if (isnan(reused_s))
        text_add(&text, "grew all the time: a longer run costs something else a commit");
    else if (reused_s < hardly * grew_s)
        text_add(&text, "grew nearly all the time: a longer run costs something else a commit");
    else if (strcmp(grown.text, reused.text) != 0)
        text_add(&text, "grew for %s of %s: %s KiB a commit, then %s", format_seconds(&of, grew_s),
                 format_seconds(&whole, grew_s + reused_s), grown.text, reused.text);
    view_point(view, "WAL", &text);
}

static void point_burst(const struct view *view)
{
    double bytes = 0, seconds = 0;
    for (size_t i = 0; i < view->groups.count; i++) {
        const struct group *group = &view->groups.items[i];
        for (size_t k = 0; k < group->count; k++) {
            const json_t *sum = json_object_get(group->phases[k], "device_sum");
            if (!json_is_object(sum)) /* of an earlier version */
                sum = json_object_iter_value(
                    json_object_iter(json_object_get(group->phases[k], "devices")));
            double written = json_number_at(sum, "write_bytes");
            double settled = json_number_at(sum, "settle_write_bytes");
            double elapsed = json_number_at(group->phases[k], "elapsed_s");
            bytes += (isnan(written) ? 0 : written) + (isnan(settled) ? 0 : settled);
            seconds += isnan(elapsed) ? 0 : elapsed;
        }
    }
    if (!(bytes > 0) || json_is_object(json_at(view->summary, "analysis.steady")))
        return;
    struct text text = {0};
    struct format_text size, time;
    text_add(&text, "%s in %s says nothing of sustained load", format_bytes(&size, bytes),
             format_seconds(&time, seconds));
    view_point(view, "BURST", &text);
}

static void point_power(const struct view *view, const struct group *group)
{
    struct text text = {0};
    enum flushed flushed = standing_flushed(group);
    if (flushed != FLUSHED_YES && flushed != FLUSHED_UNKNOWN)
        return;
    text_add(&text, "loss not tested: only a real power cut can");
    view_point(view, "POWER", &text);
}

static const char *obstacle(const struct view *view)
{
    if (view->groups.count == 0)
        return "none: nothing was measured";
    for (size_t i = 0; i < view->groups.count; i++) {
        const struct group *group = &view->groups.items[i];
        for (size_t k = 0; k < group->count; k++) {
            if (json_is_false(json_at(group->phases[k], "verify.ok")))
                return "none: verification failed, so the rates above count work that was not "
                       "done right";
            if (json_is_true(json_object_get(group->phases[k], "measured_elsewhere")))
                return "none: commits were acknowledged, but the drive under test saw no write; "
                       "the run measured something else";
        }
    }
    return NULL;
}

/* The drive under test has the tables only: what was measured is not its own. */
static void print_elsewhere(const struct view *view, const struct group *group)
{
    struct text text = {0};
    const char *data = json_text_at(group_device(group), "sampled");
    const char *log = group_log_apart(group);
    view_add_clean(view, &text, "none for ", data ? data : "the drive under test");
    text_add(&text, ": it holds the tables, but commits wait for the WAL");
    if (log)
        view_add_clean(view, &text, " on ", log);
    else
        text_add(&text, ", and where that lies is unknown");
    text_add(&text, "; run postgres:PATH, a cluster that lies on the drive whole, or move pg_wal "
                    "there");
    print_sentence(view, &text);
}

void section_verdict(const struct view *view)
{
    struct headline h;
    struct text text = {0};
    const char *reason = obstacle(view);
    headline_find(view, &h);
    if (!reason && !h.main)
        reason = "none: no rate was measured";
    if (reason) {
        text_add(&text, "%s", reason);
        print_sentence(view, &text);
        return;
    }
    if (h.standing == STANDING_ELSEWHERE) {
        print_elsewhere(view, h.main);
        point_limit(view, h.main);
        verdict_retries(view);
        return;
    }
    print_main(view, &h);
    point_tail(view, h.main);
    point_range(view, &h);
    verdict_others(view, &h);
    if (h.standing != STANDING_NO_DRIVE)
        point_flushed(view, h.main);
    point_limit(view, h.main);
    point_floor(view, h.main);
    point_bulk(view, &h);
    verdict_reached(view);
    verdict_retries(view);
    if (h.standing == STANDING_NO_DRIVE)
        return;
    point_wal(view, h.main);
    point_burst(view);
    point_power(view, h.main);
}
