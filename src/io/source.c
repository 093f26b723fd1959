#include "io/source.h"

#include <string.h>

/* The first bytes of the files that are not raw. Raw samples come with any bytes at all, so a
 * row has to be long enough that they practically never look like it: where four letters are
 * all the name there is, what must follow them is compared as well. That is why MP3 is known
 * by its ID3 tag alone: the eleven bits that begin its frames are nothing unusual in samples. */
static const struct container {
    const char *words; /* for messages */
    const char *sox;   /* sox's name of the type; NULL: sox may not read it, ffmpeg does */
    size_t size;
    const char *bytes;
    const char *mask; /* which of their bits count */
} containers[] = {
    {"a WAV file", "wav", 12, "RIFF\0\0\0\0WAVE", "\xff\xff\xff\xff\0\0\0\0\xff\xff\xff\xff"},
    {"a big-endian WAV file", "wav", 12, "RIFX\0\0\0\0WAVE",
     "\xff\xff\xff\xff\0\0\0\0\xff\xff\xff\xff"},
    {"an RF64 file", NULL, 12, "RF64\0\0\0\0WAVE", "\xff\xff\xff\xff\0\0\0\0\xff\xff\xff\xff"},
    {"a BW64 file", NULL, 12, "BW64\0\0\0\0WAVE", "\xff\xff\xff\xff\0\0\0\0\xff\xff\xff\xff"},
    {"a W64 file", NULL, 16, /* the GUID of its "riff" chunk */
     "riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb\x04\xc1\x00\x00",
     "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"},
    {"an AIFF file", "aiff", 12, "FORM\0\0\0\0AIFF", "\xff\xff\xff\xff\0\0\0\0\xff\xff\xff\xff"},
    {"an AIFC file", "aifc", 12, "FORM\0\0\0\0AIFC", "\xff\xff\xff\xff\0\0\0\0\xff\xff\xff\xff"},
    {"an AU file", "au", 6, ".snd\0\0" /* a header of less than 64 KiB */,
     "\xff\xff\xff\xff\xff\xff"},
    {"a CAF file", NULL, 8, "caff\0\1\0\0" /* version 1, no flags */,
     "\xff\xff\xff\xff\xff\xff\xff\xff"},
    {"a FLAC file", "flac", 8, "fLaC\0\0\0\x22" /* STREAMINFO, perhaps the last block */,
     "\xff\xff\xff\xff\x7f\xff\xff\xff"},
    {"an Ogg file", NULL, 6, "OggS\0\2" /* version 0, the first page */,
     "\xff\xff\xff\xff\xff\xff"},
    {"an MP3 file", "mp3", 10, "ID3\0\0\0\0\0\0\0" /* a small version, four 7-bit digits */,
     "\xff\xff\xff\xf8\xff\x0f\x80\x80\x80\x80"},
    {"a NumPy file", "", 8, "\x93NUMPY\0\0" /* a small version */,
     "\xff\xff\xff\xff\xff\xff\xf8\xff"},
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
    const char *file = is_stdin ? "-" : input->name;

    if (container->sox == NULL)
        return error_set(error, STATUS_FAILED,
                         "%s: is %s: only raw frames can be read: "
                         "try ffmpeg -i %s -f f32le - | gpuenv ...",
                         input->name, container->words, file);
    if (*container->sox == '\0')
        return error_set(error, STATUS_FAILED,
                         "%s: is %s: only raw frames can be read: "
                         "try python3 -c 'import numpy, sys; sys.stdout.buffer.write("
                         "numpy.load(\"FILE\").astype(\"<f4\").tobytes())' | gpuenv ...",
                         input->name, container->words);
    return error_set(error, STATUS_FAILED,
                     "%s: is %s: only raw frames can be read: "
                     "try sox %s%s%s%s -t f32 - | gpuenv ...",
                     input->name, container->words, is_stdin ? "-t " : "",
                     is_stdin ? container->sox : "", is_stdin ? " " : "", file);
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
