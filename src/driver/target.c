/* From "sqlite:PATH" to an engine and what it is to work on. */
#include <stdio.h>
#include <string.h>

#include "driver/run.h"

static void engine_names(char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (const struct adapter *const *a = adapter_registry; *a != NULL; a++)
        if (((*a)->caps & ADAPTER_HIDDEN) == 0)
            used += (size_t)snprintf(out + used, used < size ? size - used : 0,
                                     "%s%s:", used == 0 ? "" : ", ", (*a)->name);
}

/* What follows a scheme may hold a password: it is repeated only where it looks like a path. */
static int refuse_scheme(const char *text, size_t length, struct err *err)
{
    char names[128];
    const char *rest = text + length + 1;
    int shown = (int)length;
    if (strncmp(text, "postgres:", 9) == 0 || strncmp(text, "postgresql:", 11) == 0)
        return err_set(err, ERR_USAGE, "%.*s: the engine postgres is not in this version", shown,
                       text);
    engine_names(names, sizeof names);
    if (strncmp(rest, "//", 2) == 0 || strchr(rest, '=') != NULL || strchr(rest, '@') != NULL)
        return err_set(err, ERR_USAGE, "%.*s: there is no such engine (there are %s)", shown, text,
                       names);
    return err_set(err, ERR_USAGE,
                   "%s: there is no engine \"%.*s\" (there are %s); for a directory of that name "
                   "write sqlite:./%s",
                   text, shown, text, names, text);
}

int run_target_parse(const char *text, struct run_target *target, struct err *err)
{
    const char *colon = strchr(text, ':');
    const char *slash = strchr(text, '/');
    *target = (struct run_target){.text = text, .path = text};
    if (text[0] == '\0')
        return err_set(err, ERR_USAGE, "an empty target; give a directory on the drive under test");
    /* `./c:d` and `/a/c:d` are paths; anything else with a colon begins with a scheme. */
    if (colon == NULL || (slash != NULL && slash < colon)) {
        target->adapter = adapter_find("sqlite");
        return 0;
    }
    char scheme[32];
    size_t length = (size_t)(colon - text);
    snprintf(scheme, sizeof scheme, "%.*s", (int)length, text);
    target->adapter = length < sizeof scheme ? adapter_find(scheme) : NULL;
    target->path = colon + 1;
    if (target->adapter == NULL)
        return refuse_scheme(text, length, err);
    if ((target->adapter->caps & ADAPTER_LOCAL_FILES) != 0 && target->path[0] == '\0')
        return err_set(err, ERR_USAGE, "%s: a directory must follow, as in %s:/mnt/ssd", text,
                       scheme);
    return 0;
}
