/* SPDX-License-Identifier: MIT */
/* An engine turns chunks of raw input frames into chunks of output frames.
 *
 * Opening one takes three things with different lifetimes: the machine (created once per process),
 * the setup (what the stream is and what to compute), and the frame to start at. From there the
 * engine takes the chunks of the stream in order. An engine that starts in the middle has no
 * history, so it is started one halo earlier, and the windows of these chunks are discarded
 * (chunk_mute()).
 *
 * submit() starts work on a chunk; collect() waits for it, in order of submission. Between the two
 * the engine may work on up to `in_flight` chunks in any way. All calls come from one thread.
 *
 * The output bytes do not depend on the engine, nor on how the stream is cut. */
#ifndef GPUENV_ENGINE_ENGINE_H
#define GPUENV_ENGINE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "engine/machine.h"
#include "sample/sample_type.h"
#include "window/emit_list.h"
#include "window/window.h"

/* What the stream is and what to compute. */
struct engine_setup {
    struct window window;
    struct emit_list emits;
    enum nan_policy nan;
    struct sample_type sample;
    enum value_kind value;               /* what samples are decoded to, and compared as */
    enum value_kind results[EMIT_KINDS]; /* kinds in which the emits are written, all of one size */
    bool narrow[EMIT_KINDS]; /* emits with the bits of samples as float32, written as float64 beside
                                emits that need more */
    uint64_t least;          /* a window with fewer samples that are no NaN gives NaN */
    uint64_t origin;         /* positions count from this frame of the input */
    bool backwards;          /* positions count down from `origin`, not up */
    unsigned channels;
    size_t chunk_frames; /* the most frames in a chunk */

    /* The output is a pipe that takes whole pages without a copy: `out` of a chunk should be plain
     * private memory, even where other memory is faster to fill. */
    bool gives_pages;
};

/* A chunk of the stream and its buffers. It either carries `in_frames` frames of input, or has no
 * input and asks for the windows of its piece that end past the end of the stream. */
struct chunk {
    unsigned char *in; /* room for chunk_frames raw frames */
    size_t in_frames;
    struct piece piece;     /* the chunk's windows, set by chunk_place() */
    uint64_t stream_frames; /* frames in the stream so far, including this chunk */
    void *out;              /* room for engine_out_most() frames of channels x emits, or more */
    size_t out_frames;
    bool out_is_ours; /* `out` is plain private memory, whose pages may be given to a pipe */
    bool alone;       /* one thread is enough, because reading or writing takes longer */
    void *engine_data;
};

/* Rough costs of a device engine. If `start` is negative, a device is chosen wherever possible. */
struct engine_costs {
    double start; /* seconds until the first chunk */
    double feed;  /* seconds that one thread takes to copy a byte of input */
    double bus;   /* seconds that the bus takes for a byte, in each direction */
};

struct engine; /* defined by each class */

struct engine_class {
    const char *name;

    /* The default size of the larger buffer of a chunk. */
    size_t chunk_bytes;

    /* The most chunks that the engine can use between submit() and collect(). */
    unsigned in_flight;

    struct engine_costs costs; /* set only by device engines */

    /* Bytes that an engine needs for this setup, besides the chunks. */
    uint64_t (*memory)(const struct machine *machine, const struct engine_setup *setup);

    /* The machine and the setup are copied; the machine's threads must outlive the engine. */
    int (*open)(const struct machine *machine, const struct engine_setup *setup, uint64_t start,
                struct engine **engine, struct error *error);
    void (*close)(struct engine *engine);

    /* Restarts at another frame, after all chunks have been collected. NULL if that is not
     * supported. */
    void (*restart)(struct engine *engine, uint64_t start);

    /* A short description for messages: "avx2, 2 threads". */
    void (*describe)(const struct engine *engine, char *text, size_t size);

    /* Allocates and frees the buffers of a chunk. */
    int (*attach)(struct engine *engine, struct chunk *chunk, struct error *error);
    void (*detach)(struct engine *engine, struct chunk *chunk);

    int (*submit)(struct engine *engine, struct chunk *chunk, struct error *error);
    int (*collect)(struct engine *engine, struct chunk *chunk, struct error *error);
};

/* Chunk sizes for the CPU: large enough that the overhead of a chunk is negligible, small enough
 * that all chunks fit in the last-level cache. The small size, for cpus_want_small_blocks(), limits
 * the output of a chunk, and twice its input. */
enum { ENGINE_CHUNK_BYTES = 2 << 20, ENGINE_SMALL_CHUNK_BYTES = 256 << 10 };

/* Bytes of one raw input frame, of one result, and of one output frame. */
static inline size_t engine_in_bytes(const struct engine_setup *setup)
{
    return sample_type_bytes(setup->sample) * setup->channels;
}

static inline size_t engine_value_bytes(const struct engine_setup *setup)
{
    return value_bytes(setup->results[0]);
}

static inline size_t engine_out_bytes(const struct engine_setup *setup)
{
    return engine_value_bytes(setup) * setup->emits.count * setup->channels;
}

/* The most output frames of a chunk. */
static inline size_t engine_out_most(const struct engine_setup *setup)
{
    return (size_t)((setup->chunk_frames - 1) / setup->window.hop) + 1;
}

/* The most chunks of a run: those in flight, one being read and one being written. */
static inline unsigned engine_chunks(const struct engine_class *engine_class)
{
    return engine_class->in_flight + 2;
}

/* Bytes per frame in all chunks of a run together, roughly. */
static inline uint64_t engine_chunks_bytes(const struct engine_class *engine_class,
                                           const struct engine_setup *setup)
{
    return engine_chunks(engine_class) *
           ((uint64_t)engine_in_bytes(setup) + engine_out_bytes(setup));
}

/* Sets the chunk's position in the stream, and so its windows; nothing computes these again. `from`
 * is the chunk's first frame. chunk_place_tail() is for a chunk without input, whose windows end
 * past the end of a stream of `frames` frames. */
void chunk_place(struct chunk *chunk, const struct engine_setup *setup, uint64_t from);
void chunk_place_tail(struct chunk *chunk, const struct engine_setup *setup, uint64_t frames,
                      uint64_t first, uint64_t count);

/* Discards the windows of this chunk. */
void chunk_mute(struct chunk *chunk);

/* The members of the class of an engine in plain memory that computes in submit(). Its struct
 * begins with its setup. */
int plain_attach(struct engine *engine, struct chunk *chunk, struct error *error);
void plain_detach(struct engine *engine, struct chunk *chunk);
int plain_collect(struct engine *engine, struct chunk *chunk, struct error *error);

extern const struct engine_class engine_cpu;    /* cpu/: SIMD and threads */
extern const struct engine_class engine_lemire; /* cpu/: the sequential reference */
extern const struct engine_class engine_none;   /* engine/: writes no frames */

#endif
