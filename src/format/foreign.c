/* What is recognised and cannot be read here: it says what it is, and what to do. Taken for raw
 * samples it would give nonsense without a word. */
#include <string.h>

#include "format/format.h"
#include "format/mpeg.h"

static int refuse_sound(struct input *input, const struct source_request *request,
                        const char *words, struct source **source, struct error *error)
{
    (void)request;
    (void)source;
    return error_set(error, ERROR_FILE, input->name,
                     "is %s, which cannot be read here: try ffmpeg -i %s -c:a pcm_f32le -f wav "
                     "- | gpuenv ...",
                     words, input_operand(input));
}

static int refuse_arrays(struct input *input, const struct source_request *request,
                         const char *words, struct source **source, struct error *error)
{
    (void)request;
    (void)source;
    return error_set(error, ERROR_FILE, input->name,
                     "is %s, which cannot be read here: give an array of it as a .npy file", words);
}

static const struct format_magic sound_magic[] = {
    /* between two soxes (sox -p); a header of less than 64 KiB */
    {8, ".SoX\0\0\0\0", "\xff\xff\xff\xff\3\0\xff\xff", "a SoX file"},
    {9, "FLV\1\0\0\0\0\x9", "\xff\xff\xff\xff\xfa\xff\xff\xff\xff", "a Flash video"},
    {5, "#!AMR", FORMAT_MASK_ALL, "an AMR file"},
    {12, "DSD \x1c\0\0\0\0\0\0\0", FORMAT_MASK_ALL, "a DSF file"},
    /* version 3.97 to 3.99 */
    {8, "MAC \x80\x0f\0\0", "\xff\xff\xff\xff\xc0\xff\xff\xff", "a Monkey's Audio file"},
    {12, "RIFF\0\0\0\0AVI ", FORMAT_MASK_CHUNK, "an AVI file"},
    /* the size of its first box is a small multiple of 4 */
    {8, "\0\0\0\0ftyp", "\xff\xff\xff\x83\xff\xff\xff\xff", "an MP4 file"},
    /* an EBML header, whose size is told in one byte or in eight, and its first element */
    {7, "\x1a\x45\xdf\xa3\x80\x42\x80", "\xff\xff\xff\xff\x80\xff\xf0", "a Matroska file"},
    {12, "\x1a\x45\xdf\xa3\1\0\0\0\0\0\0\0", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\0",
     "a Matroska file"},
    /* any size, version 4 */
    {10, "wvpk\0\0\0\0\0\4", "\xff\xff\xff\xff\0\0\0\0\0\xff", "a WavPack file"},
    {8, "\x30\x26\xb2\x75\x8e\x66\xcf\x11", FORMAT_MASK_ALL, "a Windows Media file"},
    /* up to three sample formats */
    {6, "TTA1\0\0", "\xff\xff\xff\xff\xfc\xff", "a TTA file"},
    /* the bits that mark a clock, of version 2 and 1 */
    {14, "\0\0\1\xba\x44\0\4\0\4\1\0\0\3\xf8", "\xff\xff\xff\xff\xc4\0\4\0\4\1\0\0\3\xf8",
     "an MPEG film"},
    {12, "\0\0\1\xba\x21\0\1\0\1\x80\0\1", "\xff\xff\xff\xff\xf1\0\1\0\1\x80\0\1", "an MPEG film"},
    {0},
};

const struct format format_sound = {
    .words = "a sound file",
    .endings = " m4a wma mp4 mkv webm avi wv",
    .magic = sound_magic,
    .open = refuse_sound,
};

static enum format_look look_aac(const unsigned char *bytes, size_t size, bool ended,
                                 size_t *wanted)
{
    enum mpeg_kind kind = mpeg_recognise(bytes, size, ended, wanted);

    return kind == MPEG_MORE ? FORMAT_MORE : kind == MPEG_AAC ? FORMAT_YES : FORMAT_NO;
}

/* Without a container, in ADTS. */
const struct format format_aac = {
    .words = "an AAC file",
    .endings = " aac",
    .look = look_aac,
    .open = refuse_sound,
};

/* The packets of a transport stream have a byte in common, and a few bits. Four in a row have it,
 * with other bytes in each: a signal that repeats itself would have the same. */
static enum format_look look_transport(const unsigned char *bytes, size_t size, bool ended,
                                       size_t *wanted)
{
    enum { PACKET = 188, PACKETS = 4, SYNC = 0x47 };

    (void)ended;
    (void)wanted;
    if (size < (size_t)PACKETS * PACKET)
        return FORMAT_NO;
    for (const unsigned char *at = bytes; at < bytes + (size_t)PACKETS * PACKET; at += PACKET) {
        bool damaged = (at[1] & 0x80) != 0;
        bool empty = (at[3] & 0x30) == 0;

        if (at[0] != SYNC || damaged || empty || at[4] == SYNC ||
            (at > bytes && memcmp(at, at - PACKET, PACKET) == 0))
            return FORMAT_NO;
    }
    return FORMAT_YES;
}

const struct format format_transport = {
    .words = "an MPEG film",
    .look = look_transport,
    .open = refuse_sound,
};

/* ---- AC-3, in frames */

enum { AC3_START = 6 };

/* The bytes of the frame that begins with these; 0: none does. */
static size_t ac3_frame(const unsigned char *bytes)
{
    static const unsigned short rates[] = {32,  40,  48,  56,  64,  80,  96,  112, 128, 160,
                                           192, 224, 256, 320, 384, 448, 512, 576, 640};
    unsigned kind = bytes[5] >> 3;
    unsigned clock = bytes[4] >> 6;
    unsigned index = bytes[4] & 63;

    if (bytes[0] != 0x0b || bytes[1] != 0x77 || kind > 16)
        return 0;
    if (kind > 10) /* E-AC-3 */
        return 2 * ((size_t)(bytes[2] & 7) << 8 | bytes[3]) + 2;
    if (clock == 3 || index > 37)
        return 0;
    if (clock == 1) /* 44.1 kHz: 1536 samples take no whole number of words */
        return 2 * ((size_t)rates[index / 2] * 96000 / 44100 + index % 2);
    return (size_t)rates[index / 2] * (clock == 0 ? 4 : 6);
}

/* Only bytes that are there: with a second frame, or the end, where the first one ends. A signal
 * with a short period repeats the start of the frame inside it, too. */
static enum format_look look_ac3(const unsigned char *bytes, size_t size, bool ended,
                                 size_t *wanted)
{
    size_t frame = size < AC3_START ? 0 : ac3_frame(bytes);

    (void)wanted;
    if (frame <= AC3_START || frame > size ||
        memmem(bytes + 1, frame - 1, bytes, AC3_START) != NULL)
        return FORMAT_NO;
    if (frame == size)
        return ended ? FORMAT_YES : FORMAT_NO;
    return size >= frame + AC3_START && ac3_frame(bytes + frame) > 0 &&
                   bytes[5] == bytes[frame + 5] && bytes[4] >> 6 == bytes[frame + 4] >> 6
               ? FORMAT_YES
               : FORMAT_NO;
}

const struct format format_ac3 = {
    .words = "an AC-3 file",
    .endings = " ac3 eac3",
    .look = look_ac3,
    .no_samples = true, /* its bits are few: the name of a raw type goes before it */
    .open = refuse_sound,
};

static const struct format_magic array_magic[] = {
    {11, "MATLAB 0.0 ", "\xff\xff\xff\xff\xff\xff\xff\xf0\xff\xf0\xff", "a MATLAB file"},
    {8, "\x89HDF\r\n\x1a\n", FORMAT_MASK_ALL, "an HDF5 file"},
    {0},
};

const struct format format_arrays = {
    .words = "a collection of arrays",
    .endings = " mat h5",
    .magic = array_magic,
    .open = refuse_arrays,
};

/* NumPy's files of several arrays are zip files, with a .npy file for each. */
static int refuse_zip(struct input *input, const struct source_request *request, const char *words,
                      struct source **source, struct error *error)
{
    (void)request;
    (void)source;
    return error_set(error, ERROR_FILE, input->name,
                     "is %s, which cannot be read here: take an array out of it: "
                     "unzip -p %s NAME.npy | gpuenv ...",
                     words, input->standard ? "FILE.npz" : input->name);
}

static const struct format_magic zip_magic[] = {
    /* made by version 1.0 to 7.15 of the format, with its member's name right behind */
    {6, "PK\3\4\0\0", "\xff\xff\xff\xff\xc0\xff", NULL},
    {0},
};

const struct format format_zip = {
    .words = "a zip file (.npz)",
    .endings = " npz",
    .magic = zip_magic,
    .open = refuse_zip,
};
