/* SPDX-License-Identifier: MIT */
/* Sources and sinks over the files of a scratch folder. */
#ifndef GPUENV_TESTS_FILES_H
#define GPUENV_TESTS_FILES_H

#include "check.h"
#include "scratch.h"
#include "words.h"

#include "format/format.h"
#include "format/sink.h"
#include "format/sndfile/sndfile_priv.h"
#include "format/source.h"

/* Is libsndfile in this build? */
__attribute__((unused)) static bool has_sndfile(void)
{
    return strcmp(sndfile_version(), "not in this build") != 0;
}

/* The source that is read, and what the last call gave. */
static struct {
    struct input input;
    struct source *source;
    struct error error;
    size_t got;
    uint64_t passed;
} in;

static inline void source_open_file(const char *path, const struct source_request *request)
{
    scratch_need(input_open(&in.input, path, false, &in.error) == 0, words_of(&in.error));
    scratch_need(source_open(&in.input, request, &in.source, &in.error) == 0, words_of(&in.error));
}

static inline void source_end(void)
{
    source_close(in.source);
    input_close(&in.input);
}

static inline bool source_reads(void *frames, size_t capacity)
{
    return in.source->class->read(in.source, frames, capacity, &in.got, &in.error) == 0;
}

static inline bool source_skips(uint64_t frames)
{
    return in.source->class->skip(in.source, frames, &in.passed, &in.error) == 0;
}

static inline bool source_is_ready(unsigned microseconds)
{
    return in.source->class->ready(in.source, microseconds);
}

/* The sink that is written to. */
static struct {
    struct output output;
    struct sink *sink;
    struct error error;
} out;

/* Opens a sink of format->format. */
static inline void sink_open_file(const char *path, const struct sink_format *format)
{
    scratch_need(output_open(&out.output, path, true, NULL, &out.error) == 0, words_of(&out.error));
    scratch_need(sink_open(&out.output, format, &out.sink, &out.error) == 0, words_of(&out.error));
}

/* Stereo of this type, one value for each channel. */
static inline void sink_open_type(const char *type, const char *path, uint64_t frames)
{
    struct sink_request request = {.type = type};
    struct sink_format format = {.row.count = 1, .channels = 2, .rate = 48000, .frames = frames};

    scratch_need(sink_choose(&request, &format, &out.error) == 0, words_of(&out.error));
    sink_open_file(path, &format);
}

static inline bool sink_writes(void *frames, size_t count)
{
    return out.sink->class->write(out.sink, frames, count, NULL, false, &out.error) == 0;
}

/* Ends the file. Returns the losses. */
static inline struct sample_losses sink_end(void)
{
    struct sample_losses losses;

    CHECK_THAT(out.sink->class->finish(out.sink, &out.error) == 0, "%s", words_of(&out.error));
    losses = out.sink->losses;
    out.sink->class->close(out.sink);
    CHECK_THAT(output_commit(&out.output, &out.error) == 0, "%s", words_of(&out.error));
    output_close(&out.output);
    return losses;
}

#endif
