/* SPDX-License-Identifier: MIT */
/* Files that are recognised and rejected: compressed files, archives, pictures, documents, text,
 * audio that other programs read. A row has first bytes and fixed fields after them, about 32 bits
 * or more, so that samples do not match by chance. */
#include <string.h>

#include "format/format.h"
#include "format/mpeg_priv.h"
#include "format/numbers_priv.h"

/* ---- checks beside the first bytes */

/* A tar file begins with a file name, with zeros behind it. */
static bool look_tar(const unsigned char *bytes, size_t size, bool ended, size_t *wanted)
{
    enum { MAGIC = 257 };

    (void)ended, (void)wanted;
    return size >= MAGIC + 5 && memcmp(bytes + MAGIC, "ustar", 5) == 0;
}

/* Two kinds of tracker modules have their magic further on. */
static bool look_module(const unsigned char *bytes, size_t size, bool ended, size_t *wanted)
{
    enum { SCREAM = 44, MOD = 1080 };
    static const char mods[] = "M.K.M!K!4CHN6CHN8CHNFLT4";
    bool found = size >= SCREAM + 4 && memcmp(bytes + SCREAM, "SCRM", 4) == 0;

    (void)ended, (void)wanted;
    for (size_t i = 0; size >= MOD + 4 && mods[i] != '\0' && !found; i += 4)
        found = memcmp(bytes + MOD, mods + i, 4) == 0;
    return found;
}

/* AAC in ADTS has no magic: its frames are examined. */
static bool look_aac(const unsigned char *bytes, size_t size, bool ended, size_t *wanted)
{
    return mpeg_recognise(bytes, size, ended, wanted) == MPEG_AAC;
}

/* ---- zip files, by the name of their first member */

enum { ZIP_NAME = 30 };

static bool zip_name_ends(const unsigned char *bytes, size_t size, const char *ending,
                          size_t *wanted)
{
    const size_t length = strlen(ending);
    size_t name;

    if (size < ZIP_NAME) {
        *wanted = ZIP_NAME;
        return false;
    }
    name = (size_t)number_of_bytes(bytes + 26, 2, false);
    if (size < ZIP_NAME + name) {
        *wanted = ZIP_NAME + name;
        return false;
    }
    return name >= length && memcmp(bytes + ZIP_NAME + name - length, ending, length) == 0;
}

static bool look_npz(const unsigned char *bytes, size_t size, bool ended, size_t *wanted)
{
    (void)ended;
    return zip_name_ends(bytes, size, ".npy", wanted);
}

static bool look_zip(const unsigned char *bytes, size_t size, bool ended, size_t *wanted)
{
    (void)ended;
    return zip_name_ends(bytes, size, "", wanted);
}

/* True for spreadsheets of Office and of OpenDocument. */
static bool look_sheet(const unsigned char *bytes, size_t size, bool ended, size_t *wanted)
{
    static const char *const endings[] = {"[Content_Types].xml", ".rels", "docProps/app.xml",
                                          "docProps/core.xml", "mimetype"};
    bool found = false;

    (void)ended;
    for (size_t i = 0; i < sizeof endings / sizeof *endings && !found; i++)
        found = zip_name_ends(bytes, size, endings[i], wanted);
    return found;
}

/* ---- advice */

#define UNPACK(COMMAND) .advice = ": unpack it: " COMMAND " -dc ", .behind = " | gpuenv ..."

#define UNPACK_FILES .advice = ", not samples: unpack it, and give a file that was in it"

#define RECORD                                                                                     \
    .advice = ", not samples: give a recording, or its samples as raw frames or as a .npy file"

/* Formats that are known only by their names have no advice. */
#define CONVERT_NAME .advice = "", .code = ERROR_CONVERT

#define CONVERT .advice = ", which cannot be read here", .code = ERROR_CONVERT

#define SAVE_ARRAY .advice = ", which cannot be read here: give an array of it as a .npy file"

/* Advice for tables that other programs turn into text. */
#define DUCKDB(FROM, TO, FILE)                                                                     \
    .advice = ": convert it: duckdb -csv -c \"FROM " FROM, .behind = TO "\" | gpuenv -t csv ...",  \
    .file = FILE

#define PYTHON(MODULE, FROM, TO, FILE)                                                             \
    .advice = ": convert it: python3 -c \"import " MODULE "; print(" MODULE "." FROM "('",         \
    .behind = "')" TO ")\" | gpuenv -t csv ...", .file = FILE

#define NETCDF PYTHON("xarray", "open_dataset", ".to_dataframe().to_csv()", "FILE.nc")
#define ARROW PYTHON("pandas", "read_feather", ".to_csv(index=False)", "FILE.arrow")
#define ORC PYTHON("pandas", "read_orc", ".to_csv(index=False)", "FILE.orc")
#define PICKLE PYTHON("pandas", "read_pickle", ".to_csv()", "FILE.pkl")

/* NumPy's archives are zip files with one .npy file per array. */
#define TAKE_ARRAY                                                                                 \
    .advice = ", which cannot be read here: take an array out of it: unzip -p ",                   \
    .behind = " NAME.npy | gpuenv ...", .file = "FILE.npz"

#define TAKE_FILE                                                                                  \
    .advice = ", which cannot be read here: take a file out of it: unzip -p ",                     \
    .behind = " NAME | gpuenv -t TYPE ...", .file = "FILE.zip"

/* ---- the table */

static const struct format_magic no_samples[] = {
    /* any of five flags, extra flags of 0, 2, 4 or 6 */
    {10, "\x1f\x8b\x08\0\0\0\0\0\0\0", "\xff\xff\xff\xe0\0\0\0\0\xf9\0", "a gzip file",
     UNPACK("gzip")},
    {10, "BZh01AY&SY", "\xff\xff\xff\xf0\xff\xff\xff\xff\xff\xff", "a bzip2 file", UNPACK("bzip2")},
    {8, "\xfd\x37zXZ\0\0\0", "\xff\xff\xff\xff\xff\xff\xff\xf0", "an xz file", UNPACK("xz")},
    /* any dictionary size, unknown length */
    {13, "\x5d\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff",
     "\xff\xff\xff\0\0\xff\xff\xff\xff\xff\xff\xff\xff", "an lzma file", UNPACK("xz")},
    {5, "\x28\xb5\x2f\xfd\0", "\xff\xff\xff\xff\x08", "a zstd file", UNPACK("zstd")},
    {8, "\x50\x2a\x4d\x18\4\0\0\0", NULL, "a zstd file", UNPACK("zstd")}, /* written by pzstd */
    {6, "\x04\x22\x4d\x18\x40\x40", "\xff\xff\xff\xff\xc2\xcf", "an lz4 file", UNPACK("lz4")},
    {5, "LZIP\1", NULL, "an lzip file", UNPACK("lzip")},

    {8, "PK\5\6\0\0\0\0", NULL, "a zip file", UNPACK_FILES}, /* an empty zip file */
    {7, "7z\xbc\xaf\x27\x1c\0", NULL, "a 7z file", UNPACK_FILES},
    {7, "Rar!\x1a\7\0", "\xff\xff\xff\xff\xff\xff\xfe", "a RAR file", UNPACK_FILES},
    {8, "!<arch>\n", NULL, "an archive of ar", UNPACK_FILES},
    {0, "", "", "a tar archive", .look = look_tar, UNPACK_FILES},

    {8, "\x89PNG\r\n\x1a\n", NULL, "a PNG picture", RECORD},
    /* any length of the first segment, a field of 16 bits */
    {10, "\xff\xd8\xff\xe0\0\0JFIF", "\xff\xff\xff\xff\0\0\xff\xff\xff\xff", "a JPEG picture",
     RECORD},
    {10, "\xff\xd8\xff\xe1\0\0Exif", "\xff\xff\xff\xff\0\0\xff\xff\xff\xff", "a JPEG picture",
     RECORD},
    {10, "\xff\xd8\xff\xee\0\x0e\x41\x64ob", NULL, "a JPEG picture", RECORD},
    {7, "\xff\xd8\xff\xdb\0\x43\0", NULL, "a JPEG picture", RECORD},
    {6, "GIF87a", NULL, "a GIF picture", RECORD},
    {6, "GIF89a", NULL, "a GIF picture", RECORD},
    /* an even offset of the first directory */
    {8, "II*\0\0\0\0\0", "\xff\xff\xff\xff\1\0\0\0", "a TIFF picture", RECORD},
    {8, "MM\0*\0\0\0\0", "\xff\xff\xff\xff\0\0\0\1", "a TIFF picture", RECORD},
    {18, "BM\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
     "\xff\xff\0\0\0\0\xff\xff\xff\xff\0\0\xff\xff\x83\xff\xff\xff", "a BMP picture", RECORD},
    {12, "RIFF\0\0\0\0WEBP", FORMAT_MASK_CHUNK, "a WebP picture", RECORD},

    {6, "%PDF-1", NULL, "a PDF document", RECORD},
    {6, "%PDF-2", NULL, "a PDF document", RECORD},
    {7, "\x7f\x45LF\0\0\1", "\xff\xff\xff\xff\xfc\xfc\xff", "a program", RECORD},
    {6, "SQLite", NULL, "an SQLite database", RECORD},
    {8, "MThd\0\0\0\6", NULL, "a MIDI file", RECORD},
    {8, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", NULL, "an Office document", RECORD},
    {0},
};

const struct format format_no_samples = {
    .words = "no samples",
    .endings = " gz bz2 xz lzma zst lz4 lz zip tar tgz 7z rar jpg jpeg gif tif tiff bmp webp"
               " heic ico eps ps html htm xhtml xml jsonl ndjson yaml yml md doc docx odt xls"
               " xlsx ods db sqlite mid midi",
    .magic = no_samples,
    .no_samples = true,
};

static const struct format_magic others[] = {
    /* between two sox processes (sox -p); a header of less than 64 KiB */
    {8, ".SoX\0\0\0\0", "\xff\xff\xff\xff\3\0\xff\xff", "a SoX file", CONVERT},
    {9, "FLV\1\0\0\0\0\x9", "\xff\xff\xff\xff\xfa\xff\xff\xff\xff", "a Flash video", CONVERT},
    {5, "#!AMR", NULL, "an AMR file", CONVERT},
    {12, "DSD \x1c\0\0\0\0\0\0\0", NULL, "a DSF file", CONVERT},
    /* version 3.97 to 3.99 */
    {8, "MAC \x80\x0f\0\0", "\xff\xff\xff\xff\xc0\xff\xff\xff", "a Monkey's Audio file", CONVERT},
    {12, "RIFF\0\0\0\0AVI ", FORMAT_MASK_CHUNK, "an AVI file", CONVERT},
    /* the size of the first box is a small multiple of 4 */
    {8, "\0\0\0\0ftyp", "\xff\xff\xff\x83\xff\xff\xff\xff", "an MP4 file", CONVERT},
    /* an EBML header with a size of one byte or of eight, and its first element */
    {7, "\x1a\x45\xdf\xa3\x80\x42\x80", "\xff\xff\xff\xff\x80\xff\xf0", "a Matroska file", CONVERT},
    {12, "\x1a\x45\xdf\xa3\1\0\0\0\0\0\0\0", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\0",
     "a Matroska file", CONVERT},
    /* any size, version 4 */
    {10, "wvpk\0\0\0\0\0\4", "\xff\xff\xff\xff\0\0\0\0\0\xff", "a WavPack file", CONVERT},
    {8, "\x30\x26\xb2\x75\x8e\x66\xcf\x11", NULL, "a Windows Media file", CONVERT},
    /* up to three sample formats */
    {6, "TTA1\0\0", "\xff\xff\xff\xff\xfc\xff", "a TTA file", CONVERT},
    /* the marker bits of the clock, for version 2 and 1 */
    {14, "\0\0\1\xba\x44\0\4\0\4\1\0\0\3\xf8", "\xff\xff\xff\xff\xc4\0\4\0\4\1\0\0\3\xf8",
     "an MPEG film", CONVERT},
    {12, "\0\0\1\xba\x21\0\1\0\1\x80\0\1", "\xff\xff\xff\xff\xf1\0\1\0\1\x80\0\1", "an MPEG film",
     CONVERT},
    {0, "", "", "an AAC file", .look = look_aac, CONVERT},
    {17, "Extended Module: ", NULL, "a tracker module", CONVERT},
    {4, "IMPM", NULL, "a tracker module", CONVERT},
    {0, "", "", "a tracker module", .look = look_module, CONVERT},
    /* Its first message: numbers of 7 bits a byte, a width of 5 bits, and its end. libsndfile
     * returns silence for the last of the other messages. */
    {21, "\xf0\x7e\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xf7",
     "\xff\xff\x80\xff\x80\x80\xe0\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\xff",
     "an SDS file", CONVERT},
    /* version 0, any byte order and rate; libsndfile loses frames of its blocks, and ffmpeg reads
       none */
    {20, " paf\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1",
     "\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0\0\0\0\0\xff\xff\xff\xff", "a PAF file of 24 bits",
     .advice = ", which cannot be read here"},
    {20, "fap \0\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0",
     "\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0\0\0\0\0\xff\xff\xff\xff", "a PAF file of 24 bits",
     .advice = ", which cannot be read here"},

    {11, "MATLAB 0.0 ", "\xff\xff\xff\xff\xff\xff\xff\xf0\xff\xf0\xff", "a MATLAB file",
     SAVE_ARRAY},
    {8, "\x89HDF\r\n\x1a\n", NULL, "an HDF5 file", SAVE_ARRAY},
    /* versions 1.0 to 7.15 of the format */
    {6, "PK\3\4\0\0", "\xff\xff\xff\xff\xc0\xff", "a zip file (.npz)", .look = look_npz,
     TAKE_ARRAY},
    {6, "PK\3\4\0\0", "\xff\xff\xff\xff\xc0\xff", "a spreadsheet, or a similar document",
     .look = look_sheet, PYTHON("pandas", "read_excel", ".to_csv(index=False)", "FILE.xlsx")},
    {6, "PK\3\4\0\0", "\xff\xff\xff\xff\xc0\xff", "a zip file", .look = look_zip, TAKE_FILE},

    {4, "PAR1", NULL, "a Parquet file", DUCKDB("'", "'", "FILE.parquet")},
    {8, "ARROW1\0\0", NULL, "an Arrow file", ARROW},
    {4, "FEA1", NULL, "a Feather file", ARROW},
    /* the size of the first message is a small multiple of 8, and its table begins at once */
    {16, "\xff\xff\xff\xff\0\0\0\0\x10\0\0\0\0\0\x0a\0",
     "\xff\xff\xff\xff\x07\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", "an Arrow stream",
     PYTHON("pyarrow", "ipc.open_stream", ".read_pandas().to_csv(index=False)", "FILE.arrows")},
    /* three versions, with fewer than 2^24 records, or an unknown number */
    {5, "CDF\1\0", NULL, "a NetCDF file", NETCDF},
    {5, "CDF\2\0", NULL, "a NetCDF file", NETCDF},
    {5, "CDF\5\0", NULL, "a NetCDF file", NETCDF},
    {8, "CDF\0\xff\xff\xff\xff", "\xff\xff\xff\xf8\xff\xff\xff\xff", "a NetCDF file", NETCDF},
    {11, "Obj\1\0\0avro.", "\xff\xff\xff\xff\xf1\xc1\xff\xff\xff\xff\xff", "an Avro file",
     DUCKDB("read_avro('", "')", "FILE.avro")},
    /* an index without compression, in a short block that is stored, and in a compressed block */
    {6, "ORC\x0a\0\x12", "\xff\xff\xff\xff\x80\xff", "an ORC file", ORC},
    {7, "ORC\1\0\0\x0a", "\xff\xff\xff\1\xf0\xff\xff", "an ORC file", ORC},
    {7, "ORC\0\0\0\xe2", "\xff\xff\xff\1\xf0\xff\xfe", "an ORC file", ORC},
    /* a frame of less than 2^32 bytes; then the beginning of older versions */
    {11, "\x80\4\x95\0\0\0\0\0\0\0\0", "\xff\xfe\xff\0\0\0\0\xff\xff\xff\xff", "a Python pickle",
     PICKLE},
    {5, "\x80\2]q\0", "\xff\xfe\xff\xff\xff", "a Python pickle", PICKLE},
    {5, "\x80\2}q\0", "\xff\xfe\xff\xff\xff", "a Python pickle", PICKLE},
    {7, "\x80\2cpanda", "\xff\xfe\xff\xff\xff\xff\xff", "a Python pickle", PICKLE},
    {7, "\x80\2cnumpy", "\xff\xfe\xff\xff\xff\xff\xff", "a Python pickle", PICKLE},
    {0},
};

const struct format format_others = {
    .words = "sound or arrays for other programs",
    .endings =
        " aac m4a m4b wma mp4 m4v mov mkv webm avi flv wmv mpg mpeg 3gp wv amr dsf ape tta mat h5"
        " hdf5 nc npz parquet feather arrow"
        " arrows orc avro pkl pickle rds",
    .magic = others,
};

/* ---- formats that only a name tells */

#define BY_NAME(...)                                                                               \
    .by_name = (const struct format_magic[])                                                       \
    {                                                                                              \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

const struct format format_films = {
    .words = "sound or a film for other programs",
    .endings = " ac3 eac3 dts ts m2ts gsm g722 g729 sln mod xm s3m it mptm",
    BY_NAME(CONVERT_NAME),
};

const struct format format_voices = {
    .words = "sound for sox",
    .endings = " vox cvs cvsd vms dvms lpc10 prc sndr sndt hcom",
    BY_NAME(.advice = ", which cannot be read here: try sox ", .behind = " -t wav - | gpuenv ..."),
};

const struct format format_asterisk = {
    .words = "raw samples of Asterisk",
    .endings = " sln12 sln16 sln24 sln32 sln44 sln48 sln96 sln192",
    BY_NAME(.advice = ", whose ending is their rate in kHz: give -t s16le, and -r 16000 for sln16"),
};
