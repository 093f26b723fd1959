/* libgpuenv: running minima and maxima of arrays and streams in memory, in C and C++.
 *
 * The cost per sample does not grow with the window, and results have the same bits as those of the
 * program gpuenv, for every number of threads and every instruction set. See gpuenv(3).
 *
 * Functions return 0, or an enum gpuenv_code that is also in `error`, which may be NULL. Every
 * struct begins with its size: set it by GPUENV_INIT, which clears the rest. Zeros are the
 * defaults.
 *
 * Any thread may call any function; a stream is used by one thread at a time. Nothing is printed,
 * and no state of the process is changed. */
#ifndef GPUENV_H
#define GPUENV_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/* A struct of this type with its size set, and all else 0. */
#ifdef __cplusplus
template <typename type> inline type gpuenv_init()
{
    type made = {};
    made.size = sizeof made;
    return made;
}
#define GPUENV_INIT(type) (gpuenv_init<type>())
extern "C" {
#else
#define GPUENV_INIT(type) ((type){.size = sizeof(type)})
#endif

/* "0.2.0" */
const char *gpuenv_version(void);

enum gpuenv_code {
    GPUENV_OK,
    GPUENV_BAD_ARGUMENT,
    GPUENV_NO_MEMORY,
    GPUENV_NO_THREADS,  /* not returned so far: calls do with fewer threads */
    GPUENV_NAN_FOUND,   /* at `row`, `frame` and `channel`: with the policy GPUENV_NAN_ERROR */
    GPUENV_INTERRUPTED, /* options.interrupted() returned other than 0 */
    GPUENV_NO_ROOM,     /* the buffer for results is too small; nothing was taken */
    GPUENV_NO_DEVICE,   /* it is not there, or this library cannot use it */
    GPUENV_DEVICE_FAILED
};

typedef struct gpuenv_error {
    size_t size;
    int code;
    uint64_t row; /* of a NaN */
    uint64_t frame;
    uint64_t channel;
    char subject[64]; /* what the text is about: "width", "out[1]", "memory" */
    char text[256];   /* for people: a sentence without a subject */
} gpuenv_error;

/* Sample types. Multi-byte samples are in the byte order of the machine unless an array says
 * otherwise. Samples of a complex type are pairs, read as their magnitude; for inputs only. */
enum gpuenv_type {
    GPUENV_TYPE_NONE,
    GPUENV_F32,
    GPUENV_F64,
    GPUENV_F16,
    GPUENV_S8,
    GPUENV_U8,
    GPUENV_S16,
    GPUENV_U16,
    GPUENV_S24, /* 3 bytes */
    GPUENV_U24,
    GPUENV_S32,
    GPUENV_U32,
    GPUENV_S64,
    GPUENV_U64,
    GPUENV_CF32,
    GPUENV_CF64,
    GPUENV_CS16,
    GPUENV_CS8,
    GPUENV_CU8 /* zero lies at 127.5 */
};

/* ---- contexts ---- */

/* Threads, and the instruction set. Expensive resources that calls share: one a process is enough.
 * After fork() the child may use it, too. */
typedef struct gpuenv_context gpuenv_context;

typedef struct gpuenv_options {
    size_t size;
    unsigned threads; /* the most for one call, that of the caller included; 0: all CPUs */
    const char *isa;  /* "scalar", "sse4", "avx2", "avx512", "neon": no better than this one */

    /* Polled during long calls, on the thread of the caller. Other than 0 ends the call, and leaves
     * the results incomplete. */
    int (*interrupted)(void *argument);
    void *argument;
} gpuenv_options;

/* `options` may be NULL. */
int gpuenv_open(const gpuenv_options *options, gpuenv_context **context, gpuenv_error *error);

/* All calls with the context must have returned, and its streams be closed. NULL is ignored. */
void gpuenv_close(gpuenv_context *context);

/* ---- what to compute ---- */

/* The values of a window. */
enum gpuenv_value {
    GPUENV_MIN,
    GPUENV_MAX,
    GPUENV_ABS,   /* the largest magnitude */
    GPUENV_RANGE, /* max - min */
    GPUENV_MID    /* (min + max) / 2, without overflow */
};
enum { GPUENV_VALUES = 5 };

enum gpuenv_align {
    GPUENV_VALID,  /* result k covers the frames k .. k+width-1; whole windows only */
    GPUENV_CAUSAL, /* k-width+1 .. k */
    GPUENV_CENTER, /* k-floor(width/2) .. k+ceil(width/2)-1 */
    GPUENV_FORWARD /* k .. k+width-1, cut at the end */
};

enum gpuenv_edge {
    GPUENV_SHRINK,  /* a window that is cut by an end covers the frames that exist */
    GPUENV_EDGE_NAN /* its values are NaN */
};

enum gpuenv_nan {
    GPUENV_NAN_PROPAGATE, /* a window with a NaN gives NaN */
    GPUENV_NAN_OMIT,      /* a NaN is ignored; a window of NaN only gives NaN */
    GPUENV_NAN_ERROR      /* a NaN is an error, found before the call writes any result */
};

typedef struct gpuenv_spec {
    size_t size;
    uint64_t width;           /* of the window in frames, 1 or more */
    uint64_t hop;             /* the results 0, hop, 2 * hop, ... are written; 0 means 1 */
    int align;                /* enum gpuenv_align */
    int edge;                 /* enum gpuenv_edge */
    int nan;                  /* enum gpuenv_nan */
    int scaled;               /* other than 0: integers are scaled to [-1, 1), as sound is */
    unsigned values;          /* how many; 0: a minimum and a maximum */
    int value[GPUENV_VALUES]; /* enum gpuenv_value */
    unsigned threads;         /* for this call; 0: those of the context */
} gpuenv_spec;

/* How many results `frames` frames give. */
int gpuenv_outputs(const gpuenv_spec *spec, uint64_t frames, uint64_t *outputs,
                   gpuenv_error *error);

/* The type of results that loses nothing: that of the samples for minima and maxima, else a float
 * of 32 or 64 bits. An integer type cannot hold NaN, and gives floats with GPUENV_EDGE_NAN.
 * GPUENV_TYPE_NONE: no such type, or no such value. */
int gpuenv_result_type(const gpuenv_spec *spec, int type, int value);

/* ---- whole arrays ---- */

/* Frames of samples, a sample for each channel; rows and channels are filtered independently. The
 * distances between neighbours are in bytes, and may be negative or 0 (for inputs). An array of one
 * dimension has 1 row and 1 channel. */
typedef struct gpuenv_array {
    size_t size;
    void *data;  /* frame 0 of channel 0 of row 0; inputs are not written to */
    int type;    /* enum gpuenv_type */
    int swapped; /* other than 0: not in the byte order of this machine */
    uint64_t rows;
    uint64_t frames;
    uint64_t channels;
    ptrdiff_t row; /* distances */
    ptrdiff_t frame;
    ptrdiff_t channel;
} gpuenv_array;

/* Filters along the frames. `out` has an array for each value, with the rows and channels of `in`
 * and gpuenv_outputs() frames, of any type that is not complex: results are rounded to it, and
 * clipped. Where all are float32 or narrower, samples are rounded to float32 first. Arrays must not
 * overlap; nearly all that do are refused. */
int gpuenv_filter(gpuenv_context *context, const gpuenv_spec *spec, const gpuenv_array *in,
                  const gpuenv_array *out, gpuenv_error *error);

/* ---- arrays on a CUDA device ---- */

/* The same for arrays on a device: enqueues kernels on the stream (a cudaStream_t) and returns.
 * Nothing is allocated, and nothing waited for; the number of launches does not depend on the rows.
 * It may be captured into a CUDA graph and replayed.
 *
 * With `work` NULL, sets `*bytes` to the device memory that the call needs, and loads the kernels:
 * do this once before a capture. Then pass memory of at least this size, aligned to 256 bytes; it
 * is not used after the kernels. The size may depend on the alignment of the arrays. With `bytes`
 * NULL, too, the workspace is the context's: one a stream, which grows where it has to (that waits
 * for the device), and is freed with the context. Destroy such a stream only when its work is done:
 * another may get its handle, and with it the workspace.
 *
 * float32 and float64 arrays are filtered where they lie if they have no gaps along the frames and
 * rows (or channels) begin on 16-byte borders; for windows of up to a few hundred frames, in many
 * other layouts, too. Others are first copied into the workspace. Samples must be aligned. Integers
 * of 64 bits, and GPUENV_NAN_ERROR, are refused.
 *
 * Page-locked memory of the host that the device can access will do as well: kernels read and write
 * it across the bus, which for small arrays takes less time than copies. */
int gpuenv_filter_cuda(gpuenv_context *context, const gpuenv_spec *spec, const gpuenv_array *in,
                       const gpuenv_array *out, void *work, size_t *bytes, int device, void *stream,
                       gpuenv_error *error);

/* ---- statistics ---- */

/* Exact for every type; `type` of a record says which member holds it. */
typedef union gpuenv_number {
    double f64;
    int64_t s64;
    uint64_t u64;
} gpuenv_number;

/* The statistics of one channel of one block. NaN are counted, and otherwise ignored. */
typedef struct gpuenv_record {
    size_t size;
    uint64_t row;
    uint64_t channel;
    uint64_t first; /* its first frame */
    uint64_t frames;
    uint64_t nans; /* if all are NaN, or there are no frames, the rest is NaN or 0 */
    int type;      /* of `min` and `max`: GPUENV_F64, GPUENV_S64 or GPUENV_U64 */
    gpuenv_number min;
    gpuenv_number max;
    gpuenv_number abs; /* GPUENV_F64, else GPUENV_U64 */
    uint64_t argmin;   /* the frame, counted from the start of the array; the first of equals */
    uint64_t argmax;
    uint64_t argabs;
    double sum; /* pairwise, from the samples as float64 */
    double mean;
    double rms;
} gpuenv_record;

/* The number of records for blocks of `every` frames (0: one block for all), in the order of rows,
 * then blocks, then channels. An array without frames has one block in each row. */
int gpuenv_records(const gpuenv_array *array, uint64_t every, uint64_t *records,
                   gpuenv_error *error);

/* `record[0].size` must be set; it is the distance to the next one. */
int gpuenv_stats(gpuenv_context *context, const gpuenv_array *array, uint64_t every,
                 gpuenv_record *record, gpuenv_error *error);

/* ---- streams ---- */

/* Chunks of any size, with results as soon as they are known. Frames are interleaved, and so are
 * results: frame by frame, all values of the first channel, then of the next, in the type of
 * gpuenv_result_type() for the first value that has the widest type. A forked process cannot use
 * the streams of its parent. */
typedef struct gpuenv_stream gpuenv_stream;

int gpuenv_stream_open(gpuenv_context *context, const gpuenv_spec *spec, int type,
                       unsigned channels, gpuenv_stream **stream, gpuenv_error *error);
void gpuenv_stream_close(gpuenv_stream *stream);

/* The type of the results, and how many the next push of `frames` frames gives. */
int gpuenv_stream_type(const gpuenv_stream *stream);
uint64_t gpuenv_stream_outputs(const gpuenv_stream *stream, uint64_t frames);

/* Takes `frames` frames and writes `*got` result frames. `room` is the room for them, in frames. */
int gpuenv_stream_push(gpuenv_stream *stream, const void *in, uint64_t frames, void *out,
                       uint64_t room, uint64_t *got, gpuenv_error *error);

/* Ends the stream, and writes the results of the windows that its end cuts, as many as there is
 * room for: call it until `*got` is 0. */
int gpuenv_stream_finish(gpuenv_stream *stream, void *out, uint64_t room, uint64_t *got,
                         gpuenv_error *error);

#ifdef __cplusplus
}
#endif

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif
