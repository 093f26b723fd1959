/* SPDX-License-Identifier: MIT */
/* FLAC, Ogg, MP3, and the other formats that libsndfile reads: their first bytes, and the functions
 * that open them. */
#include <stdio.h>
#include <string.h>

#include "format/codecs/codecs_priv.h"
#include "format/codecs/ogg_priv.h"
#include "format/format.h"
#include "format/mpeg_priv.h"
#include "format/numbers_priv.h"
#include "format/sndfile/sndfile_priv.h"
#include "format/sndfile/whole_priv.h"

static int open_sndfile(struct input *input, const struct source_request *request,
                        const struct recognised *found, struct source **source, struct error *error)
{
    return source_open_sndfile_after(input, request, found->words, NULL, source, error);
}

/* ---- FLAC */

static const struct format_writer flac_writer = {
    .usual = SAMPLE_S24,
    .kinds = " s8 s16 s24",
    .rate_most = 655350,
    .streams = true,
    .open = sink_open_sndfile,
};

const struct format format_flac = {
    .names = {"flac"},
    .words = "a FLAC file",
    .endings = " flac",
    .by_ending = true,
    /* the block STREAMINFO, which may be marked as the last one, of 34 bytes */
    .magic =
        (const struct format_magic[]){
            {8, "fLaC\0\0\0\x22", .mask = "\xff\xff\xff\xff\x7f\xff\xff\xff"}, {0}},
    .open = open_sndfile,
    .writer = &flac_writer,
};

/* ---- Ogg */

/* The first pages of an Ogg file, one for each stream, say what it holds. */
static int open_ogg(struct input *input, const struct source_request *request,
                    const struct recognised *found, struct source **source, struct error *error)
{
    size_t wanted = OGG_START;
    bool opus = false;
    bool ended = false;

    while (wanted > 0 && wanted <= INPUT_PEEK && !ended) {
        const unsigned char *bytes;
        size_t got;

        if (input_peek(input, wanted, &bytes, &got, error) != 0)
            return -1;
        ended = got < wanted;
        opus = ogg_is_opus(bytes, got, &wanted);
    }
    return opus ? source_open_opusfile(input, request, found, source, error)
                : open_sndfile(input, request, found, source, error);
}

/* This writer writes Vorbis. */
static const struct format_writer ogg_writer = {
    .kinds = " f32",
    .rate_most = 200000,
    .streams = true,
    .open = sink_open_sndfile,
};

const struct format format_ogg = {
    .names = {"ogg", "oga"},
    .words = "an Ogg file",
    .endings = " ogg oga",
    .by_ending = true,
    /* version 0, the first page of a stream */
    .magic = (const struct format_magic[]){{.size = 6, .bytes = "OggS\0\2"}, {0}},
    .open = open_ogg,
    .writer = &ogg_writer,
};

/* Opus has no magic of its own: it begins as Ogg. */
const struct format format_opus = {
    .names = {"opus"},
    .words = "an Opus file",
    .family = "ogg",
    .endings = " opus",
    .by_ending = true,
    .open = open_ogg,
};

/* ---- MP3 */

static bool look_mp3(const unsigned char *bytes, size_t size, bool ended, size_t *wanted)
{
    return mpeg_recognise(bytes, size, ended, wanted) == MPEG_AUDIO;
}

/* An MP3 file may begin with other bytes than frames, or be too short to be recognised. */
const struct format format_mp3 = {
    .names = {"mp3"},
    .words = "an MP3 file",
    .endings = " mp3 mp2 mpga",
    .by_ending = true,
    /* a version below 8, its revision 0, four flags, four digits of seven bits */
    .magic = (const struct format_magic[]){{10, "ID3\0\0\0\0\0\0\0",
                                            .mask = "\xff\xff\xff\xf8\xff\x0f\x80\x80\x80\x80"},
                                           {0, "", "", .look = look_mp3},
                                           {0}},
    .open = source_open_mpg123,
};

/* ---- the rest */

static const struct format_magic sndfile_magic[] = {
    {12, "FORM\0\0\0\0008SVX", FORMAT_MASK_CHUNK, .words = "an 8SVX file"},
    {12, "FORM\0\0\0\00016SV", FORMAT_MASK_CHUNK, .words = "a 16SV file"},
    {8, "NIST_1A\n", .words = "a NIST Sphere file"},
    {16, "Creative Voice F", .words = "a VOC file"},
    /* version 0, any byte order and rate, 8 or 16 bits: 24 are rejected */
    {20, " paf\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
     "\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0\0\0\0\0\xff\xff\xff\xfd", .words = "a PAF file"},
    {20, "fap \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
     "\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0\0\0\0\0\xfd\xff\xff\xff", .words = "a PAF file"},
    {5, "PVF1\n", .words = "a PVF file"},
    {16, "Extended Instrum", .words = "an XI file"},
    {15, "ALawSoundFile**", .words = "a Psion file"},
    /* a number below 8, and a rate that is a float */
    {8, "\x64\xa3\0\0\0\0\0\x40", "\xff\xff\xf8\xff\0\0\0\xf0", .words = "an IRCAM file"},
    {8, "\0\0\xa3\x64\x40\0\0\0", "\xff\xf8\xff\xff\xf0\0\0\0", .words = "an IRCAM file"},
    /* big-endian behind its magic: a rate that is a float, of which the last byte is 0 */
    {8, "\x64\xa3\2\0\x40\0\0\0", "\xff\xff\xff\xff\xf0\0\0\xff", .words = "an IRCAM file"},
    /* any name, and 8 or 16 bits */
    {16, "2BIT\0\0\0\0\0\0\0\0\0\0\0\0", "\xff\xff\xff\xff\0\0\0\0\0\0\0\0\0\0\xff\xe7",
     .words = "an AVR file"},
    {0},
};

/* MAT4 with sound. The little-endian form begins with four zeros, a sample of silence, which must
 * not hold back a slow stream. */
static bool look_mat4(const unsigned char *bytes, size_t size, bool ended, size_t *wanted)
{
    enum { SURE = 8 }; /* first bytes of MAT4 that samples do not begin with */
    size_t there = size < MAT4_START ? size : MAT4_START;

    if (there < SURE ||
        (memcmp(bytes, mat4_starts[0], there) != 0 && memcmp(bytes, mat4_starts[1], there) != 0))
        return false;
    *wanted = there < MAT4_START && !ended ? MAT4_START : 0;
    return there == MAT4_START;
}

const struct format format_mat4 = {
    .words = "a MAT4 file",
    .magic = (const struct format_magic[]){{0, "", "", .look = look_mat4}, {0}},
    .open = open_sndfile,
};

/* HTK and MPC 2000 have hardly any first bytes, but state the size of the file. These functions
 * return it, or 0 if these are not the first bytes of the format. */

/* HTK, big-endian: the number of samples, the time between two samples, 2 bytes a sample, and 0 for
 * sound. */
static uint64_t size_htk(const unsigned char *bytes, size_t size)
{
    enum { HEADER = 12 };

    if (size < HEADER || memcmp(bytes + 8, "\0\2\0", 4) != 0)
        return 0;
    return HEADER + 2 * (uint64_t)number_big32(bytes);
}

/* MPC 2000: a name of letters, one or two channels, and from byte 30 on the number of frames, of 2
 * bytes a channel. */
static uint64_t size_mpc2k(const unsigned char *bytes, size_t size)
{
    enum { HEADER = 42, NAME = 2, NAME_LENGTH = 16 };

    if (size < HEADER || memcmp(bytes, "\1\4", 2) != 0 || bytes[21] > 1)
        return 0;
    for (int i = NAME; i < NAME + NAME_LENGTH; i++) {
        if (bytes[i] < ' ' || bytes[i] > '~')
            return 0;
    }
    return HEADER + 2 * (bytes[21] + UINT64_C(1)) * number_of_bytes(bytes + 30, 4, false);
}

static const char *fits_sndfile(const unsigned char *bytes, size_t size, uint64_t length)
{
    return length == 0                         ? NULL
           : size_htk(bytes, size) == length   ? "an HTK file"
           : size_mpc2k(bytes, size) == length ? "an MPC 2000 file"
                                               : NULL;
}

/* With this name of a format, libsndfile may open any file. */
const struct format format_sndfile = {
    .names = {"sndfile"},
    .words = "a file for libsndfile",
    .any_family = true,
    .magic = sndfile_magic,
    .fits = fits_sndfile,
    .open = open_sndfile,
};

/* ---- the libraries */

void format_libraries(char lines[FORMAT_LIBRARIES])
{
    (void)snprintf(lines, FORMAT_LIBRARIES, "libsndfile: %s\nlibopusfile: %s\nlibmpg123: %s\n",
                   sndfile_version(), opusfile_version(), mpg123_version());
}
