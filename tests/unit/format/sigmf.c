/* SPDX-License-Identifier: MIT */
/* The metadata of SigMF. */
#include "table.h"

#include "format/parsers_priv.h"

static bool parse(const char *text, struct sigmf_meta *meta)
{
    return sigmf_meta_parse(text, strlen(text), meta);
}

static void test_types(void)
{
    TABLE (row, "types", 2) {
        const char *const datatype = row.field[0];
        const char *const name = row.field[1];
        struct sigmf_meta meta;
        char text[128];
        bool right;

        snprintf(text, sizeof text, "{\"global\": {\"core:datatype\": \"%s\"}}", datatype);
        right = parse(text, &meta);
        CHECK_THAT(right == (name != NULL), "%s", datatype);
        CHECK(!right || meta.pairs == (meta.data.format.channels == 2));
        CHECK(!right || meta.pairs == (strchr("su", name[0]) != NULL && datatype[0] == 'c'));
        if (right)
            CHECK_THAT(strcmp(sample_type_name(meta.data.format.sample), name) == 0, "%s: %s",
                       datatype, sample_type_name(meta.data.format.sample));
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
    TABLE (row, "refused", 2) {
        struct sigmf_meta meta;

        CHECK_THAT(!parse(row.field[1], &meta), "%s", row.field[1]);
        CHECK_THAT(strstr(meta.why, row.field[0]) != NULL, "%s: %s", row.field[1], meta.why);
    }
}

CHECK_MAIN(test_types, test_fields, test_refusals)
