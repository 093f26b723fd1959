#include "io/source.h"

#include <stdio.h>

/* What makes raw frames of a container. */
enum tool {
    SOX,
    FFMPEG, /* for what sox does not read, or not everywhere */
    PYTHON,
};

/* Masks: the bytes 0-3 and 8-11, as a RIFF and its like have a size between; all bytes. */
#define MASK_CHUNK "\xff\xff\xff\xff\0\0\0\0\xff\xff\xff\xff"
#define MASK_ALL "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"

/* The first bytes of the files that are not raw. Raw samples come with any bytes at all, so a
 * row has to be long enough that they practically never look like it: where four letters are
 * all the name there is, what must follow them is compared as well. That is why MP3 is known
 * by its ID3 tag alone: the eleven bits that begin its frames are nothing unusual in samples. */
static const struct container {
    const char *words; /* for messages */
    enum tool tool;
    const char *sox; /* sox's name of it */
    size_t size;
    const char *bytes;
    const char *mask; /* which of their bits count */
} containers[] = {
    {"a WAV file", SOX, "wav", 12, "RIFF\0\0\0\0WAVE", MASK_CHUNK},
    {"a big-endian WAV file", SOX, "wav", 12, "RIFX\0\0\0\0WAVE", MASK_CHUNK},
    {"an RF64 file", FFMPEG, "", 12, "RF64\0\0\0\0WAVE", MASK_CHUNK},
    {"a BW64 file", FFMPEG, "", 12, "BW64\0\0\0\0WAVE", MASK_CHUNK},
    /* the GUID of its first chunk */
    {"a W64 file", FFMPEG, "", 16, "riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb\x04\xc1\0\0", MASK_ALL},
    {"an AIFF file", SOX, "aiff", 12, "FORM\0\0\0\0AIFF", MASK_CHUNK},
    {"an AIFC file", SOX, "aifc", 12, "FORM\0\0\0\0AIFC", MASK_CHUNK},
    /* a header of less than 64 KiB */
    {"an AU file", SOX, "au", 6, ".snd\0\0", MASK_ALL},
    /* version 1, no flags */
    {"a CAF file", FFMPEG, "", 8, "caff\0\1\0\0", MASK_ALL},
    /* the block STREAMINFO, which may be marked as the last one, of 34 bytes */
    {"a FLAC file", SOX, "flac", 8, "fLaC\0\0\0\x22", "\xff\xff\xff\xff\x7f\xff\xff\xff"},
    /* version 0, the first page of a stream */
    {"an Ogg file", FFMPEG, "", 6, "OggS\0\2", MASK_ALL},
    /* a version below 8, its revision 0, four flags, four digits of seven bits */
    {"an MP3 file", FFMPEG, "", 10, "ID3\0\0\0\0\0\0\0",
     "\xff\xff\xff\xf8\xff\x0f\x80\x80\x80\x80"},
    /* a version below 8, its revision 0 */
    {"a NumPy file", PYTHON, "", 8, "\x93NUMPY\0\0", "\xff\xff\xff\xff\xff\xff\xf8\xff"},
};

enum {
    CONTAINERS = sizeof containers / sizeof *containers,
    LEAST = sizeof(float), /* one sample: to wait for more would delay a slow stream */
};

/* Do these bytes begin like the container, as far as they go? */
static bool begins_like(const struct container *container, const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size && i < container->size; i++) {
        unsigned char mask = (unsigned char)container->mask[i];

        if ((bytes[i] & mask) != (unsigned char)container->bytes[i])
            return false;
    }
    return true;
}

/* Looks at no more bytes than it takes to be sure. `*found` is NULL when it is no container; a
 * file that ends before the first bytes of one are complete is raw. */
static int recognise(struct input *input, const struct container **found, struct error *error)
{
    size_t wanted = LEAST;

    *found = NULL;
    for (;;) {
        const unsigned char *bytes;
        size_t got;
        bool more = false;

        if (input_peek(input, wanted, &bytes, &got, error) != 0)
            return -1;
        if (got < wanted)
            return 0;
        for (size_t i = 0; i < CONTAINERS; i++) {
            if (!begins_like(&containers[i], bytes, got))
                continue;
            if (got >= containers[i].size) {
                *found = &containers[i];
                return 0;
            }
            more = true;
        }
        if (!more)
            return 0;
        wanted = got + 1;
    }
}

/* Says what it is, and a command that makes raw frames of it. */
static int refuse(const struct input *input, const struct container *container, struct error *error)
{
    bool is_stdin = !input->owned;
    const char *name = is_stdin ? "-" : input->name;
    char command[768];

    switch (container->tool) {
    case SOX: /* goes by the ending of a name, and has to be told without one */
        (void)snprintf(command, sizeof command, "sox %s%s%s%s -t f32 -", is_stdin ? "-t " : "",
                       is_stdin ? container->sox : "", is_stdin ? " " : "", name);
        break;
    case FFMPEG:
        (void)snprintf(command, sizeof command, "ffmpeg -i %s -f f32le -", name);
        break;
    case PYTHON:
        (void)snprintf(command, sizeof command,
                       "python3 -c 'import numpy, sys; sys.stdout.buffer.write("
                       "numpy.load(sys.argv[1]).astype(\"<f4\").tobytes())' %s",
                       is_stdin ? "FILE" : name);
        break;
    }
    return error_set(error, STATUS_FAILED,
                     "%s: is %s: only raw frames can be read: try %s | gpuenv ...", input->name,
                     container->words, command);
}

int source_open(struct input *input, const struct source_request *request, struct source **source,
                struct error *error)
{
    const struct container *container = NULL;

    if (request->automatic && recognise(input, &container, error) != 0)
        return -1;
    if (container != NULL)
        return refuse(input, container, error);
    return source_open_raw(input, request, source, error);
}
