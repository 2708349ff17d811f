#include "page/card_words.h"

#include <stdlib.h>
#include <string.h>

#include "base/fs.h"

static struct card_words *words_of(struct sink *sink)
{
    return (struct card_words *)sink; /* its first member */
}

/* The first one of a kind counts. */
static void keep(char **word, const char *before, const char *text)
{
    if (!*word)
        *word = fs_path("%s%s", before, text);
}

static void on_finding(struct sink *sink, const char *label, enum sink_voice voice,
                       const char *text)
{
    struct card_words *words = words_of(sink);
    (void)voice;
    if (strcmp(label, "PARTIAL") == 0)
        keep(&words->partial, "", text);
    else if (strcmp(label, "VERDICT") == 0)
        keep(&words->verdict, "", text);
    else if (strcmp(label, "STEADY") == 0)
        keep(&words->lasting, "steady state: ", text);
    else if (strcmp(label, "BURST") == 0)
        keep(&words->lasting, "burst: ", text);
}

static void on_point(struct sink *sink, const char *label, const char *text)
{
    static const char *const dangers[] = {"FLUSH", "durable", "risk", "flushed"};
    struct card_words *words = words_of(sink);
    if (strcmp(label, "limit") == 0)
        keep(&words->limit, "", text);
    for (size_t i = 0; i < sizeof dangers / sizeof *dangers; i++)
        if (strcmp(label, dangers[i]) == 0)
            keep(&words->danger, "", text);
}

static void on_section(struct sink *sink, const char *heading, enum sink_fold fold)
{
    (void)sink, (void)heading, (void)fold;
}

static void on_title(struct sink *sink, const char *const *parts, size_t count)
{
    (void)sink, (void)parts, (void)count;
}

static void on_text(struct sink *sink, const char *text)
{
    (void)sink, (void)text;
}

static void on_fact(struct sink *sink, const char *label, size_t column, const char *text)
{
    (void)sink, (void)label, (void)column, (void)text;
}

static void on_entry(struct sink *sink, const char *label, const char *name, size_t columns,
                     const char *text)
{
    (void)sink, (void)label, (void)name, (void)columns, (void)text;
}

static void on_table(struct sink *sink, const char *name, const struct table *table)
{
    (void)sink, (void)name, (void)table;
}

static void on_nothing(struct sink *sink)
{
    (void)sink;
}

static const struct sink_form form = {
    .section = on_section,
    .title = on_title,
    .heading = on_text,
    .caption = on_text,
    .fact = on_fact,
    .entry = on_entry,
    .finding = on_finding,
    .point = on_point,
    .note = on_text,
    .table = on_table,
    .block = on_text,
    .gap = on_nothing,
    .finish = on_nothing,
};

void card_words_init(struct card_words *words)
{
    *words = (struct card_words){.sink = {.form = &form}};
}

void card_words_release(struct card_words *words)
{
    free(words->partial);
    free(words->verdict);
    free(words->limit);
    free(words->lasting);
    free(words->danger);
}
