#include "report/retries.h"

#include <math.h>

static double sum_of(const struct group *groups, size_t count, const char *metric)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < groups[i].count; k++) {
            double one = json_number_at(groups[i].phases[k], metric);
            sum += isnan(one) ? 0 : one;
        }
    return sum;
}

void retries_add(struct text *text, const struct group *groups, size_t count)
{
    static const struct {
        const char *metric, *one, *many;
    } names[] = {
        {"retries.busy", "busy", "busy"},
        {"retries.conflict", "conflict", "conflicts"},
        {"retries.deadlock", "deadlock", "deadlocks"},
        {"reconnects", "reconnect", "reconnects"},
    };
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        double sum = sum_of(groups, count, names[n].metric);
        struct format_text shown;
        if (sum > 0)
            text_add(text, "%s%s %s", text->size ? ", " : "", format_grouped(&shown, sum),
                     sum == 1 ? names[n].one : names[n].many);
    }
}
