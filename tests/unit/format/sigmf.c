/* The metadata of SigMF. */
#include "check.h"

#include <stdio.h>
#include <string.h>

#include "format/parsers_priv.h"

static bool parse(const char *text, struct sigmf_meta *meta)
{
    return sigmf_meta_parse(text, strlen(text), meta);
}

static void test_types(void)
{
    static const struct {
        const char *datatype;
        const char *name; /* NULL: not supported */
    } cases[] = {
        {"cf32_le", "cf32le"}, {"cf32_be", "cf32be"}, {"cf64_le", "cf64le"}, {"ci16_le", "cs16le"},
        {"ci16_be", "cs16be"}, {"ci8", "cs8"},        {"cu8", "cu8"},        {"rf32_le", "f32le"},
        {"rf64_be", "f64be"},  {"ri32_le", "s32le"},  {"ru32_be", "u32be"},  {"ri16_be", "s16be"},
        {"ru16_le", "u16le"},  {"ri8", "s8"},         {"ru8", "u8"},         {"ru8_le", "u8"},
        {"ci32_le", "s32le"},  {"cu16_be", "u16be"},  {"rf32", NULL},        {"rf32_xe", NULL},
        {"f32_le", NULL},      {"rs16_le", NULL},     {"r", NULL},           {"", NULL},
        {"rf_le", NULL},       {"rf32le_le", NULL},   {"cu", NULL},          {"_le", NULL},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sigmf_meta meta;
        char text[128];
        bool right;

        snprintf(text, sizeof text, "{\"global\": {\"core:datatype\": \"%s\"}}", cases[i].datatype);
        right = parse(text, &meta);
        CHECK_THAT(right == (cases[i].name != NULL), "%s", cases[i].datatype);
        CHECK(!right || meta.pairs == (meta.data.format.channels == 2));
        CHECK(!right || meta.pairs == (strchr("su", cases[i].name[0]) != NULL &&
                                       cases[i].datatype[0] == 'c'));
        if (right)
            CHECK_THAT(strcmp(sample_type_name(meta.data.format.sample), cases[i].name) == 0,
                       "%s: %s", cases[i].datatype, sample_type_name(meta.data.format.sample));
        else
            CHECK_THAT(strstr(meta.why, "core:datatype") != NULL, "%s", meta.why);
    }
}

static void test_fields(void)
{
    struct sigmf_meta meta;

    CHECK(parse("{\"captures\": [{\"core:sample_start\": 7, \"core:header_bytes\": 3},"
                " {\"core:sample_start\": 9, \"core:header_bytes\": 0}],"
                " \"global\": {\"core:datatype\": \"ru8\", \"core:sample_rate\": 2.5e6,"
                " \"core:num_channels\": 3, \"core:offset\": 5, \"core:trailing_bytes\": 4}}",
                &meta));
    CHECK(meta.data.format.rate == 2.5e6 && meta.data.format.channels == 3 && meta.start == 2 &&
          meta.header_bytes == 3 && meta.trailing_bytes == 4);
    CHECK(parse("{\"global\": {\"core:datatype\": \"ru8\", \"core:sample_rate\": null}}", &meta));
    CHECK(meta.data.format.rate == 0 && meta.data.format.channels == 1 && meta.start == 0 &&
          meta.header_bytes == 0);
}

static void test_refusals(void)
{
#define GLOBAL(MORE) "{\"global\": {\"core:datatype\": \"ru8\"" MORE "}}"
#define CAPTURES(LIST) "{\"global\": {\"core:datatype\": \"ru8\"}, \"captures\": " LIST "}"
    static const struct {
        const char *text;
        const char *why;
    } cases[] = {
        {"", "not JSON"},
        {"{\"global\": ", "not JSON"},
        {"[]", "global"},
        {"{}", "global"},
        {"{\"global\": 1}", "global"},
        {"{\"global\": {}}", "no core:datatype"},
        {"{\"global\": {\"core:datatype\": 1}}", "core:datatype"},
        {GLOBAL(", \"core:sample_rate\": \"1\""), "core:sample_rate"},
        {GLOBAL(", \"core:sample_rate\": -1"), "core:sample_rate"},
        {GLOBAL(", \"core:num_channels\": 0"), "core:num_channels"},
        {GLOBAL(", \"core:num_channels\": 1.5"), "core:num_channels"},
        {GLOBAL(", \"core:num_channels\": 65536"), "core:num_channels"},
        {GLOBAL(", \"core:num_channels\": 1e99"), "core:num_channels"},
        {GLOBAL(", \"core:offset\": -1"), "core:offset"},
        {GLOBAL(", \"core:trailing_bytes\": true"), "core:trailing_bytes"},
        {CAPTURES("{}"), "captures"},
        {CAPTURES("[1]"), "captures"},
        {CAPTURES("[{\"core:sample_start\": 3}, {\"core:sample_start\": 2}]"), "order"},
        {CAPTURES("[{}, {\"core:header_bytes\": 2}]"), "core:header_bytes"},
        {"{\"global\": {\"core:datatype\": \"ru8\", \"core:offset\": 4},"
         " \"captures\": [{\"core:sample_start\": 3}]}",
         "core:offset"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sigmf_meta meta;

        CHECK_THAT(!parse(cases[i].text, &meta), "%s", cases[i].text);
        CHECK_THAT(strstr(meta.why, cases[i].why) != NULL, "%s: %s", cases[i].text, meta.why);
    }
}

CHECK_MAIN(test_types, test_fields, test_refusals)
