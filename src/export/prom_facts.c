#include "export/prom_facts.h"

struct fact {
    const char *label, *path; /* of the document, or of the device */
};

static const struct fact result_facts[] = {
    {"version", "loadline"},
    {"workload", "workload.name"},
    {"workload_hash", "workload_hash"},
    {"engine", "environment.engine"},
    {"engine_version", "environment.engine_version"},
    {"kernel", "environment.kernel"},
    {"cpu_model", "environment.cpu_model"},
    {"started", "started"},
};
enum { RESULT_FACTS = sizeof result_facts / sizeof *result_facts };

/* Serial numbers and WWNs are in the document with --identify, and never here. */
static const struct fact device_facts[] = {
    {"role", "role"},
    {"device", "sampled"},
    {"model", "model"},
    {"firmware", "firmware"},
    {"transport", "transport"},
    {"link", "link"},
    {"filesystem", "filesystem"},
    {"scheduler", "scheduler"},
    {"write_cache", "write_cache"},
};
enum { DEVICE_FACTS = sizeof device_facts / sizeof *device_facts };

static void add_facts(struct prom_labels *labels, const json_t *from, const struct fact *facts,
                      size_t count)
{
    for (size_t i = 0; i < count; i++)
        prom_label_add(labels, facts[i].label, json_text_at(from, facts[i].path));
}

void prom_facts_results(struct prom_places *places, const struct report_source *source,
                        size_t source_count)
{
    struct prom_labels *labels = prom_place_add(places, source, source_count);
    const json_t *partial = json_object_get(source->summary, "partial");
    add_facts(labels, source->summary, result_facts, RESULT_FACTS);
    if (json_is_boolean(partial))
        prom_label_add(labels, "partial", json_is_true(partial) ? "true" : "false");
}

void prom_facts_devices(struct prom_places *places, const struct report_source *source,
                        size_t source_count)
{
    size_t index;
    const json_t *device;
    json_array_foreach(json_object_get(source->summary, "devices"), index, device)
    {
        if (!json_is_object(device))
            continue;
        struct prom_labels *labels = prom_place_add(places, source, source_count);
        double target = json_number_at(device, "target");
        prom_label_add(labels, "target", prom_place_target(source->summary, target));
        add_facts(labels, device, device_facts, DEVICE_FACTS);
    }
}

static void add_finding(struct prom_places *places, const struct report_source *source,
                        size_t source_count, const char *kind, const json_t *finding)
{
    const char *verdict = json_text_at(finding, "verdict");
    if (verdict == NULL)
        verdict = json_text_at(finding, "cause"); /* a bottleneck's */
    if (verdict == NULL)
        return;
    struct prom_labels *labels = prom_place_add(places, source, source_count);
    prom_label_add(labels, "finding", kind);
    prom_label_add(labels, "verdict", verdict);
    prom_label_add(labels, "part", json_text_at(finding, "part"));
    prom_label_add(labels, "phase", json_text_at(finding, "phase"));
    prom_place_factors(labels, json_object_get(finding, "factors"));
}

void prom_facts_verdicts(struct prom_places *places, const struct report_source *source,
                         size_t source_count)
{
    const char *kind;
    json_t *section;
    json_object_foreach(json_object_get(source->summary, "analysis"), kind, section)
    {
        const json_t *list =
            json_is_array(section) ? section : json_object_get(section, "findings");
        size_t index;
        const json_t *finding;
        json_array_foreach(list, index, finding)
        {
            add_finding(places, source, source_count, kind, finding);
        }
    }
}
