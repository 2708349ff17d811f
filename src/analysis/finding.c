#include "analysis/finding.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "result/put.h"

static const char undetermined[] = "undetermined";

json_t *finding_create(const struct group *group, const char *const *left_out)
{
    json_t *finding = json_object();
    json_t *factors = group->factors ? json_deep_copy(group->factors) : json_object();
    for (; left_out && *left_out; left_out++)
        json_object_del(factors, *left_out);
    put_text(finding, "part", group->part);
    put_text(finding, "phase", group->phase);
    put(finding, "factors", factors);
    put_text(finding, "verdict", undetermined);
    put(finding, "sentences", json_array());
    put(finding, "certainty", NULL);
    return finding;
}

void finding_judge(json_t *finding, const char *verdict)
{
    put_text(finding, "verdict", verdict);
}

__attribute__((format(printf, 1, 0))) static json_t *text_of(const char *format, va_list arguments)
{
    char *text = NULL;
    if (vasprintf(&text, format, arguments) < 0)
        abort();
    json_t *value = json_text(text);
    free(text);
    return value;
}

void finding_say(json_t *finding, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    json_array_append_new(json_object_get(finding, "sentences"), text_of(format, arguments));
    va_end(arguments);
}

void finding_doubt(json_t *finding, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put(finding, "certainty", text_of(format, arguments));
    va_end(arguments);
}

json_t *findings_json(json_t *list)
{
    const char *verdict = undetermined;
    size_t index;
    const json_t *finding;
    if (json_array_size(list) == 0) {
        json_decref(list);
        return NULL;
    }
    json_array_foreach(list, index, finding)
    {
        const char *own = json_text_at(finding, "verdict");
        if (own && strcmp(own, undetermined) != 0) {
            verdict = own;
            break;
        }
    }
    json_t *all = json_object();
    put_text(all, "verdict", verdict);
    put(all, "findings", list);
    return all;
}
