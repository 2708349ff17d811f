#include "export/prom_place.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct prom_labels *prom_place_add(struct prom_places *places, const struct report_source *source,
                                   size_t source_count)
{
    if (places->count == places->capacity) {
        places->capacity = places->capacity == 0 ? 16 : 2 * places->capacity;
        places->items = realloc(places->items, places->capacity * sizeof *places->items);
        if (places->items == NULL)
            abort();
    }
    struct prom_place *place = &places->items[places->count++];
    *place = (struct prom_place){.phase = NULL};
    prom_label_add(&place->labels, "run_id", json_text_at(source->summary, "run_id"));
    if (source_count > 1)
        prom_label_add(&place->labels, "file", source->path);
    prom_label_add(&place->labels, "label", json_text_at(source->summary, "label"));
    return &place->labels;
}

void prom_place_factors(struct prom_labels *labels, const json_t *factors)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)factors, name, value)
    {
        char number[48] = "";
        if (json_is_integer(value))
            snprintf(number, sizeof number, "%lld", (long long)json_integer_value(value));
        else if (json_is_number(value))
            snprintf(number, sizeof number, "%.15g", json_number_value(value));
        prom_label_add_any(labels, name, json_is_string(value) ? json_string_value(value) : number);
    }
}

/* The data device of a target; a document from before there were several names none. */
static const json_t *device_of(const json_t *summary, double target)
{
    size_t index;
    const json_t *device;
    json_array_foreach(json_object_get(summary, "devices"), index, device)
    {
        double of = json_number_at(device, "target");
        const char *role = json_text_at(device, "role");
        if (role != NULL && strcmp(role, "data") == 0 &&
            (isnan(of) || isnan(target) || of == target))
            return device;
    }
    return NULL;
}

const char *prom_place_target(const json_t *summary, double target)
{
    const json_t *targets = json_object_get(summary, "targets");
    if (!(target >= 0 && target < (double)json_array_size(targets)))
        return NULL;
    return json_text_at(json_array_get(targets, (size_t)target), "target");
}

static void add_trial(struct prom_labels *labels, const json_t *summary, const json_t *trial)
{
    double target = json_number_at(trial, "target");
    const json_t *device = device_of(summary, target);
    prom_label_add(labels, "target", prom_place_target(summary, target));
    prom_label_add(labels, "device", json_text_at(device, "sampled"));
    prom_label_add(labels, "model", json_text_at(device, "model"));
    prom_label_add_number(labels, "trial", json_number_at(trial, "index"));
    prom_label_add_number(labels, "repeat", json_number_at(trial, "repeat"));
    prom_label_add(labels, "part", json_text_at(trial, "part"));
}

void prom_place_phases(struct prom_places *places, const struct report_source *source,
                       size_t source_count)
{
    size_t t, p;
    const json_t *trial, *phase;
    json_array_foreach(json_object_get(source->summary, "trials"), t, trial)
    {
        json_array_foreach(json_object_get(trial, "phases"), p, phase)
        {
            if (!json_is_object(phase))
                continue;
            struct prom_labels *labels = prom_place_add(places, source, source_count);
            places->items[places->count - 1].phase = phase;
            add_trial(labels, source->summary, trial);
            prom_label_add(labels, "phase", json_text_at(phase, "name"));
            prom_label_add_number(labels, "cycle", json_number_at(phase, "cycle"));
            prom_place_factors(labels, json_object_get(trial, "factors"));
        }
    }
}

static const char *text_of(const struct prom_place *place)
{
    return place->labels.data != NULL ? place->labels.data : "";
}

/* Those that are alike stand together, in the order in which they came. */
static int compare(const void *a, const void *b)
{
    const struct prom_place *x = *(struct prom_place *const *)a;
    const struct prom_place *y = *(struct prom_place *const *)b;
    int order = strcmp(text_of(x), text_of(y));
    return order != 0 ? order : (x > y) - (x < y);
}

void prom_place_separate(struct prom_places *places)
{
    struct prom_place **sorted = calloc(places->count + 1, sizeof(struct prom_place *));
    if (sorted == NULL)
        abort();
    for (size_t i = 0; i < places->count; i++)
        sorted[i] = &places->items[i];
    qsort(sorted, places->count, sizeof(struct prom_place *), compare);
    for (size_t i = 0, next = 1; i < places->count; i = next) {
        next = i + 1;
        while (next < places->count && strcmp(text_of(sorted[i]), text_of(sorted[next])) == 0)
            next++;
        for (size_t k = i + 1; k < next; k++) {
            char number[24];
            snprintf(number, sizeof number, "%zu", k - i + 1);
            prom_label_add(&sorted[k]->labels, "entry", number);
        }
    }
    free(sorted);
}

void prom_place_release(struct prom_places *places)
{
    for (size_t i = 0; i < places->count; i++)
        prom_label_release(&places->items[i].labels);
    free(places->items);
    *places = (struct prom_places){.items = NULL};
}
