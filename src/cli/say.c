#include "cli/say.h"

#include <stdlib.h>

#include "report/text.h"

void say(FILE *out, const char *kind, const char *text)
{
    char *clean = text_clean(text, TEXT_UTF8, 0);

    fprintf(out, "loadline: %s%s%s\n", kind != NULL ? kind : "", kind != NULL ? ": " : "", clean);
    free(clean);
}
