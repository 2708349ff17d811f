/* The scanner and jansson side by side: what one takes the other takes, with the same values. */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/fs.h"
#include "base/json.h"
#include "base/rng.h"
#include "base/scan.h"

/* ---- the scanner's view of a text as a jansson tree ---- */

static json_t *take(struct scan *scan);

static json_t *take_text(const struct scan_text *text)
{
    char *copy = malloc(text->size + 1);
    json_t *string = json_stringn(copy, scan_text_copy(text, copy));
    free(copy);
    return string;
}

static json_t *take_object(struct scan *scan)
{
    json_t *object = json_object();
    struct scan_text key;
    while (scan_key(scan, &key)) {
        json_t *name = take_text(&key), *value = take(scan);
        if (value)
            json_object_set_new(object, json_string_value(name), value);
        json_decref(name);
    }
    return object;
}

static json_t *take_array(struct scan *scan)
{
    json_t *array = json_array();
    while (scan_item(scan)) {
        json_t *value = take(scan);
        if (value)
            json_array_append_new(array, value);
    }
    return array;
}

/* Looks ahead by a copy: the scanner itself keeps nothing. */
static json_t *take(struct scan *scan)
{
    struct scan ahead = *scan;
    struct scan_text text;
    int64_t integer;
    double number;
    if (scan_object(&ahead)) {
        *scan = ahead;
        return take_object(scan);
    }
    ahead = *scan;
    if (scan_array(&ahead)) {
        *scan = ahead;
        return take_array(scan);
    }
    ahead = *scan;
    if (scan_text(&ahead, &text)) {
        *scan = ahead;
        return take_text(&text);
    }
    ahead = *scan;
    if (scan_integer(&ahead, &integer)) {
        *scan = ahead;
        return json_integer(integer);
    }
    if (scan_number(scan, &number)) /* the last one, whatever it is */
        return json_real(number);
    return scan->failed ? NULL : json_null(); /* or true, or false: passed over alike */
}

/* jansson's true and false as null, as above. */
static json_t *plainer(json_t *value)
{
    size_t index;
    const char *key;
    json_t *item;
    if (json_is_boolean(value))
        return json_null();
    if (json_is_array(value))
        json_array_foreach(value, index, item)
        {
            json_array_set_new(value, index, plainer(item));
        }
    if (json_is_object(value))
        json_object_foreach(value, key, item)
        {
            json_object_set_new(value, key, plainer(item));
        }
    return json_incref(value);
}

static bool skips(const char *text, size_t size)
{
    struct scan scan;
    scan_init(&scan, text, size);
    scan_skip(&scan);
    return scan_end(&scan);
}

/* A block of exactly this size: reading past its end is then seen by a sanitizer. */
static void compare(const char *from, size_t size)
{
    char *text = malloc(size > 0 ? size : 1);
    memcpy(text, from, size);
    /* jansson loses a byte of 0 behind a number or a word, and so takes what is no JSON. */
    json_t *expected = memchr(text, 0, size) ? NULL : json_loadb(text, size, 0, NULL);
    struct scan scan;
    scan_init(&scan, text, size);
    bool deep = false; /* the tree above is made by recursion: beyond this only yes and no */
    for (size_t i = 0, depth = 0; i < size; i++) {
        depth += text[i] == '[' || text[i] == '{';
        deep |= depth > 500;
    }
    if (skips(text, size) != (expected != NULL))
        fail_msg("%s: %.*s", expected ? "refused" : "accepted", (int)(size < 200 ? size : 200),
                 text);
    if (!deep) {
        json_t *found = take(&scan);
        assert_int_equal(scan_end(&scan), expected != NULL);
        json_t *plain = expected ? plainer(expected) : NULL;
        if (expected && !json_equal(plain, found))
            fail_msg("another value: %.*s", (int)(size < 200 ? size : 200), text);
        json_decref(plain);
        json_decref(found);
    }
    json_decref(expected);
    free(text);
}

static void compare_text(const char *text)
{
    compare(text, strlen(text));
}

/* ---- the corpus ---- */

static const char *const texts[] = {
    "", " ", "{}", "[]", " { } ", "\t[\r\n]\n", "{}x", "{} {}", "[]]", "[}", "{]", "{", "[", "]",
    "null", "true", "1", "\"x\"", "[null,true,false]", "[nul]", "[nulll]", "[True]", "[null1]",
    "{\"a\":1}", "{\"a\":1,}", "{,}", "{\"a\"}", "{\"a\":}", "{a:1}", "{1:1}",
    "{\"a\" : 1 , \"b\":[ ]}", "{\"a\":1 \"b\":2}", "{\"a\":1,\"a\":2}",
    "{\"a\":{\"a\":{}},\"a\":[[]]}", "{\"\":\"\"}", "[1,]", "[,1]", "[1,,2]", "[1 2]", "[1", "[1,",
    "[\"a", "[\"a\\", "{\"a\":1", "{\"a\":", "{\"a", "{:1}", "['a']", "[1]\0", "[/**/]", "[//\n1]",
    "\xEF\xBB\xBF[]", "[\f1]", "[\v1]", "[]\f",
    /* numbers */
    "[0]", "[-0]", "[-0.0]", "[00]", "[01]", "[-01]", "[-]", "[+1]", "[1.]", "[.5]", "[1.e5]",
    "[1e]", "[1e+]", "[1e5]", "[1E5]", "[1e+5]", "[1e-5]", "[0e0]", "[0e999]", "[0.0e-999]",
    "[1e999]", "[-1e999]", "[1e-999]", "[1e308]", "[1.8e308]", "[1.7976931348623157e308]",
    "[2e308]", "[4.9e-324]", "[2e-324]", "[1e99999999999999999999]", "[1e-99999999999999999999]",
    "[0.1]", "[0.30000000000000004]", "[123456.789012]", "[3.141592653589793238462643383279502884]",
    "[9007199254740993.0]", "[9007199254740992e22]", "[1e22]", "[1e23]",
    "[123456789012345678901234567890e-20]", "[9223372036854775807]", "[9223372036854775808]",
    "[-9223372036854775808]", "[-9223372036854775809]", "[18446744073709551615]",
    "[18446744073709551616]", "[99999999999999999999]", "[1e5x]", "[0x10]", "[1_000]", "[NaN]",
    "[Infinity]", "[-Infinity]", "[nan]", "[1.5e3e2]", "[1.2.3]", "[--1]", "[1-1]",
    "[0.000000000000000000000000000000000000001]", "[100000000000000000000000000000.5]", "[1.5",
    "[1e5",
    /* strings */
    "[\"\"]", "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]", "[\"\\x\"]", "[\"\\u\"]", "[\"\\u12\"]",
    "[\"\\u12g4\"]", "[\"\\u0041\"]", "[\"\\u00e9\\u00E9\"]", "[\"\\u0000\"]",
    "[\"\\ud83d\\ude00\"]", "[\"\\ud83d\"]", "[\"\\ud83dx\"]", "[\"\\ud83d\\u0041\"]",
    "[\"\\ude00\"]", "[\"\\ud83d\\ud83d\"]", "[\"\\uFFFF\"]", "[\"\\u20AC\"]", "[\"\\U0041\"]",
    "[\"\\u 041\"]", "[\"\\u+041\"]", "[\"\\udbff\\udfff\"]", "[\"\\\"]", "[\"a\nb\"]",
    "[\"a\tb\"]", "[\"\x01\"]", "[\"\x1f\"]", "[\"\x7f\"]", "[\"eight by\\\"te\"]",
    "[\"1234567\x08\"]", "[\"12345678\x08\"]", "{\"\\u0061\":1,\"a\":2}", "{\"\\u0000\":1}",
    /* UTF-8 */
    "[\"\xC3\xA9\"]", "[\"\xE2\x82\xAC\"]", "[\"\xF0\x9F\x98\x80\"]", "[\"日本語の名前\"]",
    "{\"鍵\":\"値\"}", "[\"\x80\"]", "[\"\xC3\"]", "[\"\xC3(\"]", "[\"\xC0\x80\"]",
    "[\"\xC1\xBF\"]", "[\"\xE0\x80\x80\"]", "[\"\xE0\x9F\xBF\"]", "[\"\xED\xA0\x80\"]",
    "[\"\xED\x9F\xBF\"]", "[\"\xEF\xBF\xBF\"]", "[\"\xF0\x80\x80\x80\"]", "[\"\xF0\x8F\xBF\xBF\"]",
    "[\"\xF4\x8F\xBF\xBF\"]", "[\"\xF4\x90\x80\x80\"]", "[\"\xF5\x80\x80\x80\"]", "[\"\xFF\"]",
    "[\"\xE2\x82\"]", "[\"\xE2\x82", "[\"\xF0\x9F\x98\"]", "\xC3\xA9", "[\xC3\xA9]", "[1]\xC3\xA9",
    "[1]\x80",
    /* a sample */
    "{\"record\":\"sample\",\"t0\":4.13403212,\"t1\":4.134125796,\"mark\":\"tick\",\"trial\":0,"
    "\"streams\":{\"commits\":[32,0],\"rows\":[32000,1]},\"disks\":{\"vda\":{\"reads\":436894,"
    "\"discards\":null}},\"gauges\":{\"wal_bytes\":4214792},\"temperature_c\":null,"
    "\"commit\":\"HISTFAAAAFh4nJNpmSzMwMDgwAABTFCag4GB2c1g\"}"};

static void both_say_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        compare_text(texts[i]);
    compare("[1]\0", 4);
    compare("[\"a\0b\"]", 7);
    compare("\0", 1);
}

/* Every text cut off at every byte, and with every byte changed to some that matter. */
static void what_is_damaged(void **state)
{
    (void)state;
    static const char others[] = "\"\\{}[]:,0-.e \n\x01\x80\xC3u";
    char text[1024];
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        size_t size = strlen(texts[i]);
        for (size_t at = 0; at < size; at++) {
            compare(texts[i], at);
            memcpy(text, texts[i], size);
            for (size_t k = 0; k < sizeof others; k++) {
                text[at] = others[k];
                compare(text, size);
            }
        }
    }
}

/* Texts that nobody thought of, from pieces that mean something. */
static void what_nobody_thought_of(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "{",        "}",    "[",       "]",     ":",         ",",
        "\"a\"",    "\"",   "\\u00e9", "\\",    "1",         "-",
        "0",        ".5",   "e9",      "null",  "true",      " ",
        "\xC3\xA9", "\xC3", "\"b\":",  "[1,2]", "{\"c\":3}", "99999999999999999999"};
    struct rng rng = {20131};
    for (int i = 0; i < 200000; i++) {
        static const char *const openings[] = {"", "[", "", "{\"b\":"};
        static const char *const closings[] = {"", "]", "", "}"};
        char text[256];
        int used = snprintf(text, sizeof text, "%s", openings[i % 4]);
        for (size_t count = 1 + rng_below(&rng, 12); count > 0; count--)
            used += snprintf(text + used, sizeof text - (size_t)used, "%s",
                             pieces[rng_below(&rng, sizeof pieces / sizeof *pieces)]);
        snprintf(text + used, sizeof text - (size_t)used, "%s", closings[i % 4]);
        compare_text(text);
    }
}

/* Reals of every size, to the last bit. */
static void reals_to_the_last_bit(void **state)
{
    (void)state;
    struct rng rng = {7};
    for (int i = 0; i < 100000; i++) {
        union {
            uint64_t bits;
            double value;
        } any = {.bits = rng_next(&rng)};
        char text[64];
        double small = (double)(rng_next(&rng) % 1000000000000) / 1e6;
        int digits = (int)(rng_next(&rng) % 20);
        snprintf(text, sizeof text, "[%.*e,%.12g]", digits, isfinite(any.value) ? any.value : 1,
                 small);
        compare_text(text);
        snprintf(text, sizeof text, "[%" PRId64 ",%" PRIu64 "]", (int64_t)any.bits, any.bits);
        compare_text(text);
    }
}

static void nested(char open, const char *inside, char close, size_t depth)
{
    size_t unit = open == '{' ? 5 : 1, size = depth * (unit + 1) + strlen(inside);
    char *text = malloc(size + 1), *at = text;
    for (size_t i = 0; i < depth; i++) {
        memcpy(at, open == '{' ? "{\"a\":" : "[", unit);
        at += unit;
    }
    memcpy(at, inside, strlen(inside));
    memset(at + strlen(inside), close, depth);
    compare(text, size);
    free(text);
}

static void as_deep_as_jansson(void **state)
{
    (void)state;
    assert_int_equal(SCAN_DEPTH_MAX, JSON_PARSER_MAX_DEPTH);
    for (size_t depth = SCAN_DEPTH_MAX - 3; depth <= SCAN_DEPTH_MAX + 3; depth++) {
        nested('[', "", ']', depth);
        nested('[', "1", ']', depth);
        nested('[', "{}", ']', depth);
        nested('{', "[]", '}', depth);
        nested('{', "null", '}', depth);
    }
    nested('[', "", ']', 100000);
    char *text = malloc(100000);
    memset(text, '[', 100000);
    compare(text, 100000);
    free(text);
}

/* ---- what a caller relies on ---- */

static void scan_of(struct scan *scan, const char *text)
{
    scan_init(scan, text, strlen(text));
}

static void values_of_another_kind_are_passed_over(void **state)
{
    (void)state;
    struct scan s;
    struct scan_text key, text;
    int64_t integer = 7;
    double number = 8;
    scan_of(&s, "{\"a\":\"x\",\"b\":1.5,\"c\":[1,{\"d\":2}],\"e\":{\"f\":[]},\"g\":3,\"h\":null,"
                "\"i\":4,\"j\":true}");
    assert_true(scan_object(&s));
    assert_true(scan_key(&s, &key) && scan_text_is(&key, "a") && !scan_integer(&s, &integer));
    assert_true(scan_key(&s, &key) && scan_text_is(&key, "b") && !scan_integer(&s, &integer));
    assert_true(scan_key(&s, &key) && scan_text_is(&key, "c") && !scan_number(&s, &number));
    assert_true(scan_key(&s, &key) && scan_text_is(&key, "e") && !scan_array(&s));
    assert_true(scan_key(&s, &key) && scan_text_is(&key, "g") && !scan_object(&s));
    assert_true(scan_key(&s, &key) && scan_text_is(&key, "h") && !scan_text(&s, &text));
    assert_true(scan_key(&s, &key) && scan_text_is(&key, "i") && scan_number(&s, &number));
    assert_true(scan_key(&s, &key) && scan_text_is(&key, "j") && !scan_number(&s, &number));
    assert_false(scan_key(&s, &key));
    assert_true(scan_end(&s));
    assert_int_equal(integer, 7);
    assert_true(number == 4);
}

static void a_name_that_is_expected(void **state)
{
    (void)state;
    struct scan s;
    struct scan_text key;
    int64_t value;
    scan_of(&s, "{\"a\":1,\"bc\":2, \"d\":3,\"e\" :4}");
    assert_true(scan_object(&s));
    assert_false(scan_key_like(&s, "b", 1));
    assert_true(scan_key_like(&s, "a", 1) && scan_integer(&s, &value) && value == 1);
    assert_false(scan_key_like(&s, "b", 1)); /* the start of another name */
    assert_true(scan_key_like(&s, "bc", 2) && scan_integer(&s, &value) && value == 2);
    assert_false(scan_key_like(&s, "d", 1)); /* written in another way */
    assert_true(scan_key(&s, &key) && scan_text_is(&key, "d") && scan_integer(&s, &value));
    assert_false(scan_key_like(&s, "e", 1));
    assert_true(scan_key(&s, &key) && scan_integer(&s, &value) && value == 4);
    assert_false(scan_key_like(&s, "a", 1));
    assert_false(scan_key(&s, &key));
    assert_true(scan_end(&s));
    scan_of(&s, "{\"a\"");
    assert_true(scan_object(&s) && !scan_key_like(&s, "a", 1));
}

static void names_with_escapes(void **state)
{
    (void)state;
    struct scan s;
    struct scan_text key;
    char copy[64];
    scan_of(&s, "{\"c\\u0063iss\\/c0d0\":1,\"\\ud83d\\ude00\":2}");
    assert_true(scan_object(&s) && scan_key(&s, &key));
    assert_true(scan_text_is(&key, "cciss/c0d0"));
    assert_false(scan_text_is(&key, "cciss/c0d"));
    assert_false(scan_text_is(&key, "cciss/c0d01"));
    assert_int_equal(scan_text_copy(&key, copy), 10);
    assert_memory_equal(copy, "cciss/c0d0", 10);
    scan_skip(&s);
    assert_true(scan_key(&s, &key) && scan_text_is(&key, "\xF0\x9F\x98\x80"));
    assert_false(scan_text_is(&key, "\xF0\x9F\x98"));
}

static void after_a_mistake_all_is_false(void **state)
{
    (void)state;
    struct scan s;
    struct scan_text key;
    int64_t integer;
    double number;
    scan_of(&s, "{\"a\":01,\"b\":[2]}");
    assert_true(scan_object(&s) && scan_key(&s, &key));
    assert_false(scan_integer(&s, &integer));
    assert_true(s.failed);
    assert_false(scan_key(&s, &key) || scan_key_like(&s, "b", 1) || scan_item(&s) ||
                 scan_object(&s) || scan_array(&s) || scan_integer(&s, &integer) ||
                 scan_number(&s, &number) || scan_text(&s, &key) || scan_end(&s));
    scan_skip(&s);
    assert_true(s.failed && s.at == s.end);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_say_the_same),
        cmocka_unit_test(what_is_damaged),
        cmocka_unit_test(what_nobody_thought_of),
        cmocka_unit_test(reals_to_the_last_bit),
        cmocka_unit_test(as_deep_as_jansson),
        cmocka_unit_test(values_of_another_kind_are_passed_over),
        cmocka_unit_test(a_name_that_is_expected),
        cmocka_unit_test(names_with_escapes),
        cmocka_unit_test(after_a_mistake_all_is_false),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
