/* Which device's disturbance is told. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "driver/foreign_watch.h"

static struct foreign_share share(double others, double others_read)
{
    return (struct foreign_share){FOREIGN_CGROUP1, others, 1000, others_read, 1000};
}

static size_t worst(struct foreign_share data, struct foreign_share log)
{
    return foreign_watch_worst((struct foreign_share[]){data, log}, 2);
}

static void the_most_disturbed(void **state)
{
    (void)state;
    assert_int_equal(worst(share(10, 0), share(300, 0)), 1);
    assert_int_equal(worst(share(300, 0), share(10, 0)), 0);
    assert_int_equal(worst(share(300, 0), share(0, 900)), 1); /* 30% of writes, 45% of all */
    assert_int_equal(worst(share(10, 0), share(10, 0)), 0);
    assert_int_equal(worst(share(NAN, NAN), share(0, 0)), 1); /* what is known */
    assert_int_equal(worst(share(0, 0), share(NAN, NAN)), 0);
    assert_int_equal(foreign_watch_worst(NULL, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_most_disturbed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
