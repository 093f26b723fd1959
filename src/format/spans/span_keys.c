/* SPDX-License-Identifier: MIT */
#include "format/spans/spans_priv.h"

#include <math.h>

#include "format/sink.h"

/* The keys of floats up to infinity, without those of NaN. `near` is the key of the float that is
 * nearest to the level; `side` says where this float lies: below the level, on it, or above. */
static struct span_keys keys_of_floats(bool below, int64_t near, int side, int64_t infinity)
{
    if (below)
        return (struct span_keys){-infinity - 1, near - (side >= 0)};
    return (struct span_keys){near + (side <= 0), infinity};
}

__extension__ typedef __int128 whole;

/* An integer is above the level if it is above the level rounded down, and below likewise. */
static struct span_keys keys_of_integers(const struct span_rule *rule, bool is_signed)
{
    const bool negative = signbit(rule->level) != 0;
    const bool away = rule->fraction && negative != rule->below; /* rounded away from 0 */
    const whole magnitude = (whole)rule->whole + (away ? 1 : 0);
    const whole key = (negative ? -magnitude : magnitude) - (is_signed ? 0 : (whole)SPAN_TOP_BIT);
    const whole first = rule->below ? INT64_MIN : key + 1;
    const whole last = rule->below ? key - 1 : INT64_MAX;

    if (first > INT64_MAX || last < INT64_MIN)
        return (struct span_keys){INT64_MAX, INT64_MIN};
    return (struct span_keys){(int64_t)(first < INT64_MIN ? INT64_MIN : first),
                              (int64_t)(last > INT64_MAX ? INT64_MAX : last)};
}

struct span_keys span_keys_of(const struct span_rule *rule, enum value_kind kind)
{
    const float near = (float)rule->level;
    const double wide = (double)near;
    const int64_t level = span_key(VALUE_F64, &rule->level, 0);
    const int64_t of_near = span_key(VALUE_F64, &wide, 0);

    if (kind == VALUE_F32)
        return keys_of_floats(rule->below, span_key(VALUE_F32, &near, 0),
                              (of_near > level) - (of_near < level), (int64_t)rules_bits(INFINITY));
    if (kind == VALUE_F64)
        return keys_of_floats(rule->below, level, 0, (int64_t)rules_bits64((double)INFINITY));
    return keys_of_integers(rule, kind == VALUE_I64);
}
