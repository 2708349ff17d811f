#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/term.h"

struct pair {
    int master, terminal;
};

static int open_pair(void **state)
{
    static struct pair pair;
    char name[64];
    *state = &pair;
    pair.terminal = -1;
    pair.master = posix_openpt(O_RDWR | O_NOCTTY);
    if (pair.master >= 0 && grantpt(pair.master) == 0 && unlockpt(pair.master) == 0 &&
        ptsname_r(pair.master, name, sizeof name) == 0)
        pair.terminal = open(name, O_RDWR | O_NOCTTY);
    return 0;
}

static int close_pair(void **state)
{
    struct pair *pair = *state;
    if (pair->terminal >= 0)
        close(pair->terminal);
    if (pair->master >= 0)
        close(pair->master);
    return 0;
}

static void test_width(void **state)
{
    struct pair *pair = *state;
    int null = open("/dev/null", O_WRONLY);
    unsetenv("COLUMNS");
    assert_int_equal(term_width(null), 80);
    setenv("COLUMNS", "133", 1);
    assert_int_equal(term_width(null), 133);
    setenv("COLUMNS", "wide", 1);
    assert_int_equal(term_width(null), 80);
    setenv("COLUMNS", "0", 1);
    assert_int_equal(term_width(null), 80);
    close(null);
    if (pair->terminal < 0) {
        print_message("skipped: no pseudo terminal here\n");
        skip();
    }
    struct winsize size = {.ws_col = 97, .ws_row = 20};
    assert_int_equal(ioctl(pair->terminal, TIOCSWINSZ, &size), 0);
    setenv("COLUMNS", "133", 1);
    assert_int_equal(term_width(pair->terminal), 97);
}

static void test_colour(void **state)
{
    struct pair *pair = *state;
    int null = open("/dev/null", O_WRONLY);
    unsetenv("NO_COLOR");
    setenv("TERM", "xterm", 1);
    assert_false(term_is_terminal(null));
    assert_false(term_has_colour(null));
    close(null);
    if (pair->terminal < 0) {
        print_message("skipped: no pseudo terminal here\n");
        skip();
    }
    assert_true(term_is_terminal(pair->terminal));
    assert_true(term_has_colour(pair->terminal));
    setenv("NO_COLOR", "", 1);
    assert_true(term_has_colour(pair->terminal));
    setenv("NO_COLOR", "1", 1);
    assert_false(term_has_colour(pair->terminal));
    unsetenv("NO_COLOR");
    setenv("TERM", "dumb", 1);
    assert_false(term_has_colour(pair->terminal));
}

static void test_utf8(void **state)
{
    (void)state;
    setenv("LC_ALL", "C.UTF-8", 1);
    assert_true(term_is_utf8());
    setenv("LC_ALL", "C", 1);
    assert_false(term_is_utf8());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_width),
        cmocka_unit_test(test_colour),
        cmocka_unit_test(test_utf8),
    };
    return cmocka_run_group_tests(tests, open_pair, close_pair);
}
