/* The parsers of headers, which are in the files of their formats: wav.c, aiff.c, caf.c, au.c,
 * npy.c and sigmf.c. Pure: they are tested and fuzzed separately. Private to this room. */
#ifndef GPUENV_FORMAT_PARSERS_H
#define GPUENV_FORMAT_PARSERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/framed.h"
#include "sample/sample_type.h"

struct recognised; /* format/format.h */

enum header_verdict {
    HEADER_UNREADABLE, /* the input cannot be read */
    HEADER_BAD,
    HEADER_FOREIGN, /* its samples are not PCM or float, or precede it */
    HEADER_READY,   /* the samples follow */
};

/* ---- chunks, of which most containers consist: a name, a size, and the contents. A shape
 * describes the differences between RIFF, IFF, CAF and W64 */

/* Larger than any file: a size with a special meaning. */
#define CHUNK_HUGE (UINT64_C(1) << 62)

enum { CHUNK_START_MOST = 24 }; /* bytes of a chunk header, of any shape */

struct chunk_shape {
    unsigned name;  /* bytes */
    unsigned size;  /* bytes of it */
    bool big;       /* the byte order of the size, and of all numbers in the file */
    bool whole;     /* the size includes the chunk header */
    unsigned align; /* chunks begin at multiples of this */
};

extern const struct chunk_shape chunk_riff;
extern const struct chunk_shape chunk_iff; /* and RIFX */
extern const struct chunk_shape chunk_caf;
extern const struct chunk_shape chunk_w64;

struct chunk {
    uint64_t size;   /* of the contents */
    uint64_t padded; /* bytes from the contents to the next chunk; `size` if that is huge */
};

/* The size of a chunk header. */
unsigned chunk_start(const struct chunk_shape *shape);

/* Parses a chunk header. False if the size is impossibly small. */
bool chunk_parse(const struct chunk_shape *shape, const unsigned char *bytes, struct chunk *chunk);

/* True if these bytes begin with a printable name. */
bool chunk_has_name(const unsigned char *bytes);

/* ---- headers of files made of chunks, and of AU */

enum { HEADER_READ_MOST = 64 };

/* The input of such a parser. */
struct header_reader {
    /* Read or skip exactly `size` bytes; read() at most HEADER_READ_MOST. False: the input ends
     * before, or cannot be read. */
    bool (*read)(struct header_reader *reader, unsigned char *bytes, size_t size);
    bool (*skip)(struct header_reader *reader, uint64_t size);

    /* Copies those available of the next `size` bytes without consuming them. */
    bool (*peek)(struct header_reader *reader, unsigned char *bytes, size_t size, size_t *got);
};

struct chunked_header {
    struct header_reader *reader;
    struct framed_data data; /* `chunks` also describes the header */
    enum header_verdict verdict;
    char words[96];  /* if foreign: "a file of type wav with A-law" */
    const char *why; /* if bad: "it has no fmt chunk before its data" */

    /* the parser's own */
    bool has_format;     /* the sample type is known */
    uint64_t position;   /* bytes so far */
    uint64_t file_end;   /* the end of the file according to its header; 0: not stated */
    uint64_t data_bytes; /* according to another chunk than the data's own */
    bool has_data_bytes;
    unsigned char start[CHUNK_START_MOST]; /* of the chunk */
    struct chunk chunk;
    bool sane;     /* its size is possible; otherwise it is 0 */
    uint64_t rest; /* of the chunk */
};

typedef void header_parser(struct chunked_header *header);

/* Only the reader of the header has to be set. */
header_parser wav_parse; /* and RIFX, RF64, BW64, W64 */
header_parser aiff_parse;
header_parser caf_parse;
header_parser au_parse; /* of either byte order */

/* For these parsers. False: the header has ended, and its verdict is set. */
bool chunked_read(struct chunked_header *header, unsigned char *bytes, size_t size);
bool chunked_skip(struct chunked_header *header, uint64_t size);

/* Skips to the next chunk and reads its header. */
bool chunked_next(struct chunked_header *header);

/* Reads the first `most` bytes of the chunk, or all if it has fewer. */
bool chunked_contents(struct chunked_header *header, unsigned char *bytes, size_t most);

/* These set the verdict and return false. */
bool chunked_bad(struct chunked_header *header, const char *why);
bool chunked_foreign(struct chunked_header *header, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool chunked_ready(struct chunked_header *header, uint64_t bytes);

/* The `open` of these formats: parses the header, then reads the frames as they are
 * (format/framed.h). Samples that are neither PCM nor float are left to libsndfile. */
int source_open_chunked(struct input *input, const struct source_request *request,
                        const struct recognised *found, struct source **source,
                        struct error *error);

/* For data with a size of 0: either there are none, or the header was never filled in. */
bool chunked_empty(struct chunked_header *header);

/* ---- NumPy's .npy */

enum {
    NPY_START = 8,             /* magic and version */
    NPY_TEXT_MOST = 64 * 1024, /* the longest header text that is read */
    NPY_WRITTEN = 128,         /* bytes of a header as written */
};

struct npy_header {
    struct framed_data data; /* rows are frames, and columns channels; integers are plain numbers */
    uint64_t frames;
    bool flat;  /* one-dimensional */
    bool truth; /* of type bool: integers of 8 bits that are 0 or 1 */
};

/* The size of the field after the first NPY_START bytes that holds the length of the text: 2 or 4.
 * 0: not a .npy file of a known version. */
unsigned npy_header_start(const unsigned char bytes[NPY_START]);

/* Parses the text (`size` bytes, not terminated). False: `*why` says why the array cannot be used:
 * "has 3 dimensions". */
bool npy_header_parse(const char *text, size_t size, struct npy_header *header, const char **why);

/* ---- SigMF's metadata */

struct sigmf_meta {
    struct framed_data data; /* without its size */
    uint64_t header_bytes;   /* before the first capture, which begins */
    uint64_t start;          /* after so many frames */
    uint64_t trailing_bytes; /* at the end, which are no samples */
    char why[128];           /* the metadata cannot be used: "it is not JSON" */
};

/* False: meta->why says why. */
bool sigmf_meta_parse(const char *text, size_t size, struct sigmf_meta *meta);

#endif
