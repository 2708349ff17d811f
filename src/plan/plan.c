#include "plan/plan.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/product.h"

struct making {
    const struct spec *spec;
    const char *const *targets;
    size_t target_count;
    struct product **products; /* [part] */
    unsigned *first_group;     /* [part] */
    struct plan *plan;
    size_t capacity;
};

static const char streams_key[] = "workload.streams";

/* "workload.streams" is known as "streams"; other sections keep their name. */
static const char *factor_name(const char *key)
{
    static const char prefix[] = "workload.";
    return strncmp(key, prefix, sizeof prefix - 1) == 0 ? key + sizeof prefix - 1 : key;
}

static void add_factor(struct trial_plan *trial, const char *key)
{
    trial->factors[trial->factor_count++] =
        (struct factor){.name = factor_name(key),
                        .value = workload_text(trial->load, key),
                        .number = workload_number(trial->load, key)};
}

/* In the order of the table of keys.  Streams that are searched vary, though no list says so. */
static void add_factors(const struct making *making, const struct product *product,
                        struct trial_plan *trial)
{
    trial->factors = calloc(product->varying_count + 2, sizeof *trial->factors);
    if (trial->factors == NULL)
        abort();
    for (size_t key = 0, i = 0; key < spec_key_count(making->spec); key++) {
        const char *name = trial->load->settings[key].key->name;
        bool varies = i < product->varying_count && product->varying[i] == key;
        i += varies;
        if (varies || (trial->load->streams_auto && strcmp(name, streams_key) == 0))
            add_factor(trial, name);
    }
    if (making->target_count > 1)
        trial->factors[trial->factor_count++] = (struct factor){
            .name = "target", .value = making->targets[trial->target], .number = NAN};
}

/* One combination in one repeat, unless its own run.repeats says that it is over. */
static int add_trial(struct making *making, size_t part, uint64_t combination, unsigned repeat,
                     struct err *err)
{
    const struct product *product = making->products[part];
    struct plan *plan = making->plan;
    struct workload *load;
    uint64_t target = combination % making->target_count;
    product_choose(product, combination / making->target_count);
    if (spec_resolve(making->spec, part, product->choice, &load, err) != 0) {
        const char *name = spec_part_name(making->spec, part);
        return name == NULL ? -1 : err_context(err, "part %s", name);
    }
    if (repeat >= (unsigned)workload_number(load, "run.repeats")) {
        workload_destroy(load);
        return 0;
    }
    assert(plan->count < making->capacity);
    struct trial_plan *trial = &plan->trials[plan->count];
    *trial = (struct trial_plan){.index = (unsigned)plan->count,
                                 .group = making->first_group[part] + (unsigned)combination,
                                 .part = spec_part_name(making->spec, part),
                                 .repeat = repeat,
                                 .target = (unsigned)target,
                                 .load = load};
    plan->count++;
    plan->template_count += load->streams_auto;
    add_factors(making, product, trial);
    return 0;
}

/* Even repeats forward, odd ones backward through all parts. */
static int add_repeat(struct making *making, unsigned repeat, struct err *err)
{
    size_t parts = spec_part_count(making->spec);
    bool is_reverse = repeat % 2 == 1;
    for (size_t i = 0; i < parts; i++) {
        size_t part = is_reverse ? parts - 1 - i : i;
        uint64_t count = (uint64_t)making->products[part]->count * making->target_count;
        for (uint64_t j = 0; j < count; j++)
            if (add_trial(making, part, is_reverse ? count - 1 - j : j, repeat, err) != 0)
                return -1;
    }
    return 0;
}

static int check_targets(const char *const *targets, size_t count, struct err *err)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(targets[i], targets[j]) == 0)
                return err_set(err, ERR_USAGE, "the target %s is given twice; remove one",
                               targets[i]);
    return 0;
}

/* Which lists multiply, largest part first: "workload.streams (5) x target (2)". */
static int refuse_size(const struct making *making, const struct product *largest, double trials,
                       struct err *err)
{
    char lists[512] = "";
    size_t used = 0;
    for (size_t i = 0; i < largest->varying_count && used < sizeof lists; i++) {
        size_t count;
        spec_values(making->spec, largest->part, largest->varying[i], &count);
        int added = snprintf(lists + used, sizeof lists - used, "%s%s (%zu)", used > 0 ? " x " : "",
                             spec_key(making->spec, largest->varying[i])->name, count);
        used += added < 0 ? 0 : (size_t)added;
    }
    if (making->target_count > 1 && used < sizeof lists) {
        int added = snprintf(lists + used, sizeof lists - used, "%starget (%zu)",
                             used > 0 ? " x " : "", making->target_count);
        used += added < 0 ? 0 : (size_t)added;
    }
    if (largest->repeats > 1 && used < sizeof lists)
        snprintf(lists + used, sizeof lists - used, "%srepeats (%u)", used > 0 ? " x " : "",
                 largest->repeats);
    return err_set(err, ERR_USAGE,
                   "the plan has %.0f trials, %d at most: %s multiply; shorten a list", trials,
                   PLAN_TRIALS_MAX, lists);
}

static int check_size(struct making *making, struct err *err)
{
    double trials = 0;
    const struct product *largest = making->products[0];
    for (size_t part = 0; part < spec_part_count(making->spec); part++) {
        const struct product *product = making->products[part];
        trials += product->trials * (double)making->target_count;
        if (product->trials > largest->trials)
            largest = product;
        if (product->repeats > making->plan->repeats)
            making->plan->repeats = product->repeats;
    }
    if (trials > PLAN_TRIALS_MAX)
        return refuse_size(making, largest, trials, err);
    making->capacity = (size_t)trials;
    for (size_t part = 0; part < spec_part_count(making->spec); part++) {
        making->first_group[part] = (unsigned)making->plan->group_count;
        making->plan->group_count += (size_t)making->products[part]->count * making->target_count;
    }
    return 0;
}

int plan_create(const struct spec *spec, const char *const *targets, size_t target_count,
                struct plan **plan, struct err *err)
{
    assert(target_count > 0);
    struct making making = {.spec = spec, .targets = targets, .target_count = target_count};
    size_t parts = spec_part_count(spec);
    int status = -1;
    *plan = NULL;
    making.plan = calloc(1, sizeof *making.plan);
    making.products = calloc(parts, sizeof(struct product *));
    making.first_group = calloc(parts, sizeof *making.first_group);
    if (making.plan == NULL || making.products == NULL || making.first_group == NULL)
        abort();
    for (size_t part = 0; part < parts; part++)
        making.products[part] = product_create(spec, part);
    if (check_targets(targets, target_count, err) != 0 || check_size(&making, err) != 0)
        goto out;
    making.plan->trials = calloc(making.capacity, sizeof *making.plan->trials);
    if (making.plan->trials == NULL)
        abort();
    for (unsigned repeat = 0; repeat < making.plan->repeats; repeat++)
        if (add_repeat(&making, repeat, err) != 0)
            goto out;
    *plan = making.plan;
    making.plan = NULL;
    status = 0;
out:
    for (size_t part = 0; part < parts; part++)
        product_destroy(making.products[part]);
    free(making.products);
    free(making.first_group);
    plan_destroy(making.plan);
    return status;
}

void plan_destroy(struct plan *plan)
{
    if (plan == NULL)
        return;
    for (size_t i = 0; i < plan->count; i++) {
        workload_destroy(plan->trials[i].load);
        free(plan->trials[i].factors);
    }
    free(plan->trials);
    free(plan);
}

struct trial_plan *plan_step_create(const struct trial_plan *of, unsigned index, unsigned streams)
{
    struct trial_plan *step = malloc(sizeof *step);
    size_t size = of->factor_count * sizeof *of->factors;
    if (step == NULL)
        abort();
    *step = *of;
    step->index = index;
    step->load = workload_with_streams(of->load, streams);
    step->factors = malloc(size);
    if (step->factors == NULL)
        abort();
    memcpy(step->factors, of->factors, size);
    for (size_t i = 0; i < step->factor_count; i++)
        if (strcmp(step->factors[i].name, factor_name(streams_key)) == 0) {
            step->factors[i].value = workload_text(step->load, streams_key);
            step->factors[i].number = streams;
        }
    return step;
}

void plan_step_destroy(struct trial_plan *step)
{
    if (step == NULL)
        return;
    workload_destroy(step->load);
    free(step->factors);
    free(step);
}

uint64_t plan_write_limit(const struct plan *plan)
{
    uint64_t limit = UINT64_MAX;
    for (size_t i = 0; i < plan->count; i++)
        if (plan->trials[i].load->limit_write_bytes < limit)
            limit = plan->trials[i].load->limit_write_bytes;
    return limit;
}
