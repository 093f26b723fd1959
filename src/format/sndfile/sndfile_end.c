#include "format/sndfile/sndfile_end.h"

#include <stdlib.h>
#include <string.h>

#include "bytes/read_at.h"
#include "format/recognise.h"
#include "format/sndfile/mp3_frames.h"
#include "format/sndfile/ogg_pages.h"
#include "format/sndfile/tags.h"

enum {
    TAG_MOST = 4096,
    LOOSE_BYTES = 128, /* of a tag that some count and others do not */
};

static int another_follows(const struct sndfile_end *end, const char *words, struct error *error)
{
    return error_set(error, ERROR_FILE, end->input->name,
                     "%s follows the first, after %llu frames: only the first was used: filter "
                     "them one by one",
                     words, (unsigned long long)end->frames);
}

/* Does a FLAC file begin in what the decoder has read last, or has not read? */
static bool flac_follows(const struct sndfile_end *end)
{
    enum { BEFORE = 256 * 1024, ALL = 2 * BEFORE };
    uint64_t from = end->read_to > BEFORE ? end->read_to - BEFORE : 1;
    unsigned char *bytes = malloc(ALL);
    size_t got = bytes == NULL ? 0 : read_at(end->input->fd, bytes, ALL, end->base + from);
    bool found = got > 0 && memmem(bytes, got, "fLaC\0\0\0\x22", 8) != NULL;

    free(bytes);
    return found;
}

static int check_pages(const struct sndfile_end *end, struct error *error)
{
    const char *name = end->input->name;
    unsigned long long frames = end->frames;
    uint64_t at;

    switch (ogg_pages_check(end->input->fd, end->base, &at)) {
    case OGG_CUT:
        return error_set(error, ERROR_FILE, name,
                         "is cut off or has gaps: its %llu whole frames were used", frames);
    case OGG_DAMAGED:
        return error_set(error, ERROR_FILE, name,
                         "is damaged: the Ogg page at byte %llu has a wrong checksum: the %llu "
                         "frames that could be decoded were used",
                         (unsigned long long)at, frames);
    case OGG_GAP:
        return error_set(error, ERROR_FILE, name,
                         "has gaps: Ogg pages are missing before byte %llu: the %llu frames "
                         "that are there were used",
                         (unsigned long long)at, frames);
    case OGG_CHAINED:
        return error_set(error, ERROR_FILE, name,
                         "another Ogg stream follows the first, after %llu frames: only the "
                         "first was used: try ffmpeg -i %s -c:a pcm_f32le -f wav - | gpuenv ...",
                         frames, input_operand(end->input));
    case OGG_WHOLE:
        break;
    }
    return 0;
}

static int check_mpeg_frames(const struct sndfile_end *end, struct error *error)
{
    const char *name = end->input->name;
    unsigned long long frames = end->frames;
    uint64_t at;

    switch (mp3_frames_check(end->input->fd, end->base, end->there, &at)) {
    case MP3_CUT:
        return error_set(error, ERROR_FILE, name,
                         "is cut off: it ends inside the MPEG frame at byte %llu: %llu frames "
                         "were used",
                         (unsigned long long)at, frames);
    case MP3_BROKEN:
        return error_set(error, ERROR_FILE, name,
                         "is damaged: no MPEG frame begins at byte %llu: the %llu frames that "
                         "could be decoded were used",
                         (unsigned long long)at, frames);
    case MP3_CHANGED:
        return error_set(error, ERROR_FILE, name,
                         "its rate or channels change at byte %llu: %llu frames were used: try "
                         "ffmpeg -i %s -c:a pcm_f32le -f wav - | gpuenv ...",
                         (unsigned long long)at, frames, input_operand(end->input));
    case MP3_JUNK:
        return error_set(error, ERROR_FILE, name,
                         "%llu bytes that are no MPEG frames follow byte %llu: the %llu frames "
                         "that could be decoded were used",
                         (unsigned long long)(end->there - at), (unsigned long long)at, frames);
    case MP3_WHOLE:
        break;
    }
    return 0;
}

/* The frames that came, and those that the file says it has. In an Ogg file that is what its pages
 * say of the time. Where that was rounded, as in Matroska, it may be wrong by a few milliseconds.
 */
static int check_frames(const struct sndfile_end *end, struct error *error)
{
    bool ogg = strcmp(end->container, "ogg") == 0;
    uint64_t slack = ogg ? end->rate / 100 : 0;

    if ((!ogg && !end->whole.counted) || end->frames_due <= end->frames + slack)
        return 0;
    return error_set(error, ERROR_FILE, end->input->name,
                     "ends after %llu frames; its %s %llu: what is there was used",
                     (unsigned long long)end->frames,
                     ogg ? "last Ogg page counts" : "mp3 header promises",
                     (unsigned long long)end->frames_due);
}

/* An odd size may be told without its padding. */
static const char *next_file(const struct sndfile_end *end)
{
    struct recognised found = {.format = NULL};

    for (uint64_t more = 0; found.format == NULL && more <= 1; more++) {
        unsigned char bytes[INPUT_PEEK];
        uint64_t at = end->base + end->whole.bytes + more;
        size_t got = read_at(end->input->fd, bytes, sizeof bytes, at);
        size_t wanted;

        found = recognise_bytes(bytes, got, got < sizeof bytes, &wanted);
        if (found.format != NULL && found.format->no_samples)
            found = (struct recognised){.format = NULL};
    }
    return found.words;
}

void sndfile_end_look(struct sndfile_end *end, const struct input *input, uint64_t base,
                      uint64_t there)
{
    *end = (struct sndfile_end){.input = input, .base = base, .there = there};
    end->whole = whole_size(input->fd, base, there);
    /* A tag of ID3v2 at the end of an MP3 file looks like the beginning of another one. */
    if (end->whole.loose)
        there = tags_begin(input->fd, base, there);
    if (end->whole.bytes > 0 && end->whole.bytes < there)
        end->next = next_file(end);
}

int sndfile_end_missing(const struct sndfile_end *end, struct error *error)
{
    uint64_t less = end->whole.loose ? LOOSE_BYTES : end->whole.padded ? 1 : 0;

    if (end->whole.bytes <= end->there + less)
        return 0;
    return error_set(error, ERROR_FILE, end->input->name,
                     "ends after %llu of the %llu bytes that its header promises: its %llu "
                     "frames were used",
                     (unsigned long long)end->there, (unsigned long long)end->whole.bytes,
                     (unsigned long long)end->frames);
}

/* libsndfile believes in the bytes that are there, whatever the header says: the two are compared
 * here. Anything of a few KiB may follow, and tags of an MP3 of any size. */
static int check_size(const struct sndfile_end *end, struct error *error)
{
    uint64_t promised = end->whole.bytes;
    uint64_t there = end->there;

    if (sndfile_end_missing(end, error) != 0)
        return -1;
    if (end->next != NULL)
        return another_follows(end, end->next, error);
    if (end->whole.loose)
        there = tags_begin(end->input->fd, end->base, there);
    if ((promised > 0 && there > promised + TAG_MOST) ||
        (strcmp(end->container, "flac") == 0 && there > end->read_to + TAG_MOST) ||
        (end->frames == 0 && there > TAG_MOST && strcmp(end->container, "ogg") != 0))
        return error_set(error, ERROR_FILE, end->input->name,
                         "has %llu bytes, and its header knows of %llu frames only: try ffmpeg "
                         "-i %s -c:a pcm_f32le -f wav - | gpuenv ...",
                         (unsigned long long)there, (unsigned long long)end->frames,
                         input_operand(end->input));
    return 0;
}

int sndfile_end_check(const struct sndfile_end *end, struct error *error)
{
    if (strcmp(end->container, "ogg") == 0 && check_pages(end, error) != 0)
        return -1;
    if (strcmp(end->container, "flac") == 0 && flac_follows(end))
        return another_follows(end, "another FLAC file", error);
    if (check_size(end, error) != 0)
        return -1;
    if (check_frames(end, error) != 0)
        return -1;
    return strcmp(end->container, "mp3") == 0 ? check_mpeg_frames(end, error) : 0;
}
