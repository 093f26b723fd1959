#include "format/source.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "format/recognise.h"

/* What can stand after -t besides raw types. */
static const struct named {
    const char *name;
    enum reader reader;
    const char *family; /* what recognise() calls it; NULL: anything */
    const char *words;  /* as in "this is not ..." */
} names[] = {
    {"wav", READER_WAV, "wav", "a WAV file"},
    {"rf64", READER_WAV, "wav", "an RF64 file"},
    {"bw64", READER_WAV, "wav", "a BW64 file"},
    {"w64", READER_WAV, "w64", "a W64 file"},
    {"au", READER_AU, "au", "an AU file"},
    {"snd", READER_AU, "au", "an AU file"},
    {"npy", READER_NPY, "npy", "a NumPy file"},
    {"aiff", READER_AIFF, "aiff", "an AIFF file"},
    {"aif", READER_AIFF, "aiff", "an AIFF file"},
    {"aifc", READER_AIFF, "aiff", "an AIFC file"},
    {"caf", READER_CAF, "caf", "a CAF file"},
    {"flac", READER_SNDFILE, "flac", "a FLAC file"},
    {"ogg", READER_SNDFILE, "ogg", "an Ogg file"},
    {"oga", READER_SNDFILE, "ogg", "an Ogg file"},
    {"opus", READER_SNDFILE, "ogg", "an Opus file"},
    {"mp3", READER_SNDFILE, "mp3", "an MP3 file"},
    {"sndfile", READER_SNDFILE, NULL, "a file for libsndfile"},
};

enum { NAMES = sizeof names / sizeof *names };

static const struct named *find_name(const char *name)
{
    for (size_t i = 0; i < NAMES; i++) {
        if (strcmp(names[i].name, name) == 0)
            return &names[i];
    }
    return NULL;
}

int source_request_type(struct source_request *request, const char *type, bool big_endian,
                        struct error *error)
{
    const struct named *named = find_name(type);

    request->automatic = strcmp(type, "auto") == 0;
    request->container = named == NULL ? NULL : named->name;
    if (request->automatic || named != NULL)
        type = "f32";
    if (sample_type_parse(type, big_endian, &request->sample))
        return 0;
    return error_set(error, STATUS_USAGE,
                     "-t %s: unknown type: auto, raw f32 f64 f16 s8 u8 s16 u16 s24 u24 s32 u32 "
                     "cf32 cs16 cs8 cu8 (and le or be), or wav rf64 w64 au npy aiff caf flac ogg "
                     "mp3 sndfile",
                     type);
}

/* Of the files that are recognised, only collections of arrays are none. */
static bool is_sound(const char *words)
{
    return strstr(words, "HDF5") == NULL && strstr(words, ".npz") == NULL &&
           strstr(words, "MATLAB") == NULL;
}

/* Nobody here reads it: says what it is, and what to do. */
static int refuse(const struct input *input, const char *words, struct error *error)
{
    error_set(error, STATUS_FAILED, "%s: is %s, which cannot be read here: %s%s%s", input->name,
              words, is_sound(words) ? "try ffmpeg -i " : "give an array of it as a .npy file",
              is_sound(words) ? input_operand(input) : "",
              is_sound(words) ? " -c:a pcm_f32le -f wav - | gpuenv ..." : "");
    return -1;
}

static int open_by(enum reader reader, const char *words, struct input *input,
                   const struct source_request *request, struct source **source,
                   struct error *error)
{
    switch (reader) {
    case READER_WAV:
        return source_open_wav(input, request, source, error);
    case READER_AIFF:
        return source_open_aiff(input, request, source, error);
    case READER_CAF:
        return source_open_caf(input, request, source, error);
    case READER_AU:
        return source_open_au(input, request, source, error);
    case READER_NPY:
        return source_open_npy(input, request, source, error);
    case READER_SNDFILE:
        return source_open_sndfile(input, request, words, NULL, source, error);
    case READER_NONE:
        break;
    }
    return refuse(input, words, error);
}

/* An MP3 that begins with something else than its frames, or is too short to be recognised. */
static bool is_named_mp3(const struct input *input)
{
    size_t length = strlen(input->name);

    return !input->standard && length > 4 && strcasecmp(input->name + length - 4, ".mp3") == 0;
}

/* A container was named: the input has to be one, as far as can be told from here. */
static int open_named(struct input *input, const struct source_request *request,
                      struct source **source, struct error *error)
{
    const struct named *named = find_name(request->container);
    const struct recognised *found;

    if (recognise(input, &found, error) != 0)
        return -1;
    if (found != NULL && named->family != NULL &&
        (found->name == NULL || strcmp(found->name, named->family) != 0))
        return error_set(error, STATUS_FAILED, "%s: is %s, not %s (-t %s)", input->name,
                         found->words, named->words, named->name);
    return open_by(named->reader, named->words, input, request, source, error);
}

/* What the header says and what the user says have to be the same, or one of them is silent. */
static int reconcile(struct source *source, const struct source_request *request,
                     struct error *error)
{
    struct source_format *format = &source->format;

    if (request->channels_given && request->channels != format->channels)
        return error_set(error, STATUS_USAGE, "-c %u: the header of %s says %u: leave -c out",
                         request->channels, source->input->name, format->channels);
    if (request->rate > 0 && format->rate > 0 && request->rate != format->rate)
        return error_set(error, STATUS_USAGE, "-r %.10g: the header of %s says %.10g: leave -r out",
                         request->rate, source->input->name, format->rate);
    if (!(format->rate > 0))
        format->rate = request->rate;
    return 0;
}

int source_open(struct input *input, const struct source_request *request, struct source **source,
                struct error *error)
{
    const struct recognised *found = NULL;
    int result;

    *source = NULL;
    if (request->automatic && recognise(input, &found, error) != 0)
        return -1;
    if (found == NULL && request->automatic && is_named_mp3(input))
        result = open_by(READER_SNDFILE, "an MP3 file", input, request, source, error);
    else if (request->container != NULL)
        result = open_named(input, request, source, error);
    else if (found != NULL)
        result = open_by(found->reader, found->words, input, request, source, error);
    else
        return source_open_raw(input, request, source, error);
    if (result != 0 || *source == NULL)
        return -1;
    if (reconcile(*source, request, error) == 0)
        return 0;
    (*source)->class->close(*source);
    *source = NULL;
    return -1;
}
