#include "engine/presence_priv.h"

#include <string.h>

#include "base/min_max.h"
#include "window/value.h"

enum {
    BLOCK = 128,       /* frames at a time; their number fits into a byte */
    SHORT = 2 * BLOCK, /* windows of fewer frames are copied whole */
};

uint64_t presence_bytes(uint64_t width)
{
    const uint64_t fixed = sizeof(struct presence);

    return width > UINT64_MAX / 4 ? UINT64_MAX : fixed + width + SHORT;
}

void presence_start(struct presence *presence, uint64_t width)
{
    presence->there = 0;
    presence->begin = 0;
    memset(presence->is, 0, (size_t)width);
}

/* The sign bit of the result is set if the sample is a NaN. Compilers make vectors of loops over
 * differences, and not of those over comparisons of float64. */
static inline uint32_t nan_sign(const float *samples, size_t index)
{
    return UINT32_C(0x7f800000) - (rules_bits(samples[index]) & UINT32_C(0x7fffffff));
}

static inline uint64_t nan_sign64(const double *samples, size_t index)
{
    return UINT64_C(0x7ff0000000000000) -
           (rules_bits64(samples[index]) & UINT64_C(0x7fffffffffffffff));
}

/* Are all of these samples numbers? */
static bool are_numbers(enum value_kind kind, const void *samples, size_t from, size_t count)
{
    uint32_t sign = 0;
    uint64_t sign64 = 0;

    if (samples == NULL)
        return false;
    for (size_t i = from; kind == VALUE_F32 && i < from + count; i++)
        sign |= nan_sign(samples, i);
    for (size_t i = from; kind == VALUE_F64 && i < from + count; i++)
        sign64 |= nan_sign64(samples, i);
    return (sign >> 31) + (sign64 >> 63) == 0;
}

/* Sets is[i] to whether sample from+i is a number. */
static void find_numbers(enum value_kind kind, const void *samples, size_t from, size_t count,
                         unsigned char *restrict is)
{
    memset(is, samples != NULL, count);
    for (size_t i = 0; samples != NULL && kind == VALUE_F32 && i < count; i++)
        is[i] = (unsigned char)(nan_sign(samples, from + i) >> 31 ^ 1);
    for (size_t i = 0; samples != NULL && kind == VALUE_F64 && i < count; i++)
        is[i] = (unsigned char)(nan_sign64(samples, from + i) >> 63 ^ 1);
}

static size_t count_numbers(const unsigned char *is, size_t count)
{
    unsigned char sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += is[i];
    return sum;
}

/* The windows of a run that are written. */
struct kept_windows {
    size_t next; /* the offset of the next one, */
    size_t done; /* and its output frame */
    size_t count;
};

static void write_nan(const struct emit_run *run, unsigned channel, size_t frame)
{
    for (unsigned i = 0; i < run->setup->emits.count; i++)
        value_put_nan(run->setup->results[i], run->out->item[i],
                      frame * run->out->frame + channel * run->out->channel);
}

/* Counts the windows that end before `end`. */
static void pass(struct kept_windows *kept, size_t end, uint64_t hop)
{
    if (kept->done < kept->count && kept->next < end) {
        const size_t passed = min_u64((end - 1 - kept->next) / hop + 1, kept->count - kept->done);

        kept->next += passed * hop;
        kept->done += passed;
    }
}

/* Looks at each window that ends in one of the `count` new frames, which replace the old ones. */
static void write_missing(uint64_t sum, const unsigned char *old, const unsigned char *new,
                          size_t count, const struct emit_run *run, unsigned channel, size_t from,
                          struct kept_windows *kept)
{
    const uint64_t hop = run->setup->window.hop;
    uint64_t there[BLOCK];

    for (size_t i = 0; i < count; i++)
        there[i] = sum = sum + new[i] - old[i];
    for (; kept->done < kept->count && kept->next < from + count; kept->done++, kept->next += hop) {
        if (there[kept->next - from] < run->setup->least)
            write_nan(run, channel, kept->done);
    }
}

void presence_run(struct presence *presence, const struct emit_run *run, unsigned channel,
                  enum value_kind kind, const void *samples, size_t count)
{
    const struct window *const window = &run->setup->window;
    const uint64_t width = window->width;
    const uint64_t least = min_u64(run->setup->least, width + 1);
    const bool is_short = width < SHORT;
    unsigned char old[SHORT + BLOCK]; /* frames that leave; if short, all, and the new ones */
    struct kept_windows kept = {.next = run->start};

    if (run->out->item[0] != NULL)
        kept.count = run->kept;
    for (size_t from = 0, step; from < count; from += step) {
        unsigned char *const begin = presence->is + presence->begin;
        unsigned char *const new = is_short ? old + width : begin;
        size_t numbers;

        step = min_u64(BLOCK, count - from);
        if (presence->there == width && least <= width && are_numbers(kind, samples, from, step)) {
            pass(&kept, from + step, window->hop);
            continue;
        }
        if (!is_short)
            step = min_u64(step, width - presence->begin);
        memcpy(old, begin, SHORT);
        find_numbers(kind, samples, from, step, new);
        numbers = count_numbers(new, step);
        /* Do all windows have enough, even where those that are missing come first? */
        if (presence->there >= least + (step - numbers))
            pass(&kept, from + step, window->hop);
        else
            write_missing(presence->there, old, new, step, run, channel, from, &kept);
        presence->there += numbers - count_numbers(old, step);
        if (is_short)
            memcpy(begin, old + step, SHORT);
        else
            presence->begin = presence->begin + step < width ? presence->begin + step : 0;
    }
}
