/* term.h - what the terminal behind a file descriptor can do. */
#ifndef BASE_TERM_H
#define BASE_TERM_H

#include <stdbool.h>

bool term_is_terminal(int fd);
/* Columns: the window's, else $COLUMNS, else 80. */
int term_width(int fd);
/* Colour is wanted: a terminal, NO_COLOR unset or empty, TERM not "dumb". */
bool term_has_colour(int fd);
/* The locale's encoding is UTF-8. */
bool term_is_utf8(void);

#endif
