/* Streams in memory: the program's way of chunks, with the caller's buffers. */
#include <stdlib.h>
#include <string.h>

#include "base/forks.h"
#include "base/pages.h"
#include "base/rounding.h"
#include "lib/lib_priv.h"

enum {
    CHUNK_VALUES = 1 << 18,
    COPY_BYTES = 8192, /* so few, because a stream in an audio thread keeps its memory locked */
};

struct gpuenv_stream {
    struct engine_setup setup;
    struct engine *engine;
    struct sample_type type; /* of results */
    unsigned char *results;  /* before their conversion; NULL: they need none */
    unsigned char *copy;     /* of frames that results take the place of; NULL: these are larger */
    size_t copy_frames;
    uint64_t frames; /* so far */
    bool ended;
    uint64_t tail_done; /* windows past the end */
    unsigned forks;     /* before it was opened */
};

/* One type for all values: extremes have that of the samples, all others one at least as wide. */
static int type_of_all(const gpuenv_spec *spec, int type)
{
    int widest = spec->value[0];

    for (unsigned i = 1; i < spec->values; i++) {
        if (spec->value[i] != GPUENV_MIN && spec->value[i] != GPUENV_MAX)
            widest = spec->value[i];
    }
    return gpuenv_result_type(spec, type, widest);
}

static size_t result_bytes(const gpuenv_stream *stream)
{
    return (size_t)stream->setup.emits.count * stream->setup.channels *
           sample_type_bytes(stream->type);
}

/* The memory beside the engine's. */
static int make_memory(gpuenv_stream *stream, gpuenv_error *error)
{
    const struct engine_setup *setup = &stream->setup;
    const size_t frame = engine_in_bytes(setup);
    const bool converts = !sample_type_is_native(stream->type, setup->results[0]);

    if (converts)
        stream->results =
            pages_malloc(engine_out_most(setup) * engine_out_bytes(setup), PAGES_LINE);
    if (result_bytes(stream) <= frame) {
        stream->copy_frames = frame < COPY_BYTES ? COPY_BYTES / frame : 1;
        stream->copy = pages_malloc(stream->copy_frames * frame, PAGES_LINE);
    }
    if ((converts && stream->results == NULL) || (stream->copy_frames > 0 && stream->copy == NULL))
        return fault_memory(error);
    /* So that no push is the first to touch it. */
    if (stream->copy != NULL)
        memset(stream->copy, 0, stream->copy_frames * frame);
    return GPUENV_OK;
}

int gpuenv_stream_open(gpuenv_context *context, const gpuenv_spec *spec, int type,
                       unsigned channels, gpuenv_stream **stream, gpuenv_error *error)
{
    gpuenv_stream *made;
    gpuenv_spec wanted;
    struct strided in = {.frames = UINT64_MAX};
    struct strided out[GPUENV_VALUES] = {{0}};
    struct machine machine;
    struct error cause;
    int code;

    fault_clear(error);
    if (context == NULL || stream == NULL)
        return fault_set(error, GPUENV_BAD_ARGUMENT, context == NULL ? "context" : "stream",
                         "is NULL");
    *stream = NULL;
    code = spec_read(&wanted, spec, error);
    if (code == GPUENV_OK)
        code = times_refuse(&wanted, error);
    if (code != GPUENV_OK)
        return code;
    if (!type_read(type, false, wanted.scaled != 0, &in.sample))
        return fault_set(error, GPUENV_BAD_ARGUMENT, "type", "is not one of enum gpuenv_type");
    if (channels == 0)
        return fault_set(error, GPUENV_BAD_ARGUMENT, "channels", "must be 1 or more");
    made = calloc(1, sizeof *made);
    if (made == NULL)
        return fault_memory(error);
    made->forks = forks_count();
    (void)type_read(type_of_all(&wanted, type), false, wanted.scaled != 0, &made->type);
    for (unsigned i = 0; i < wanted.values; i++)
        out[i].sample = made->type;
    (void)spec_setup(&made->setup, &wanted, &in, out, channels, error); /* types that it takes */
    made->setup.chunk_frames = CHUNK_VALUES / channels > 0 ? CHUNK_VALUES / channels : 1;
    code = memory_check(context, engine_cpu.memory(&context->machine, &made->setup), error);
    if (code == GPUENV_OK)
        code = context_enter(context, error);
    if (code == GPUENV_OK)
        code = make_memory(made, error);
    machine = context->machine;
    machine.threads_given = true; /* a push uses all of them at once: its caller waits */
    if (code == GPUENV_OK && engine_cpu.open(&machine, &made->setup, 0, &made->engine, &cause) != 0)
        code = fault_of(error, &cause);
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
    free(stream->copy);
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

/* Computes the windows of a chunk. Returns the next place for results. */
static int run_chunk(gpuenv_stream *stream, struct chunk *chunk, unsigned char **out,
                     gpuenv_error *error)
{
    const size_t values = chunk->out_frames * stream->setup.emits.count * stream->setup.channels;
    const uint64_t rounding = rounding_begin();
    struct sample_losses losses = {0, 0};
    struct error cause;
    int failed;

    chunk->out = stream->results != NULL ? stream->results : *out;
    failed = engine_cpu.submit(stream->engine, chunk, &cause);
    if (failed == 0)
        failed = engine_cpu.collect(stream->engine, chunk, &cause);
    if (failed == 0 && stream->results != NULL)
        sample_encode(stream->type, stream->setup.results[0], stream->results, *out, values,
                      &losses);
    rounding_end(rounding);
    if (failed != 0)
        return fault_of(error, &cause);
    *out += values * sample_type_bytes(stream->type);
    return GPUENV_OK;
}

static int check_nan(const gpuenv_stream *stream, const void *in, uint64_t frames,
                     gpuenv_error *error)
{
    const unsigned channels = stream->setup.channels;
    uint64_t rounding;
    size_t index;
    bool found;

    if (stream->setup.nan != NAN_ERROR || !sample_type_has_nan(stream->setup.sample))
        return GPUENV_OK;
    rounding = rounding_begin();
    found = sample_find_nan(stream->setup.sample, in, (size_t)frames * channels, &index);
    rounding_end(rounding);
    if (!found)
        return GPUENV_OK;
    return fault_nan(error, 0, stream->frames + index / channels, index % channels);
}

/* What push and finish are both given. */
static int check_call(const gpuenv_stream *stream, uint64_t *got, gpuenv_error *error)
{
    const char *missing = stream == NULL ? "stream" : got == NULL ? "got" : NULL;

    fault_clear(error);
    if (got != NULL)
        *got = 0;
    if (missing != NULL)
        return fault_set(error, GPUENV_BAD_ARGUMENT, missing, "is NULL");
    /* Its threads are not there after a fork. */
    if (stream->forks != forks_count())
        return fault_set(error, GPUENV_BAD_ARGUMENT, "stream", "is that of another process");
    return GPUENV_OK;
}

/* Checks the buffers of a push. `*in_place`: results take the place of frames. */
static int check_buffers(const gpuenv_stream *stream, const void *in, uint64_t frames,
                         const void *out, uint64_t outputs, bool *in_place, gpuenv_error *error)
{
    const uintptr_t from = (uintptr_t)in;
    const uintptr_t to = (uintptr_t)out;
    uintptr_t from_end;
    uintptr_t to_end;

    if ((in == NULL && frames > 0) || (out == NULL && outputs > 0))
        return fault_set(error, GPUENV_BAD_ARGUMENT, in == NULL ? "in" : "out", "is NULL");
    if (__builtin_mul_overflow(frames, engine_in_bytes(&stream->setup), &from_end) ||
        __builtin_add_overflow(from_end, from, &from_end) ||
        __builtin_mul_overflow(outputs, result_bytes(stream), &to_end) ||
        __builtin_add_overflow(to_end, to, &to_end))
        return fault_set(error, GPUENV_BAD_ARGUMENT, "frames",
                         "are more than the address space has");
    *in_place = from < to_end && to < from_end;
    if (*in_place && (to > from || stream->copy == NULL))
        return fault_set(error, GPUENV_BAD_ARGUMENT, "out",
                         "overlaps frames that are still to be read");
    return GPUENV_OK;
}

int gpuenv_stream_push(gpuenv_stream *stream, const void *in, uint64_t frames, void *out,
                       uint64_t room, uint64_t *got, gpuenv_error *error)
{
    const uint64_t outputs = gpuenv_stream_outputs(stream, frames);
    unsigned char *to = out;
    size_t frame_bytes;
    size_t most;
    bool in_place = false;
    int code = check_call(stream, got, error);

    if (code != GPUENV_OK)
        return code;
    frame_bytes = engine_in_bytes(&stream->setup);
    if (stream->ended)
        return fault_set(error, GPUENV_BAD_ARGUMENT, "stream", "has ended");
    code = check_buffers(stream, in, frames, out, outputs, &in_place, error);
    if (code != GPUENV_OK)
        return code;
    if (outputs > room)
        return fault_set(error, GPUENV_NO_ROOM, "room", "must be %llu for these frames",
                         (unsigned long long)outputs);
    code = check_nan(stream, in, frames, error);
    most = in_place ? stream->copy_frames : stream->setup.chunk_frames;
    for (uint64_t done = 0; code == GPUENV_OK && done < frames;) {
        uint64_t left = frames - done;
        struct chunk chunk = {
            /* An engine only reads it. */
            .in = (unsigned char *)(uintptr_t)in + done * frame_bytes,
            .in_frames = left < most ? (size_t)left : most,
        };

        if (in_place)
            chunk.in = memcpy(stream->copy, chunk.in, chunk.in_frames * frame_bytes);
        chunk_place(&chunk, &stream->setup, stream->frames);
        code = run_chunk(stream, &chunk, &to, error);
        done += chunk.in_frames;
        stream->frames += chunk.in_frames;
        *got += chunk.out_frames;
    }
    return code;
}

int gpuenv_stream_finish(gpuenv_stream *stream, void *out, uint64_t room, uint64_t *got,
                         gpuenv_error *error)
{
    const struct window *window;
    unsigned char *to = out;
    uint64_t tail;
    int code = check_call(stream, got, error);

    if (code != GPUENV_OK)
        return code;
    window = &stream->setup.window;
    stream->ended = true;
    tail = window_tail(window, stream->frames);
    if (out == NULL && room > 0 && stream->tail_done < tail)
        return fault_set(error, GPUENV_BAD_ARGUMENT, "out", "is NULL");
    while (code == GPUENV_OK && stream->tail_done < tail && *got < room) {
        const uint64_t from = window_tail_first(window, stream->frames) + stream->tail_done;
        uint64_t left = tail - stream->tail_done;
        /* Among `hop` windows there is one result. */
        uint64_t most = room - *got < stream->setup.chunk_frames / window->hop
                            ? (room - *got) * window->hop
                            : stream->setup.chunk_frames;
        struct chunk chunk = {.in = NULL};

        chunk_place_tail(&chunk, &stream->setup, stream->frames, from, left < most ? left : most);
        if (chunk.out_frames > room - *got)
            chunk_place_tail(&chunk, &stream->setup, stream->frames, from, 1);
        code = run_chunk(stream, &chunk, &to, error);
        stream->tail_done += chunk.piece.count;
        *got += chunk.out_frames;
    }
    return code;
}
