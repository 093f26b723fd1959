/* SPDX-License-Identifier: MIT */
/* Checks what callers ask for, and translates it for the rooms below. */
#include <inttypes.h>

#include "base/size_words.h"
#include "cpu/tally.h"
#include "lib/lib_priv.h"

static const enum sample_kind kinds[] = {
    [GPUENV_F32] = SAMPLE_F32,   [GPUENV_F64] = SAMPLE_F64,   [GPUENV_F16] = SAMPLE_F16,
    [GPUENV_S8] = SAMPLE_S8,     [GPUENV_U8] = SAMPLE_U8,     [GPUENV_S16] = SAMPLE_S16,
    [GPUENV_U16] = SAMPLE_U16,   [GPUENV_S24] = SAMPLE_S24,   [GPUENV_U24] = SAMPLE_U24,
    [GPUENV_S32] = SAMPLE_S32,   [GPUENV_U32] = SAMPLE_U32,   [GPUENV_S64] = SAMPLE_S64,
    [GPUENV_U64] = SAMPLE_U64,   [GPUENV_CF32] = SAMPLE_CF32, [GPUENV_CF64] = SAMPLE_CF64,
    [GPUENV_CS16] = SAMPLE_CS16, [GPUENV_CS8] = SAMPLE_CS8,   [GPUENV_CU8] = SAMPLE_CU8,
};

enum { TYPES = sizeof kinds / sizeof *kinds };

bool type_read(int type, bool swapped, bool scaled, struct sample_type *sample)
{
    if (type <= GPUENV_TYPE_NONE || type >= TYPES)
        return false;
    *sample = (struct sample_type){.kind = kinds[type]};
    sample->counts = !scaled && !sample_type_is_complex(*sample) && !sample_type_has_nan(*sample);
    if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
        swapped = !swapped;
    sample->big_endian = swapped && sample->kind != SAMPLE_S8 && sample->kind != SAMPLE_U8 &&
                         sample->kind != SAMPLE_CS8 && sample->kind != SAMPLE_CU8;
    return true;
}

size_t gpuenv_type_bytes(int type)
{
    struct sample_type sample;

    return type_read(type, false, false, &sample) ? sample_type_bytes(sample) : 0;
}

int type_of(struct sample_type sample)
{
    int type = 1;

    while (kinds[type] != sample.kind)
        type++;
    return type;
}

bool spec_is_position(int value)
{
    return value == GPUENV_ARGMIN || value == GPUENV_ARGMAX;
}

/* Makes windows need all of their frames. */
static void need_all(gpuenv_spec *spec)
{
    spec->edge = GPUENV_EDGE_NAN;
    if (spec->nan == GPUENV_NAN_OMIT)
        spec->nan = GPUENV_NAN_PROPAGATE;
}

static bool has_sums(const gpuenv_spec *spec)
{
    bool sums = false;

    for (unsigned i = 0; i < spec->values; i++)
        sums = sums || emit_needs_sums((enum emit)spec->value[i]);
    return sums;
}

int spec_read(gpuenv_spec *spec, const gpuenv_spec *given, gpuenv_error *error)
{
    bool positions = false;

    *spec = GPUENV_INIT(gpuenv_spec);
    if (given_read(spec, GIVEN(gpuenv_spec, threads, "spec", given), error) != GPUENV_OK)
        return GPUENV_BAD_ARGUMENT;
    if (spec->width == 0)
        return REFUSE(error, "width", "must be 1 or more");
    if (spec->hop == 0)
        spec->hop = 1;
    if (spec->align < GPUENV_ALIGN_VALID || spec->align > GPUENV_ALIGN_FORWARD)
        return REFUSE(error, "align", "is not one of enum gpuenv_align");
    if (spec->edge < GPUENV_EDGE_SHRINK || spec->edge > GPUENV_EDGE_NAN)
        return REFUSE(error, "edge", "is not one of enum gpuenv_edge");
    if (spec->nan < GPUENV_NAN_PROPAGATE || spec->nan > GPUENV_NAN_ERROR)
        return REFUSE(error, "nan", "is not one of enum gpuenv_nan");
    if (spec->times != NULL && spec->align != GPUENV_ALIGN_CAUSAL &&
        spec->align != GPUENV_ALIGN_CENTER)
        return REFUSE(error, "align", "must be causal or center for windows of time");
    if (spec->times != NULL && spec->hop != 1)
        return REFUSE(error, "hop", "must be 1 for windows of time");
    if (spec->closed < GPUENV_CLOSED_RIGHT || spec->closed > GPUENV_CLOSED_NEITHER)
        return REFUSE(error, "closed", "is not one of enum gpuenv_closed");
    if (spec->times == NULL && spec->closed != GPUENV_CLOSED_RIGHT)
        return REFUSE(error, "closed", "is for windows of time");
    if (spec->times == NULL && spec->min_count > spec->width)
        return REFUSE(error, "min_count", "must not be larger than the width");
    if (spec->times != NULL)
        spec->edge = GPUENV_EDGE_SHRINK;
    else if (spec->min_count == spec->width)
        need_all(spec);
    if (spec->values > GPUENV_VALUES)
        return REFUSE(error, "values", "must be 5 or fewer");
    if (spec->values == 0) {
        spec->values = 2;
        spec->value[0] = GPUENV_MIN;
        spec->value[1] = GPUENV_MAX;
    }
    for (unsigned i = 0; i < spec->values; i++) {
        if (spec->value[i] < GPUENV_MIN || spec->value[i] >= EMIT_KINDS)
            return REFUSE(error, "value", "is not one of enum gpuenv_value");
        if (emit_needs_sums((enum emit)spec->value[i]) &&
            (spec->times != NULL ||
             !tally_suits(&(struct window){.width = spec->width, .hop = spec->hop})))
            return REFUSE(error, "value",
                          "has mean, rms, std, count, first or last, which need windows of whole "
                          "hops: the width must be a multiple of the hop, at most 4096 times it");
        if (emit_needs_sums((enum emit)spec->value[i]) && spec->min_count > 0)
            return REFUSE(error, "min_count", "is not for mean, rms, std, count, first and last");
        positions = positions || spec_is_position(spec->value[i]);
    }
    if (spec->last != 0 && positions && (has_sums(spec) || spec->times != NULL))
        return REFUSE(error, "last", "is for windows of frames, without means");
    if (!positions)
        spec->last = 0;
    return GPUENV_OK;
}

/* The enumerations of gpuenv.h have the same numbers as those of the rooms below. */
_Static_assert((int)GPUENV_ALIGN_CAUSAL == ALIGN_CAUSAL && (int)GPUENV_ALIGN_CENTER == ALIGN_CENTER,
               "");
_Static_assert((int)GPUENV_ALIGN_FORWARD == ALIGN_FORWARD && (int)GPUENV_EDGE_NAN == EDGE_NAN, "");
_Static_assert((int)GPUENV_NAN_OMIT == NAN_OMIT && (int)GPUENV_NAN_ERROR == NAN_ERROR, "");
#define IS_SAME(name, word, made) _Static_assert((int)GPUENV_##name == EMIT_##name, word);
EMITS(IS_SAME)

/* A window longer than any array gets a width that fits into memory: it covers the same frames, and
 * is cut at the same ends. Sums need no memory for the width. */
static void window_of(struct window *window, const gpuenv_spec *spec, uint64_t frames)
{
    const uint64_t most = frames < UINT64_MAX / 4 ? 2 * frames + 2 : UINT64_MAX;
    const bool longer = spec->align != GPUENV_ALIGN_VALID && spec->width > most && !has_sums(spec);

    if (spec->times != NULL) {
        window_init(window, 1, 1, ALIGN_CAUSAL, EDGE_SHRINK); /* a result for each frame */
        return;
    }
    window_init(window, longer ? most : spec->width, spec->hop, (enum window_align)spec->align,
                (enum window_edge)spec->edge);
}

/* Turns the windows for an array that is read from its end: each covers the same frames as before,
 * the last one first. */
static void turn_windows(struct engine_setup *setup, uint64_t frames)
{
    struct window *window = &setup->window;
    const uint64_t outputs = window_outputs(window, frames);

    if (outputs == 0)
        return;
    window->after = frames + window->width - 2 - window->after - (outputs - 1) * window->hop;
    if (window->align != ALIGN_VALID)
        window->align = ALIGN_FORWARD;
    setup->origin = frames - 1;
    setup->backwards = true;
}

int gpuenv_outputs(const gpuenv_spec *spec, uint64_t frames, uint64_t *outputs, gpuenv_error *error)
{
    gpuenv_spec wanted;
    struct window window;

    fault_clear(error);
    if (spec_read(&wanted, spec, error) != GPUENV_OK)
        return GPUENV_BAD_ARGUMENT;
    if (outputs == NULL)
        return REFUSE(error, "outputs", "is NULL");
    window_of(&window, &wanted, frames);
    *outputs = window_outputs(&window, frames);
    return GPUENV_OK;
}

int memory_check(const gpuenv_context *context, uint64_t bytes, gpuenv_error *error)
{
    const uint64_t limit = machine_memory(&context->machine, bytes);
    char needed[SIZE_WORDS];
    char there[SIZE_WORDS];

    if (bytes <= limit)
        return GPUENV_OK;
    if (bytes == UINT64_MAX)
        return fault_set(error, GPUENV_NO_MEMORY, "width",
                         "needs more bytes of memory than can be counted");
    return fault_set(error, GPUENV_NO_MEMORY, "width",
                     "needs %s of memory (%" PRIu64 " bytes), but only %s is available",
                     size_words(needed, bytes), bytes, size_words(there, limit));
}

/* The least number of samples that has to be counted; every window of frames has at least one. */
static uint64_t least_of(const gpuenv_spec *spec)
{
    if (spec->times != NULL)
        return spec->min_count == 0 && spec->closed >= GPUENV_CLOSED_LEFT ? 1 : spec->min_count;
    return spec->min_count > 1 && spec->min_count < spec->width ? spec->min_count : 0;
}

/* Can windows without a NaN give NaN? A width of 1 changes no type. */
static bool gives_nan(const gpuenv_spec *spec)
{
    return spec->min_count > 0 || least_of(spec) > 0 ||
           (spec->edge == GPUENV_EDGE_NAN && spec->align != GPUENV_ALIGN_VALID);
}

int gpuenv_result_type(const gpuenv_spec *spec, int type, int value)
{
    gpuenv_spec wanted = GPUENV_INIT(gpuenv_spec);
    struct sample_type sample;

    if (spec_read(&wanted, spec, NULL) != GPUENV_OK || !type_read(type, false, false, &sample) ||
        value < GPUENV_MIN || value >= EMIT_KINDS)
        return GPUENV_TYPE_NONE;
    if (spec_is_position(value))
        return GPUENV_S64;
    if (emit_needs_sums((enum emit)value))
        return value == GPUENV_COUNT && !gives_nan(&wanted) ? GPUENV_S64 : GPUENV_F64;
    if ((value == GPUENV_MIN || value == GPUENV_MAX) && !sample_type_is_complex(sample) &&
        (sample_type_has_nan(sample) || (wanted.edge != GPUENV_EDGE_NAN && !gives_nan(&wanted))))
        return type;
    return sample_type_value(sample) == VALUE_F32 ? GPUENV_F32 : GPUENV_F64;
}

/* Are the samples of this value rounded to float32, and does that change it? A minimum, maximum or
 * magnitude of samples that float32 holds is exact. */
static bool rounds(int value, struct sample_type from, struct sample_type to)
{
    const bool held = sample_type_value(from) == VALUE_F32;

    return (!emit_needs_sums((enum emit)value) || emit_is_sample((enum emit)value)) &&
           (held ? value > GPUENV_ABS : sample_type_value(to) == VALUE_F32);
}

int spec_setup(struct engine_setup *setup, const gpuenv_spec *spec, const struct strided *in,
               const struct strided out[GPUENV_VALUES], unsigned channels, gpuenv_error *error)
{
    const char *const subject = spec->result != 0 ? "result" : "out";
    bool widens = false;
    unsigned positions = 0;

    *setup = (struct engine_setup){
        .nan = (enum nan_policy)spec->nan,
        .sample = in->sample,
        .least = least_of(spec),
        .channels = channels,
        .emits.count = spec->values,
        .value = VALUE_F32,
    };
    window_of(&setup->window, spec, in->frames);
    if (spec->last != 0)
        turn_windows(setup, in->frames);
    /* All values have one kind: the widest. */
    for (unsigned i = 0; i < spec->values; i++) {
        if (sample_type_value(out[i].sample) != VALUE_F32)
            setup->value = sample_type_value(in->sample);
        widens = widens ||
                 (emit_needs_sums((enum emit)spec->value[i]) && out[i].sample.kind != SAMPLE_F32);
        positions += spec_is_position(spec->value[i]);
    }
    /* All results of a frame have the same size. */
    widens = widens || (positions > 0 && positions < spec->values);
    if (widens && setup->value == VALUE_F32)
        setup->value = sample_type_value(in->sample) == VALUE_I64 ? VALUE_I64 : VALUE_F64;
    for (unsigned i = 0; i < spec->values; i++) {
        const bool is_sample = emit_is_sample((enum emit)spec->value[i]);
        const struct sample_type to = out[i].sample;

        setup->emits.item[i] = (enum emit)spec->value[i];
        setup->results[i] = setup->value;
        if (sample_type_is_complex(to))
            return REFUSE(error, subject, "has a type that results cannot have");
        if (spec_is_position(spec->value[i])) {
            setup->results[i] = VALUE_FRAME;
            if (to.kind != SAMPLE_S64)
                return REFUSE(error, subject, "has a type that is not GPUENV_S64, for positions");
            continue;
        }
        if (!sample_type_has_nan(to) && gives_nan(spec))
            return REFUSE(error, subject, "has an integer type, which cannot hold NaN");
        setup->narrow[i] = setup->value != VALUE_F32 && rounds(spec->value[i], in->sample, to);
        if (setup->value != VALUE_I64)
            continue;
        /* Integers stay integers on their way to integers. */
        if (is_sample && !gives_nan(spec) && sample_type_value(to) != VALUE_F32 &&
            !sample_type_has_nan(to))
            setup->results[i] = sample_type_numbers(in->sample);
        else
            setup->results[i] = VALUE_F64;
    }
    return GPUENV_OK;
}
