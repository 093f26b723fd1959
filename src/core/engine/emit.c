/* SPDX-License-Identifier: MIT */
#include "engine/emit.h"

#include <math.h>

#include "window/value.h"

void emit_out_frames(struct emit_out *out, const struct engine_setup *setup, void *frames)
{
    const unsigned emits = setup->emits.count;
    const size_t bytes = engine_value_bytes(setup);

    *out = (struct emit_out){
        .frame = (size_t)emits * setup->channels, .channel = emits, .together = true};
    for (unsigned i = 0; frames != NULL && i < emits; i++)
        out->item[i] = (unsigned char *)frames + i * bytes;
}

void emit_out_skip(struct emit_out *out, const struct engine_setup *setup, uint64_t count)
{
    const size_t bytes = (size_t)count * out->frame * engine_value_bytes(setup);

    for (unsigned i = 0; out->item[0] != NULL && i < setup->emits.count; i++)
        out->item[i] = (unsigned char *)out->item[i] + bytes;
}

void emit_begin(struct emit_run *run, const struct engine_setup *setup, const struct piece *piece,
                uint64_t offset, size_t count, uint64_t frames, const struct emit_out *out)
{
    struct window_pick pick = piece->pick;

    if (pick.kept > 0)
        pick = window_pick(&setup->window, piece->first + offset, count);
    run->setup = setup;
    run->first = piece->first + offset;
    run->frames = frames;
    run->start = (size_t)pick.start;
    run->kept = (size_t)pick.kept;
    run->out = out;
}

/* The values of one emit of one channel. */
struct column {
    size_t step; /* windows from one kept window to the next */
    size_t kept;
    void *out;
    size_t stride; /* values from one output frame to the next */
};

static void floats_by(enum emit emit, const float *low, const float *high,
                      const struct column *column)
{
    float *out = column->out;

    for (size_t i = 0; i < column->kept; i++)
        out[i * column->stride] = emit_float(emit, low[i * column->step], high[i * column->step]);
}

static void doubles_by(enum emit emit, const double *low, const double *high,
                       const struct column *column)
{
    double *out = column->out;

    for (size_t i = 0; i < column->kept; i++)
        out[i * column->stride] = emit_double(emit, low[i * column->step], high[i * column->step]);
}

/* Holds the sum and the difference of two integers of 64 bits. */
__extension__ typedef __int128 integer;

/* `abs`, `range` or `mid`: exact, then rounded once; the unit is a power of two. The number that a
 * key stands for is key + `zero`. */
static double integer_value(enum emit emit, int64_t low, int64_t high, integer zero, double unit)
{
    const integer least = low + zero;
    const integer most = high + zero;

    switch (EMIT_COMBINE(emit)) {
    case COMBINE_ABS:
        return (double)(-least > most ? -least : most) * unit;
    case COMBINE_RANGE:
        return (double)(most - least) * unit;
    case COMBINE_MID:
        break;
    }
    return (double)(least + most) * (unit / 2);
}

static double integer_number(int64_t key, bool raised, double unit)
{
    return (raised ? (double)((uint64_t)key ^ UINT64_C(1) << 63) : (double)key) * unit;
}

static void integers_by(const struct engine_setup *setup, unsigned item, const int64_t *low,
                        const int64_t *high, const struct column *column)
{
    const uint64_t turn = setup->results[item] == VALUE_U64 ? UINT64_C(1) << 63 : 0;
    const bool raised = sample_type_numbers(setup->sample) == VALUE_U64;
    const integer zero = raised ? (integer)1 << 63 : 0;
    const double unit = sample_type_unit(setup->sample);
    const enum emit emit = setup->emits.item[item];
    const int64_t *const extreme = emit == EMIT_MIN ? low : high;
    uint64_t *out = column->out;

    for (size_t i = 0, from = 0; i < column->kept;
         i++, from += column->step, out += column->stride) {
        if (setup->results[item] != VALUE_F64)
            *out = (uint64_t)extreme[from] ^ turn;
        else if (emit_is_sample(emit))
            *out = rules_bits64(integer_number(extreme[from], raised, unit));
        else
            *out = rules_bits64(integer_value(emit, low[from], high[from], zero, unit));
    }
}

/* Writes values made of extremes of 64 bits, as if the samples had been rounded to float32
 * first. */
static void narrow_by(const struct engine_setup *setup, unsigned item, const uint64_t *low,
                      const uint64_t *high, const struct column *column)
{
    double *out = column->out;

    for (size_t i = 0, from = 0; i < column->kept; i++, from += column->step)
        out[i * column->stride] =
            (double)emit_float(setup->emits.item[item], emit_rounded(setup, low[from]),
                               emit_rounded(setup, high[from]));
}

static void positions_by(const struct engine_setup *setup, const void *extremes, const int64_t *at,
                         const struct column *column)
{
    int64_t *out = column->out;

    for (size_t i = 0; i < column->kept; i++)
        out[i * column->stride] =
            value_is_nan(setup->value, extremes, i * column->step) ? -1 : at[i * column->step];
}

static void numbers_by(const struct engine_setup *setup, unsigned item, const void *low,
                       const void *high, const struct column *column)
{
    const enum emit emit = setup->emits.item[item];

    if (setup->narrow[item])
        narrow_by(setup, item, low, high, column);
    else if (setup->value == VALUE_F32)
        floats_by(emit, low, high, column);
    else if (setup->value == VALUE_F64)
        doubles_by(emit, low, high, column);
    else
        integers_by(setup, item, low, high, column);
}

static void emit_column(const struct engine_setup *setup, unsigned item,
                        const struct emit_windows *windows, const struct column *column)
{
    const enum emit emit = setup->emits.item[item];

    if (emit == EMIT_ARGMIN)
        positions_by(setup, windows->low, windows->low_at, column);
    else if (emit == EMIT_ARGMAX)
        positions_by(setup, windows->high, windows->high_at, column);
    else
        numbers_by(setup, item, windows->low, windows->high, column);
}

void emit_values(const struct engine_setup *setup, unsigned item,
                 const struct emit_windows *windows, size_t count, void *values)
{
    const struct column column = {.step = 1, .kept = count, .out = values, .stride = 1};

    emit_column(setup, item, windows, &column);
}

void emit_channel(const struct emit_run *run, unsigned channel, const struct emit_windows *windows)
{
    const struct engine_setup *setup = run->setup;
    const size_t bytes = engine_value_bytes(setup);
    const size_t from = run->start * value_bytes(setup->value);
    const struct emit_windows kept = {
        .low = (const unsigned char *)windows->low + from,
        .high = (const unsigned char *)windows->high + from,
        .low_at = windows->low_at + run->start,
        .high_at = windows->high_at + run->start,
    };
    struct column column = {
        .step = run->kept > 1 ? (size_t)setup->window.hop : 1,
        .kept = run->kept,
        .stride = run->out->frame,
    };

    if (run->kept == 0)
        return;
    for (unsigned i = 0; i < setup->emits.count; i++) {
        column.out = (unsigned char *)run->out->item[i] + channel * run->out->channel * bytes;
        emit_column(setup, i, &kept, &column);
    }
    emit_cut(run, channel);
}

double emit_of_sums(enum emit emit, const struct stats_values *values, double numbers)
{
    switch (emit) {
    case EMIT_MEAN:
        return values->sum / numbers;
    case EMIT_RMS:
        return sqrt(values->square / numbers);
    case EMIT_SUM:
        return values->sum;
    case EMIT_SQUARE:
        return values->square;
    case EMIT_STD:
        return deviations_std(values->deviations);
    case EMIT_CENTER:
        return values->deviations.mean;
    case EMIT_SQUARES:
        return values->deviations.squares;
    default:
        return emit == EMIT_COUNT ? numbers : (double)NAN;
    }
}

/* The number of a key, rounded once, as a sample is that is decoded to float32. */
static float float_of_key(const struct engine_setup *setup, enum value_kind numbers, int64_t key)
{
    switch (numbers) {
    case VALUE_F32:
        return rules_from_key((int32_t)key);
    case VALUE_F64:
        return (float)rules_from_key64(key);
    case VALUE_U64:
        return (float)((uint64_t)key ^ UINT64_C(1) << 63);
    default:
        return (float)key * (float)sample_type_unit(setup->sample);
    }
}

float emit_rounded(const struct engine_setup *setup, uint64_t value)
{
    return setup->value == VALUE_F64
               ? (float)rules_double(value)
               : float_of_key(setup, sample_type_numbers(setup->sample), (int64_t)value);
}

/* The extremes of a window as two values of the setup's kind. */
union emit_value {
    float f32;
    double f64;
    int64_t i64;
};

static union emit_value value_of_key(const struct engine_setup *setup, enum value_kind numbers,
                                     int64_t key)
{
    if (setup->value == VALUE_F32)
        return (union emit_value){.f32 = float_of_key(setup, numbers, key)};
    if (setup->value == VALUE_F64)
        return (union emit_value){.f64 = numbers == VALUE_F32 ? (double)rules_from_key((int32_t)key)
                                                              : rules_from_key64(key)};
    return (union emit_value){.i64 = key};
}

/* Writes the values of an emit that is made of samples of the windows, or of their places. */
static void emit_samples(const struct engine_setup *setup, unsigned item,
                         const struct stats_values *values, struct column *column)
{
    const enum emit emit = setup->emits.item[item];
    const enum value_kind kind = sample_type_numbers(setup->sample);
    union emit_value low[EMIT_STATS_MOST];
    union emit_value high[EMIT_STATS_MOST];
    int64_t low_at[2 * EMIT_STATS_MOST]; /* as far apart as the values, which may have 4 bytes */
    int64_t high_at[2 * EMIT_STATS_MOST];
    const struct emit_windows found = {low, high, low_at, high_at};

    column->step = sizeof *low / value_bytes(setup->value);
    for (size_t i = 0; i < column->kept; i++) {
        const struct stats_values *of = &values[i];

        low[i] = value_of_key(setup, kind,
                              emit == EMIT_FIRST  ? of->first
                              : emit == EMIT_LAST ? of->last
                              : emit == EMIT_MAX  ? of->high
                                                  : of->low);
        high[i] = emit_is_sample(emit) ? low[i] : value_of_key(setup, kind, of->high);
        if (emit == EMIT_ARGMIN || emit == EMIT_ARGMAX) {
            low_at[i * column->step] = (int64_t)(setup->origin + of->low_at);
            high_at[i * column->step] = (int64_t)(setup->origin + of->high_at);
        }
    }
    emit_column(setup, item, &found, column);
}

/* Writes the values of an emit that is made of sums. */
static void emit_numbers(const struct engine_setup *setup, enum emit emit,
                         const struct stats_values *values, uint64_t frames,
                         const struct column *column)
{
    for (size_t i = 0; i < column->kept; i++)
        value_put_number(setup->value,
                         emit_of_sums(emit, &values[i], (double)(int64_t)(frames - values[i].nans)),
                         column->out, i * column->stride);
}

/* Writes NaN for windows whose NaN spoil them, and for those without numbers. */
static void emit_missing(const struct engine_setup *setup, unsigned item,
                         const struct stats_values *values, uint64_t frames,
                         const struct column *column)
{
    const enum emit emit = setup->emits.item[item];
    const bool spoils = setup->nan == NAN_PROPAGATE && emit != EMIT_FIRST && emit != EMIT_LAST;

    for (size_t i = 0; emit != EMIT_COUNT && i < column->kept; i++) {
        if ((values[i].nans > 0 && spoils) || (values[i].nans == frames && emit < EMIT_KINDS))
            value_put_nan(setup->results[item], column->out, i * column->stride);
    }
}

void emit_stats(const struct engine_setup *setup, const struct stats_values *values, size_t windows,
                uint64_t frames, const struct emit_out *out, unsigned channel, size_t index)
{
    const size_t bytes = engine_value_bytes(setup);
    const size_t place = index * out->frame + channel * out->channel;
    struct column column = {.kept = windows, .stride = out->frame};

    for (unsigned i = 0; i < setup->emits.count; i++) {
        const enum emit emit = setup->emits.item[i];

        column.out = (unsigned char *)out->item[i] + place * bytes;
        if (!emit_needs_sums(emit) || emit_is_sample(emit))
            emit_samples(setup, i, values, &column);
        else
            emit_numbers(setup, emit, values, frames, &column);
        emit_missing(setup, i, values, frames, &column);
    }
}

void emit_cut(const struct emit_run *run, unsigned channel)
{
    const struct window *window = &run->setup->window;
    uint64_t end = run->first + run->start;
    size_t cut = 0;

    if (window->edge != EDGE_NAN)
        return;
    /* Only the first windows of a run can be cut, or all of them if the run lies past the end. */
    for (; cut < run->kept && window_is_cut(window, end, run->frames); cut++)
        end += window->hop;
    for (unsigned j = 0; j < run->setup->emits.count; j++) {
        const size_t left = run->setup->emits.item[j] != EMIT_COUNT ? cut : 0;

        for (size_t i = 0, at = channel * run->out->channel; i < left; i++, at += run->out->frame)
            value_put_nan(run->setup->results[j], run->out->item[j], at);
    }
}
