#include "report/markdown.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The shortest name of a commit that sites look for. */
enum { COMMIT_LEAST = 7, COLONS_LEAST = 2 };

static bool is_one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

/* "1234abc" between characters that are no letters or digits. */
static bool names_commit(const char *word, size_t size)
{
    for (size_t i = 0, run = 0; i < size; i++) {
        bool starts = i == 0 || !isalnum((unsigned char)word[i - 1]);
        if (!isxdigit((unsigned char)word[i]) || (run == 0 && !starts)) {
            run = 0;
            continue;
        }
        bool ends = i + 1 == size || !isalnum((unsigned char)word[i + 1]);
        if (++run >= COMMIT_LEAST && ends)
            return true;
    }
    return false;
}

/* What sites make more of, than text: @somebody, #12, GH-12, addresses, :smile:, $formula$. */
static bool is_taken_up(const char *word, size_t size)
{
    size_t colons = 0;
    for (size_t i = 0; i < size; i++) {
        const char *at = word + i;
        size_t left = size - i;
        colons += *at == ':';
        if (is_one_of(*at, "@#$") || (left >= 3 && strncmp(at, "://", 3) == 0) ||
            (left >= 4 && strncasecmp(at, "www.", 4) == 0) ||
            (left >= 4 && strncasecmp(at, "GH-", 3) == 0 && isdigit((unsigned char)at[3])))
            return true;
    }
    return colons >= COLONS_LEAST || names_commit(word, size);
}

static void add_escaped(struct text *text, const char *word, size_t size)
{
    for (size_t i = 0; i < size; i++)
        text_add(text, "%s%c", is_one_of(word[i], "\\`*_[]<|~&") ? "\\" : "", word[i]);
}

/* Code spans know no escapes, and tables look for bars even there: those characters stand between
 * spans. */
static void add_code(struct text *text, const char *word, size_t size)
{
    for (size_t at = 0; at < size;) {
        size_t plain = 0;
        while (at + plain < size && !is_one_of(word[at + plain], "`|\\"))
            plain++;
        if (plain > 0)
            text_add(text, "`%.*s`", (int)plain, word + at);
        at += plain;
        if (at < size)
            add_escaped(text, word + at++, 1);
    }
}

static void add_word(struct text *text, const char *word, size_t size)
{
    if (!is_taken_up(word, size)) {
        add_escaped(text, word, size);
        return;
    }
    size_t before = 0, after = size;
    while (before < size && is_one_of(word[before], "([\"'"))
        before++;
    while (after > before && is_one_of(word[after - 1], ")],;.:\"'"))
        after--;
    add_escaped(text, word, before);
    add_code(text, word + before, after - before);
    add_escaped(text, word + after, size - after);
}

/* "1." and "-" begin a list, ">" a quotation, "=" underlines a heading. */
static size_t add_start(struct text *text, const char *from)
{
    size_t digits = strspn(from, "0123456789");
    size_t before = is_one_of(from[digits], ".)") ? digits : 0;
    char next = from[0] ? from[before + 1] : '\0';
    bool begins =
        is_one_of(from[0], "=>") || ((before > 0 || is_one_of(from[0], "-+")) &&
                                     (next == ' ' || next == '\0' || next == from[before]));
    if (!begins)
        return 0;
    text_add(text, "%.*s\\%c", (int)before, from, from[before]);
    return before + 1;
}

/* Blanks at either end would end bold text, or indent what follows. */
void markdown_add(struct text *text, enum markdown_place place, const char *from)
{
    char *clean = text_clean(from, TEXT_UTF8, 0);
    size_t at = strspn(clean, " "), end = strlen(clean);
    while (end > at && clean[end - 1] == ' ')
        clean[--end] = '\0';
    at += place == MARKDOWN_START ? add_start(text, clean + at) : 0;
    while (clean[at]) {
        size_t blanks = strspn(clean + at, " "), size = strcspn(clean + at + blanks, " ");
        text_add(text, "%.*s", (int)blanks, clean + at);
        add_word(text, clean + at + blanks, size);
        at += blanks + size;
    }
    free(clean);
}
