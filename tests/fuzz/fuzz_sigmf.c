/* SPDX-License-Identifier: MIT */
/* SigMF's metadata, from any bytes: the JSON first, then what it says. */
#include "fuzz.h"

#include <string.h>

#include "format/json_read_priv.h"
#include "format/parsers_priv.h"

/* Every value in the text, by all that can be asked about one. */
static void walk(struct json_value value)
{
    struct json_value element = {NULL, NULL};
    struct json_value member;
    char text[8];
    unsigned count = 0;

    FUZZ_CHECK(value.at < value.end);
    while (count++ < 100 && json_next(value, &member, &element)) {
        FUZZ_CHECK(element.at > value.at && element.end < value.end);
        if (json_kind(element) == '"') {
            json_string(element, text, sizeof text);
            FUZZ_CHECK(strlen(text) < sizeof text);
        }
    }
    if (json_member(value, "a", &member))
        FUZZ_CHECK(member.at > value.at && member.end < value.end);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const char *text = (const char *)bytes;
    struct sigmf_meta meta;
    struct json_value root;

    if (json_read(text, size, &root))
        walk(root);
    if (sigmf_meta_parse(text, size, &meta)) {
        FUZZ_CHECK(meta.data.format.channels >= 1 && meta.data.format.channels <= 65535);
        FUZZ_CHECK(meta.data.format.rate >= 0);
        FUZZ_CHECK(sample_type_bytes(meta.data.format.sample) > 0);
    } else {
        FUZZ_CHECK(meta.why[0] != '\0' && strlen(meta.why) < sizeof meta.why);
    }
    return 0;
}
