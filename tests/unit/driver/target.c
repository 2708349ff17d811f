/* What --target may say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "driver/run.h"

static void forms_that_are_understood(void **state)
{
    const struct {
        const char *text, *engine, *path;
    } forms[] = {
        {"/mnt/ssd", "sqlite", "/mnt/ssd"},
        {"ssd", "sqlite", "ssd"},
        {".", "sqlite", "."},
        {"./c:d", "sqlite", "./c:d"},
        {"/a/c:d", "sqlite", "/a/c:d"},
        {"a/b:c:d", "sqlite", "a/b:c:d"},
        {"sqlite:/mnt/ssd", "sqlite", "/mnt/ssd"},
        {"sqlite:./c:d", "sqlite", "./c:d"},
        {"sqlite:c:d", "sqlite", "c:d"},
        {"sqlite:h#x?y=%20", "sqlite", "h#x?y=%20"},
        {"/データ/円盤:一", "sqlite", "/データ/円盤:一"},
        {"sqlite:データ", "sqlite", "データ"},
        {"fsync:/mnt/ssd", "fsync", "/mnt/ssd"},
        {"fsync:.", "fsync", "."},
        {"null:", "null", ""},
        {"postgres:/mnt/ssd", "postgres", "/mnt/ssd"},
        {"postgres:a://b", "postgres", "a://b"},
        {"postgresql://h/db", "postgres", "postgresql://h/db"},
        {"postgres://h/db", "postgres", "postgres://h/db"},
        {"postgresql:service=x", "postgres", "service=x"},
        {"postgresql:", "postgres", ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        struct run_target target;
        struct err err = {.text = ""};
        if (run_target_parse(forms[i].text, &target, &err) != 0)
            fail_msg("%s: %s", forms[i].text, err.text);
        assert_string_equal(target.adapter->name, forms[i].engine);
        assert_string_equal(target.path, forms[i].path);
        assert_string_equal(target.text, forms[i].text);
    }
}

/* Refused as wrong usage; the words that must be in the message. */
static void forms_that_are_refused(void **state)
{
    const struct {
        const char *text, *words[3];
    } forms[] = {
        {"", {"directory on the drive under test"}},
        {"c:d", {"no engine \"c\"", "sqlite:./c:d", "sqlite:, "}},
        {"nul:", {"no engine \"nul\"", "null:"}},
        {"データ:円盤", {"no engine \"データ\"", "sqlite:./データ:円盤"}},
        {":x", {"no engine \"\""}},
        {"SQLITE:/x", {"no engine \"SQLITE\""}},
        {"sqlite:", {"a directory must follow", "sqlite:/mnt/ssd"}},
        {"fsync:", {"a directory must follow", "fsync:/mnt/ssd"}},
        {"postgres:", {"a directory must follow", "postgres:/mnt/ssd"}},
        {"a-scheme-that-is-longer-than-any-engine-has:x",
         {"no engine \"a-scheme-that-is-longer-than-any-engine-has\""}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        struct run_target target;
        struct err err = {.text = ""};
        assert_int_equal(run_target_parse(forms[i].text, &target, &err), -1);
        assert_int_equal(err.kind, ERR_USAGE);
        for (size_t w = 0; w < 3 && forms[i].words[w] != NULL; w++)
            if (strstr(err.text, forms[i].words[w]) == NULL)
                fail_msg("\"%s\" is not in: %s", forms[i].words[w], err.text);
        assert_null(strstr(err.text, "fault:")); /* engines for tests are not offered */
    }
}

static void passwords_are_shown_nowhere(void **state)
{
    const struct {
        const char *text, *shown; /* NULL: refused */
    } texts[] = {
        {"postgresql://u:secret@h/db", "postgresql://u:***@h/db"},
        {"postgres://u:secret@h/db", "postgres://u:***@h/db"},
        {"postgresql://u:se@cret@h:1/db?x=1", "postgresql://u:***@h:1/db?x=1"},
        {"postgresql://u:secret@[::1]:5432/", "postgresql://u:***@[::1]:5432/"},
        {"postgresql://:secret@h", "postgresql://:***@h"},
        {"postgresql://u@h:5432/db", "postgresql://u@h:5432/db"},
        {"postgresql://h:5432/a@b", "postgresql://h:5432/a@b"},
        {"postgresql://h/db?password=secret&x=1", "postgresql://h/db?password=***&x=1"},
        {"postgresql://h/db?sslpassword=secret", "postgresql://h/db?sslpassword=***"},
        {"postgresql:host=h password=secret user=u", "postgresql:host=h password=*** user=u"},
        {"postgresql:password = 'a secret' host=h", "postgresql:password =*** host=h"},
        {"postgresql:password='a\\'secret' host=h", "postgresql:password=*** host=h"},
        {"postgresql:password=a\\ secret host=h", "postgresql:password=*** host=h"},
        {"postgresql:PASSWORD=secret", "postgresql:PASSWORD=***"},
        {"mysql://u:secret@h/db", NULL},
        {"postgersql://u:secret@h/db", NULL},
        {"mysql:host=h password=secret", NULL},
        {"pg:u:secret@h", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct run_target target;
        struct err err = {.text = ""};
        int result = run_target_parse(texts[i].text, &target, &err);
        if (texts[i].shown != NULL) {
            assert_int_equal(result, 0);
            assert_string_equal(target.shown, texts[i].shown);
            continue;
        }
        assert_int_equal(result, -1);
        assert_int_equal(err.kind, ERR_USAGE);
        if (strstr(err.text, "secret") != NULL)
            fail_msg("the password of %s is in: %s", texts[i].text, err.text);
        assert_int_equal(strncmp(err.text, texts[i].text, strcspn(texts[i].text, ":")), 0);
    }
}

static void passwords_leave_the_command_line(void **state)
{
    char url[] = "postgresql://u:secret@h/db", short_one[] = "postgresql:password=s",
         path[] = "/mnt/a";
    (void)state;
    char *copy = run_target_take(url);
    assert_string_equal(copy, "postgresql://u:secret@h/db");
    assert_string_equal(url, "postgresql://u:***@h/db");
    for (size_t i = strlen(url); i < sizeof url; i++)
        assert_int_equal(url[i], 0);
    free(copy);
    copy = run_target_take(short_one);
    assert_string_equal(copy, "postgresql:password=s");
    assert_string_equal(short_one, "postgresql:password=*"); /* no longer than it was */
    free(copy);
    copy = run_target_take(path);
    assert_string_equal(path, "/mnt/a");
    free(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_that_are_understood),
        cmocka_unit_test(forms_that_are_refused),
        cmocka_unit_test(passwords_are_shown_nowhere),
        cmocka_unit_test(passwords_leave_the_command_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
