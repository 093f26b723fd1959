/* Sources and sinks over the files of a scratch folder. */
#ifndef GPUENV_TESTS_FILES_H
#define GPUENV_TESTS_FILES_H

#include "check.h"
#include "scratch.h"
#include "words.h"

#include "format/format.h"

__attribute__((unused)) static void source_open_file(struct source **source, struct input *input,
                                                     const char *path,
                                                     const struct source_request *request)
{
    struct error error = {.reason = ""};

    scratch_need(input_open(input, path, false, &error) == 0, words_of(&error));
    scratch_need(source_open(input, request, source, &error) == 0, words_of(&error));
}

__attribute__((unused)) static void source_end(struct source *source, struct input *input)
{
    source->class->close(source);
    input_close(input);
}

/* Opens a sink of format->format. */
__attribute__((unused)) static void sink_open_file(struct sink **sink, struct output *output,
                                                   const char *path,
                                                   const struct sink_format *format)
{
    struct error error = {.reason = ""};

    scratch_need(output_open(output, path, true, NULL, &error) == 0, words_of(&error));
    scratch_need(sink_open(output, format, sink, &error) == 0, words_of(&error));
}

/* Ends the file. Returns the losses. */
__attribute__((unused)) static struct sample_losses sink_end(struct sink *sink,
                                                             struct output *output)
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

/* The contents of a file, with a NUL behind them; to be freed. */
__attribute__((unused)) static char *file_contents(const char *path, size_t *size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    char *bytes;

    scratch_need(fd >= 0 && fstat(fd, &status) == 0, path);
    *size = (size_t)status.st_size;
    bytes = calloc(*size + 1, 1);
    scratch_need(bytes != NULL && read(fd, bytes, *size) == status.st_size, path);
    close(fd);
    return bytes;
}

/* Does the file have these bytes? */
__attribute__((unused)) static bool file_is(const char *path, const void *due, size_t size)
{
    size_t there;
    char *bytes = file_contents(path, &there);
    const bool is = there == size && memcmp(bytes, due, size) == 0;

    free(bytes);
    return is;
}

#endif
