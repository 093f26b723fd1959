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
    in.source->class->close(in.source);
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

/* Opens a sink of format->format. */
static inline void sink_open_file(struct sink **sink, struct output *output, const char *path,
                                  const struct sink_format *format)
{
    struct error error = {.reason = ""};

    scratch_need(output_open(output, path, true, NULL, &error) == 0, words_of(&error));
    scratch_need(sink_open(output, format, sink, &error) == 0, words_of(&error));
}

/* Ends the file. Returns the losses. */
static inline struct sample_losses sink_end(struct sink *sink, struct output *output)
{
    struct error error = {.reason = ""};
    struct sample_losses losses;

    CHECK_THAT(sink->class->finish(sink, &error) == 0, "%s", words_of(&error));
    losses = sink->losses;
    sink->class->close(sink);
    CHECK_THAT(output_commit(output, &error) == 0, "%s", words_of(&error));
    output_close(output);
    return losses;
}

#endif
