#include "workload/phases.h"

#include <stdbool.h>
#include <string.h>

#include "workload/list.h"

static bool is_for_later(const char *name)
{
    static const char *const later[] = {"churn", "read"};
    for (size_t i = 0; i < sizeof later / sizeof *later; i++)
        if (strcmp(name, later[i]) == 0)
            return true;
    return false;
}

static int phase_parse(const char *name, enum phase_kind *kind, struct err *err)
{
    for (unsigned i = 0; i < PHASE_KINDS; i++)
        if (strcmp(name, phase_name((enum phase_kind)i)) == 0) {
            *kind = (enum phase_kind)i;
            return 0;
        }
    if (is_for_later(name))
        return err_set(err, ERR_USAGE,
                       "%s is not in this version; phases are insert, delete and mixed", name);
    return err_set(err, ERR_USAGE, "'%s' is no phase; phases are insert, delete and mixed", name);
}

int phases_parse(const char *text, enum phase_kind kinds[WORKLOAD_PHASES_MAX], size_t *count,
                 struct err *err)
{
    struct list names = {0};
    int status = -1;
    if (list_split(&names, text, err) != 0)
        goto out;
    if (names.count > WORKLOAD_PHASES_MAX) {
        err_set(err, ERR_USAGE, "at most %d phases", WORKLOAD_PHASES_MAX);
        goto out;
    }
    for (size_t i = 0; i < names.count; i++)
        if (phase_parse(names.items[i], &kinds[i], err) != 0)
            goto out;
    *count = names.count;
    status = 0;
out:
    list_release(&names);
    return status;
}
