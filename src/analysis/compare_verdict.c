#include "analysis/compare_verdict.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare_metric.h"
#include "base/fs.h"
#include "result/put.h"

/* What a person chooses a drive for, and the metric that decides. */
static const struct use {
    const char *name, *metric, *tail;
} uses[] = {
    {"small commits", "commits_per_s", "latency_ms.transaction.p99"},
    {"sustained small commits", COMPARE_STEADY, NULL},
    {"bulk", "rows_per_s", NULL},
};
enum { USES = sizeof uses / sizeof *uses };

struct tally {
    size_t better, worse, same, undetermined, not_ranked;
    size_t more_runs, unlimited; /* the most that any needs; how many have no such number */
    size_t least_runs;           /* the fewest runs behind any */
    size_t tail_better, tail_worse;
    const char *because;
};

static size_t all_of(const struct tally *t)
{
    return t->better + t->worse + t->same + t->undetermined + t->not_ranked;
}

static const json_t *find(const json_t *list, const char *key, const char *wanted)
{
    size_t index;
    const json_t *entry;
    json_array_foreach(list, index, entry)
    {
        const char *text = json_text_at(entry, key);
        if (text && strcmp(text, wanted) == 0)
            return entry;
    }
    return NULL;
}

static const json_t *ratio_of(const json_t *group, const char *path, const char *drive)
{
    const json_t *metric = find(json_object_get(group, "metrics"), "path", path);
    return find(json_object_get(metric, "ratios"), "drive", drive);
}

static bool is_word(const json_t *ratio, const char *verdict)
{
    const char *text = json_text_at(ratio, "verdict");
    return text && strcmp(text, verdict) == 0;
}

static void count_open(struct tally *t, const json_t *ratio)
{
    double more = json_number_at(ratio, "more_runs");
    t->undetermined++;
    t->because = json_text_at(ratio, "because");
    if (isnan(more))
        t->unlimited++;
    else if (more > (double)t->more_runs)
        t->more_runs = (size_t)more;
}

static void count_ratio(struct tally *t, const json_t *ratio)
{
    double a = json_number_at(ratio, "count_a"), b = json_number_at(ratio, "count_b");
    size_t runs = (size_t)fmin(a, b);
    if (runs < t->least_runs)
        t->least_runs = runs;
    if (is_word(ratio, "better"))
        t->better++;
    else if (is_word(ratio, "worse"))
        t->worse++;
    else if (is_word(ratio, "same"))
        t->same++;
    else if (is_word(ratio, "not ranked"))
        t->not_ranked++;
    else
        count_open(t, ratio);
}

static struct tally tally_of(const json_t *comparison, const struct use *use, const char *drive)
{
    struct tally t = {.least_runs = SIZE_MAX};
    bool is_bulk = strcmp(use->metric, "rows_per_s") == 0;
    size_t index;
    const json_t *group;
    json_array_foreach(json_object_get(comparison, "groups"), index, group)
    {
        const json_t *ratio = ratio_of(group, use->metric, drive);
        if (!ratio || json_is_true(json_object_get(group, "bulk")) != is_bulk)
            continue;
        count_ratio(&t, ratio);
        const json_t *tail = use->tail ? ratio_of(group, use->tail, drive) : NULL;
        t.tail_better += is_word(tail, "better");
        t.tail_worse += is_word(tail, "worse");
    }
    return t;
}

static json_t *tally_json(const struct tally *t, const char *drive, const struct use *use)
{
    json_t *object = json_object();
    put_text(object, "drive", drive);
    put_text(object, "class", use->name);
    put_count(object, "better", (double)t->better);
    put_count(object, "worse", (double)t->worse);
    put_count(object, "same", (double)t->same);
    put_count(object, "undetermined", (double)t->undetermined);
    put_count(object, "not_ranked", (double)t->not_ranked);
    put_count(object, "more_runs", t->more_runs > 0 ? (double)t->more_runs : NAN);
    return object;
}

/* ---- sentences ---- */

struct speech {
    json_t *sentences;
    const char *first, *drive;
    bool is_pair; /* two drives only: no need to say over which */
};

static char *capital(const char *name)
{
    char *text = fs_path("%s", name);
    if (*text >= 'a' && *text <= 'z')
        *text = (char)(*text - 'a' + 'A');
    return text;
}

/* " (p99 is better on A)": where the tail speaks against the rate. */
static char *tail_of(const struct speech *s, const struct tally *t)
{
    if (t->better > 0 && t->tail_worse > 0)
        return fs_path(", though p99 is worse there (%zu of %zu)", t->tail_worse, all_of(t));
    if (t->worse > 0 && t->tail_better > 0)
        return fs_path(", though p99 of %s is better (%zu of %zu)", s->drive, t->tail_better,
                       all_of(t));
    return fs_path("%s", "");
}

static void say_winner(struct speech *s, const struct use *use, const struct tally *t)
{
    const char *winner = t->better > 0 ? s->drive : s->first;
    const char *loser = t->better > 0 ? s->first : s->drive;
    size_t won = t->better > 0 ? t->better : t->worse, all = all_of(t);
    char *tail = tail_of(s, t), *over = s->is_pair ? fs_path("%s", "") : fs_path(" over %s", loser);
    if (won == all)
        compare_model_say(s->sentences, "%s%s for %s%s.", winner, over, use->name, tail);
    else
        compare_model_say(s->sentences,
                          "%s%s for %s in %zu of %zu combinations (same in %zu, undetermined in "
                          "%zu, not ranked in %zu)%s.",
                          winner, over, use->name, won, all, t->same, t->undetermined,
                          t->not_ranked, tail);
    free(tail);
    free(over);
}

static void say_open(struct speech *s, const struct use *use, const struct tally *t)
{
    char *name = capital(use->name);
    const char *drive = s->is_pair ? "" : s->drive, *blank = s->is_pair ? "" : ", ";
    if (t->because && strcmp(t->because, "not measured") == 0)
        compare_model_say(s->sentences, "%s%s%s: not measured on one side.", name, blank, drive);
    else if (t->more_runs > 0)
        compare_model_say(s->sentences, "%s%s%s: %zu more run%s of each would narrow it.", name,
                          blank, drive, t->more_runs, t->more_runs == 1 ? "" : "s");
    else
        compare_model_say(s->sentences,
                          "%s%s%s: undetermined, and hardly any number of runs would tell.", name,
                          blank, drive);
    free(name);
}

static void say_use(struct speech *s, const struct use *use, const struct tally *t)
{
    size_t all = all_of(t);
    char *name = capital(use->name);
    const char *of = s->is_pair ? "" : s->drive, *blank = s->is_pair ? "" : ", ";
    if (all == 0 || t->not_ranked == all)
        ;
    else if (t->least_runs == 1 && t->better + t->worse + t->same == 0)
        compare_model_say(s->sentences, "%s%s%s: from one run there is no winner%s.", name, blank,
                          of, t->more_runs > 0 ? "; --repeats 6 makes an interval" : "");
    else if (t->better > 0 && t->worse > 0)
        compare_model_say(s->sentences,
                          "%s: %s better in %zu, %s in %zu of %zu combinations (same in %zu, "
                          "undetermined in %zu, not ranked in %zu).",
                          name, s->drive, t->better, s->first, t->worse, all, t->same,
                          t->undetermined, t->not_ranked);
    else if (t->better + t->worse > 0)
        say_winner(s, use, t);
    else if (t->same > 0 && t->undetermined + t->not_ranked == 0)
        compare_model_say(s->sentences, "%s: %s and %s are the same within 5%%.", name, s->first,
                          s->drive);
    else if (t->same > 0)
        compare_model_say(s->sentences,
                          "%s%s%s: the same within 5%% in %zu of %zu combinations, else no winner.",
                          name, blank, of, t->same, all);
    else
        say_open(s, use, t);
    free(name);
}

/* Names of settings that differ; others have a reason of their own. */
static void say_refused(struct speech *s, const json_t *comparison, size_t not_ranked, size_t all)
{
    enum { NAMES_SHOWN = 4 };
    char *text = NULL;
    size_t size, index, named = 0;
    FILE *out = open_memstream(&text, &size);
    const json_t *entry;
    json_t *kinds = json_object();
    if (!out)
        abort();
    json_array_foreach(json_object_get(comparison, "against"), index, entry)
    {
        const char *kind = json_text_at(entry, "kind");
        const json_t *drives = json_object_get(entry, "drives");
        bool concerns = false;
        size_t i;
        const json_t *drive;
        json_array_foreach(drives, i, drive)
        {
            const char *name = json_string_value(drive);
            bool is_setting = strcmp(kind, "settings") == 0 || json_array_size(drives) > 1;
            concerns |= strcmp(name, s->drive) == 0 || (!is_setting && strcmp(name, s->first) == 0);
        }
        if (!concerns || json_object_get(kinds, kind))
            continue;
        json_object_set_new(kinds, kind, json_true());
        if (named++ < NAMES_SHOWN)
            fprintf(out, "%s%s", named > 1 ? ", " : "", kind);
    }
    fclose(out);
    json_decref(kinds);
    if (not_ranked == all)
        compare_model_say(s->sentences, "No winner between %s and %s: %s.", s->first, s->drive,
                          text);
    else
        compare_model_say(s->sentences, "No winner between %s and %s in %zu of %zu figures: %s.",
                          s->first, s->drive, not_ranked, all, text);
    free(text);
}

static void speak(json_t *verdict, const json_t *comparison, const struct compare_model *model,
                  size_t drive)
{
    json_t *classes = json_object_get(verdict, "classes");
    struct speech s = {json_object_get(verdict, "sentences"), model->drives[0].name,
                       model->drives[drive].name, model->drive_count == 2};
    size_t not_ranked = 0, all = 0;
    for (size_t u = 0; u < USES; u++) {
        struct tally t = tally_of(comparison, &uses[u], s.drive);
        if (all_of(&t) == 0)
            continue;
        json_array_append_new(classes, tally_json(&t, s.drive, &uses[u]));
        say_use(&s, &uses[u], &t);
        not_ranked += t.not_ranked;
        all += all_of(&t);
    }
    if (not_ranked > 0)
        say_refused(&s, comparison, not_ranked, all);
    if (all == 0)
        compare_model_say(s.sentences, "%s and %s measured nothing that the other did too.",
                          s.first, s.drive);
}

json_t *compare_verdict_json(const json_t *comparison, const struct compare_model *model)
{
    json_t *verdict = json_object();
    put(verdict, "sentences", json_array());
    put(verdict, "classes", json_array());
    for (size_t d = 1; d < model->drive_count; d++)
        speak(verdict, comparison, model, d);
    return verdict;
}
