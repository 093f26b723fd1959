/* window/lemire against the definition of a running minimum and maximum. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "window/lemire.h"
#include "window/value.h"

enum { MOST = 300, SHAPES = 5 };

/* As a double, which the kinds of floats take. */
static double pick_number(unsigned shape)
{
    switch (shape) {
    case 0:
        return (double)rand() / RAND_MAX - 0.5;
    case 1:
        return rand() % 3 - 1;
    case 2:
        return rand() % 2 != 0 ? 0.0 : -0.0;
    case 3: /* float32 cannot tell these apart */
        return 1 + (double)(rand() % 9) * 0x1p-50;
    default:
        return rand() % 5 == 0 ? (double)NAN : rand() % 7 == 0 ? -(double)INFINITY : rand() % 9;
    }
}

static int64_t pick_integer(unsigned shape)
{
    switch (shape) {
    case 0:
        return (int64_t)((uint64_t)rand() << 33 ^ (uint64_t)rand());
    case 1:
        return rand() % 3 - 1;
    default:
        return rand() % 2 != 0 ? INT64_MIN + rand() % 3 : INT64_MAX - rand() % 3;
    }
}

static void put_sample(enum value_kind kind, unsigned shape, void *samples, size_t index)
{
    if (kind == VALUE_F32)
        ((float *)samples)[index] = (float)pick_number(shape);
    else if (kind == VALUE_F64)
        ((double *)samples)[index] = pick_number(shape);
    else
        ((int64_t *)samples)[index] = pick_integer(shape);
}

static int64_t key_of(enum value_kind kind, enum nan_policy policy, const void *samples,
                      size_t index, bool high)
{
    float narrow = kind == VALUE_F32 ? ((const float *)samples)[index] : 0;
    double wide = kind == VALUE_F64 ? ((const double *)samples)[index] : 0;

    if (kind == VALUE_F32)
        return high ? rules_high_key(narrow, policy) : rules_low_key(narrow, policy);
    if (kind == VALUE_F64)
        return high ? rules_high_key64(wide, policy) : rules_low_key64(wide, policy);
    return ((const int64_t *)samples)[index];
}

static void naive(enum value_kind kind, const void *samples, size_t n, size_t width, size_t end,
                  enum nan_policy policy, void *low, void *high)
{
    int64_t least = kind == VALUE_F32 ? KEY_ABOVE : KEY64_ABOVE;
    int64_t most = kind == VALUE_F32 ? KEY_BELOW : KEY64_BELOW;
    size_t from = end + 1 < width ? 0 : end + 1 - width;

    for (size_t i = from; i <= end && i < n; i++) {
        int64_t low_key = key_of(kind, policy, samples, i, false);
        int64_t high_key = key_of(kind, policy, samples, i, true);
        least = low_key < least ? low_key : least;
        most = high_key > most ? high_key : most;
    }
    value_put_key(kind, least, low, 0);
    value_put_key(kind, most, high, 0);
}

static void check_one(enum value_kind kind, unsigned shape, size_t n, size_t width,
                      enum nan_policy policy)
{
    struct lemire *lemire = lemire_open(width, kind, policy);
    const size_t bytes = value_bytes(kind);
    union {
        uint64_t words[MOST];
        unsigned char bytes[8 * MOST];
    } samples, low, high;
    size_t ends = n == 0 ? 0 : n + (width - 1) / 2;
    size_t at = 0;

    CHECK(lemire != NULL);
    if (lemire == NULL)
        return;
    for (size_t i = 0; i < n; i++)
        put_sample(kind, shape, samples.words, i);
    while (at < n) {
        size_t piece = (size_t)(rand() % 50) + 1;

        piece = piece > n - at ? n - at : piece;
        lemire_feed(lemire, samples.bytes + at * bytes, piece, low.bytes + at * bytes,
                    high.bytes + at * bytes);
        at += piece;
    }
    if (ends > MOST)
        ends = MOST;
    if (ends > n)
        lemire_drain(lemire, ends - n, low.bytes + n * bytes, high.bytes + n * bytes);
    for (size_t end = 0; end < ends; end++) {
        uint64_t least;
        uint64_t most;

        naive(kind, samples.words, n, width, end, policy, &least, &most);
        CHECK_THAT(memcmp(&least, low.bytes + end * bytes, bytes) == 0 &&
                       memcmp(&most, high.bytes + end * bytes, bytes) == 0,
                   "values of kind %d, shape %u, n %zu, w %zu, end %zu", (int)kind, shape, n, width,
                   end);
    }
    lemire_close(lemire);
}

int main(void)
{
    static const size_t sizes[] = {0, 1, 2, 31, 100, 200};
    static const size_t widths[] = {1, 2, 3, 7, 16, 31, 32, 33, 99, 100, 101, 1000};

    srand(1);
    for (unsigned i = 0; i < SHAPES * sizeof sizes / sizeof *sizes; i++) {
        for (size_t j = 0; j < sizeof widths / sizeof *widths; j++) {
            for (int kind = VALUE_F32; kind <= VALUE_I64; kind++) {
                size_t n = sizes[i / SHAPES];

                check_one((enum value_kind)kind, i % SHAPES, n, widths[j], NAN_PROPAGATE);
                check_one((enum value_kind)kind, i % SHAPES, n, widths[j], NAN_OMIT);
            }
        }
    }
    /* A filter that is far too large is refused. */
    CHECK(lemire_bytes(UINT64_MAX / 2, VALUE_F64) == UINT64_MAX);
    CHECK(lemire_open(UINT64_MAX / 2, VALUE_F32, NAN_OMIT) == NULL);
    return check_result();
}
