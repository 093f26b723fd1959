/* SPDX-License-Identifier: MIT */
#include "job/overall_priv.h"

#include <errno.h>
#include <stdlib.h>

#include "engine/emit.h"
#include "window/value.h"

/* For values made of sums, these items come in after the minimum and the maximum. */
enum { ITEM_SUM = 2, ITEM_SQUARE, ITEM_COUNT, ITEM_CENTER, ITEM_SQUARES };

enum { FRAMES = 512 }; /* frames that are joined at a time */

struct overall {
    struct sink sink;
    struct sink *other;
    const struct engine_setup *setup; /* setup of all channels */
    struct engine_setup one;          /* setup of the joined channel */
    bool alone;                       /* `direct`, with a single value */
    bool direct;                      /* overall_is_direct() */
    /* Where this item is NaN, all values except a count are NaN. It is 0 if the extremes are NaN
     * there. */
    unsigned mark;
};

/* A block of frames that are joined. */
struct summed_block {
    uint64_t values[EMIT_KINDS][FRAMES]; /* the joined items; float32 values use half the space */
    float rounded[2][FRAMES];            /* the minimum and the maximum, rounded to float32 */
    uint64_t made[FRAMES];
    uint64_t out[FRAMES * EMIT_KINDS];
};

/* NOLINTBEGIN(bugprone-macro-parentheses): types. */

/* Joins one item of all channels: `KEY` orders its values as the rules do. */
#define JOIN(NAME, TYPE, KEY_TYPE, KEY, FROM)                                                      \
    static void join_##NAME(const struct engine_setup *setup, unsigned item, const void *frames,   \
                            size_t count, void *to)                                                \
    {                                                                                              \
        const unsigned channels = setup->channels;                                                 \
        const unsigned items = setup->emits.count;                                                 \
        const size_t stride = (size_t)channels * items;                                            \
        const bool least = setup->emits.item[item] == EMIT_MIN;                                    \
        const enum nan_policy nan = setup->nan;                                                    \
        const TYPE *values = (const TYPE *)frames + item;                                          \
        TYPE *joined = to;                                                                         \
        KEY_TYPE keys[FRAMES];                                                                     \
                                                                                                   \
        (void)nan;                                                                                 \
        for (size_t i = 0; i < count; i++)                                                         \
            keys[i] = KEY(values[i * stride], least, nan);                                         \
        for (unsigned c = 1; c < channels; c++) {                                                  \
            const TYPE *channel = values + (size_t)c * items;                                      \
                                                                                                   \
            for (size_t i = 0; i < count; i++) {                                                   \
                const KEY_TYPE key = KEY(channel[i * stride], least, nan);                         \
                                                                                                   \
                keys[i] = (least ? key < keys[i] : key > keys[i]) ? key : keys[i];                 \
            }                                                                                      \
        }                                                                                          \
        for (size_t i = 0; i < count; i++)                                                         \
            joined[i] = FROM(keys[i]);                                                             \
    }

#define KEY32(value, least, nan) ((least) ? rules_low_key(value, nan) : rules_high_key(value, nan))
#define KEY64(value, least, nan)                                                                   \
    ((least) ? rules_low_key64(value, nan) : rules_high_key64(value, nan))
#define ITSELF(value, least, nan) (value)
#define SAME(key) (key)

JOIN(floats, float, int32_t, KEY32, rules_from_key)
JOIN(doubles, double, int64_t, KEY64, rules_from_key64)
JOIN(signed, int64_t, int64_t, ITSELF, SAME)
JOIN(unsigned, uint64_t, uint64_t, ITSELF, SAME)

/* NOLINTEND(bugprone-macro-parentheses) */

/* The greater of two, where NaN wins. The only NaN that engines write has the greatest key by
 * itself, so this common case is one short loop. */
static void join_pairs(const float *values, size_t count, float *joined)
{
    for (size_t i = 0; i < count; i++) {
        const int32_t left = (int32_t)rules_flip(rules_bits(values[2 * i]));
        const int32_t right = (int32_t)rules_flip(rules_bits(values[2 * i + 1]));

        joined[i] = rules_float(rules_flip((uint32_t)(left > right ? left : right)));
    }
}

/* Adds an item of all channels, in the order of the channels. */
static void add_item(const struct engine_setup *setup, unsigned item, const double *frames,
                     size_t count, double *sums)
{
    const size_t stride = (size_t)setup->channels * setup->emits.count;

    for (size_t i = 0; i < count; i++) {
        const double *values = frames + i * stride + item;

        sums[i] = values[0];
        for (unsigned c = 1; c < setup->channels; c++)
            sums[i] += values[(size_t)c * setup->emits.count];
    }
}

static void join_squares(const struct engine_setup *setup, const double *frames, size_t count,
                         double *squares)
{
    for (size_t i = 0; i < count; i++) {
        struct deviations all = {.count = 0};

        for (unsigned c = 0; c < setup->channels; c++, frames += setup->emits.count)
            all = deviations_join(all, (struct deviations){frames[ITEM_COUNT], frames[ITEM_CENTER],
                                                           frames[ITEM_SQUARES]});
        squares[i] = all.squares;
    }
}

static void join_item(const struct engine_setup *setup, unsigned item, const void *frames,
                      size_t count, void *joined)
{
    if (setup->emits.item[item] == EMIT_SQUARES)
        join_squares(setup, frames, count, joined);
    else if (!emit_is_of_extremes(setup->emits.item[item]))
        add_item(setup, item, frames, count, joined);
    else if (setup->results[item] == VALUE_F32 && setup->channels == 2 && setup->emits.count == 1 &&
             setup->emits.item[item] != EMIT_MIN && setup->nan == NAN_PROPAGATE)
        join_pairs(frames, count, joined);
    else
        switch (setup->results[item]) {
        case VALUE_F32:
            join_floats(setup, item, frames, count, joined);
            break;
        case VALUE_F64:
            join_doubles(setup, item, frames, count, joined);
            break;
        case VALUE_I64:
            join_signed(setup, item, frames, count, joined);
            break;
        default:
            join_unsigned(setup, item, frames, count, joined);
            break;
        }
}

/* Makes a value of each frame from its sums. */
static void make_sums(const struct overall *overall, enum emit emit, size_t count,
                      struct summed_block *block)
{
    for (size_t i = 0; i < count; i++) {
        /* NOLINTBEGIN(clang-analyzer-core.CallAndMessage): all of these items have come in. */
        const double numbers = rules_double(block->values[ITEM_COUNT][i]);
        const double squares = emit == EMIT_STD ? rules_double(block->values[ITEM_SQUARES][i]) : 0;
        const struct stats_values values = {
            .sum = rules_double(block->values[ITEM_SUM][i]),
            .square = rules_double(block->values[ITEM_SQUARE][i]),
            .deviations = {.count = numbers, .squares = squares},
        };
        /* NOLINTEND(clang-analyzer-core.CallAndMessage) */

        value_put_number(overall->one.value, emit_of_sums(emit, &values, numbers), block->made, i);
    }
}

/* Makes one wanted value of each frame from the joined items. */
static void make_item(const struct overall *overall, unsigned item, size_t count,
                      struct summed_block *block)
{
    const enum emit emit = overall->one.emits.item[item];
    const bool rounds = overall->one.value == VALUE_F32 && overall->setup->results[0] != VALUE_F32;
    const void *low = block->values[0];
    const void *high = block->values[1];

    for (size_t i = 0; rounds && i < count; i++) {
        /* NOLINTBEGIN(clang-analyzer-core.CallAndMessage): the first two are always there. */
        block->rounded[0][i] = emit_rounded(overall->setup, block->values[0][i]);
        block->rounded[1][i] = emit_rounded(overall->setup, block->values[1][i]);
        /* NOLINTEND(clang-analyzer-core.CallAndMessage) */
    }
    if (rounds) {
        low = block->rounded[0];
        high = block->rounded[1];
    }
    if (emit_is_of_extremes(emit))
        emit_values(&overall->one, item, &(struct emit_windows){.low = low, .high = high}, count,
                    block->made);
    else
        make_sums(overall, emit, count, block);
    for (size_t i = 0; overall->mark > 0 && emit != EMIT_COUNT && i < count; i++) {
        if (rules_is_nan_bits64(block->values[overall->mark][i]))
            value_put_nan(overall->one.value, block->made, i);
    }
}

/* Joins the channels of some frames. Returns the values of the frames. */
static void *join(const struct overall *overall, const void *frames, size_t count,
                  struct summed_block *block)
{
    const unsigned emits = overall->one.emits.count;

    for (unsigned item = 0; item < overall->setup->emits.count; item++)
        join_item(overall->setup, item, frames, count, block->values[item]);
    if (overall->alone)
        return block->values[0];
    for (unsigned item = 0; item < emits; item++) {
        const uint64_t *values = block->values[item];

        if (!overall->direct) {
            make_item(overall, item, count, block);
            values = block->made;
        }
        for (size_t i = 0; i < count; i++) {
            /* NOLINTBEGIN(clang-analyzer-core.uninitialized.Assign): `count` of them are set. */
            if (value_bytes(overall->one.value) == 4)
                ((uint32_t *)block->out)[i * emits + item] = ((const uint32_t *)values)[i];
            else
                block->out[i * emits + item] = values[i];
            /* NOLINTEND(clang-analyzer-core.uninitialized.Assign) */
        }
    }
    return block->out;
}

bool overall_is_direct(const struct emit_list *emits)
{
    for (unsigned i = 0; i < emits->count; i++) {
        if (emits->item[i] >= EMIT_RANGE)
            return false;
    }
    return true;
}

static int overall_write(struct sink *sink, void *frames, size_t count,
                         const struct sink_rows *rows, bool gift, struct error *error)
{
    struct overall *overall = (struct overall *)sink;
    const size_t bytes = engine_out_bytes(overall->setup);
    const unsigned char *from = frames;
    int result = 0;

    (void)gift;
    for (size_t done = 0; result == 0 && done < count; done += FRAMES) {
        const size_t size = count - done < FRAMES ? count - done : FRAMES;
        struct summed_block block;
        void *joined = join(overall, from + done * bytes, size, &block);

        result = overall->other->class->write(overall->other, joined, size,
                                              rows == NULL ? NULL : rows + done, false, error);
    }
    sink->losses = overall->other->losses;
    return result;
}

static int overall_times(struct sink *sink, const struct row_key *key, uint64_t number,
                         const struct moment *moments, size_t count, struct error *error)
{
    struct sink *other = ((struct overall *)sink)->other;

    return other->class->times == NULL
               ? 0
               : other->class->times(other, key, number, moments, count, error);
}

static int overall_finish(struct sink *sink, struct error *error)
{
    struct overall *overall = (struct overall *)sink;
    int result;

    overall->other->in_frames = sink->in_frames;
    result = overall->other->class->finish(overall->other, error);
    sink->losses = overall->other->losses;
    sink->remark = overall->other->remark;
    sink->remark_of_input = overall->other->remark_of_input;
    return result;
}

static void overall_close(struct sink *sink)
{
    struct overall *overall = (struct overall *)sink;

    overall->other->class->close(overall->other);
    free(overall);
}

int overall_open(const struct engine_setup *setup, struct sink **sink, struct error *error)
{
    static const struct sink_class class = {
        .write = overall_write,
        .times = overall_times,
        .finish = overall_finish,
        .close = overall_close,
    };
    struct overall *overall = malloc(sizeof *overall);

    if (overall == NULL)
        return error_system(error, ERROR_RESOURCE, "memory", errno);
    overall->sink = **sink;
    overall->sink.class = &class;
    overall->other = *sink;
    overall->setup = setup;
    overall->one = *setup;
    overall->one.channels = 1;
    overall->one.emits = (*sink)->format.context.emits;
    for (unsigned i = 0; i < overall->one.emits.count; i++) {
        overall->one.results[i] = (*sink)->format.row.kind[i];
        overall->one.narrow[i] = (*sink)->format.row.narrow[i];
    }
    overall->direct = overall_is_direct(&overall->one.emits);
    /* A sum is NaN also of infinities of both signs; a sum of squares is not. */
    overall->mark = overall->direct || setup->emits.count <= 2 ? 0
                    : emits_need_sums(&setup->emits)           ? ITEM_SQUARE
                                                               : setup->emits.count - 1;
    overall->alone = overall->direct && overall->one.emits.count == 1;
    overall->one.value = setup->results[0];
    if (emits_need_sums(&setup->emits) && overall->one.results[0] == VALUE_F32)
        overall->one.value = VALUE_F32;
    *sink = &overall->sink;
    return 0;
}
