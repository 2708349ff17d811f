#include "postgres/server_log.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* What stands before a message; the worst first. */
enum { FATAL_MARKS = 4, MARKS = 6 };
static const char *const marks_of_failure[MARKS] = {
    "PANIC:  ", "FATAL:  ", "initdb: error: ", "ERROR:  ", "WARNING:  ", "LOG:  "};

/* Where the message begins in the first line that has `mark`; NULL: none has. */
static const char *after(const char *text, const char *mark)
{
    const char *at = strstr(text, mark);
    return at == NULL ? NULL : at + strlen(mark);
}

static const char *last_line(const char *text)
{
    const char *end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1]))
        end--;
    while (end > text && end[-1] != '\n')
        end--;
    return end;
}

/* The first line about a drive that is full; NULL: none. */
static const char *no_space_line(const char *text)
{
    static const char *const marks[] = {"No space left on device", "Disk quota exceeded"};
    for (const char *line = text; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
            if (memmem(line, length, marks[i], strlen(marks[i])) != NULL &&
                memmem(line, length, "shared memory", 13) == NULL)
                return line;
        line += length + (line[length] == '\n');
    }
    return NULL;
}

/* Without time, process and severity. */
static const char *message_of(const char *line)
{
    size_t length = strcspn(line, "\n");
    for (size_t i = 0; i < MARKS; i++) {
        const char *at = memmem(line, length, marks_of_failure[i], strlen(marks_of_failure[i]));
        if (at != NULL)
            return at + strlen(marks_of_failure[i]);
    }
    return line;
}

static const char *pick(const char *text)
{
    const char *found = no_space_line(text);
    if (found != NULL) /* whatever else went wrong then */
        return message_of(found);
    for (size_t i = 0; i < FATAL_MARKS && found == NULL; i++)
        found = after(text, marks_of_failure[i]);
    if (found == NULL)
        return message_of(last_line(text));
    /* What is wrong in it was said before. */
    const char *why = after(text, "LOG:  ");
    if (strncmp(found, "configuration file", 18) == 0 && why != NULL && why < found)
        return why;
    return found;
}

void postgres_log_reason(const char *text, char *reason, size_t size)
{
    const char *line = pick(text);
    size_t length = strcspn(line, "\n");
    /* Our own file, which will be gone. */
    const char *file = strstr(line, " in file \"");
    if (file != NULL && file < line + length)
        length = (size_t)(file - line);
    while (length > 0 && isspace((unsigned char)line[length - 1]))
        length--;
    snprintf(reason, size, "%.*s", (int)(length < size ? length : size), line);
}

bool postgres_log_is_no_space(const char *text)
{
    return no_space_line(text) != NULL;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

bool postgres_log_names(const char *text, const char *name)
{
    size_t length = strlen(name);
    if (length == 0)
        return false;
    for (const char *at = text; *at != '\0'; at++)
        if (strncasecmp(at, name, length) == 0 && (at == text || !is_word(at[-1])) &&
            !is_word(at[length]))
            return true;
    return false;
}
