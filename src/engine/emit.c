#include "engine/emit.h"

static size_t frame_floats(const struct engine_setup *setup)
{
    return (size_t)setup->emits.count * setup->channels;
}

void emit_begin(struct emit_run *run, const struct engine_setup *setup, const struct piece *piece,
                uint64_t offset, size_t count, uint64_t frames, void *out)
{
    struct window_pick pick = window_pick_part(&setup->window, piece->pick, offset, count);

    run->setup = setup;
    run->first = piece->first + offset;
    run->frames = frames;
    run->start = (size_t)pick.start;
    run->kept = (size_t)pick.kept;
    run->out = out;
    run->out_end = out == NULL ? NULL : (unsigned char *)out + run->kept * engine_out_bytes(setup);
}

/* `emit` is a constant in each call, so that each loop is compiled for one kind. */
static inline void emit_values(enum emit emit, const float *low, const float *high, size_t step,
                               size_t kept, float *out, size_t stride)
{
    for (size_t i = 0; i < kept; i++) {
        float one_low = low != NULL ? low[i * step] : 0;
        float one_high = high != NULL ? high[i * step] : 0;
        out[i * stride] = rules_emit(emit, one_low, one_high);
    }
}

void emit_channel(const struct emit_run *run, unsigned channel, const float *low, const float *high)
{
    const struct engine_setup *setup = run->setup;
    const struct emit_list *emits = &setup->emits;
    size_t stride = frame_floats(setup);
    size_t kept = run->kept;
    size_t step = kept > 1 ? (size_t)setup->window.hop : 1;
    float *out = (float *)run->out + (size_t)channel * emits->count;

    if (kept == 0)
        return;
    low = low != NULL ? low + run->start : NULL;
    high = high != NULL ? high + run->start : NULL;
    for (unsigned i = 0; i < emits->count; i++) {
        switch (emits->item[i]) {
        case EMIT_MIN:
            emit_values(EMIT_MIN, low, NULL, step, kept, out + i, stride);
            break;
        case EMIT_MAX:
            emit_values(EMIT_MAX, NULL, high, step, kept, out + i, stride);
            break;
        case EMIT_ABS:
            emit_values(EMIT_ABS, low, high, step, kept, out + i, stride);
            break;
        case EMIT_RANGE:
            emit_values(EMIT_RANGE, low, high, step, kept, out + i, stride);
            break;
        case EMIT_MID:
            emit_values(EMIT_MID, low, high, step, kept, out + i, stride);
            break;
        case EMIT_KINDS:
            break;
        }
    }
    emit_cut(run, channel);
}

void emit_cut(const struct emit_run *run, unsigned channel)
{
    const struct window *window = &run->setup->window;
    unsigned emits = run->setup->emits.count;
    float *out = (float *)run->out + (size_t)channel * emits;

    if (window->edge != EDGE_NAN)
        return;
    /* Only the first windows of a run can be cut, or all of them if the run lies past the end. */
    for (size_t i = 0; i < run->kept; i++) {
        uint64_t end = run->first + run->start + i * window->hop;

        if (!window_is_cut(window, end, run->frames))
            break;
        for (unsigned j = 0; j < emits; j++)
            out[i * frame_floats(run->setup) + j] = rules_float(RULES_NAN_BITS);
    }
}
