/* From "sqlite:PATH" to an engine and what it is to work on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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
    engine_names(names, sizeof names);
    if (strncmp(rest, "//", 2) == 0 || strchr(rest, '=') != NULL || strchr(rest, '@') != NULL)
        return err_set(err, ERR_USAGE, "%.*s: there is no such engine (there are %s)", shown, text,
                       names);
    return err_set(err, ERR_USAGE,
                   "%s: there is no engine \"%.*s\" (there are %s); for a directory of that name "
                   "write sqlite:./%s",
                   text, shown, text, names, text);
}

static bool ends_value(char c, char quote)
{
    return c == '\0' || (quote != '\0' ? c == quote : c == ' ' || c == '&' || c == '\t');
}

/* Copies a connection string without its passwords: "://user:PASSWORD@", "password=PASSWORD" in a
 * keyword/value string or a URL's query (sslpassword, passfile's name and such too). */
static void hide_passwords(const char *text, char out[RUN_TARGET_SHOWN])
{
    size_t used = 0;
    const char *at = text, *authority = strstr(text, "://"), *host = NULL, *user_end = NULL;
    if (authority != NULL) {
        size_t length = strcspn(authority + 3, "/?#");
        for (const char *c = authority + 3; c < authority + 3 + length; c++)
            if (*c == '@')
                host = c; /* the last: a password may hold one */
        user_end = host == NULL ? NULL : memchr(authority + 3, ':', (size_t)(host - authority) - 3);
    }
    while (*at != '\0' && used + 8 < RUN_TARGET_SHOWN) {
        bool hidden = at == user_end;
        if (hidden) {
            out[used++] = *at;
            at = host;
        } else if (strncasecmp(at, "password", 8) == 0 && at[8 + strspn(at + 8, " ")] == '=') {
            size_t name = 8 + strspn(at + 8, " ") + 1;
            if (used + name + 8 >= RUN_TARGET_SHOWN)
                break;
            memcpy(out + used, at, name);
            used += name;
            at += name + strspn(at + name, " ");
            char quote = *at == '\'' ? '\'' : '\0';
            for (at += quote != '\0'; !ends_value(*at, quote); at++)
                at += *at == '\\' && at[1] != '\0';
            at += quote != '\0' && *at != '\0';
            hidden = true;
        }
        if (hidden) {
            memcpy(out + used, "***", 3);
            used += 3;
        } else {
            out[used++] = *at++;
        }
    }
    out[used] = '\0';
}

int run_target_parse(const char *text, struct run_target *target, struct err *err)
{
    const char *colon = strchr(text, ':');
    const char *slash = strchr(text, '/');
    *target = (struct run_target){.text = text, .path = text};
    hide_passwords(text, target->shown);
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
    bool is_url = strncmp(colon, "://", 3) == 0;
    if (is_url && strcmp(scheme, "postgres") == 0) /* libpq knows both */
        snprintf(scheme, sizeof scheme, "postgresql");
    target->adapter = length < sizeof scheme ? adapter_find(scheme) : NULL;
    target->path = is_url ? text : colon + 1;
    if (target->adapter == NULL)
        return refuse_scheme(text, length, err);
    if ((target->adapter->caps & ADAPTER_LOCAL_FILES) != 0 && target->path[0] == '\0')
        return err_set(err, ERR_USAGE, "%s: a directory must follow, as in %s:/mnt/ssd", text,
                       scheme);
    return 0;
}

char *run_target_take(char *argument)
{
    char shown[RUN_TARGET_SHOWN];
    char *copy = strdup(argument);
    if (copy == NULL)
        abort();
    hide_passwords(argument, shown);
    size_t size = strlen(argument), kept = strlen(shown);
    if (strcmp(argument, shown) != 0) {
        memcpy(argument, shown, kept < size ? kept : size);
        memset(argument + (kept < size ? kept : size), '\0', size - (kept < size ? kept : size));
    }
    return copy;
}
