/* SPDX-License-Identifier: MIT */
/* base/json_read. */
#include "table.h"

#include "format/json_read_priv.h"

static bool reads(const char *text)
{
    struct json_value value;

    return json_read(text, strlen(text), &value);
}

static void test_grammar(void)
{
    char deep[2 * JSON_DEPTH_MOST + 4];

    CHECK(!reads(""));
    TABLE (row, "right", 1)
        CHECK_THAT(reads(row.field[0]), "%s", row.field[0]);
    TABLE (row, "wrong", 1)
        CHECK_THAT(!reads(row.field[0]), "%s", row.field[0]);
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
    CHECK(json_next(value, NULL, &element) && json_kind(element) == '0');
    CHECK(json_next(value, NULL, &element) && json_kind(element) == '"');
    json_string(element, copy, 3);
    CHECK_THAT(strcmp(copy, "tw") == 0, "%s", copy);
    CHECK(json_next(value, NULL, &element) && json_kind(element) == '{');
    CHECK(!json_next(value, NULL, &element));
    CHECK(!json_member(element, "a", &element));
    CHECK(json_member(root, "n", &value) && json_kind(value) == 'n');
    CHECK(json_member(root, "ba", &value) && json_kind(value) == '"');
    json_string(value, copy, sizeof copy);
    CHECK_THAT(strcmp(copy, "qA\n??") == 0, "%s", copy);
}

CHECK_MAIN(test_grammar, test_members)
