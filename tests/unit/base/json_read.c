/* base/json_read. */
#include "check.h"

#include <string.h>

#include "base/json_read.h"

static bool reads(const char *text)
{
    struct json_value value;

    return json_read(text, strlen(text), &value);
}

static void test_grammar(void)
{
    static const char *const right[] = {
        "{}",
        "[]",
        " [ ] ",
        "0",
        "-0",
        "-1.5e-3",
        "1E+2",
        "\"\"",
        "true",
        "false",
        "null",
        "[1,2]",
        "{\"a\":1}",
        "{ \"a\" : [ { } , [ ] ] , \"b\" : \"\\u00e9\\n\\\"\" }\n",
        "\xef\xbb\xbf[1]",
        "[[1],{\"a\":{\"b\":[]}},3]",
    };
    static const char *const wrong[] = {
        "",      " ",    "{",     "}",   "[",        "]",       "[1",       "[1,",
        "[1,]",  "[,1]", "[1 2]", "[1}", "{]",       "{\"a\"}", "{\"a\":}", "{a:1}",
        "{1:2}", "01",   "1.",    ".5",  "-",        "+1",      "1e",       "1e+",
        "nan",   "tru",  "nulls", "\"",  "\"a",      "\"\\",    "\"\\x\"",  "\"\n\"",
        "[] []", "1 1",  "[1]]",  "'a'", "\xef\xbb",
    };
    static const char *const wrong_members[] = {
        "{\"a\":1,}", "{\"a\":1 \"b\":2}", "{\"a\",1}", "\"\\u12\"", "\"\\u12g4\"",
    };
    char deep[2 * JSON_DEPTH_MOST + 4];

    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        CHECK_THAT(reads(right[i]), "%s", right[i]);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK_THAT(!reads(wrong[i]), "%s", wrong[i]);
    for (size_t i = 0; i < sizeof wrong_members / sizeof *wrong_members; i++)
        CHECK_THAT(!reads(wrong_members[i]), "%s", wrong_members[i]);
    for (size_t depth = JSON_DEPTH_MOST; depth <= JSON_DEPTH_MOST + 1; depth++) {
        memset(deep, '[', depth);
        memset(deep + depth, ']', depth);
        deep[2 * depth] = '\0';
        CHECK(reads(deep) == (depth == JSON_DEPTH_MOST));
    }
}

static void test_members(void)
{
    static const char text[] =
        "{\"x\": {\"a\": 9}, \"a\": 1, \"b\\u0061\": \"q\\u0041\\n\\u00e9\\u0000\","
        " \"a\": [1, \"two\", {}], \"n\": null}";
    struct json_value root;
    struct json_value value;
    struct json_value element = {NULL, NULL};
    char copy[16];

    CHECK(json_read(text, sizeof text - 1, &root) && json_kind(root) == '{');
    CHECK(json_member(root, "a", &value) && json_kind(value) == '[');
    CHECK(!json_member(root, "b", &element) && !json_member(value, "a", &element));
    CHECK(json_next(value, &element) && json_kind(element) == '0');
    CHECK(json_next(value, &element) && json_kind(element) == '"');
    json_string(element, copy, 3);
    CHECK_THAT(strcmp(copy, "tw") == 0, "%s", copy);
    CHECK(json_next(value, &element) && json_kind(element) == '{');
    CHECK(!json_next(value, &element));
    CHECK(!json_member(element, "a", &element));
    CHECK(json_member(root, "n", &value) && json_kind(value) == 'n');
    CHECK(json_member(root, "ba", &value) && json_kind(value) == '"');
    json_string(value, copy, sizeof copy);
    CHECK_THAT(strcmp(copy, "qA\n??") == 0, "%s", copy);
}

CHECK_MAIN(test_grammar, test_members)
