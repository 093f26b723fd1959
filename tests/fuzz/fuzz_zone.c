/* SPDX-License-Identifier: MIT */
/* Files of time zones, and rules, from any bytes. */
#include "fuzz.h"

#include "format/text/zone.h"

static void walk(const struct zone *zone)
{
    static const unsigned months[] = {0, 1, 12};
    const struct local_clock clock = {.zone = zone};
    struct local_span near = {0, 0, 0};
    int64_t seconds[2];

    for (int64_t at = INT64_C(-62135596800); at < INT64_C(253402300800); at += 987654321) {
        const struct local_span span = local_span_at(&clock, at);
        const unsigned count = local_find(&clock, at, &near, seconds);

        FUZZ_CHECK(span.from <= at && at < span.to);
        FUZZ_CHECK(count <= 2);
        for (unsigned i = 0; i < count; i++)
            FUZZ_CHECK(local_shown(&clock, (struct moment){.seconds = seconds[i]}).seconds == at);
        for (unsigned i = 0; i < sizeof months / sizeof *months; i++) {
            const struct intervals intervals = {
                .period = MOMENT_DAY / (i == 0 ? 5 : 1), .months = months[i], .clock = clock};
            const struct moment moment = {.seconds = at};
            const struct interval interval = interval_at(&intervals, moment);

            FUZZ_CHECK(!moment_is_before(moment, interval.begin) &&
                       moment_is_before(moment, interval.end));
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static struct zone zone;

    if (zone_read(&zone, bytes, size))
        walk(&zone);
    if (zone_read_rule(&zone, (const char *)bytes, size))
        walk(&zone);
    return 0;
}
