#ifndef GPUENV_H
#define GPUENV_H
#include <stddef.h>
#include <stdint.h>
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif
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
#define GPUENV_VERSION_MAJOR 0
#define GPUENV_VERSION_MINOR 3
#define GPUENV_VERSION_PATCH 0
#define GPUENV_VERSION_NUMBER                                                                      \
    (GPUENV_VERSION_MAJOR * 10000 + GPUENV_VERSION_MINOR * 100 + GPUENV_VERSION_PATCH)
const char *gpuenv_version(void);
int gpuenv_version_number(void);
#if defined(__cplusplus) || defined(__clang__)
#define GPUENV_IS_INT : int
#else
#define GPUENV_IS_INT
#endif
__extension__ enum gpuenv_code GPUENV_IS_INT {
    GPUENV_OK,
    GPUENV_BAD_ARGUMENT,
    GPUENV_NO_MEMORY,
    GPUENV_NO_THREADS,
    GPUENV_NAN_FOUND,
    GPUENV_INTERRUPTED,
    GPUENV_NO_ROOM,
    GPUENV_NO_DEVICE,
    GPUENV_DEVICE_FAILED
};
const char *gpuenv_code_name(int code);
typedef struct gpuenv_error {
    size_t size;
    int code;
    uint64_t row;
    uint64_t frame;
    uint64_t channel;
    char subject[64];
    char text[256];
} gpuenv_error;
__extension__ enum gpuenv_type GPUENV_IS_INT {
    GPUENV_TYPE_NONE,
    GPUENV_F32,
    GPUENV_F64,
    GPUENV_F16,
    GPUENV_S8,
    GPUENV_U8,
    GPUENV_S16,
    GPUENV_U16,
    GPUENV_S24,
    GPUENV_U24,
    GPUENV_S32,
    GPUENV_U32,
    GPUENV_S64,
    GPUENV_U64,
    GPUENV_CF32,
    GPUENV_CF64,
    GPUENV_CS16,
    GPUENV_CS8,
    GPUENV_CU8
};
size_t gpuenv_type_bytes(int type);
typedef struct gpuenv_context gpuenv_context;
typedef struct gpuenv_options {
    size_t size;
    unsigned threads;
    const char *isa;

    int (*interrupted)(void *argument);
    void *argument;
} gpuenv_options;
int gpuenv_open(const gpuenv_options *options, gpuenv_context **context, gpuenv_error *error);
void gpuenv_close(gpuenv_context *context);
unsigned gpuenv_context_threads(const gpuenv_context *context);
const char *gpuenv_context_isa(const gpuenv_context *context);
__extension__ enum gpuenv_value GPUENV_IS_INT {
    GPUENV_MIN,
    GPUENV_MAX,
    GPUENV_ABS,
    GPUENV_RANGE,
    GPUENV_MID,

    GPUENV_MEAN,
    GPUENV_RMS,
    GPUENV_COUNT,

    GPUENV_ARGMIN,
    GPUENV_ARGMAX
};
enum { GPUENV_VALUES = 5 };
__extension__ enum gpuenv_align GPUENV_IS_INT {
    GPUENV_VALID,
    GPUENV_CAUSAL,
    GPUENV_CENTER,
    GPUENV_FORWARD
};
__extension__ enum gpuenv_edge GPUENV_IS_INT { GPUENV_SHRINK, GPUENV_EDGE_NAN };
__extension__ enum gpuenv_nan GPUENV_IS_INT {
    GPUENV_NAN_PROPAGATE,
    GPUENV_NAN_OMIT,
    GPUENV_NAN_ERROR
};
__extension__ enum gpuenv_closed GPUENV_IS_INT {
    GPUENV_CLOSED_RIGHT,
    GPUENV_CLOSED_BOTH,
    GPUENV_CLOSED_LEFT,
    GPUENV_CLOSED_NEITHER
};
typedef struct gpuenv_spec {
    size_t size;
    uint64_t width;
    uint64_t hop;
    int align;
    int edge;
    int nan;
    int scaled;
    unsigned values;
    int value[GPUENV_VALUES];
    unsigned threads;

    const int64_t *times;
    int closed;

    int result;

    uint64_t min_count;

    int last;
} gpuenv_spec;
int gpuenv_outputs(const gpuenv_spec *spec, uint64_t frames, uint64_t *outputs,
                   gpuenv_error *error);
int gpuenv_result_type(const gpuenv_spec *spec, int type, int value);
typedef struct gpuenv_array {
    size_t size;
    const void *data;
    int type;
    int swapped;
    uint64_t rows;
    uint64_t frames;
    uint64_t channels;
    ptrdiff_t row;
    ptrdiff_t frame;
    ptrdiff_t channel;
} gpuenv_array;
int gpuenv_filter(gpuenv_context *context, const gpuenv_spec *spec, const gpuenv_array *in,
                  const gpuenv_array *out, gpuenv_error *error);
int gpuenv_filter_at(gpuenv_context *context, const gpuenv_spec *spec, const gpuenv_array *in,
                     const void *in_data, const gpuenv_array *out, void *out_data, size_t step,
                     gpuenv_error *error);
int gpuenv_filter_cuda(gpuenv_context *context, const gpuenv_spec *spec, const gpuenv_array *in,
                       const gpuenv_array *out, void *work, size_t *bytes, int device, void *stream,
                       gpuenv_error *error);
int gpuenv_cuda_device(const void *memory, int *device, gpuenv_error *error);
int gpuenv_cuda_wait(int device, void *stream, void *before, int joins, gpuenv_error *error);
typedef union gpuenv_number {
    double f64;
    int64_t s64;
    uint64_t u64;
} gpuenv_number;
typedef struct gpuenv_record {
    size_t size;
    uint64_t row;
    uint64_t channel;
    uint64_t first;
    uint64_t frames;
    uint64_t nans;
    int type;
    gpuenv_number min;
    gpuenv_number max;
    gpuenv_number abs;
    uint64_t argmin;
    uint64_t argmax;
    uint64_t argabs;
    double sum;
    double mean;
    double rms;
} gpuenv_record;
int gpuenv_records(const gpuenv_array *array, uint64_t every, uint64_t *records,
                   gpuenv_error *error);
int gpuenv_stats(gpuenv_context *context, const gpuenv_array *array, uint64_t every,
                 gpuenv_record *record, gpuenv_error *error);
int gpuenv_stats_cuda(gpuenv_context *context, const gpuenv_array *array, uint64_t every,
                      gpuenv_record *record, size_t size, void *work, size_t *bytes, int device,
                      void *stream, gpuenv_error *error);
int gpuenv_stats_at(gpuenv_context *context, const gpuenv_array *array, const void *data,
                    uint64_t every, gpuenv_record *record, gpuenv_error *error);
typedef struct gpuenv_stream gpuenv_stream;
int gpuenv_stream_open(gpuenv_context *context, const gpuenv_spec *spec, int type,
                       unsigned channels, gpuenv_stream **stream, gpuenv_error *error);
void gpuenv_stream_close(gpuenv_stream *stream);
int gpuenv_stream_type(const gpuenv_stream *stream);
uint64_t gpuenv_stream_outputs(const gpuenv_stream *stream, uint64_t frames);
int gpuenv_stream_push(gpuenv_stream *stream, const void *in, uint64_t frames, void *out,
                       uint64_t room, uint64_t *got, gpuenv_error *error);
int gpuenv_stream_push_planar(gpuenv_stream *stream, const void *const *in, uint64_t frames,
                              void *const *out, uint64_t room, uint64_t *got, gpuenv_error *error);
int gpuenv_stream_finish(gpuenv_stream *stream, void *out, uint64_t room, uint64_t *got,
                         gpuenv_error *error);
int gpuenv_stream_finish_planar(gpuenv_stream *stream, void *const *out, uint64_t room,
                                uint64_t *got, gpuenv_error *error);
int gpuenv_stream_reset(gpuenv_stream *stream, gpuenv_error *error);
#ifdef __cplusplus
}
#endif
#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#undef GPUENV_IS_INT
#endif
