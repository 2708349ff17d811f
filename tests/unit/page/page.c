/* A whole page: its policy, its places, what hostile results can do. */
#include "page_common.h"

#include <ctype.h>
#include <unistd.h>

#include "analysis/analysis.h"
#include "analysis/compare.h"
#include "page/page.h"
#include "result/document.h"

/* ---- pages ---- */

struct input {
    struct document document;
    struct report_source source;
};

static void read_input(struct input *input, const char *name)
{
    static char path[2][512];
    static int turn;
    struct err err;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/golden/%s.jsonl", TESTS_DIR, name);
    assert_int_equal(document_read_detail(path[turn], DOCUMENT_LATENCIES, &input->document, &err),
                     0);
    json_object_set_new(input->document.summary, "analysis",
                        analysis_make(input->document.summary, &input->document.courses));
    input->source =
        (struct report_source){path[turn], input->document.summary, &input->document.courses};
}

static char *write_page(const struct report_source *sources, size_t count, const char *lang)
{
    struct compare_input inputs[2];
    const struct compare_options compare = {.has_baseline = false};
    const struct page_options options = {.lang = lang};
    json_t *comparison = NULL;
    struct err err;
    char *text = NULL;
    size_t size;
    for (size_t i = 0; i < count; i++)
        inputs[i] = (struct compare_input){sources[i].path, sources[i].summary};
    if (count > 1)
        comparison = compare_json(inputs, count, &compare, &err);
    FILE *memory = open_memstream(&text, &size);
    assert_int_equal(page_write(memory, sources, count, comparison, &options, &err), 0);
    fclose(memory);
    json_decref(comparison);
    assert_int_equal(strlen(text), size); /* no byte of 0 */
    return text;
}

static char *page_of(const char *name)
{
    struct input input;
    read_input(&input, name);
    char *text = write_page(&input.source, 1, NULL);
    document_release(&input.document);
    return text;
}

/* ---- the policy ---- */

/* SHA-256 in base64, by another program. */
static void sum_of(const char *text, size_t size, char sum[64])
{
    char path[] = "/tmp/loadline-page-XXXXXX", command[128], hex[65] = "";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *file = fdopen(fd, "w");
    fwrite(text, 1, size, file);
    fclose(file);
    snprintf(command, sizeof command, "sha256sum < %s", path);
    FILE *out = popen(command, "r");
    assert_int_equal(fread(hex, 1, 64, out), 64);
    pclose(out);
    unlink(path);
    unsigned char bytes[32];
    for (size_t i = 0; i < 32; i++) {
        char pair[3] = {hex[2 * i], hex[2 * i + 1], 0};
        bytes[i] = (unsigned char)strtoul(pair, NULL, 16);
    }
    base64_encode(bytes, sizeof bytes, sum);
}

/* The next element of that name without attributes: its content. */
static const char *next_element(const char *from, const char *name, size_t *size)
{
    char open[32], close[32];
    snprintf(open, sizeof open, "<%s>", name);
    snprintf(close, sizeof close, "</%s>", name);
    const char *begin = strstr(from, open);
    if (!begin)
        return NULL;
    begin += strlen(open);
    const char *end = strstr(begin, close);
    assert_non_null(end);
    *size = (size_t)(end - begin);
    return begin;
}

static void check_sums(const char *page, const char *element, size_t expected)
{
    size_t count = 0, size;
    for (const char *at = page; (at = next_element(at, element, &size)) != NULL; at += size) {
        char sum[64], source[96];
        sum_of(at, size, sum);
        snprintf(source, sizeof source, "'sha256-%s'", sum);
        const char *policy = strstr(page, "default-src 'none'");
        assert_non_null(policy);
        const char *named = strstr(policy, source);
        assert_true(named && named < strchr(policy, '"'));
        count++;
    }
    assert_int_equal(count, expected);
}

static void test_policy(void **state)
{
    char *page = page_of("streams");
    (void)state;
    check_sums(page, "script", 2);
    check_sums(page, "style", 1);
    const char *policy = strstr(page, "default-src 'none'"), *end = strchr(policy, '"');
    static const char *const asked[] = {"img-src data:", "base-uri 'none'", "form-action 'none'"};
    for (size_t i = 0; i < 3; i++) {
        const char *found = strstr(policy, asked[i]);
        assert_true(found && found < end);
    }
    static const char *const banned[] = {"unsafe", "http", "*"};
    for (size_t i = 0; i < 3; i++) {
        const char *found = strstr(policy, banned[i]);
        assert_true(!found || found > end);
    }
    free(page);
}

/* ---- nothing from elsewhere ---- */

/* The page without its scripts and styles: what a browser reads as markup. */
static char *markup_of(const char *page)
{
    char *markup = strdup(page), *to = markup;
    while (*page) {
        bool is_script = strncmp(page, "<script>", 8) == 0;
        bool is_style = strncmp(page, "<style>", 7) == 0;
        if (is_script || is_style)
            page = strstr(page, is_script ? "</script>" : "</style>");
        *to++ = *page++;
    }
    *to = 0;
    return markup;
}

static void check_attribute(const char *markup, const char *attribute)
{
    for (const char *at = markup; (at = strstr(at, attribute)) != NULL; at++) {
        const char *value = at + strlen(attribute);
        if (strncmp(value, "\"#", 2) != 0)
            fail_msg("%.60s", at);
    }
}

static void test_nothing_from_elsewhere(void **state)
{
    char *page = page_of("million"), *markup = markup_of(page);
    static const char *const words[] = {"http:", "https:",  "src=", "<link", "<iframe",    "<img",
                                        "<base", "<object", "url(", " on",   "javascript:"};
    (void)state;
    check_attribute(markup, " href=");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (i != 9 && strstr(markup, words[i]))
            fail_msg("%s: %.80s", words[i], strstr(markup, words[i]));
    assert_null(strstr(page, "sourceMappingURL"));
    size_t size, count = 0;
    const char *style = next_element(page, "style", &size);
    const char *url = strstr(style, "url("), *import = strstr(style, "@import");
    assert_true((!url || url > style + size) && (!import || import > style + size));
    /* dygraphs names its licence; nothing else has an address but the name space of SVG. */
    for (const char *at = page; (at = strstr(at, "://")) != NULL; at++)
        if (strncmp(at, "://github.com/danvk/dygraphs/", 29) != 0 &&
            strncmp(at, "://www.w3.org/2000/svg", 22) != 0)
            fail_msg("%.80s", at - 6);
        else
            count++;
    assert_true(count >= 1);
    assert_non_null(strstr(page, "Permission is hereby granted"));
    free(markup);
    free(page);
}

/* ---- always the same ---- */

static void test_the_same_input_makes_the_same_page(void **state)
{
    char *first = page_of("steady"), *second = page_of("steady");
    (void)state;
    assert_string_equal(first, second);
    free(first);
    free(second);
}

/* ---- places ---- */

static size_t count_of(const char *text, const char *word)
{
    size_t count = 0;
    for (; (text = strstr(text, word)) != NULL; text++)
        count++;
    return count;
}

static void test_places(void **state)
{
    struct input one, two;
    (void)state;
    read_input(&one, "streams");
    read_input(&two, "million");
    json_object_set_new(one.document.summary, "label", json_string("first"));
    json_object_set_new(two.document.summary, "label", json_string("second"));
    char *page = write_page(&one.source, 1, "ja"), *markup = markup_of(page);
    assert_null(strstr(markup, "{{"));
    assert_non_null(strstr(markup, "data-lang=\"ja\""));
    assert_non_null(strstr(markup, "<title>first</title>"));
    assert_int_equal(count_of(markup, "<article class=\"result\""), 1);
    assert_int_equal(count_of(markup, "<details class=\"result\""), 0);
    assert_int_equal(count_of(markup, "<section class=\"charts\"></section>"), 1);
    free(markup);
    free(page);

    const struct report_source sources[] = {one.source, two.source};
    page = write_page(sources, 2, NULL);
    markup = markup_of(page);
    assert_non_null(strstr(markup, "data-lang=\"\""));
    assert_non_null(strstr(markup, "<title>first, second</title>"));
    assert_int_equal(count_of(markup, "<details class=\"result\""), 2);
    assert_non_null(strstr(markup, "<article class=\"result\" id=\"r1\">"));
    assert_non_null(strstr(markup, "<section class=\"comparison\">"));
    free(markup);
    free(page);
    document_release(&one.document);
    document_release(&two.document);
}

/* ---- hostile texts ---- */

/* A label that would be filled again if a page were filled twice. */
static void test_what_fills_a_place_is_no_template(void **state)
{
    struct input input;
    (void)state;
    read_input(&input, "million");
    json_object_set_new(input.document.summary, "label", json_string("{{SCRIPT}} {{DATA}}"));
    char *page = write_page(&input.source, 1, NULL);
    assert_non_null(strstr(page, "<title>{{SCRIPT}} {{DATA}}</title>"));
    check_sums(page, "script", 2);
    free(page);
    document_release(&input.document);
}

/* Replaces every text of a document, names of factors and devices included. */
static json_t *poisoned(const json_t *value, const char *poison, int depth)
{
    static const char *const kept[] = {"role", "record", "sampled"};
    const char *key;
    json_t *member, *made;
    size_t index;
    if (json_is_string(value))
        return json_string(poison);
    if (json_is_array(value)) {
        made = json_array();
        json_array_foreach(value, index, member)
        {
            json_array_append_new(made, poisoned(member, poison, depth + 1));
        }
        return made;
    }
    if (!json_is_object(value))
        return json_incref((json_t *)value);
    made = json_object();
    json_object_foreach((json_t *)value, key, member)
    {
        bool keeps = strcmp(key, "name") == 0 && depth > 3; /* names of phases make groups */
        for (size_t i = 0; i < 3; i++)
            keeps |= strcmp(key, kept[i]) == 0;
        json_object_set_new(made, key,
                            keeps ? json_incref(member) : poisoned(member, poison, depth + 1));
        if (strcmp(key, "factors") == 0)
            json_object_set_new(json_object_get(made, key), poison, json_string(poison));
    }
    return made;
}

static void check_poison(const char *poison)
{
    struct input input;
    read_input(&input, "streams");
    json_t *summary = poisoned(input.document.summary, poison, 0);
    json_object_set_new(summary, "label", json_string(poison));
    json_object_set_new(summary, "analysis", analysis_make(summary, &input.document.courses));
    const struct report_source source = {poison, summary, &input.document.courses};
    char *clean = page_of("streams"), *page = write_page(&source, 1, NULL);
    char *markup = markup_of(page), *clean_markup = markup_of(clean);
    if (strlen(poison) < 100)
        assert_null(strstr(markup, poison));
    /* Not one element or comment more than a page has otherwise may bring. */
    static const char *const elements[] = {"<script", "</script", "<!--", "<img",        "<style",
                                           "</title", "</style",  "<svg", "\xE2\x80\xA8"};
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
        assert_int_equal(count_of(markup, elements[i]), count_of(clean_markup, elements[i]));
    check_sums(page, "script", 2);
    const char *data = strstr(page, "id=\"data\">") + strlen("id=\"data\">");
    for (; *data != '<'; data++)
        assert_true(isalnum((unsigned char)*data) || strchr("+/=", *data));
    assert_int_equal(strncmp(data, "</script>", 9), 0);
    free(markup);
    free(clean_markup);
    free(clean);
    free(page);
    json_decref(summary);
    document_release(&input.document);
}

static void test_hostile_texts(void **state)
{
    static const char *const poisons[] = {
        "</script><script>alert(1)</script>",
        "<!--<script>",
        "\"><img src=x onerror=alert(1)>",
        "' onmouseover='alert(1)",
        "</title></style><svg onload=alert(1)>",
        "a\xE2\x80\xA8"
        "b",
        "&lt;b&gt;",
        "\x01\x1b[31m",
    };
    (void)state;
    for (size_t i = 0; i < sizeof poisons / sizeof *poisons; i++)
        check_poison(poisons[i]);
    char *long_one = calloc(10001, 1);
    memset(long_one, 'a', 10000);
    check_poison(long_one);
    free(long_one);
}

/* A path is the only text that may be no UTF-8. */
static void test_a_path_that_is_no_utf8(void **state)
{
    struct input input;
    size_t size;
    (void)state;
    read_input(&input, "null");
    json_object_set_new(input.document.summary, "label", json_null());
    json_object_set_new(input.document.summary, "devices", json_array());
    input.source.path = "/tmp/\xff\xfe<b>.jsonl";
    char *page = write_page(&input.source, 1, NULL), *markup = markup_of(page);
    assert_null(strstr(markup, "\xff"));
    assert_null(strstr(markup, "<b>.jsonl"));
    char *data = strdup(strstr(page, "id=\"data\">") + strlen("id=\"data\">"));
    *strchr(data, '<') = 0;
    unsigned char *json = common_unpack(data, &size);
    json_t *read = json_loads((char *)json, 0, NULL);
    assert_string_equal(json_text_at(json_array_get(json_object_get(read, "results"), 0), "file"),
                        "\xEF\xBF\xBD\xEF\xBF\xBD<b>.jsonl");
    json_decref(read);
    free(json);
    free(data);
    free(markup);
    free(page);
    document_release(&input.document);
}

static void test_a_disk_that_is_full(void **state)
{
    struct input input;
    struct err err;
    FILE *full = fopen("/dev/full", "w");
    (void)state;
    if (!full)
        skip();
    read_input(&input, "null");
    assert_int_equal(page_write(full, &input.source, 1, NULL, NULL, &err), -1);
    assert_int_equal(err.kind, ERR_FAILED);
    assert_non_null(strstr(err.text, "No space left"));
    fclose(full);
    document_release(&input.document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_policy),
        cmocka_unit_test(test_nothing_from_elsewhere),
        cmocka_unit_test(test_the_same_input_makes_the_same_page),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_what_fills_a_place_is_no_template),
        cmocka_unit_test(test_hostile_texts),
        cmocka_unit_test(test_a_path_that_is_no_utf8),
        cmocka_unit_test(test_a_disk_that_is_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
