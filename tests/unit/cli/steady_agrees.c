/* Whether it is steady is judged twice: while the run goes on, and from its result.  The same
 * rounds and samples get the same answer, in the same words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/rounds_rule.h"
#include "base/clock.h"
#include "base/rng.h"
#include "driver/steadiness.h"
#include "unit/analysis/steady_doc.h"

enum { RUNS = 300, ROUNDS = 9 };

static const struct workload load = {.phases = {PHASE_INSERT, PHASE_DELETE},
                                     .phase_count = 2,
                                     .interval_ns = 100 * NS_PER_MS,
                                     .steady_rounds = 25,
                                     .steady_write_bytes = 60e6,
                                     .limit_write_bytes = 100000};

static double share(struct rng *rng) /* 0 to 1 */
{
    return (double)(rng_next(rng) >> 11) / 9007199254740992.0;
}

static bool happens(struct rng *rng, double chance)
{
    return share(rng) < chance;
}

/* A phase whose rate may step, drift, stall, and whose last interval is a piece. */
static void play(struct doc *doc, struct rng *rng, const char *name, unsigned cycle, double *rate)
{
    enum { STRETCHES = 6 };
    struct stretch stretches[STRETCHES];
    for (size_t i = 0; i < STRETCHES; i++) {
        if (happens(rng, 0.02))
            *rate *= 0.7 + 0.6 * share(rng);
        stretches[i] = (struct stretch){.seconds = 1,
                                        .rate = happens(rng, 0.03) ? 0 : *rate,
                                        .bytes_per_s = 1e6 * share(rng) + 5e5,
                                        .celsius = NAN};
    }
    json_t *phase = doc_phase(doc, name, cycle, stretches, STRETCHES);
    struct series *series = &doc->courses.items[doc->courses.count - 1].series;
    series->items[series->count - 1].seconds = 0.1 * share(rng);
    if (happens(rng, 0.8))
        put(phase, "latency_ms",
            json_pack("{s:{s:f}}", "transaction", "p99", 8 + 0.6 * share(rng)));
}

static void expect_same(const struct doc *doc, const struct rates_index *index,
                        const struct steadiness *s, size_t *held)
{
    char why[STEADINESS_WHY];
    struct rounds_rule rule;
    bool holds = steadiness_holds(s, why);
    rounds_rule_init(&rule, doc->summary, doc_trial((struct doc *)doc), index);
    if (strcmp(rule.why, why) != 0)
        fail_msg("analysis \"%s\", driver \"%s\"", rule.why, why);
    assert_int_equal(rule.count, s->rounds);
    if (rule.count >= STEADY_WINDOW)
        assert_int_equal(holds, rule.holds[rule.count - 1] == RULE_YES);
    *held += holds;
    rounds_rule_release(&rule);
}

/* What the driver knows after so many cycles. */
static void see(struct steadiness *s, struct doc *doc, size_t from, size_t cycles)
{
    const json_t *rounds = json_object_get(doc_trial(doc), "rounds");
    for (size_t i = from; i < cycles; i++) {
        steadiness_see_phase(s, PHASE_INSERT, &doc->courses.items[2 * i].series);
        steadiness_see_phase(s, PHASE_DELETE, &doc->courses.items[2 * i + 1].series);
        steadiness_see_round(s, json_array_get(rounds, i));
    }
}

/* Round after round. */
static void play_run(uint64_t seed, size_t *held, size_t *judged)
{
    struct doc doc;
    struct rng rng = {seed};
    struct steadiness s;
    double insert = 1000, delete = 2000;
    doc_init(&doc);
    doc_key(&doc, "steady.write_bytes", "60M");
    doc_key(&doc, "steady.round", "11s");
    doc_begin(&doc, 0);
    steadiness_init(&s, &load, 60e6);
    for (unsigned i = 0; i < ROUNDS; i++) {
        struct rates_index index;
        play(&doc, &rng, "insert", i, &insert);
        play(&doc, &rng, "delete", i, &delete);
        if (i == 0)
            continue; /* one cycle alone makes no rounds of a document */
        doc_rounds(&doc, 11);
        see(&s, &doc, i == 1 ? 0 : i, i + 1);
        rates_index_init(&index, &doc.courses);
        expect_same(&doc, &index, &s, held);
        rates_index_release(&index);
        *judged += i + 1 >= STEADY_WINDOW;
    }
    steadiness_release(&s);
    doc_release(&doc);
}

static void the_driver_and_the_analysis_agree(void **state)
{
    (void)state;
    size_t held = 0, judged = 0;
    for (uint64_t seed = 1; seed <= RUNS; seed++)
        play_run(seed, &held, &judged);
    /* Both answers were there often. */
    assert_true(held > judged / 20);
    assert_true(held < judged * 19 / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_driver_and_the_analysis_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
