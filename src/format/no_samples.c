/* Their first bytes, with as much of what must follow them as it takes that samples do not look
 * like them: about 32 bits and more. */
#include "format/no_samples.h"

#include <string.h>

#include "format/numbers.h"

/* ---- what can be unpacked ---- */

static const struct {
    const char *words;
    const char *command; /* writes what is in it to a pipe */
} packers[] = {
    {"a gzip file", "gzip -dc"},  {"a bzip2 file", "bzip2 -dc"}, {"an xz file", "xz -dc"},
    {"an lzma file", "xz -dc"},   {"a zstd file", "zstd -dc"},   {"an lz4 file", "lz4 -dc"},
    {"an lzip file", "lzip -dc"},
};

static int refuse_packed(struct input *input, const struct source_request *request,
                         const char *words, struct source **source, struct error *error)
{
    const char *command = "";

    (void)request;
    (void)source;
    for (size_t i = 0; i < sizeof packers / sizeof *packers; i++) {
        if (strcmp(packers[i].words, words) == 0)
            command = packers[i].command;
    }
    return error_set(error, ERROR_FILE, input->name, "is %s: unpack it: %s %s | gpuenv ...", words,
                     command, input_operand(input));
}

/* gzip: flags of which three are none; hardly any effort but the least and the most is told; a
 * system that there is; and a first block of a kind that there is. */
static bool confirm_packed(const unsigned char *bytes, size_t size)
{
    bool plain = bytes[3] == 0;

    if (bytes[0] != 0x1f)
        return true;
    return (bytes[8] == 0 || bytes[8] == 2 || bytes[8] == 4) &&
           (bytes[9] <= 13 || bytes[9] == 255) && (!plain || size < 11 || (bytes[10] & 6) != 6);
}

static const struct format_magic packed_magic[] = {
    {10, "\x1f\x8b\x08\0\0\0\0\0\0\0", "\xff\xff\xff\xe0\0\0\0\0\xf9\0", "a gzip file"},
    {10, "BZh01AY&SY", "\xff\xff\xff\xf0\xff\xff\xff\xff\xff\xff", "a bzip2 file"},
    {8, "\xfd\x37zXZ\0\0\0", "\xff\xff\xff\xff\xff\xff\xff\xf0", "an xz file"},
    /* any dictionary, and a size that is not told */
    {13, "\x5d\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff",
     "\xff\xff\xff\0\0\xff\xff\xff\xff\xff\xff\xff\xff", "an lzma file"},
    {5, "\x28\xb5\x2f\xfd\0", "\xff\xff\xff\xff\x08", "a zstd file"},
    {8, "\x50\x2a\x4d\x18\4\0\0\0", FORMAT_MASK_ALL, "a zstd file"}, /* of pzstd */
    {6, "\x04\x22\x4d\x18\x40\x40", "\xff\xff\xff\xff\xc2\xcf", "an lz4 file"},
    {5, "LZIP\1", FORMAT_MASK_ALL, "an lzip file"},
    {0},
};

const struct format format_packed = {
    .words = "a packed file",
    .endings = " gz bz2 xz lzma zst lz4 lz",
    .magic = packed_magic,
    .confirm = confirm_packed,
    .no_samples = true,
    .open = refuse_packed,
};

/* ---- what has other files in it ---- */

static int refuse_archive(struct input *input, const struct source_request *request,
                          const char *words, struct source **source, struct error *error)
{
    (void)request;
    (void)source;
    return error_set(error, ERROR_FILE, input->name,
                     "is %s, not samples: unpack it, and give a file that was in it", words);
}

static const struct format_magic archive_magic[] = {
    {8, "PK\5\6\0\0\0\0", FORMAT_MASK_ALL, "a zip file"}, /* an empty one */
    {7, "7z\xbc\xaf\x27\x1c\0", FORMAT_MASK_ALL, "a 7z file"},
    {7, "Rar!\x1a\7\0", "\xff\xff\xff\xff\xff\xff\xfe", "a RAR file"},
    {8, "!<arch>\n", FORMAT_MASK_ALL, "an archive of ar"},
    {0},
};

/* Its first bytes are a name. The sum of the 512 bytes of its header stands in it. */
static enum format_look look_tar(const unsigned char *bytes, size_t size, bool ended,
                                 size_t *wanted)
{
    enum { HEADER = 512, SUM = 148, SUM_DIGITS = 8, MAGIC = 257 };
    unsigned long sum = 0;
    unsigned long told = 0;

    (void)ended;
    (void)wanted;
    if (size < HEADER || memcmp(bytes + MAGIC, "ustar", 5) != 0)
        return FORMAT_NO;
    for (size_t i = 0; i < HEADER; i++)
        sum += i >= SUM && i < SUM + SUM_DIGITS ? ' ' : bytes[i];
    for (size_t i = SUM; i < SUM + SUM_DIGITS && bytes[i] != '\0'; i++) {
        if (bytes[i] >= '0' && bytes[i] <= '7')
            told = told * 8 + (bytes[i] - '0');
    }
    return told == sum ? FORMAT_YES : FORMAT_NO;
}

const struct format format_archive = {
    .words = "a tar archive",
    .endings = " zip tar tgz 7z rar",
    .magic = archive_magic,
    .look = look_tar,
    .no_samples = true,
    .open = refuse_archive,
};

/* ---- pictures and documents ---- */

static int refuse_document(struct input *input, const struct source_request *request,
                           const char *words, struct source **source, struct error *error)
{
    (void)request;
    (void)source;
    return error_set(error, ERROR_FILE, input->name,
                     "is %s, not samples: give a recording, or its samples as raw frames or as "
                     "a .npy file",
                     words);
}

/* The frames of the picture lie behind the two headers, of which the second is of a known size. */
static bool confirm_bmp(const unsigned char *bytes)
{
    uint64_t data = number_of(bytes + 10, 4, false);
    uint64_t header = number_of(bytes + 14, 4, false);

    return (header == 12 || header == 40 || header == 52 || header == 56 || header == 64 ||
            header == 108 || header == 124) &&
           data >= 14 + header && data < 1 << 16;
}

/* The first list of what it says lies behind the header. */
static bool confirm_tiff(const unsigned char *bytes)
{
    uint64_t at = number_of(bytes + 4, 4, bytes[0] == 'M');

    return at >= 8 && at % 2 == 0;
}

static bool confirm_picture(const unsigned char *bytes, size_t size)
{
    (void)size;
    if (memcmp(bytes, "BM", 2) == 0)
        return confirm_bmp(bytes);
    return (memcmp(bytes, "II", 2) != 0 && memcmp(bytes, "MM", 2) != 0) || confirm_tiff(bytes);
}

static const struct format_magic picture_magic[] = {
    {8, "\x89PNG\r\n\x1a\n", FORMAT_MASK_ALL, "a PNG picture"},
    /* any size of what comes first, which is told in 16 bits */
    {10, "\xff\xd8\xff\xe0\0\0JFIF", "\xff\xff\xff\xff\0\0\xff\xff\xff\xff", "a JPEG picture"},
    {10, "\xff\xd8\xff\xe1\0\0Exif", "\xff\xff\xff\xff\0\0\xff\xff\xff\xff", "a JPEG picture"},
    {10, "\xff\xd8\xff\xee\0\x0e\x41\x64ob", FORMAT_MASK_ALL, "a JPEG picture"},
    {7, "\xff\xd8\xff\xdb\0\x43\0", FORMAT_MASK_ALL, "a JPEG picture"},
    {6, "GIF87a", FORMAT_MASK_ALL, "a GIF picture"},
    {6, "GIF89a", FORMAT_MASK_ALL, "a GIF picture"},
    {8, "II*\0\0\0\0\0", "\xff\xff\xff\xff\1\0\0\0", "a TIFF picture"},
    {8, "MM\0*\0\0\0\0", "\xff\xff\xff\xff\0\0\0\1", "a TIFF picture"},
    {18, "BM\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
     "\xff\xff\0\0\0\0\xff\xff\xff\xff\0\0\xff\xff\x83\xff\xff\xff", "a BMP picture"},
    {12, "RIFF\0\0\0\0WEBP", FORMAT_MASK_CHUNK, "a WebP picture"},
    {0},
};

const struct format format_picture = {
    .words = "a picture",
    .endings = " png jpg jpeg gif tif tiff bmp webp",
    .magic = picture_magic,
    .confirm = confirm_picture,
    .no_samples = true,
    .open = refuse_document,
};

static const struct format_magic document_magic[] = {
    {6, "%PDF-1", FORMAT_MASK_ALL, "a PDF document"},
    {6, "%PDF-2", FORMAT_MASK_ALL, "a PDF document"},
    {7, "\x7f\x45LF\0\0\1", "\xff\xff\xff\xff\xfc\xfc\xff", "a program"},
    {6, "SQLite", FORMAT_MASK_ALL, "an SQLite database"},
    {8, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", FORMAT_MASK_ALL, "an Office document"},
    {0},
};

const struct format format_document = {
    .words = "a document",
    .endings = " pdf",
    .magic = document_magic,
    .no_samples = true,
    .open = refuse_document,
};
