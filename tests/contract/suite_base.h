/* suite_base.h - which engine the suite runs on, and what its tests share. */
#ifndef TESTS_CONTRACT_SUITE_BASE_H
#define TESTS_CONTRACT_SUITE_BASE_H

#include "base/clock.h"
#include "contract/support.h"

/* What runs now, by scheme: set by suite_run(), read by the tests. */
static const char *engine;
static const char *inner; /* NULL unless engine is fault */

static bool has(uint32_t cap);

/* Each statement is a way to another process and back: once what others do twice. */
static bool is_server(void)
{
    return strcmp(adapter_find(inner != NULL ? inner : engine)->name, "postgres") == 0;
}

/* A server for each trial takes seconds to start. */
static bool is_slow(void)
{
    return has(ADAPTER_OTHER_USER);
}

static bool has(uint32_t cap)
{
    const char *name = inner != NULL ? inner : engine;
    return (adapter_find(name)->caps & cap) != 0;
}

/* Settings of a test, with fault.inner where needed. */
struct settings {
    const char *pairs[32];
};

static struct settings with(const char *const *pairs)
{
    struct settings out = {.pairs = {"fault.inner", inner != NULL ? inner : "sqlite"}};
    size_t at = 2;
    for (; *pairs != NULL; pairs++)
        out.pairs[at++] = *pairs;
    return out;
}
#define WITH(...) with((const char *const[]){__VA_ARGS__, NULL}).pairs

static void start(struct trial *trial, const char *name, const char *const *settings)
{
    trial_init(trial, engine, name, settings);
    trial_open(trial);
}

enum { ROWS = 700 }; /* more than one batch */

static uint64_t rows_now(struct trial *trial)
{
    uint64_t rows = trial_rows(trial);
    expect_sound(trial);
    expect_ok(trial, trial->ops->settle(trial->db, &trial->why));
    return has(ADAPTER_KEEPS_ROWS) ? rows : rows + UINT64_MAX;
}

#endif
