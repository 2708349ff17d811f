#include <math.h>
#include <string.h>

#include "report/sections.h"

/* Trials that came to their own end: none of these is "cut off". */
static bool is_complete(const json_t *trial)
{
    const char *ended = json_text_at(trial, "ended_by");
    return ended && strcmp(ended, "signal") != 0 && strcmp(ended, "error") != 0 &&
           !json_is_true(json_object_get(trial, "partial"));
}

void section_partial(const struct view *view)
{
    if (!json_is_true(json_object_get(view->summary, "partial")))
        return;
    const json_t *trials = json_object_get(view->summary, "trials");
    size_t index, complete = 0;
    const json_t *trial;
    json_array_foreach(trials, index, trial)
    {
        complete += is_complete(trial);
    }
    double planned = json_number_at(view->summary, "trials_planned");
    struct text text = {0};
    text_add(&text, "the run was cut off: %zu", complete);
    if (!isnan(planned))
        text_add(&text, " of %.0f", planned);
    text_add(&text, " trial%s complete",
             planned == 1 || (isnan(planned) && complete == 1) ? "" : "s");
    if (json_array_size(trials) > complete)
        text_add(&text, "; what was measured until then is shown");
    view_finding(view, "PARTIAL", SINK_LOUD, &text);
    view_gap(view);
}
