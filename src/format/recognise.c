#include "format/recognise.h"

#include <stdbool.h>
#include <stddef.h>

#include "format/mpeg.h"

/* Masks: the bytes 0-3 and 8-11, as a RIFF and its like have a size between; all bytes. */
#define MASK_CHUNK "\xff\xff\xff\xff\0\0\0\0\xff\xff\xff\xff"
#define MASK_ALL "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"

/* The first bytes of the files that are not raw. Raw samples come with any bytes at all, so a
 * row has to be long enough that they practically never look like it: where four letters are
 * all the name there is, what must follow them is compared as well. MP3 without a tag has no first
 * bytes to go by: see format/mpeg.c. */
static const struct recognised table[] = {
    {"wav", "a WAV file", READER_WAV, 12, "RIFF\0\0\0\0WAVE", MASK_CHUNK},
    {"wav", "a big-endian WAV file", READER_WAV, 12, "RIFX\0\0\0\0WAVE", MASK_CHUNK},
    {"wav", "an RF64 file", READER_WAV, 12, "RF64\0\0\0\0WAVE", MASK_CHUNK},
    {"wav", "a BW64 file", READER_WAV, 12, "BW64\0\0\0\0WAVE", MASK_CHUNK},
    /* the GUID of its first chunk */
    {"w64", "a W64 file", READER_WAV, 16, "riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb\x04\xc1\0\0",
     MASK_ALL},
    /* a header of less than 64 KiB */
    {"au", "an AU file", READER_AU, 6, ".snd\0\0", MASK_ALL},
    /* a version below 8, its revision 0 */
    {"npy", "a NumPy file", READER_NPY, 8, "\x93NUMPY\0\0", "\xff\xff\xff\xff\xff\xff\xf8\xff"},
    {"aiff", "an AIFF file", READER_AIFF, 12, "FORM\0\0\0\0AIFF", MASK_CHUNK},
    {"aiff", "an AIFC file", READER_AIFF, 12, "FORM\0\0\0\0AIFC", MASK_CHUNK},
    /* version 1, no flags */
    {"caf", "a CAF file", READER_CAF, 8, "caff\0\1\0\0", MASK_ALL},
    /* the block STREAMINFO, which may be marked as the last one, of 34 bytes */
    {"flac", "a FLAC file", READER_SNDFILE, 8, "fLaC\0\0\0\x22",
     "\xff\xff\xff\xff\x7f\xff\xff\xff"},
    /* version 0, the first page of a stream */
    {"ogg", "an Ogg file", READER_SNDFILE, 6, "OggS\0\2", MASK_ALL},
    /* a version below 8, its revision 0, four flags, four digits of seven bits */
    {"mp3", "an MP3 file", READER_SNDFILE, 10, "ID3\0\0\0\0\0\0\0",
     "\xff\xff\xff\xf8\xff\x0f\x80\x80\x80\x80"},
    {"sndfile", "an 8SVX file", READER_SNDFILE, 12, "FORM\0\0\0\0008SVX", MASK_CHUNK},
    {"sndfile", "a NIST Sphere file", READER_SNDFILE, 8, "NIST_1A\n", MASK_ALL},
    {"sndfile", "a VOC file", READER_SNDFILE, 16, "Creative Voice F", MASK_ALL},
    {"sndfile", "a PAF file", READER_SNDFILE, 8, " paf\0\0\0\0", MASK_ALL},
    {"sndfile", "a PAF file", READER_SNDFILE, 8, "fap \0\0\0\0", MASK_ALL},
    {"sndfile", "a PVF file", READER_SNDFILE, 5, "PVF1\n", MASK_ALL},
    {"sndfile", "an XI file", READER_SNDFILE, 16, "Extended Instrum", MASK_ALL},
    {"sndfile", "a Psion file", READER_SNDFILE, 15, "ALawSoundFile**", MASK_ALL},
    /* a number below 8, and a rate that is a float */
    {"sndfile", "an IRCAM file", READER_SNDFILE, 8, "\x64\xa3\0\0\0\0\0\x40",
     "\xff\xff\xf8\xff\0\0\0\xf0"},
    {"sndfile", "an IRCAM file", READER_SNDFILE, 8, "\0\0\xa3\x64\x40\0\0\0",
     "\xff\xf8\xff\xff\xf0\0\0\0"},
    /* any name, and 8 or 16 bits */
    {"sndfile", "an AVR file", READER_SNDFILE, 16, "2BIT\0\0\0\0\0\0\0\0\0\0\0\0",
     "\xff\xff\xff\xff\0\0\0\0\0\0\0\0\0\0\xff\xe7"},
    /* between two soxes (sox -p); a header of less than 64 KiB */
    {NULL, "a SoX file", READER_NONE, 8, ".SoX\0\0\0\0", "\xff\xff\xff\xff\3\0\xff\xff"},
    {NULL, "a Flash video", READER_NONE, 9, "FLV\1\0\0\0\0\x9",
     "\xff\xff\xff\xff\xfa\xff\xff\xff\xff"},
    {NULL, "an AMR file", READER_NONE, 5, "#!AMR", MASK_ALL},
    {NULL, "a DSF file", READER_NONE, 12, "DSD \x1c\0\0\0\0\0\0\0", MASK_ALL},
    /* version 3.97 to 3.99 */
    {NULL, "a Monkey's Audio file", READER_NONE, 8, "MAC \x80\x0f\0\0",
     "\xff\xff\xff\xff\xc0\xff\xff\xff"},
    {NULL, "an AVI file", READER_NONE, 12, "RIFF\0\0\0\0AVI ", MASK_CHUNK},
    /* the size of its first box is a small multiple of 4 */
    {NULL, "an MP4 file", READER_NONE, 8, "\0\0\0\0ftyp", "\xff\xff\xff\x83\xff\xff\xff\xff"},
    /* an EBML header, whose size is told in one byte or in eight, and its first element */
    {NULL, "a Matroska file", READER_NONE, 7, "\x1a\x45\xdf\xa3\x80\x42\x80",
     "\xff\xff\xff\xff\x80\xff\xf0"},
    {NULL, "a Matroska file", READER_NONE, 12, "\x1a\x45\xdf\xa3\1\0\0\0\0\0\0\0",
     "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\0"},
    /* any size, version 4 */
    {NULL, "a WavPack file", READER_NONE, 10, "wvpk\0\0\0\0\0\4", "\xff\xff\xff\xff\0\0\0\0\0\xff"},
    {NULL, "a Windows Media file", READER_NONE, 8, "\x30\x26\xb2\x75\x8e\x66\xcf\x11", MASK_ALL},
    {NULL, "a MATLAB file", READER_NONE, 11, "MATLAB 0.0 ",
     "\xff\xff\xff\xff\xff\xff\xff\xf0\xff\xf0\xff"},
    {NULL, "an HDF5 file", READER_NONE, 8, "\x89HDF\r\n\x1a\n", MASK_ALL},
    /* made by version 1.0 to 7.15 of the format, with its member's name right behind */
    {NULL, "a zip file (.npz)", READER_NONE, 6, "PK\3\4\0\0", "\xff\xff\xff\xff\xc0\xff"},
};

static const struct recognised mpeg_audio = {
    .name = "mp3", .words = "an MP3 file", .reader = READER_SNDFILE};
static const struct recognised mpeg_aac = {.words = "an AAC file", .reader = READER_NONE};

enum {
    ROWS = sizeof table / sizeof *table,
    LEAST = sizeof(float), /* one sample: to wait for more would delay a slow stream */
};

/* Do these bytes begin like the container, as far as they go? */
static bool begins_like(const struct recognised *row, const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size && i < row->size; i++) {
        unsigned char mask = (unsigned char)row->mask[i];

        if ((bytes[i] & mask) != (unsigned char)row->bytes[i])
            return false;
    }
    return true;
}

/* The row that the bytes belong to. NULL: there is none yet; then `*more` bytes would tell more, 0
 * if none would. */
static const struct recognised *find_row(const unsigned char *bytes, size_t size, size_t *more)
{
    *more = 0;
    for (size_t i = 0; i < ROWS; i++) {
        if (!begins_like(&table[i], bytes, size))
            continue;
        if (size >= table[i].size)
            return &table[i];
        if (*more == 0 || table[i].size < *more)
            *more = table[i].size;
    }
    return NULL;
}

/* The same for what has no first bytes of its own. */
static const struct recognised *find_frames(const unsigned char *bytes, size_t size, bool ended,
                                            size_t *more)
{
    size_t wanted = 0;
    enum mpeg_kind kind = mpeg_recognise(bytes, size, ended, &wanted);

    *more = kind == MPEG_MORE ? wanted : 0;
    if (kind == MPEG_AUDIO)
        return &mpeg_audio;
    return kind == MPEG_AAC ? &mpeg_aac : NULL;
}

const struct recognised *recognise_bytes(const unsigned char *bytes, size_t size, bool ended,
                                         size_t *more)
{
    const struct recognised *found = NULL;

    *more = 0;
    if (size < LEAST)
        return NULL;
    found = find_row(bytes, size, more);
    if (found == NULL && *more == 0)
        found = find_frames(bytes, size, ended, more);
    return found;
}

int recognise(struct input *input, const struct recognised **found, struct error *error)
{
    size_t wanted = LEAST;
    bool ended = false;

    *found = NULL;
    do {
        const unsigned char *bytes;
        size_t got;

        if (input_peek(input, wanted, &bytes, &got, error) != 0)
            return -1;
        ended = got < wanted;
        *found = recognise_bytes(bytes, got, ended, &wanted);
    } while (*found == NULL && wanted > 0 && !ended);
    return 0;
}
