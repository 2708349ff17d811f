/* Our encoding read by the reference implementation (Debian's libhdrhistogram-java), and its
 * encoding read by us. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/fs.h"
#include "base/rng.h"
#include "measure/hist.h"

#define JAR "/usr/share/java/hdrhistogram.jar"

static double next_number(FILE *pipe)
{
    char line[64];
    assert_non_null(fgets(line, sizeof line, pipe));
    return strtod(line, NULL);
}

static void both_ways(void **state)
{
    (void)state;
    struct hist *h = hist_create(), *back = hist_create();
    struct rng rng = {42};
    struct err err;
    for (int i = 0; i < 20000; i++) /* commits of 0.1 to 100 ms */
        hist_record(h, (int64_t)(1e5 * pow(1000, (double)rng_below(&rng, 1000) / 1000)));
    char *text = hist_encode(h);
    char *command = fs_path("java -cp %s %s/unit/measure/Decode.java %s", JAR, TESTS_DIR, text);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_true(next_number(pipe) == 20000);
    double highest = (double)(hist_lowest_ns(h->high) + hist_width_ns(h->high) - 1);
    assert_true(next_number(pipe) == highest);
    const double quantiles[] = {0.5, 0.9, 0.99, 0.999};
    for (size_t i = 0; i < sizeof quantiles / sizeof *quantiles; i++) {
        double theirs_ms = next_number(pipe) / 1e6;
        assert_true(fabs(hist_quantile_ms(h, quantiles[i]) - fmin(theirs_ms, hist_max_ms(h))) <
                    1e-9);
    }
    static char again[1 << 20];
    assert_non_null(fgets(again, sizeof again, pipe));
    again[strcspn(again, "\n")] = 0;
    assert_int_equal(pclose(pipe), 0);
    assert_int_equal(hist_decode(again, back, &err), 0);
    assert_memory_equal(back->counts, h->counts, sizeof h->counts);
    free(command);
    free(text);
    hist_destroy(back);
    hist_destroy(h);
}

int main(void)
{
    if (access(JAR, R_OK) != 0 || system("command -v javac >/dev/null 2>&1") != 0) {
        printf("SKIPPED: needs a JDK and " JAR " (Debian's libhdrhistogram-java)\n");
        return 77;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_ways)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
