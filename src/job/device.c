#include "job/device.h"

#include "base/pages.h"
#include "cli/messages.h"
#include "cuda/engine_cuda.h"

/* Large enough for the cost of a chunk to vanish, small enough for all of them to stay in a
 * last-level cache; or for copies over a bus to be worth their start. Statistics alone have the
 * processor's, too. */
static const size_t CHUNK_BYTES_CPU = (size_t)2 << 20;
static const size_t CHUNK_BYTES_CUDA = (size_t)8 << 20;

/* From how much input on a device pays: starting it takes as long as the cpu engine needs for
 * some gigabytes. On an H200 and a file in the page cache the cuda engine had caught up between 3.5
 * and 5 GiB, against one thread to eight. */
static const uint64_t CUDA_PAYS_BYTES = UINT64_C(4) << 30;

static bool is_long(const struct engine_setup *setup, uint64_t frames)
{
    return frames != UINT64_MAX && frames >= CUDA_PAYS_BYTES / engine_in_bytes(setup);
}

/* What the user has asked for; or as many frames as make the larger of a chunk's two buffers this
 * large, where memory is not short. */
static size_t chunk_of(const struct engine_setup *setup, size_t asked, size_t bytes)
{
    uint64_t in = engine_in_bytes(setup);
    uint64_t out = engine_out_bytes(setup) / setup->window.hop;
    uint64_t frames = bytes / (in > out ? in : out);
    uint64_t fit;

    if (asked > 0)
        return asked;
    fit = pages_limit() / 4 / engine_chunks_bytes(setup);
    if (frames > fit)
        frames = fit;
    return frames > 0 ? (size_t)frames : 1;
}

/* Is the device there, and has it room? Tries both: when all is well the start of the device,
 * which takes most of the time, has not been in vain. */
static bool cuda_can(const struct engine_setup *setup)
{
    struct engine *engine;
    struct error error;

    if (engine_cuda_find(setup->device, &error) == 0 &&
        engine_cuda.open(setup, &engine, &error) == 0) {
        engine_cuda.close(engine);
        return true;
    }
    messages_note("auto: the cpu engine (%s)", error.text);
    return false;
}

int device_choose(const struct settings *settings, struct engine_setup *setup, uint64_t frames,
                  const struct engine_class **engine_class, struct error *error)
{
    bool asked = !settings->lemire && settings->device == DEVICE_CUDA;
    bool none = settings->emits.count == 0;

    setup->device = settings->device_index;
    if (asked ||
        (!settings->lemire && !none && settings->device == DEVICE_AUTO && is_long(setup, frames))) {
        setup->chunk_frames = chunk_of(setup, settings->chunk, CHUNK_BYTES_CUDA);
        *engine_class = &engine_cuda;
        if (asked)
            return engine_cuda_find(settings->device_index, error);
        if (cuda_can(setup))
            return 0;
    }
    setup->chunk_frames = chunk_of(setup, settings->chunk, CHUNK_BYTES_CPU);
    *engine_class = none ? &engine_none : settings->lemire ? &engine_lemire : &engine_cpu;
    return 0;
}
