#include "report/rights.h"

#include <string.h>

static const char *setting(const json_t *trial, const char *name)
{
    return json_string_value(json_object_get(json_object_get(trial, "engine_settings"), name));
}

static bool trial_lacks_checkpoint(const json_t *trial)
{
    const char *settle = setting(trial, "settle");
    return settle && strncmp(settle, "no CHECKPOINT", strlen("no CHECKPOINT")) == 0;
}

/* Rows were counted, instead of what amcheck looks at. */
static bool trial_lacks_amcheck(const json_t *trial)
{
    const char *check = setting(trial, "integrity_check");
    return check && strncmp(check, "rows counted", strlen("rows counted")) == 0;
}

bool rights_lack_checkpoint(const struct group *group)
{
    for (size_t i = 0; i < group->count; i++)
        if (trial_lacks_checkpoint(group->trials[i]))
            return true;
    return false;
}

/* The first trial of which this is so, or NULL. */
static const json_t *find(const struct view *view, bool (*is_so)(const json_t *trial))
{
    size_t index;
    const json_t *trial;
    json_array_foreach(json_object_get(view->summary, "trials"), index, trial)
    {
        if (is_so(trial))
            return trial;
    }
    return NULL;
}

void rights_print(const struct view *view)
{
    const json_t *trial = find(view, trial_lacks_checkpoint);
    struct text text = {0};
    if (trial) {
        const char *role = setting(trial, "role");
        view_add_clean(view, &text, "without CHECKPOINT: ", role ? "role " : "the run's role");
        view_add_clean(view, &text, "", role ? role : "");
        text_add(&text, " may not; bytes still in the server's buffers are not counted; GRANT "
                        "pg_checkpoint (15 and later)");
    }
    view_finding(view, "note", SINK_CALM, &text);
    trial = find(view, trial_lacks_amcheck);
    text = (struct text){0};
    if (trial)
        view_add_clean(view, &text, "integrity: ", setting(trial, "integrity_check"));
    view_finding(view, "note", SINK_CALM, &text);
}
