/* SPDX-License-Identifier: MIT */
/* The ends of the full scale of each sample type, as the keys of its values. */
#include "table.h"

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
    TABLE (row, "ends", 5) {
        const double unit = strtod(row.field[4], NULL);
        struct sample_type type;

        CHECK(sample_type_parse(row.field[0], false, &type));
        type.bits = (unsigned char)strtoul(row.field[1], NULL, 10);
        CHECK_THAT(
            has_ends(type, strtod(row.field[2], NULL) / unit, strtod(row.field[3], NULL) / unit),
            "%s", row.field[0]);
    }
    CHECK(!full_scale_of((struct sample_type){.kind = SAMPLE_CS16}, VALUE_F32).known);
    CHECK(!full_scale_of((struct sample_type){.kind = SAMPLE_CF64}, VALUE_F64).known);
    CHECK(
        !full_scale_of((struct sample_type){.kind = SAMPLE_S16, .counts = true}, VALUE_F32).known);
}

CHECK_MAIN(test_scales)
