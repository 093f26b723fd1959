/* window/lemire against the definition of a running minimum and maximum. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "window/lemire.h"

enum { MOST = 300 };

static float pick_sample(unsigned kind)
{
    switch (kind) {
    case 0:
        return (float)rand() / (float)RAND_MAX - 0.5f;
    case 1:
        return (float)(rand() % 3 - 1);
    case 2:
        return rand() % 2 != 0 ? 0.0f : -0.0f;
    default:
        return rand() % 5 == 0 ? NAN : rand() % 7 == 0 ? -INFINITY : (float)(rand() % 9);
    }
}

static void naive(const float *samples, size_t n, size_t width, size_t end, enum nan_policy policy,
                  float *low, float *high)
{
    int32_t least = KEY_ABOVE;
    int32_t most = KEY_BELOW;
    size_t from = end + 1 < width ? 0 : end + 1 - width;

    for (size_t i = from; i <= end && i < n; i++) {
        int32_t low_key = rules_low_key(samples[i], policy);
        int32_t high_key = rules_high_key(samples[i], policy);
        least = low_key < least ? low_key : least;
        most = high_key > most ? high_key : most;
    }
    *low = rules_from_key(least);
    *high = rules_from_key(most);
}

static void check_one(unsigned kind, size_t n, size_t width, enum nan_policy policy)
{
    struct lemire *lemire = lemire_open(width, VALUE_F32, policy);
    float samples[MOST];
    float low[MOST];
    float high[MOST];
    size_t ends = n == 0 ? 0 : n + (width - 1) / 2;
    size_t at = 0;

    CHECK(lemire != NULL);
    if (lemire == NULL)
        return;
    for (size_t i = 0; i < n; i++)
        samples[i] = pick_sample(kind);
    while (at < n) {
        size_t piece = (size_t)(rand() % 50) + 1;

        piece = piece > n - at ? n - at : piece;
        lemire_feed(lemire, samples + at, piece, low + at, high + at);
        at += piece;
    }
    if (ends > MOST)
        ends = MOST;
    if (ends > n)
        lemire_drain(lemire, ends - n, low + n, high + n);
    for (size_t end = 0; end < ends; end++) {
        float least;
        float most;

        naive(samples, n, width, end, policy, &least, &most);
        CHECK_THAT(memcmp(&least, &low[end], sizeof least) == 0 &&
                       memcmp(&most, &high[end], sizeof most) == 0,
                   "kind %u n %zu w %zu end %zu", kind, n, width, end);
    }
    lemire_close(lemire);
}

int main(void)
{
    static const size_t sizes[] = {0, 1, 2, 31, 100, 200};
    static const size_t widths[] = {1, 2, 3, 7, 16, 31, 32, 33, 99, 100, 101, 1000};

    srand(1);
    for (unsigned kind = 0; kind < 4; kind++) {
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            for (size_t j = 0; j < sizeof widths / sizeof *widths; j++) {
                check_one(kind, sizes[i], widths[j], NAN_PROPAGATE);
                check_one(kind, sizes[i], widths[j], NAN_OMIT);
            }
        }
    }
    /* A filter that is far too large is refused. */
    CHECK(lemire_bytes(UINT64_MAX / 2) == UINT64_MAX);
    CHECK(lemire_open(UINT64_MAX / 2, VALUE_F32, NAN_OMIT) == NULL);
    return check_result();
}
