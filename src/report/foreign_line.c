#include "report/foreign_line.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "result/metric.h"

/* Over all phases; what one phase does not know, the sum does not know. */
struct foreign_sum {
    double others, all, others_read, all_read;
    bool estimated;
};

static double value_of(const json_t *phase, const char *role, const char *member)
{
    char path[48];
    snprintf(path, sizeof path, "%s.foreign.%s", role, member);
    return metric_value(phase, path);
}

static void add_phase(struct foreign_sum *sum, const json_t *phase, const char *role)
{
    char path[48];
    snprintf(path, sizeof path, "%s.foreign.method", role);
    const char *method = metric_text(phase, path);
    sum->others += value_of(phase, role, "write_bytes");
    sum->all += value_of(phase, role, "of_bytes");
    sum->others_read += value_of(phase, role, "read_bytes");
    sum->all_read += value_of(phase, role, "of_read_bytes");
    sum->estimated |= method && strcmp(method, "baseline") == 0;
}

static struct foreign_sum sum_of(const struct view *view, const char *role)
{
    struct foreign_sum sum = {0};
    for (size_t i = 0; i < view->groups.count; i++)
        for (size_t k = 0; k < view->groups.items[i].count; k++)
            add_phase(&sum, view->groups.items[i].phases[k], role);
    return sum;
}

/* Of what was written, or of all that was moved, whichever is more, as in each phase. */
static double part_of(const struct foreign_sum *sum)
{
    if (!(sum->others >= 0) || !(sum->all > 0))
        return NAN;
    return fmin(1, fmax(sum->others / sum->all,
                        (sum->others + sum->others_read) / (sum->all + sum->all_read)));
}

static void add_sum(struct text *text, const struct foreign_sum *sum)
{
    double percent = 100 * part_of(sum);
    if (isnan(percent)) {
        text_add(text, "foreign I/O unknown");
        return;
    }
    text_add(text, "foreign I/O %s%.*f%%%s", sum->estimated ? "about " : "",
             percent >= 0.05 && percent < 9.95 ? 1 : 0, percent,
             sum->estimated ? " (idle baseline)" : "");
}

/* " on sdb": the device of this role by its name, or of several targets' by what it holds. */
static void add_name(const struct view *view, struct text *text, const char *before,
                     const char *role)
{
    const char *name = NULL;
    bool same = true;
    for (size_t i = 0; i < view->groups.count; i++) {
        const struct group *group = &view->groups.items[i];
        bool is_log = strcmp(role, "wal") == 0;
        const char *here =
            is_log ? group_log_apart(group) : json_text_at(group_device(group), "sampled");
        same &= !name || !here || strcmp(name, here) == 0;
        name = here ? here : name;
    }
    view_add_clean(view, text, before,
                   name && same               ? name
                   : strcmp(role, "wal") == 0 ? "the WAL's drives"
                                              : "the tables' drives");
}

void foreign_line_add(const struct view *view, struct text *text)
{
    bool apart = false;
    for (size_t i = 0; i < view->groups.count; i++)
        apart |= group_log_apart(&view->groups.items[i]) != NULL;
    const struct foreign_sum data = sum_of(view, "data"), log = sum_of(view, "wal");
    double data_part = part_of(&data), log_part = part_of(&log);
    bool is_log = log_part > data_part || (isnan(data_part) && !isnan(log_part));
    add_sum(text, is_log ? &log : &data);
    if (!apart || (isnan(data_part) && isnan(log_part)))
        return;
    add_name(view, text, " on ", is_log ? "wal" : "data");
    if (isnan(data_part) || isnan(log_part))
        add_name(view, text, ", unknown on ", is_log ? "data" : "wal");
}
