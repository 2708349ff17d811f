/* The progress line: what it shows, what it leaves out, and how wide it is. */
#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/columns.h"
#include "cli/progress.h"

static struct run_progress busy(void)
{
    return (struct run_progress){.trial = 2,
                                 .trials = 30,
                                 .part = NULL,
                                 .phase = "insert",
                                 .cycle = 0,
                                 .streams = 40,
                                 .done = 0.4279,
                                 .left_s = 180,
                                 .rows_per_s = 12300,
                                 .commits_per_s = 12300,
                                 .write_iops = 23600,
                                 .flushes_per_s = 4200,
                                 .queue_depth = 3.14,
                                 .temperature_c = 41.4};
}

static const char *line_of(const struct run_progress *now, int width)
{
    static char line[512];
    progress_line(now, width, line, sizeof line);
    return line;
}

static void shows_everything_at_120_columns(void **state)
{
    (void)state;
    struct run_progress now = busy();
    assert_string_equal(
        line_of(&now, 120),
        " 42%  3/30  insert  40 streams  12.3k rows/s  12.3k commits/s  23.6k IOPS  "
        "4.20k flushes/s  QD 3.1  41 C  3.0 min left");
}

static void shows_the_step_of_a_search(void **state)
{
    (void)state;
    struct run_progress now = busy();
    now.trials = 0; /* nobody knows how many */
    now.done = now.left_s = NAN;
    now.search_step = 4;
    now.streams = 8;
    assert_string_equal(line_of(&now, 120),
                        "insert  search step 4, 8 streams  12.3k rows/s  12.3k commits/s  "
                        "23.6k IOPS  4.20k flushes/s  QD 3.1  41 C");
    now.streams = 1;
    now.search_step = 1;
    assert_non_null(strstr(line_of(&now, 120), "search step 1, 1 stream  "));
}

static void shows_all_but_the_trial_in_short_units_at_80_columns(void **state)
{
    (void)state;
    struct run_progress now = busy();
    assert_string_equal(
        line_of(&now, 79),
        " 42% insert 40st 12.3k rows/s 12.3k c/s 23.6k w/s 4.2k f/s QD 3.1 41C 3:00 left");
    now.part = "commits"; /* there is no room for it */
    assert_string_equal(
        line_of(&now, 79),
        " 42% insert 40st 12.3k rows/s 12.3k c/s 23.6k w/s 4.2k f/s QD 3.1 41C 3:00 left");
    assert_string_equal(line_of(&now, 99),
                        " 42% 3/30 commits insert 40st 12.3k rows/s 12.3k c/s 23.6k w/s 4.2k f/s "
                        "QD 3.1 41C 3:00 left");
}

/* The longest numbers that can be expected: the temperature goes, and nothing that a load is judged
 * by. */
static void keeps_streams_flushes_and_queue_at_80_columns(void **state)
{
    (void)state;
    struct run_progress now = {.trial = 99,
                               .trials = 100,
                               .phase = "insert",
                               .part = "commits",
                               .streams = 1000,
                               .done = 1,
                               .left_s = 7500,
                               .rows_per_s = 12345678,
                               .commits_per_s = 12345,
                               .write_iops = 123456,
                               .flushes_per_s = 45678,
                               .queue_depth = 123.4,
                               .temperature_c = 101};
    assert_string_equal(
        line_of(&now, 79),
        "100% insert 1000st 12.3M rows/s 12.3k c/s 123k w/s 45.7k f/s QD 123 2h05 left");
}

static void tells_the_time_left_in_few_letters(void **state)
{
    (void)state;
    static const struct {
        double left_s;
        const char *text;
    } cases[] = {{0, " 0s left"},         {59.4, " 59s left"},     {59.6, " 1:00 left"},
                 {3599.4, " 59:59 left"}, {3600, " 1h00 left"},    {7199, " 2h00 left"},
                 {86400, " 24h00 left"},  {360000, " 100h00 left"}};
    struct run_progress now = busy();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        now.left_s = cases[i].left_s;
        const char *line = line_of(&now, 90), *end = strrchr(line, ' ');
        assert_string_equal(end, " left");
        size_t length = strlen(cases[i].text);
        assert_string_equal(line + strlen(line) - length, cases[i].text);
    }
    now.left_s = 1e300;
    assert_non_null(strstr(line_of(&now, 100), " left"));
}

static void shows_the_step_of_a_search_in_few_letters(void **state)
{
    (void)state;
    struct run_progress now = busy();
    now.trials = 0;
    now.done = now.left_s = NAN;
    now.search_step = 4;
    assert_string_equal(line_of(&now, 79),
                        "insert step 4 40st 12.3k rows/s 12.3k c/s 23.6k w/s 4.2k f/s QD 3.1 41C");
}

static void keeps_the_phase_and_the_commits_at_60_columns(void **state)
{
    (void)state;
    struct run_progress now = busy();
    assert_string_equal(line_of(&now, 60),
                        " 42%  insert  12.3k rows/s  12.3k commits/s  3.0 min left");
}

static void never_is_wider_than_asked(void **state)
{
    (void)state;
    struct run_progress now = busy();
    now.part = "a-part-with-a-name-that-does-not-want-to-end";
    char copy[512];
    for (int width = 1; width < 160; width++)
        assert_true(columns_copy(copy, sizeof copy, line_of(&now, width), 1000) <= width);
}

static void shows_a_dash_for_what_is_unknown(void **state)
{
    (void)state;
    struct run_progress now = busy();
    now.trials = 1;
    now.streams = 1;
    now.done = now.left_s = now.temperature_c = NAN;
    now.rows_per_s = now.commits_per_s = now.write_iops = NAN;
    now.flushes_per_s = now.queue_depth = NAN;
    assert_string_equal(line_of(&now, 120),
                        "insert  1 stream  - rows/s  - commits/s  - IOPS  - flushes/s  QD -");
}

static void does_not_take_nothing_for_unknown(void **state)
{
    (void)state;
    struct run_progress now = busy();
    now.trials = 1;
    now.flushes_per_s = now.queue_depth = 0;
    assert_non_null(strstr(line_of(&now, 120), "  0 flushes/s  QD 0.0  "));
}

static void is_never_at_100_percent_too_early(void **state)
{
    (void)state;
    struct run_progress now = busy();
    now.done = 0.9999;
    assert_memory_equal(line_of(&now, 120), " 99%", 4);
    now.done = 1;
    assert_memory_equal(line_of(&now, 120), "100%", 4);
}

static void shows_a_part_but_no_control_characters(void **state)
{
    (void)state;
    struct run_progress now = busy();
    now.part = "bu\033[2Jlk";
    assert_non_null(strstr(line_of(&now, 200), "  bu?[2Jlk insert  "));
}

static void counts_wide_letters_as_two_columns(void **state)
{
    (void)state;
    char out[64];
    if (setlocale(LC_CTYPE, "C.UTF-8") == NULL)
        skip();
    assert_int_equal(columns_copy(out, sizeof out, "日本語", 100), 6);
    assert_string_equal(out, "日本語");
    assert_int_equal(columns_copy(out, sizeof out, "日本語", 5), 4);
    assert_string_equal(out, "日本");
    assert_int_equal(columns_copy(out, 5, "日本語", 100), 2); /* no half letters either */
    assert_string_equal(out, "日");
    assert_int_equal(columns_copy(out, sizeof out, "a\xff\xe6z", 100), 4);
    assert_string_equal(out, "a??z");
    setlocale(LC_CTYPE, "C");
    assert_int_equal(columns_copy(out, sizeof out, "aé", 100), 3);
    assert_string_equal(out, "a??");
}

/* What a file gets: whole lines, no control characters, not one per call. */
static void writes_plain_lines_where_there_is_no_terminal(void **state)
{
    (void)state;
    char text[4096] = "";
    FILE *out = tmpfile();
    struct progress progress;
    struct run_progress now = busy();

    assert_non_null(out);
    progress_init(&progress, out, fileno(out));
    assert_false(progress.live);
    for (int i = 0; i < 100; i++)
        progress.watch.progress(progress.watch.ctx, &now);
    progress.watch.note(progress.watch.ctx, "warning", "the drive is hot");
    progress_clear(&progress);
    rewind(out);
    size_t size = fread(text, 1, sizeof text - 1, out);
    text[size] = '\0';
    fclose(out);
    assert_null(strchr(text, '\033'));
    assert_null(strchr(text, '\r'));
    char *second = strchr(text, '\n') + 1;
    assert_string_equal(second, "loadline: warning: the drive is hot\n");
}

static size_t drain(int fd, char *text, size_t size)
{
    ssize_t got = read(fd, text, size - 1);
    assert_true(got > 0);
    text[got] = '\0';
    return (size_t)got;
}

/* A line that became two rows because the window shrank is removed whole. */
static void survives_a_window_that_changes(void **state)
{
    (void)state;
    struct winsize size = {.ws_row = 24, .ws_col = 100};
    char text[1024];
    struct progress progress;
    struct run_progress now = busy();
    int master = posix_openpt(O_RDWR | O_NOCTTY);

    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) {
        print_message("skipped: no pseudo-terminal here\n");
        skip();
    }
    int terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
    FILE *out = fdopen(terminal, "w");
    assert_non_null(out);
    assert_int_equal(ioctl(terminal, TIOCSWINSZ, &size), 0);
    setenv("TERM", "xterm", 1);
    progress_init(&progress, out, terminal);
    assert_true(progress.live);

    progress.watch.progress(progress.watch.ctx, &now);
    drain(master, text, sizeof text);
    assert_null(strchr(text, '\r'));
    int columns = (int)strlen(text);
    assert_true(columns > 80 && columns < 100);

    size.ws_col = 45;
    assert_int_equal(ioctl(terminal, TIOCSWINSZ, &size), 0);
    progress.last_ns = 0; /* as if the time had passed */
    progress.watch.progress(progress.watch.ctx, &now);
    drain(master, text, sizeof text);
    assert_memory_equal(text, columns > 90 ? "\r\033[2A\033[J" : "\r\033[1A\033[J", 8);
    assert_true(strlen(text + 8) < 45);

    progress.watch.note(progress.watch.ctx, "limit", "reached");
    drain(master, text, sizeof text);
    assert_memory_equal(text, "\r\033[J", 4);
    if (strchr(text, '\n') == NULL)
        drain(master, text, sizeof text);
    assert_non_null(strstr(text, "loadline: limit: reached"));
    fclose(out);
    close(master);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shows_everything_at_120_columns),
        cmocka_unit_test(shows_the_step_of_a_search),
        cmocka_unit_test(shows_all_but_the_trial_in_short_units_at_80_columns),
        cmocka_unit_test(keeps_streams_flushes_and_queue_at_80_columns),
        cmocka_unit_test(tells_the_time_left_in_few_letters),
        cmocka_unit_test(shows_the_step_of_a_search_in_few_letters),
        cmocka_unit_test(keeps_the_phase_and_the_commits_at_60_columns),
        cmocka_unit_test(never_is_wider_than_asked),
        cmocka_unit_test(shows_a_dash_for_what_is_unknown),
        cmocka_unit_test(does_not_take_nothing_for_unknown),
        cmocka_unit_test(is_never_at_100_percent_too_early),
        cmocka_unit_test(shows_a_part_but_no_control_characters),
        cmocka_unit_test(counts_wide_letters_as_two_columns),
        cmocka_unit_test(survives_a_window_that_changes),
        cmocka_unit_test(writes_plain_lines_where_there_is_no_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
