/* SPDX-License-Identifier: MIT */
/* A program with the header of another version, which is included by the command line: the results
 * are right, no byte behind a struct of its size is written, and members that the library does not
 * know must be 0 (LATER). */
#include <stdio.h>
#include <string.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                                \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

enum { GUARD = 64, FRAMES = 5 };

static int intact(const unsigned char *guard)
{
    for (int i = 0; i < GUARD; i++)
        if (guard[i] != 0xa5)
            return 0;
    return 1;
}

static gpuenv_array array(void *data, int type, size_t bytes, uint64_t frames)
{
    gpuenv_array made = GPUENV_INIT(gpuenv_array);

    made.data = data;
    made.type = type;
    made.rows = 1;
    made.frames = frames;
    made.channels = 1;
    made.frame = (ptrdiff_t)bytes;
    return made;
}

int main(void)
{
    struct {
        gpuenv_error error;
        unsigned char guard[GUARD];
    } said = {.error = GPUENV_INIT(gpuenv_error)};
    struct {
        gpuenv_record record[2];
        unsigned char guard[GUARD];
    } records = {.record[0] = GPUENV_INIT(gpuenv_record)};
    float samples[FRAMES] = {3, 1, 4, 1, 5};
    float low[FRAMES];
    float high[FRAMES];
    float both[2 * FRAMES];
    gpuenv_options options = GPUENV_INIT(gpuenv_options);
    gpuenv_spec spec = GPUENV_INIT(gpuenv_spec);
    gpuenv_array in = array(samples, GPUENV_F32, sizeof *samples, FRAMES);
    gpuenv_array out[2] = {array(low, GPUENV_F32, sizeof *low, FRAMES - 1),
                           array(high, GPUENV_F32, sizeof *high, FRAMES - 1)};
    gpuenv_error *error = &said.error;
    gpuenv_context *context;
    gpuenv_stream *stream;
    uint64_t count;

    memset(said.guard, 0xa5, GUARD);
    memset(records.guard, 0xa5, GUARD);
    options.threads = 1;
    CHECK(gpuenv_open(&options, &context, error) == GPUENV_OK);
    spec.width = 2;
    CHECK(gpuenv_outputs(&spec, FRAMES, &count, error) == GPUENV_OK && count == FRAMES - 1);
    CHECK(gpuenv_result_type(&spec, GPUENV_F32, GPUENV_MAX) == GPUENV_F32);
    CHECK(gpuenv_filter(context, &spec, &in, out, error) == GPUENV_OK);
    CHECK(low[1] == 1 && high[1] == 4 && low[3] == 1 && high[3] == 5);

    CHECK(gpuenv_records(&in, 3, &count, error) == GPUENV_OK && count == 2);
    CHECK(gpuenv_stats(context, &in, 3, records.record, error) == GPUENV_OK);
    CHECK(records.record[0].max.f64 == 4 && records.record[1].first == 3 &&
          records.record[1].sum == 6);
    CHECK(intact(records.guard));

    CHECK(gpuenv_stream_open(context, &spec, GPUENV_F32, 1, &stream, error) == GPUENV_OK);
    CHECK(gpuenv_stream_type(stream) == GPUENV_F32 &&
          gpuenv_stream_outputs(stream, FRAMES) == FRAMES - 1);
    CHECK(gpuenv_stream_push(stream, samples, FRAMES, both, FRAMES, &count, error) == GPUENV_OK);
    CHECK(count == FRAMES - 1 && both[2] == 1 && both[3] == 4);
    CHECK(gpuenv_stream_finish(stream, both, FRAMES, &count, error) == GPUENV_OK && count == 0);
    gpuenv_stream_close(stream);

    samples[2] /= 0.0F;
    samples[2] *= 0;
    spec.nan = GPUENV_NAN_ERROR;
    CHECK(gpuenv_filter(context, &spec, &in, out, error) == GPUENV_NAN_FOUND);
    CHECK(said.error.code == GPUENV_NAN_FOUND && said.error.frame == 2 &&
          said.error.text[0] != '\0');
    CHECK(intact(said.guard));
    spec.nan = GPUENV_NAN_OMIT;
#ifdef LATER
    spec.later = 1;
    CHECK(gpuenv_filter(context, &spec, &in, out, error) == GPUENV_BAD_ARGUMENT);
    CHECK(gpuenv_stream_open(context, &spec, GPUENV_F32, 1, &stream, error) == GPUENV_BAD_ARGUMENT);
    spec.later = 0;
    in.later = 1;
    CHECK(gpuenv_filter(context, &spec, &in, out, error) == GPUENV_BAD_ARGUMENT);
    CHECK(gpuenv_stats(context, &in, 3, records.record, error) == GPUENV_BAD_ARGUMENT);
    in.later = 0;
    options.later = 1;
    CHECK(gpuenv_open(&options, &(gpuenv_context *){NULL}, error) == GPUENV_BAD_ARGUMENT);
#endif
    CHECK(gpuenv_filter(context, &spec, &in, out, error) == GPUENV_OK && high[1] == 1);

    /* Distances of 0: the same sample again, until structs could say so. */
    samples[2] = 4;
    in.frame = 0;
    CHECK(gpuenv_filter(context, &spec, &in, out, error) == GPUENV_OK);
    CHECK(high[3] == (sizeof in == offsetof(gpuenv_array, channel) + sizeof in.channel ? 3 : 5));
    gpuenv_close(context);
    return 0;
}
