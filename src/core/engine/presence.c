#include "engine/presence_priv.h"

#include <string.h>

#include "base/min_max.h"
#include "window/value.h"

enum { BLOCK = 512 }; /* frames at a time */

uint64_t presence_bytes(uint64_t width)
{
    const uint64_t fixed = sizeof(struct presence);

    return width > UINT64_MAX - fixed ? UINT64_MAX : fixed + width;
}

void presence_start(struct presence *presence, uint64_t width)
{
    presence->there = 0;
    presence->place = 0;
    memset(presence->ring, 0, (size_t)width);
}

/* Are all of these samples numbers? */
static bool are_numbers(enum value_kind kind, const void *samples, size_t from, size_t count)
{
    const float *floats = (const float *)samples + from;
    const double *doubles = (const double *)samples + from;
    uint64_t missing = samples == NULL;
    uint32_t missing_floats = 0;

    for (size_t i = 0; samples != NULL && kind == VALUE_F32 && i < count; i++)
        missing_floats |= floats[i] != floats[i];
    for (size_t i = 0; samples != NULL && kind == VALUE_F64 && i < count; i++)
        missing |= doubles[i] != doubles[i];
    return (missing | missing_floats) == 0;
}

/* Sets is[i] to whether sample from+i is a number. */
static void find_numbers(enum value_kind kind, const void *samples, size_t from, size_t count,
                         unsigned char *is)
{
    const float *floats = (const float *)samples + from;
    const double *doubles = (const double *)samples + from;

    memset(is, samples != NULL, count);
    for (size_t i = 0; samples != NULL && kind == VALUE_F32 && i < count; i++)
        is[i] = floats[i] == floats[i];
    for (size_t i = 0; samples != NULL && kind == VALUE_F64 && i < count; i++)
        is[i] = doubles[i] == doubles[i];
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

/* Takes frames that are adjacent in the ring. */
static void take(struct presence *presence, const struct emit_run *run, unsigned channel,
                 const unsigned char *is, size_t from, size_t count, struct kept_windows *kept)
{
    const uint64_t least = run->setup->least;
    unsigned char *ring = presence->ring + presence->place;
    uint64_t there = presence->there;

    for (size_t i = 0; i < count; i++) {
        there = there + is[i] - ring[i];
        ring[i] = is[i];
        if (from + i != kept->next || kept->done == kept->count)
            continue;
        if (there < least)
            write_nan(run, channel, kept->done);
        kept->next += run->setup->window.hop;
        kept->done++;
    }
    presence->there = there;
    presence->place = (presence->place + count) % run->setup->window.width;
}

/* If neither the frames nor the window before them have a NaN, only counts the frames. Returns
 * whether that is so. */
static bool pass(struct presence *presence, const struct engine_setup *setup, size_t from,
                 size_t count, struct kept_windows *kept)
{
    const uint64_t width = setup->window.width;

    if (presence->there < width || setup->least > width)
        return false;
    presence->place = (presence->place + count) % width;
    if (kept->done < kept->count && kept->next < from + count) {
        const size_t passed = min_u64((from + count - 1 - kept->next) / setup->window.hop + 1,
                                      kept->count - kept->done);

        kept->next += passed * setup->window.hop;
        kept->done += passed;
    }
    return true;
}

void presence_run(struct presence *presence, const struct emit_run *run, unsigned channel,
                  enum value_kind kind, const void *samples, size_t count)
{
    const uint64_t width = run->setup->window.width;
    struct kept_windows kept = {.next = run->start};
    unsigned char is[BLOCK];

    if (run->out->item[0] != NULL)
        kept.count = run->kept;
    for (size_t from = 0, step; from < count; from += step) {
        /* Where the window is full, frames may be passed: it is filled by shorter blocks. */
        step = presence->there < width
                   ? min_u64(max_u64(width - presence->there, BLOCK / 16), BLOCK / 4)
                   : BLOCK;
        step = min_u64(step, count - from);
        if (are_numbers(kind, samples, from, step) && pass(presence, run->setup, from, step, &kept))
            continue;
        find_numbers(kind, samples, from, step, is);
        for (size_t done = 0, part; done < step; done += part) {
            part = min_u64(step - done, width - presence->place);
            take(presence, run, channel, is + done, from + done, part, &kept);
        }
    }
}
