/* say.h - a sentence for a person, whatever names are in it: control characters are shown as
 * \xNN, never sent to a terminal. */
#ifndef CLI_SAY_H
#define CLI_SAY_H

#include <stdio.h>

/* "loadline: KIND: TEXT", or without KIND where it is NULL. */
void say(FILE *out, const char *kind, const char *text);
/* The same for a terminal of this locale, broken at blanks to `width` columns. */
void say_within(FILE *out, const char *kind, const char *text, int width);

#endif
