#include "analysis/place.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "result/keys.h"

__attribute__((format(printf, 2, 3))) static void add(char *text, const char *format, ...)
{
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, PLACE_TEXT - used, format, arguments);
    va_end(arguments);
}

static void add_factor(char *text, const char *name, const json_t *value)
{
    struct format_text number;
    const char *dot = strrchr(name, '.'), *shown = json_string_value(value);
    if (strcmp(name, "streams") == 0)
        return;
    if (json_is_number(value))
        shown = format_grouped(&number, json_number_value(value));
    if (strcmp(name, "layout") == 0 || strcmp(name, "target") == 0)
        add(text, ", %s", shown ? shown : "?");
    else
        add(text, ", %s %s", dot ? dot + 1 : name, shown ? shown : "?");
}

void place_write(const struct group *group, char text[PLACE_TEXT])
{
    struct format_text number;
    double streams = group_median(group, "stream_count");
    const char *name;
    json_t *value;
    snprintf(text, PLACE_TEXT, "%s", group->phase);
    if (streams > 0)
        add(text, " at %s stream%s", format_grouped(&number, streams), streams == 1 ? "" : "s");
    if (group->part)
        add(text, ", %s", group->part);
    json_object_foreach((json_t *)group->factors, name, value)
    {
        add_factor(text, name, value);
    }
}

double place_rows_per_commit(const struct group *group)
{
    double asked = keys_number(group->summary, group->trials[0], "workload.rows_per_commit");
    if (!isnan(asked))
        return asked;
    double commits = group_median(group, "commits");
    return commits > 0 ? group_median(group, "rows") / commits : NAN;
}
