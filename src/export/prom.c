/* Every family that has a sample: its description, then all its samples, as OpenMetrics 1.0 wants
 * them (github.com/OpenObservability/OpenMetrics).  Of its types only the gauge is used: this text
 * is then also right in the older format, which node_exporter's textfile collector reads. */
#include "export/prom.h"

#include <errno.h>
#include <math.h>

#include "export/prom_facts.h"
#include "export/prom_name.h"

static void describe(FILE *out, const char *name, const char *unit, const char *help)
{
    fprintf(out, "# TYPE %s gauge\n", name);
    if (unit != NULL)
        fprintf(out, "# UNIT %s %s\n", name, unit);
    fprintf(out, "# HELP %s %s\n", name, help);
}

static void write_sample(FILE *out, const char *name, const struct prom_labels *labels,
                         double value)
{
    if (labels->size > 0)
        fprintf(out, "%s{%s} %.15g\n", name, labels->data, value);
    else
        fprintf(out, "%s %.15g\n", name, value);
}

/* ---- what is no metric ---- */

static const struct {
    const char *name, *help;
    void (*collect)(struct prom_places *places, const struct report_source *source, size_t count);
} facts[] = {
    {"loadline_result_info", "what ran, where and when, in the labels", prom_facts_results},
    {"loadline_device_info", "the devices under the targets, in the labels", prom_facts_devices},
    {"loadline_verdict_info", "what the analysis found, in the labels", prom_facts_verdicts},
};
enum { FACTS = sizeof facts / sizeof *facts };

static void write_facts(FILE *out, const struct report_source *sources, size_t count)
{
    for (size_t f = 0; f < FACTS; f++) {
        struct prom_places places = {.items = NULL};
        for (size_t i = 0; i < count; i++)
            facts[f].collect(&places, &sources[i], count);
        prom_place_separate(&places);
        if (places.count > 0)
            describe(out, facts[f].name, NULL, facts[f].help);
        for (size_t i = 0; i < places.count; i++)
            write_sample(out, facts[f].name, &places.items[i].labels, 1);
        prom_place_release(&places);
    }
}

/* ---- the phases ---- */

static void write_metric(FILE *out, const struct prom_places *places, const struct metric_row *row)
{
    struct prom_name name;
    bool described = false;
    prom_name_of(row, &name);
    for (size_t i = 0; i < places->count; i++) {
        double value = metric_value(places->items[i].phase, row->path) * name.factor;
        if (!isfinite(value))
            continue;
        if (!described)
            describe(out, name.name, name.unit, row->help);
        described = true;
        write_sample(out, name.name, &places->items[i].labels, value);
    }
}

static void write_verified(FILE *out, const struct prom_places *places)
{
    static const char name[] = "loadline_verify_ok";
    bool described = false;
    for (size_t i = 0; i < places->count; i++) {
        const json_t *ok = json_at(places->items[i].phase, "verify.ok");
        if (!json_is_boolean(ok))
            continue;
        if (!described)
            describe(out, name, NULL, "1: every row was found as it was written; 0: not so");
        described = true;
        write_sample(out, name, &places->items[i].labels, json_is_true(ok) ? 1 : 0);
    }
}

int prom_write(FILE *out, const struct report_source *sources, size_t count, struct err *err)
{
    struct prom_places places = {.items = NULL};
    write_facts(out, sources, count);
    for (size_t i = 0; i < count; i++)
        prom_place_phases(&places, &sources[i], count);
    prom_place_separate(&places);
    for (const struct metric_row *row = metric_rows; row->path != NULL; row++)
        write_metric(out, &places, row);
    write_verified(out, &places);
    prom_place_release(&places);
    fputs("# EOF\n", out);
    if (fflush(out) != 0 || ferror(out))
        return err_set_errno(err, ERR_FAILED, errno, "writing OpenMetrics text");
    return 0;
}
