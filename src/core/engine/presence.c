/* SPDX-License-Identifier: MIT */
#include "engine/presence_priv.h"

#include <string.h>

#include "base/min_max.h"
#include "window/value.h"

enum {
    BLOCK = 128,       /* frames at a time; their number fits into a byte */
    SPARE = 2 * BLOCK, /* frames in the ring beside those of a window, so that new frames replace
                          none of these */
};

uint64_t presence_bytes(uint64_t width)
{
    return width > UINT64_MAX / 4 ? UINT64_MAX : sizeof(struct presence) + width + SPARE;
}

void presence_start(struct presence *presence, uint64_t width)
{
    presence->there = 0;
    presence->end = 0;
    memset(presence->is, 0, (size_t)width + SPARE);
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
    size_t next; /* the offset of the next window */
    size_t done; /* the output frame of the next window */
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

/* Writes NaN for windows with too few numbers among those that end in one of the `count` new
 * frames, where the old frames leave. */
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
    const uint64_t room = window->width + SPARE;
    const uint64_t least = min_u64(run->setup->least, window->width + 1);
    struct kept_windows kept = {.next = run->start};

    if (run->out->item[0] != NULL)
        kept.count = run->kept;
    for (size_t from = 0, step; from < count; from += step) {
        const uint64_t oldest = (presence->end + SPARE) % room;
        const unsigned char *const old = presence->is + oldest;
        unsigned char *const new = presence->is + presence->end;
        size_t numbers;

        step = min_u64(min_u64(BLOCK, count - from),
                       room - (presence->end > oldest ? presence->end : oldest));
        find_numbers(kind, samples, from, step, new);
        numbers = count_numbers(new, step);
        /* Does every window have enough numbers, even if all missing samples of this step come
         * first? */
        if (presence->there >= least + (step - numbers))
            pass(&kept, from + step, window->hop);
        else
            write_missing(presence->there, old, new, step, run, channel, from, &kept);
        presence->there += numbers - count_numbers(old, step);
        presence->end = (presence->end + step) % room;
    }
}
