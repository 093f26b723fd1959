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
const char *gpuenv_version(void);
enum gpuenv_code {
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
typedef struct gpuenv_error {
    size_t size;
    int code;
    uint64_t row;
    uint64_t frame;
    uint64_t channel;
    char subject[64];
    char text[256];
} gpuenv_error;
enum gpuenv_type {
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
enum gpuenv_value { GPUENV_MIN, GPUENV_MAX, GPUENV_ABS, GPUENV_RANGE, GPUENV_MID };
enum { GPUENV_VALUES = 5 };
enum gpuenv_align { GPUENV_VALID, GPUENV_CAUSAL, GPUENV_CENTER, GPUENV_FORWARD };
enum gpuenv_edge { GPUENV_SHRINK, GPUENV_EDGE_NAN };
enum gpuenv_nan { GPUENV_NAN_PROPAGATE, GPUENV_NAN_OMIT, GPUENV_NAN_ERROR };
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
} gpuenv_spec;
int gpuenv_outputs(const gpuenv_spec *spec, uint64_t frames, uint64_t *outputs,
                   gpuenv_error *error);
int gpuenv_result_type(const gpuenv_spec *spec, int type, int value);
typedef struct gpuenv_array {
    size_t size;
    void *data;
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
int gpuenv_filter_cuda(gpuenv_context *context, const gpuenv_spec *spec, const gpuenv_array *in,
                       const gpuenv_array *out, void *work, size_t *bytes, int device, void *stream,
                       gpuenv_error *error);
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
typedef struct gpuenv_stream gpuenv_stream;
int gpuenv_stream_open(gpuenv_context *context, const gpuenv_spec *spec, int type,
                       unsigned channels, gpuenv_stream **stream, gpuenv_error *error);
void gpuenv_stream_close(gpuenv_stream *stream);
int gpuenv_stream_type(const gpuenv_stream *stream);
uint64_t gpuenv_stream_outputs(const gpuenv_stream *stream, uint64_t frames);
int gpuenv_stream_push(gpuenv_stream *stream, const void *in, uint64_t frames, void *out,
                       uint64_t room, uint64_t *got, gpuenv_error *error);
int gpuenv_stream_finish(gpuenv_stream *stream, void *out, uint64_t room, uint64_t *got,
                         gpuenv_error *error);
#ifdef __cplusplus
}
#endif
#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#endif
