/* SPDX-License-Identifier: MIT */
/* The ends of the full scale of each sample type, as the keys of its values. */
#include "check.h"

#include "engine/leaf.h"
#include "window/rules.h"

static bool has_ends(struct sample_type type, double low, double high)
{
    const enum value_kind kind = sample_type_value(type);
    const struct full_scale scale = full_scale_of(type, kind);

    if (kind == VALUE_F32)
        return scale.known && (double)rules_from_key((int32_t)scale.low) == low &&
               (double)rules_from_key((int32_t)scale.high) == high;
    return scale.known && rules_from_key64(scale.low) == low &&
           rules_from_key64(scale.high) == high;
}

static void test_scales(void)
{
    CHECK(has_ends((struct sample_type){.kind = SAMPLE_F32}, -1, 1));
    CHECK(has_ends((struct sample_type){.kind = SAMPLE_F16}, -1, 1));
    CHECK(has_ends((struct sample_type){.kind = SAMPLE_F64}, -1, 1));
    CHECK(has_ends((struct sample_type){.kind = SAMPLE_U8}, -1, 127.0 / 128));
    CHECK(has_ends((struct sample_type){.kind = SAMPLE_S8}, -1, 127.0 / 128));
    CHECK(has_ends((struct sample_type){.kind = SAMPLE_S16}, -1, 32767.0 / 32768));
    CHECK(has_ends((struct sample_type){.kind = SAMPLE_U16}, -1, 32767.0 / 32768));
    CHECK(has_ends((struct sample_type){.kind = SAMPLE_U24}, -1, 8388607.0 / 8388608));
    CHECK(has_ends((struct sample_type){.kind = SAMPLE_S32}, -1, 2147483647.0 / 2147483648));
    CHECK(has_ends((struct sample_type){.kind = SAMPLE_S32, .bits = 24}, -1, 8388607.0 / 8388608));
    CHECK(has_ends((struct sample_type){.kind = SAMPLE_S16, .bits = 8}, -1, 127.0 / 128));
    CHECK(has_ends((struct sample_type){.kind = SAMPLE_ULAW}, -32124.0 / 32768, 32124.0 / 32768));
    CHECK(has_ends((struct sample_type){.kind = SAMPLE_ALAW}, -32256.0 / 32768, 32256.0 / 32768));
    CHECK(!full_scale_of((struct sample_type){.kind = SAMPLE_CS16}, VALUE_F32).known);
    CHECK(!full_scale_of((struct sample_type){.kind = SAMPLE_CF64}, VALUE_F64).known);
    CHECK(
        !full_scale_of((struct sample_type){.kind = SAMPLE_S16, .counts = true}, VALUE_F32).known);
}

CHECK_MAIN(test_scales)
