#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "measure/environment.h"

static void busy_is_all_but_idle_and_waiting(void **state)
{
    (void)state;
    struct host_cpu cpu;
    /* user nice system idle iowait irq softirq steal guest guest_nice */
    assert_int_equal(environment_parse_cpu("cpu  100 20 30 1000 400 5 6 7 50 10\n", &cpu), 0);
    assert_int_equal(cpu.busy, 168);
    assert_int_equal(cpu.total, 1568);
    assert_int_equal(environment_parse_cpu("cpu  1 2 3 4\n", &cpu), 0); /* before 2.5.41 */
    assert_int_equal(cpu.total, 10);
    assert_int_equal(environment_parse_cpu("intr 1 2 3 4\n", &cpu), -1);
    assert_int_equal(environment_parse_cpu("", &cpu), -1);
}

static void this_machine(void **state)
{
    (void)state;
    struct environment e;
    environment_read(&e);
    assert_true(e.kernel[0] >= '0' && e.kernel[0] <= '9');
    assert_true(e.cpus >= 1);
    assert_true(e.memory_bytes > 16 << 20 && e.memory_bytes % 1024 == 0);
    assert_null(strchr(e.cpu_model, '\n'));
    print_message("  %s, %u x %s, %llu bytes\n", e.kernel, e.cpus, e.cpu_model,
                  (unsigned long long)e.memory_bytes);
}

static void the_machine_works_while_we_do(void **state)
{
    (void)state;
    struct host_cpu before, after;
    assert_int_equal(environment_host_cpu(&before), 0);
    clock_t until = clock() + CLOCKS_PER_SEC / 5;
    while (clock() < until)
        ;
    assert_int_equal(environment_host_cpu(&after), 0);
    assert_true(after.busy > before.busy && after.total > before.total);
    assert_true(after.busy - before.busy <= after.total - before.total);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(busy_is_all_but_idle_and_waiting),
        cmocka_unit_test(this_machine),
        cmocka_unit_test(the_machine_works_while_we_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
