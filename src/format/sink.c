#include "format/sink.h"

#include <string.h>
#include <strings.h>

/* The containers, with what they hold unless something else is asked for: float32 where they can.
 */
static const struct container {
    const char *name;
    const char *endings; /* of file names, each after a blank */
    enum writer writer;
    bool big_endian;
    enum sample_kind usual;
    const char *kinds; /* what else it holds, each after a blank; for messages, too */
} containers[] = {
    {"wav", " wav wave", WRITER_WAV, false, SAMPLE_F32, " f32 f64 u8 s16 s24 s32"},
    {"rf64", " rf64", WRITER_RF64, false, SAMPLE_F32, " f32 f64 u8 s16 s24 s32"},
    {"w64", " w64", WRITER_W64, false, SAMPLE_F32, " f32 f64 u8 s16 s24 s32"},
    {"au", " au snd", WRITER_AU, true, SAMPLE_F32, " f32 f64 s8 s16 s24 s32"},
    {"npy", " npy", WRITER_NPY, false, SAMPLE_F32, " f16 f32 f64 s8 u8 s16 u16 s32 u32"},
    {"aiff", " aif aiff aifc", WRITER_SNDFILE, true, SAMPLE_F32, " f32 f64 s8 s16 s24 s32"},
    {"caf", " caf", WRITER_CAF, true, SAMPLE_F32, " f32 f64 s8 s16 s24 s32"},
    {"flac", " flac", WRITER_SNDFILE, false, SAMPLE_S24, " s8 s16 s24"},
    {"ogg", " ogg oga", WRITER_SNDFILE, false, SAMPLE_F32, " f32"},
};

enum { CONTAINERS = sizeof containers / sizeof *containers };

/* Files that are no raw frames, by their names, and that nobody here writes. */
static const char unwritable[] = " opus mp3 m4a aac wma mp4 mkv webm avi wv npz mat h5";

/* Is this one of the words, each of which stands after a blank? */
static bool is_among(const char *words, const char *word, size_t length)
{
    for (const char *at = words; length > 0 && *at == ' '; at += strcspn(at, " ")) {
        at++;
        if (strcspn(at, " ") == length && strncasecmp(at, word, length) == 0)
            return true;
    }
    return false;
}

static const struct container *find_container(const char *name, size_t length)
{
    for (size_t i = 0; i < CONTAINERS; i++) {
        if (strlen(containers[i].name) == length && memcmp(containers[i].name, name, length) == 0)
            return &containers[i];
    }
    return NULL;
}

static const struct container *container_of_path(const char *path)
{
    const char *slash = path == NULL ? NULL : strrchr(path, '/');
    const char *dot = path == NULL ? NULL : strrchr(slash == NULL ? path : slash, '.');

    for (size_t i = 0; dot != NULL && i < CONTAINERS; i++) {
        if (is_among(containers[i].endings, dot + 1, strlen(dot + 1)))
            return &containers[i];
    }
    return NULL;
}

static int unknown_type(const char *type, struct error *error)
{
    return error_set(
        error, STATUS_USAGE,
        "-T %s: unknown type: raw f32 f64 f16 s8 u8 s16 u16 s24 u24 s32 u32 (and le or "
        "be), or wav rf64 w64 au npy aiff caf flac ogg, with a type as in wav:s16",
        type);
}

/* What a container holds: `type` is what was written after its name and a colon; NULL: nothing. */
static int choose_held(const struct container *container, const char *type,
                       struct sink_format *format, struct error *error)
{
    const char *name;

    format->sample = (struct sample_type){
        .kind = container->usual,
        .big_endian = container->big_endian,
    };
    if (type == NULL)
        return 0;
    if (!sample_type_parse(type, container->big_endian, &format->sample))
        return error_set(error, STATUS_USAGE, "-T %s:%s: %s holds%s", container->name, type,
                         container->name, container->kinds);
    name = sample_type_name(format->sample);
    if (!is_among(container->kinds, name, strcspn(name, "lb")))
        return error_set(error, STATUS_USAGE, "-T %s:%s: %s holds%s", container->name, type,
                         container->name, container->kinds);
    if (container->writer != WRITER_NPY && sample_type_bytes(format->sample) > 1 &&
        format->sample.big_endian != container->big_endian)
        return error_set(error, STATUS_USAGE, "-T %s:%s: %s has %s-endian samples", container->name,
                         type, container->name, container->big_endian ? "big" : "little");
    return 0;
}

static int choose_raw(const char *type, struct sink_format *format, struct error *error)
{
    format->writer = WRITER_RAW;
    format->container = "raw";
    if (!sample_type_parse(type, false, &format->sample))
        return unknown_type(type, error);
    if (sample_type_is_complex(format->sample))
        return error_set(error, STATUS_USAGE, "-T %s: an envelope is not complex", type);
    return 0;
}

static int check_ending(const struct sink_request *request, struct error *error)
{
    const char *dot = request->path == NULL ? NULL : strrchr(request->path, '.');

    if (dot != NULL && is_among(unwritable, dot + 1, strlen(dot + 1)))
        return error_set(error, STATUS_USAGE,
                         "-o %s: %s cannot be written: give -T f32 for raw frames under this name, "
                         "or another ending (see -T)",
                         request->path, dot + 1);
    return 0;
}

int sink_choose(const struct sink_request *request, struct sink_format *format, struct error *error)
{
    const char *type = request->type;
    const char *colon = type == NULL ? NULL : strchr(type, ':');
    const struct container *container;
    int result;

    if (type != NULL)
        container = find_container(type, colon == NULL ? strlen(type) : (size_t)(colon - type));
    else
        container = container_of_path(request->path);
    if (container == NULL && type == NULL && check_ending(request, error) != 0)
        return -1;
    if (container == NULL) {
        result = choose_raw(type == NULL ? "f32" : type, format, error);
    } else {
        format->writer = container->writer;
        format->container = container->name;
        result = choose_held(container, colon == NULL ? NULL : colon + 1, format, error);
    }
    /* NumPy has numbers, where audio has shares of full scale. */
    format->sample.counts = request->counts || format->writer == WRITER_NPY;
    if (result == 0 && format->writer == WRITER_SNDFILE && !sink_has_sndfile())
        return error_set(
            error, STATUS_USAGE,
            "%s %s: this gpuenv was built without libsndfile: use wav, w64, au, caf, npy "
            "or raw frames",
            type != NULL ? "-T" : "-o", type != NULL ? type : request->path);
    return result;
}

int sink_open(struct output *output, const struct sink_format *format, struct sink **sink,
              struct error *error)
{
    if (format->writer != WRITER_RAW && format->writer != WRITER_NPY && !(format->rate > 0))
        return error_set(error, STATUS_USAGE,
                         "%s: %s files have a rate, and that of the input is not known: give -r HZ",
                         output->name, format->container);
    switch (format->writer) {
    case WRITER_RAW:
        return sink_open_raw(output, format, sink, error);
    case WRITER_WAV:
    case WRITER_RF64:
    case WRITER_W64:
    case WRITER_AU:
    case WRITER_CAF:
    case WRITER_NPY:
        return sink_open_header(output, format, sink, error);
    case WRITER_SNDFILE:
        break;
    }
    return sink_open_sndfile(output, format, sink, error);
}
