#include "cli/say.h"

#include <stdlib.h>

#include "base/term.h"
#include "report/text.h"

void say(FILE *out, const char *kind, const char *text)
{
    char *clean = text_clean(text, TEXT_UTF8, 0);

    fprintf(out, "loadline: %s%s%s\n", kind != NULL ? kind : "", kind != NULL ? ": " : "", clean);
    free(clean);
}

void say_within(FILE *out, const char *kind, const char *text, int width)
{
    enum { INDENT = 10 }; /* behind "loadline: " */
    char *clean = text_clean(text, term_is_utf8() ? TEXT_UTF8 : TEXT_ASCII, 0);
    struct text whole = {0};

    text_add(&whole, "%s: %s", kind, clean);
    text_print(out, "loadline:", INDENT, whole.data, (size_t)width, "", "");
    text_release(&whole);
    free(clean);
}
