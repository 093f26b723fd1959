/* SPDX-License-Identifier: MIT */
/* Streams in memory: the chunks of the program, with the caller's buffers. */
#include <stdlib.h>
#include <string.h>

#include "base/forks.h"
#include "base/min_max.h"
#include "base/pages.h"
#include "base/rounding.h"
#include "cpu/block_plan.h"
#include "cpu/engine_cpu.h"
#include "lib/lib_priv.h"
#include "lib/stream_buffers_priv.h"

enum {
    CHUNK_VALUES = 1 << 18,
    /* This is little, because a stream in an audio thread keeps its memory locked. */
    STAGED_BYTES = 8192,

    /* At least so many frames are staged, even if they have more bytes. */
    STAGED_FRAMES = 64,
    FEW_VALUES = 2048,
    FEW_FRAMES = 256,
};

struct gpuenv_stream {
    struct engine_setup setup;
    struct engine *engine;
    struct chunk chunk;      /* kept, as clearing one takes a tenth of the time of a small push */
    struct sample_type type; /* type of results */
    unsigned char *results;  /* results before their conversion; NULL if they need none */

    /* Channels in buffers of their own are joined: the engine takes all of them together. */
    bool joins;

    /* Frames that results take the place of; or joined frames, with their results behind them. */
    unsigned char *staged;
    size_t staged_frames;
    uint64_t frames; /* frames so far */
    bool ended;
    uint64_t tail_done; /* windows past the end that have been run */
    unsigned forks;     /* forks before it was opened */
};

/* One type for all values: minima and maxima have that of the samples, all other values one at
 * least as wide. */
static int type_of_all(const gpuenv_spec *spec, int type)
{
    int widest = spec->value[0];

    if (spec->result != 0)
        return spec->result;
    if (spec_is_position(widest))
        return GPUENV_S64;
    for (unsigned i = 0; i < spec->values; i++) {
        if (!emit_is_of_extremes((enum emit)spec->value[i]))
            return GPUENV_F64;
        if (spec->value[i] != GPUENV_MIN && spec->value[i] != GPUENV_MAX)
            widest = spec->value[i];
    }
    return gpuenv_result_type(spec, type, widest);
}

/* Refuses what streams do not have: windows of time, the last of equals, and positions beside other
 * values, as all results of a stream have one type. */
static int check_spec(const gpuenv_spec *spec, gpuenv_error *error)
{
    if (spec->times != NULL)
        return REFUSE(error, "times", "are for gpuenv_filter()");
    for (unsigned i = 1; i < spec->values; i++) {
        if (spec_is_position(spec->value[i]) != spec_is_position(spec->value[0]))
            return REFUSE(error, "value",
                          "has positions beside other values, which a stream cannot have");
    }
    return spec->last == 0 ? GPUENV_OK : REFUSE(error, "last", "is for gpuenv_filter()");
}

static size_t result_bytes(const gpuenv_stream *stream)
{
    return (size_t)stream->setup.emits.count * stream->setup.channels *
           sample_type_bytes(stream->type);
}

static bool converts(const gpuenv_stream *stream)
{
    bool native = true;

    for (unsigned i = 0; i < stream->setup.emits.count; i++)
        native = native && sample_type_is_native(stream->type, stream->setup.results[i]);
    return !native;
}

/* The frames of a chunk. A thread that works alone, and has results to convert, needs little
 * memory. */
static size_t chunk_frames(const gpuenv_stream *stream, unsigned threads)
{
    const unsigned channels = stream->setup.channels;

    if (threads == 1 && converts(stream))
        return max_u64(FEW_VALUES / channels, FEW_FRAMES);
    return max_u64(CHUNK_VALUES / channels, 1);
}

static struct machine machine_of(const gpuenv_context *context, const gpuenv_spec *spec)
{
    struct machine machine = context->machine;

    machine.threads_most = work_threads(context, spec);
    machine.touches = machine.threads_most == 1;
    return machine;
}

static unsigned char *joined_results(const gpuenv_stream *stream)
{
    return stream->staged + stream->staged_frames * engine_in_bytes(&stream->setup);
}

/* Allocates the memory beside the engine's. */
static int make_memory(gpuenv_stream *stream, bool touches, gpuenv_error *error)
{
    const struct engine_setup *setup = &stream->setup;
    const size_t frame = engine_in_bytes(setup) + (stream->joins ? result_bytes(stream) : 0);
    const size_t results = converts(stream) ? engine_out_most(setup) * engine_out_bytes(setup) : 0;

    stream->staged_frames = max_u64(STAGED_BYTES / frame, STAGED_FRAMES);
    stream->staged = pages_malloc(stream->staged_frames * frame, PAGES_LINE);
    if (results > 0)
        stream->results = pages_malloc(results, PAGES_LINE);
    if (stream->staged == NULL || (results > 0 && stream->results == NULL))
        return fault_memory(error);
    if (touches)
        memset(stream->staged, 0, stream->staged_frames * frame);
    if (touches && results > 0)
        memset(stream->results, 0, results);
    return GPUENV_OK;
}

static int make_setup(gpuenv_stream *stream, const gpuenv_spec *spec, const struct strided *in,
                      int type, unsigned channels, gpuenv_error *error)
{
    struct strided out[GPUENV_VALUES] = {{0}};

    if (!type_read(type_of_all(spec, type), false, spec->scaled != 0, &stream->type))
        return REFUSE(error, "result", "is not one of enum gpuenv_type");
    for (unsigned i = 0; i < spec->values; i++)
        out[i].sample = stream->type;
    return spec_setup(&stream->setup, spec, in, out, channels, error);
}

int gpuenv_stream_open(gpuenv_context *context, const gpuenv_spec *spec, int type,
                       unsigned channels, gpuenv_stream **stream, gpuenv_error *error)
{
    gpuenv_stream *made;
    gpuenv_spec wanted;
    struct strided in = {.frames = UINT64_MAX};
    struct machine machine;
    struct error cause;
    int code;

    fault_clear(error);
    if (context == NULL || stream == NULL)
        return REFUSE(error, context == NULL ? "context" : "stream", "is NULL");
    *stream = NULL;
    if (spec_read(&wanted, spec, error) != GPUENV_OK || check_spec(&wanted, error) != GPUENV_OK)
        return GPUENV_BAD_ARGUMENT;
    if (!type_read(type, false, wanted.scaled != 0, &in.sample))
        return REFUSE(error, "type", "is not one of enum gpuenv_type");
    if (channels == 0)
        return REFUSE(error, "channels", "must be 1 or more");
    made = calloc(1, sizeof *made);
    if (made == NULL)
        return fault_memory(error);
    made->forks = forks_count();
    code = make_setup(made, &wanted, &in, type, channels, error);
    if (code == GPUENV_OK)
        code = context_enter(context, error);
    machine = machine_of(context, &wanted);
    if (code == GPUENV_OK) {
        block_keep_samples(&made->setup, machine.isa, made->type);
        made->setup.chunk_frames = chunk_frames(made, machine.threads_most);
        code = memory_check(context, engine_cpu.memory(&machine, &made->setup), error);
    }
    if (code == GPUENV_OK && engine_cpu.open(&machine, &made->setup, 0, &made->engine, &cause) != 0)
        code = fault_of(error, &cause);
    if (code == GPUENV_OK) {
        made->joins = cpu_slides_across(made->engine);
        code = make_memory(made, machine.touches, error);
    }
    if (code != GPUENV_OK) {
        gpuenv_stream_close(made);
        return code;
    }
    *stream = made;
    return GPUENV_OK;
}

void gpuenv_stream_close(gpuenv_stream *stream)
{
    if (stream == NULL)
        return;
    if (stream->engine != NULL)
        engine_cpu.close(stream->engine);
    free(stream->results);
    free(stream->staged);
    free(stream);
}

int gpuenv_stream_type(const gpuenv_stream *stream)
{
    return stream != NULL ? type_of(stream->type) : GPUENV_TYPE_NONE;
}

uint64_t gpuenv_stream_outputs(const gpuenv_stream *stream, uint64_t frames)
{
    return stream != NULL ? piece_make(&stream->setup.window, stream->frames, frames).pick.kept : 0;
}

uint64_t gpuenv_stream_latency(const gpuenv_stream *stream)
{
    return stream != NULL ? stream->setup.window.after : 0;
}

static struct stream_buffers buffers_of(const gpuenv_stream *stream, const void *const *in,
                                        void *const *out, unsigned count)
{
    const unsigned channels = stream->setup.channels / count;

    return (struct stream_buffers){
        .in = in,
        .out = out,
        .count = count,
        .channels = channels,
        .from = sample_type_bytes(stream->setup.sample) * channels,
        .to = result_bytes(stream) / count,
        .aligned = stream->results == NULL ? engine_value_bytes(&stream->setup) : 1,
        .join = count > 1 && stream->joins,
    };
}

/* The most frames that run_chunk() may get. */
static size_t most_frames(const gpuenv_stream *stream, bool staged)
{
    const size_t most = stream->setup.chunk_frames;

    return staged ? min_u64(most, stream->staged_frames) : most;
}

/* Converts results. Integers stay integers beside floats, and counts are no samples. */
static void encode_results(const gpuenv_stream *stream, size_t values, unsigned char *out)
{
    const struct engine_setup *setup = &stream->setup;
    const unsigned emits = setup->emits.count;
    const bool is_integer = !sample_type_has_nan(stream->type);
    struct sample_losses losses = {0, 0};
    struct sample_type type = stream->type;
    size_t run = values; /* results that have one kind */
    unsigned counts = 0;

    for (unsigned i = 0; i < emits; i++) {
        counts += setup->emits.item[i] == EMIT_COUNT;
        run = setup->results[i] == setup->results[0] && counts % (i + 1) == 0 ? run : 1;
    }
    for (size_t i = 0; i < values; i += run) {
        type.counts =
            is_integer && (stream->type.counts || setup->emits.item[i % emits] == EMIT_COUNT);
        sample_encode(type, setup->results[i % emits],
                      stream->results + i * engine_value_bytes(setup),
                      out + i * sample_type_bytes(type), run, &losses);
    }
}

/* Runs the windows of a chunk for one buffer, which has all channels or one. */
static int run_buffer(gpuenv_stream *stream, struct chunk *chunk, unsigned channels,
                      unsigned channel, void *out, struct error *cause)
{
    int failed = 0;

    chunk->out = stream->results != NULL ? stream->results : out;
    if (channels < stream->setup.channels)
        cpu_submit_channel(stream->engine, chunk, channel);
    else
        failed = engine_cpu.submit(stream->engine, chunk, cause);
    if (failed == 0)
        failed = engine_cpu.collect(stream->engine, chunk, cause);
    if (failed == 0 && stream->results != NULL)
        encode_results(stream, chunk->out_frames * stream->setup.emits.count * channels, out);
    return failed;
}

/* Runs the windows of a chunk whose channels have buffers of their own, but share states. */
static int run_joined(gpuenv_stream *stream, struct chunk *chunk,
                      const struct stream_buffers *buffers, uint64_t done, uint64_t got,
                      struct error *cause)
{
    int failed;

    if (buffers->in != NULL)
        buffers_join(buffers, done, chunk->in_frames, stream->staged);
    chunk->in = stream->staged;
    failed = run_buffer(stream, chunk, stream->setup.channels, 0, joined_results(stream), cause);
    if (failed == 0 && chunk->out_frames > 0)
        buffers_split(buffers, got, chunk->out_frames, joined_results(stream));
    return failed;
}

/* Runs the windows of a chunk, whose frames begin `done` frames behind the first of the call, and
 * whose results `*got` behind. */
static int run_chunk(gpuenv_stream *stream, struct chunk *chunk,
                     const struct stream_buffers *buffers, uint64_t done, bool in_place,
                     uint64_t *got, gpuenv_error *error)
{
    const size_t from = buffers->from;
    const size_t to = buffers->to;
    const uint64_t rounding = rounding_begin();
    struct error cause;
    int failed = 0;

    if (buffers->join)
        failed = run_joined(stream, chunk, buffers, done, *got, &cause);
    for (unsigned i = 0; !buffers->join && i < buffers->count && failed == 0; i++) {
        if (buffers->in != NULL) /* The engine only reads them. */
            chunk->in = (unsigned char *)(uintptr_t)buffers->in[i] + done * from;
        if (in_place)
            chunk->in = memcpy(stream->staged, chunk->in, chunk->in_frames * from);
        /* Without results there may be no buffer for them. */
        failed = run_buffer(
            stream, chunk, buffers->channels, i,
            chunk->out_frames == 0 ? NULL : (unsigned char *)buffers->out[i] + *got * to, &cause);
    }
    rounding_end(rounding);
    if (failed != 0)
        return fault_of(error, &cause);
    *got += chunk->out_frames;
    return GPUENV_OK;
}

static int check_nan(const gpuenv_stream *stream, const struct stream_buffers *buffers,
                     uint64_t frames, gpuenv_error *error)
{
    const unsigned channels = buffers->channels;
    uint64_t rounding;
    uint64_t frame = frames; /* frame of the first NaN */
    uint64_t channel = 0;
    size_t index;

    if (stream->setup.nan != NAN_ERROR || !sample_type_has_nan(stream->setup.sample))
        return GPUENV_OK;
    rounding = rounding_begin();
    for (unsigned i = 0; i < buffers->count; i++) {
        if (!sample_find_nan(stream->setup.sample, buffers->in[i], (size_t)frame * channels,
                             &index))
            continue;
        frame = index / channels;
        channel = i + index % channels;
    }
    rounding_end(rounding);
    return frame == frames ? GPUENV_OK : fault_nan(error, 0, stream->frames + frame, channel);
}

/* Checks what push and finish have in common. */
static int check_call(const gpuenv_stream *stream, uint64_t *got, gpuenv_error *error)
{
    const char *missing = stream == NULL ? "stream" : got == NULL ? "got" : NULL;

    fault_clear(error);
    if (got != NULL)
        *got = 0;
    if (missing != NULL)
        return REFUSE(error, missing, "is NULL");
    /* The stream's threads do not survive a fork. */
    if (stream->forks != forks_count())
        return REFUSE(error, "stream", "is that of the parent process: open one in this process");
    return GPUENV_OK;
}

/* With `planar`, each channel has buffers of its own. */
static int push(gpuenv_stream *stream, const void *const *in, uint64_t frames, void *const *out,
                bool planar, uint64_t room, uint64_t *got, gpuenv_error *error)
{
    struct stream_buffers buffers;
    bool in_place = false;
    uint64_t outputs;
    size_t most;
    int code = check_call(stream, got, error);

    if (code != GPUENV_OK)
        return code;
    if (in == NULL || out == NULL)
        return REFUSE(error, in == NULL ? "in" : "out", "is NULL");
    if (stream->ended)
        return REFUSE(error, "stream", "has ended");
    buffers = buffers_of(stream, in, out, planar ? stream->setup.channels : 1);
    outputs = gpuenv_stream_outputs(stream, frames);
    code = buffers_check(&buffers, frames, outputs, buffers.to <= buffers.from ? &in_place : NULL,
                         error);
    if (code != GPUENV_OK)
        return code;
    if (outputs > room)
        return fault_set(error, GPUENV_NO_ROOM, "room", "must be %llu for these frames",
                         (unsigned long long)outputs);
    code = check_nan(stream, &buffers, frames, error);
    most = most_frames(stream, buffers.join || in_place);
    for (uint64_t done = 0; code == GPUENV_OK && done < frames;) {
        uint64_t left = frames - done;
        struct chunk *chunk = &stream->chunk;

        chunk->in_frames = left < most ? (size_t)left : most;
        chunk_place(chunk, &stream->setup, stream->frames);
        code = run_chunk(stream, chunk, &buffers, done, in_place, got, error);
        done += chunk->in_frames;
        stream->frames += chunk->in_frames;
    }
    return code;
}

int gpuenv_stream_push(gpuenv_stream *stream, const void *in, uint64_t frames, void *out,
                       uint64_t room, uint64_t *got, gpuenv_error *error)
{
    return push(stream, &in, frames, &out, false, room, got, error);
}

int gpuenv_stream_push_planar(gpuenv_stream *stream, const void *const *in, uint64_t frames,
                              void *const *out, uint64_t room, uint64_t *got, gpuenv_error *error)
{
    return push(stream, in, frames, out, true, room, got, error);
}

static int finish(gpuenv_stream *stream, void *const *out, bool planar, uint64_t room,
                  uint64_t *got, gpuenv_error *error)
{
    struct stream_buffers buffers;
    const struct window *window;
    uint64_t tail;
    size_t at_once;
    int code = check_call(stream, got, error);

    if (code != GPUENV_OK)
        return code;
    if (out == NULL)
        return REFUSE(error, "out", "is NULL");
    buffers = buffers_of(stream, NULL, out, planar ? stream->setup.channels : 1);
    window = &stream->setup.window;
    tail = window_tail(window, stream->frames);
    at_once = most_frames(stream, buffers.join);
    stream->ended = true;
    code = buffers_check_out(&buffers, stream->tail_done < tail ? room : 0, error);
    while (code == GPUENV_OK && stream->tail_done < tail && *got < room) {
        const uint64_t from = window_tail_first(window, stream->frames) + stream->tail_done;
        uint64_t left = tail - stream->tail_done;
        /* One of `hop` windows gives a result. */
        uint64_t most = room - *got < at_once / window->hop ? (room - *got) * window->hop : at_once;
        struct chunk chunk = {.in = NULL};

        chunk_place_tail(&chunk, &stream->setup, stream->frames, from, left < most ? left : most);
        if (chunk.out_frames > room - *got)
            chunk_place_tail(&chunk, &stream->setup, stream->frames, from, 1);
        code = run_chunk(stream, &chunk, &buffers, 0, false, got, error);
        stream->tail_done += chunk.piece.count;
    }
    return code;
}

int gpuenv_stream_finish(gpuenv_stream *stream, void *out, uint64_t room, uint64_t *got,
                         gpuenv_error *error)
{
    return finish(stream, &out, false, room, got, error);
}

int gpuenv_stream_finish_planar(gpuenv_stream *stream, void *const *out, uint64_t room,
                                uint64_t *got, gpuenv_error *error)
{
    return finish(stream, out, true, room, got, error);
}

int gpuenv_stream_reset(gpuenv_stream *stream, gpuenv_error *error)
{
    uint64_t unused;
    const int code = check_call(stream, &unused, error);

    if (code != GPUENV_OK)
        return code;
    engine_cpu.restart(stream->engine, 0);
    stream->frames = 0;
    stream->tail_done = 0;
    stream->ended = false;
    return GPUENV_OK;
}
