/* An engine turns chunks of raw input frames into chunks of output frames.
 *
 * Three things with three lifetimes make one: the machine it works on (made once a process), what
 * the stream is and what is wanted of it (struct engine_setup), and the frame where it starts. From
 * there it takes the stream's chunks in order. An engine that starts in the middle does not know
 * what came before; so it is started the halo of a window earlier, and given these frames in chunks
 * whose windows nobody wants (chunk_mute()).
 *
 * submit() starts the work on a chunk, collect() waits until it is done, in the order of
 * submission; between the two the engine may work as it likes, on as many chunks as it allows
 * (`chunks_in_flight`). All calls come from one thread.
 *
 * The bytes that come out do not depend on the engine, nor on how the stream is cut. */
#ifndef GPUENV_ENGINE_ENGINE_H
#define GPUENV_ENGINE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "engine/machine.h"
#include "engine/part.h"
#include "sample/sample_type.h"
#include "window/piece.h"
#include "window/rules.h"
#include "window/window.h"

/* What a stream is, and what is wanted of it. */
struct engine_setup {
    struct window window;
    struct emit_list emits;
    enum nan_policy nan;
    struct sample_type sample;
    unsigned channels;
    size_t chunk_frames; /* the most frames in a chunk */

    /* Statistics of the input are wanted in blocks of so many frames, counted from frame 0 of the
     * stream. 0: none are. An engine need not do anything about it. */
    uint64_t stats_every;

    /* The output goes where whole pages can be given away, into a pipe: `out` of a chunk should be
     * plain private memory, even where another kind is faster to fill. */
    bool gives_pages;
};

/* A chunk of the stream on its way, and its buffers.
 * It either carries `in_frames` frames of input, or none and asks for the windows of its piece,
 * which end past the end of the stream; never both. */
struct chunk {
    unsigned char *in; /* room for chunk_frames raw frames */
    size_t in_frames;
    struct piece piece;     /* its windows: chunk_place() */
    uint64_t stream_frames; /* in the stream up to here, those of the chunk included */
    float *out;             /* room for engine_out_most() frames of channels x emits, or more */
    size_t out_frames;
    bool out_is_ours;         /* `out` is plain private memory, whose pages may be given away */
    struct stats_parts parts; /* statistics that the engine has worked out, once collected */
    void *engine_data;
};

/* What an engine on a device costs, about; for as long as nothing has been measured. */
struct engine_estimate {
    double start;      /* seconds from nothing to the first chunk; less than 0: begin at once */
    double warm_start; /* where the process has started the device before (engine/keep.h) */
    double feed;       /* seconds of a processor to bring a byte in, */
    double copy;       /* and to copy one that has come out */
    double bus;        /* bytes a second, in each direction */
    double patience;   /* seconds without a sign of life, after which it counts as hung */
};

struct engine; /* each class defines its own */

struct engine_class {
    const char *name;

    /* Of the larger buffer of a chunk, where nothing else decides. */
    size_t chunk_bytes;

    /* How many chunks a run has, at most: those in flight, one being read and one being written. */
    unsigned chunks;

    /* What an engine would take for this setup besides the chunks, in bytes. */
    uint64_t (*memory)(const struct machine *machine, const struct engine_setup *setup);

    /* The machine and the setup are copied; the crew must outlive the engine. */
    int (*open)(const struct machine *machine, const struct engine_setup *setup, uint64_t start,
                struct engine **engine, struct error *error);
    void (*close)(struct engine *engine);

    /* Starts anew, at another frame, when all chunks have been collected. NULL: it cannot. */
    void (*restart)(struct engine *engine, uint64_t start);

    /* In a few words, for people: "avx2, 2 threads". */
    void (*describe)(const struct engine *engine, char *text, size_t size);

    /* How many chunks it makes use of between submit() and collect(). */
    unsigned (*chunks_in_flight)(const struct engine *engine);

    /* Gives a chunk its buffers, and takes them back. */
    int (*attach)(struct engine *engine, struct chunk *chunk, struct error *error);
    void (*detach)(struct engine *engine, struct chunk *chunk);

    int (*submit)(struct engine *engine, struct chunk *chunk, struct error *error);
    int (*collect)(struct engine *engine, struct chunk *chunk, struct error *error);
};

/* On a processor: large enough for the cost of a chunk to vanish, small enough for all of them to
 * stay in a last-level cache. */
enum { ENGINE_CHUNK_BYTES = 2 << 20 };

/* Bytes of one raw input frame and of one output frame. */
static inline size_t engine_in_bytes(const struct engine_setup *setup)
{
    return sample_type_bytes(setup->sample) * setup->channels;
}

static inline size_t engine_out_bytes(const struct engine_setup *setup)
{
    return sizeof(float) * setup->emits.count * setup->channels;
}

/* Frames that come out of a chunk, at most. */
static inline size_t engine_out_most(const struct engine_setup *setup)
{
    return (size_t)((setup->chunk_frames - 1) / setup->window.hop) + 1;
}

/* Bytes of one frame in all the chunks of a run, about. */
static inline uint64_t engine_chunks_bytes(const struct engine_class *engine_class,
                                           const struct engine_setup *setup)
{
    return engine_class->chunks * ((uint64_t)engine_in_bytes(setup) + engine_out_bytes(setup));
}

/* Says where in the stream the chunk's frames lie, and so which windows are its own; from here on
 * nobody works that out again. `from` is the frame that the chunk begins with. A chunk without
 * frames is one of windows past the end of a stream of `from` frames: chunk_place_tail(). */
void chunk_place(struct chunk *chunk, const struct engine_setup *setup, uint64_t from);
void chunk_place_tail(struct chunk *chunk, const struct engine_setup *setup, uint64_t frames,
                      uint64_t first, uint64_t count);

/* Nobody wants the windows of this chunk. */
void chunk_mute(struct chunk *chunk);

/* The two buffers in plain memory, for engines that need nothing better. */
int engine_attach_plain(const struct engine_setup *setup, struct chunk *chunk, struct error *error);
void engine_detach_plain(const struct engine_setup *setup, struct chunk *chunk);

extern const struct engine_class engine_cpu;    /* cpu/: SIMD and threads */
extern const struct engine_class engine_lemire; /* engine/: the sequential reference */
extern const struct engine_class engine_none;   /* engine/: writes no frames */

#endif
