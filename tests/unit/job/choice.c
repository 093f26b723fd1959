/* SPDX-License-Identifier: MIT */
/* job/choice: what `auto` chooses, beside what was measured (examples/devices.txt). */
#include "table.h"

#include "job/choice_priv.h"

static const struct engine_costs costs = {.start = 0.4, .feed = 0.22e-9, .bus = 1 / 16e9};

static void test_choices(void)
{
    TABLE (row, "cases", 7) {
        const bool device = strcmp(row.field[5], "cuda") == 0;
        struct engine_setup setup = {
            .emits = {2, {EMIT_MIN, EMIT_MAX}},
            .value = VALUE_F32,
            .channels = (unsigned)strtoul(row.field[1], NULL, 10),
        };
        struct choice choice;

        CHECK(sample_type_parse(row.field[0], false, &setup.sample));
        window_init(&setup.window, 512, strtoull(row.field[2], NULL, 10), ALIGN_VALID, EDGE_SHRINK);
        choice = choice_make(&costs, &setup,
                             strtod(row.field[3], NULL) * (double)(1 << 30) /
                                 (double)engine_in_bytes(&setup),
                             (unsigned)strtoul(row.field[4], NULL, 10));
        CHECK_THAT(choice.device == device, "%s: %.2f s, the cores %.2f", row.field[6],
                   choice.device_seconds, choice.cpu_seconds);
    }
}

CHECK_MAIN(test_choices)
