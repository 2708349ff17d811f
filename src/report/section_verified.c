#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "report/sections.h"

struct checked {
    size_t phases, right, wrong;
    double in, out, changed, lost, surplus, wrong_rows, in_doubt;
    const json_t *failed; /* the first phase that was not right */
};

static double known(double value)
{
    return isnan(value) ? 0 : value;
}

static void count_phase(struct checked *c, const json_t *phase, const char *name)
{
    const json_t *verify = json_object_get(phase, "verify");
    const json_t *ok = json_object_get(verify, "ok");
    double rows = known(json_number_at(phase, "rows"));
    c->phases++;
    c->right += json_is_true(ok);
    c->wrong += json_is_false(ok);
    if (json_is_false(ok) && !c->failed)
        c->failed = phase;
    if (json_is_true(ok))
        *(strcmp(name, "delete") == 0  ? &c->out
          : strcmp(name, "mixed") == 0 ? &c->changed
                                       : &c->in) += rows;
    c->lost += known(json_number_at(verify, "lost_rows"));
    c->surplus += known(json_number_at(verify, "surplus_rows"));
    c->wrong_rows += known(json_number_at(verify, "wrong_rows"));
    c->in_doubt += known(json_number_at(verify, "in_doubt_rows"));
}

static void count_all(const struct view *view, struct checked *c)
{
    *c = (struct checked){0};
    for (size_t i = 0; i < view->groups.count; i++) {
        const struct group *group = &view->groups.items[i];
        for (size_t k = 0; k < group->count; k++)
            count_phase(c, group->phases[k], group->phase);
    }
}

static void add_first(const struct view *view, struct text *text, const json_t *phase)
{
    enum { FIRST_SHOWN = 3 };
    const char *integrity = json_text_at(phase, "verify.integrity");
    if (integrity && strcmp(integrity, "ok") != 0) {
        char *clean = view_clean(view, integrity);
        text_add(text, "; the engine's check: %s", clean);
        free(clean);
    }
    size_t index;
    const json_t *row;
    json_array_foreach(json_at(phase, "verify.first"), index, row)
    {
        const char *what = json_text_at(row, "what");
        if (index == FIRST_SHOWN || !what)
            break;
        char *clean = view_clean(view, what);
        text_add(text, "%s %" JSON_INTEGER_FORMAT " %s", index == 0 ? "; first: id" : ",",
                 json_integer_value(json_object_get(row, "id")), clean);
        free(clean);
    }
}

static void add_counts(struct text *text, const struct checked *c)
{
    struct format_text lost, surplus, wrong, doubt;
    text_add(text, "%s lost, %s surplus, %s wrong", format_grouped(&lost, c->lost),
             format_grouped(&surplus, c->surplus), format_grouped(&wrong, c->wrong_rows));
    if (c->in_doubt > 0)
        text_add(text, "; %s in doubt: their commit's outcome was lost",
                 format_grouped(&doubt, c->in_doubt));
}

void section_verified(const struct view *view)
{
    struct checked c;
    struct text text = {0};
    struct format_text in, out, changed;
    count_all(view, &c);
    if (c.phases == 0)
        return;
    if (c.wrong > 0) {
        add_counts(&text, &c);
        add_first(view, &text, c.failed);
        view_finding(view, "FAILED", SINK_LOUD, &text);
        return;
    }
    if (c.right == 0) {
        text_add(&text, "no: the rows were not checked");
        view_finding(view, "verified", SINK_CALM, &text);
        return;
    }
    if (c.in > 0 || c.changed == 0)
        text_add(&text, "%s rows in", format_grouped(&in, c.in));
    if (c.out > 0)
        text_add(&text, ", %s out", format_grouped(&out, c.out));
    if (c.changed > 0)
        text_add(&text, "%s%s rows changed", text.size ? ", " : "",
                 format_grouped(&changed, c.changed));
    text_add(&text, "; ");
    add_counts(&text, &c);
    if (c.right < c.phases)
        text_add(&text, "; %zu of %zu phases were not checked", c.phases - c.right, c.phases);
    view_finding(view, "verified", SINK_CALM, &text);
}
