#include "base/term.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/err.h"
#include "base/parse.h"

enum { WIDTH_DEFAULT = 80, WIDTH_MAX = 10000 };

bool term_is_terminal(int fd)
{
    return isatty(fd) == 1;
}

int term_width(int fd)
{
    struct winsize size;
    if (isatty(fd) == 1 && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    const char *columns = getenv("COLUMNS");
    struct err err;
    int64_t width;
    if (columns != NULL && parse_integer(columns, &width, &err) == 0 && width > 0 &&
        width <= WIDTH_MAX)
        return (int)width;
    return WIDTH_DEFAULT;
}

bool term_has_colour(int fd)
{
    const char *no_color = getenv("NO_COLOR");
    const char *term = getenv("TERM");
    if (no_color != NULL && no_color[0] != '\0')
        return false;
    if (term == NULL || term[0] == '\0' || strcmp(term, "dumb") == 0)
        return false;
    return term_is_terminal(fd);
}

bool term_is_utf8(void)
{
    /* A locale of its own: the answer must not hang on who called setlocale() when. */
    locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    if (locale == (locale_t)0)
        return false;
    bool utf8 = strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
    freelocale(locale);
    return utf8;
}
