/* The scanner takes what jansson takes, and finds the same in it. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/scan.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

#define CHECK(condition)                                                                           \
    do                                                                                             \
        if (!(condition))                                                                          \
            abort();                                                                               \
    while (0)

static void compare_text(struct scan *scan, const json_t *value)
{
    struct scan_text text;
    CHECK(scan_text(scan, &text) && text.size >= json_string_length(value));
    char *copy = malloc(text.size + 1);
    CHECK(copy);
    size_t size = scan_text_copy(&text, copy);
    CHECK(size == json_string_length(value) && memcmp(copy, json_string_value(value), size) == 0);
    CHECK(scan_text_is(&text, json_string_value(value)));
    free(copy);
}

static void compare_number(struct scan *scan, const json_t *value)
{
    struct scan again = *scan;
    int64_t integer = 0;
    double number;
    CHECK(scan_number(scan, &number) && number == json_number_value(value));
    CHECK(scan_integer(&again, &integer) == json_is_integer(value));
    CHECK(integer == json_integer_value(value) && again.at == scan->at);
}

/* Members that come twice are seen twice: only the last one is in the tree. */
static bool has_twice(const struct scan *before, const char *name)
{
    struct scan scan = *before;
    struct scan_text key;
    int count = 0;
    CHECK(scan_object(&scan));
    while (scan_key(&scan, &key)) {
        count += scan_text_is(&key, name);
        scan_skip(&scan);
    }
    return count != 1;
}

static void compare(struct scan *scan, const json_t *value)
{
    struct scan before = *scan;
    struct scan_text key;
    size_t index = 0;
    if (json_is_object(value)) {
        CHECK(scan_object(scan));
        while (scan_key(scan, &key)) {
            char *name = calloc(1, key.size + 1);
            CHECK(name);
            scan_text_copy(&key, name);
            const json_t *member = json_object_get(value, name);
            CHECK(member);
            if (has_twice(&before, name))
                scan_skip(scan);
            else
                compare(scan, member);
            free(name);
        }
    } else if (json_is_array(value)) {
        CHECK(scan_array(scan));
        while (scan_item(scan))
            compare(scan, json_array_get(value, index++));
        CHECK(index == json_array_size(value));
    } else if (json_is_string(value)) {
        compare_text(scan, value);
    } else if (json_is_number(value)) {
        compare_number(scan, value);
    } else {
        scan_skip(scan);
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    const char *text = (const char *)data;
    struct scan scan;
    scan_init(&scan, text, size);
    scan_skip(&scan);
    bool ended = scan_end(&scan);
    /* jansson loses a byte of 0 behind a number or a word. */
    bool has_zero = size > 0 && memchr(text, 0, size);
    json_t *tree = has_zero ? NULL : json_loadb(text, size, 0, NULL);
    CHECK(ended == (tree != NULL));
    if (tree && size < 4096) { /* has_twice() is slow */
        scan_init(&scan, text, size);
        compare(&scan, tree);
        CHECK(scan_end(&scan));
    }
    json_decref(tree);
    return 0;
}
