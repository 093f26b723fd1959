#include "stream/overall.h"

#include <errno.h>
#include <stdlib.h>

#include "engine/emit.h"
#include "window/value.h"

enum { FRAMES = 512 }; /* that are joined at a time */

struct overall {
    struct sink sink;
    struct sink *other;
    const struct engine_setup *setup; /* of the frames that come in: min and max */
    struct engine_setup one;          /* of those that go out */
};

/* Blocks of frames on their way. */
struct block {
    uint64_t low[FRAMES]; /* floats take half of it */
    uint64_t high[FRAMES];
    uint64_t values[FRAMES];
    uint64_t out[FRAMES * EMIT_KINDS];
};

#define JOIN(NAME, TYPE, IS_NAN, LOW_OF, HIGH_OF)                                                  \
    static void join_##NAME(const TYPE *frame, unsigned channels, bool omit, TYPE *low,            \
                            TYPE *high)                                                            \
    {                                                                                              \
        *low = frame[0];                                                                           \
        *high = frame[1];                                                                          \
        for (unsigned i = 1; i < channels; i++) {                                                  \
            const TYPE one_low = frame[(size_t)2 * i];                                             \
            const TYPE one_high = frame[(size_t)2 * i + 1];                                        \
                                                                                                   \
            if (IS_NAN(one_low) || IS_NAN(*low)) {                                                 \
                /* Both of a pair are NaN, or neither is. */                                       \
                if (IS_NAN(one_low) ? !omit : omit) {                                              \
                    *low = one_low;                                                                \
                    *high = one_high;                                                              \
                }                                                                                  \
                continue;                                                                          \
            }                                                                                      \
            *low = LOW_OF(one_low) < LOW_OF(*low) ? one_low : *low;                                \
            *high = HIGH_OF(one_high) > HIGH_OF(*high) ? one_high : *high;                         \
        }                                                                                          \
    }

/* Their keys order floats, zeros too. */
#define KEY32(value) ((int32_t)rules_flip(rules_bits(value)))
#define KEY64(value) ((int64_t)rules_flip64(rules_bits64(value)))
#define NEVER(value) false
#define ITSELF(value) (value)

JOIN(floats, float, isnan, KEY32, KEY32)
JOIN(doubles, double, isnan, KEY64, KEY64)
JOIN(integers, int64_t, NEVER, ITSELF, ITSELF)

/* Joins the channels of some frames, and writes the values of each. */
static void join(const struct overall *overall, const unsigned char *frames, size_t count,
                 struct block *block)
{
    const struct engine_setup *setup = overall->setup;
    const size_t bytes = engine_out_bytes(setup);
    const enum value_kind kind = setup->results[0];
    const bool omit = setup->nan == NAN_OMIT;
    const unsigned emits = overall->one.emits.count;

    for (size_t i = 0; i < count; i++, frames += bytes) {
        const void *frame = frames;

        if (kind == VALUE_F32)
            join_floats(frame, setup->channels, omit, (float *)block->low + i,
                        (float *)block->high + i);
        else if (kind == VALUE_F64)
            join_doubles(frame, setup->channels, omit, (double *)block->low + i,
                         (double *)block->high + i);
        else
            join_integers(frame, setup->channels, omit, (int64_t *)block->low + i,
                          (int64_t *)block->high + i);
    }
    for (unsigned item = 0; item < emits; item++) {
        emit_values(&overall->one, item, block->low, block->high, count, block->values);
        for (size_t i = 0; i < count; i++) {
            if (value_bytes(overall->one.value) == 4)
                ((uint32_t *)block->out)[i * emits + item] = ((uint32_t *)block->values)[i];
            else
                block->out[i * emits + item] = block->values[i];
        }
    }
}

static int overall_write(struct sink *sink, void *frames, size_t count, bool gift,
                         struct error *error)
{
    struct overall *overall = (struct overall *)sink;
    const size_t bytes = engine_out_bytes(overall->setup);
    const unsigned char *from = frames;
    int result = 0;

    (void)gift;
    for (size_t done = 0; result == 0 && done < count; done += FRAMES) {
        const size_t size = count - done < FRAMES ? count - done : FRAMES;
        struct block block;

        join(overall, from + done * bytes, size, &block);
        result = overall->other->class->write(overall->other, block.out, size, false, error);
    }
    sink->losses = overall->other->losses;
    return result;
}

static int overall_finish(struct sink *sink, struct error *error)
{
    struct overall *overall = (struct overall *)sink;
    int result = overall->other->class->finish(overall->other, error);

    sink->losses = overall->other->losses;
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
    for (unsigned i = 0; i < overall->one.emits.count; i++)
        overall->one.results[i] = (*sink)->format.row.kind[i];
    overall->one.value = setup->results[0];
    *sink = &overall->sink;
    return 0;
}
