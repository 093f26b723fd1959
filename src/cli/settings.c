#include "cli/settings.h"

#include <math.h>

#include "cli/values.h"

int settings_span(const struct span *span, const char *option, double rate, uint64_t least,
                  uint64_t fallback, uint64_t *frames, struct error *error)
{
    struct value value = {.option = option, .text = span->text};
    double rounded = 0;

    if (!span->given) {
        *frames = fallback;
        return 0;
    }
    if (!span->is_time) {
        if (span->frames < least)
            return values_refuse(error, &value, "must be %llu or more", (unsigned long long)least);
        *frames = span->frames;
        return 0;
    }
    if (!(rate > 0))
        return values_refuse(error, &value,
                             "the rate of the input is not known: give -r HZ, or frames");
    /* 0.145 s at 100 Hz are 14.5 frames, but the product of the two doubles is a little less. */
    rounded = round(rint(span->seconds * rate * 1e6) / 1e6);
    if (!(rounded < 0x1p63))
        return values_refuse(error, &value, "too large");
    if ((uint64_t)rounded < least)
        return values_refuse(error, &value, "that is %.0f frames at %.10g Hz; must be %llu or more",
                             rounded, rate, (unsigned long long)least);
    *frames = (uint64_t)rounded;
    return 0;
}
