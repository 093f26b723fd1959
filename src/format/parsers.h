/* The parsers of headers, which stand in the files of their formats: wav.c, aiff.c, caf.c, au.c and
 * npy.c. Pure: they are tested and fuzzed alone. Private to this room. */
#ifndef GPUENV_FORMAT_PARSERS_H
#define GPUENV_FORMAT_PARSERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/chunk.h"
#include "format/framed.h"
#include "sample/sample_type.h"

enum header_verdict {
    HEADER_UNREADABLE, /* its bytes cannot be had */
    HEADER_BAD,
    HEADER_FOREIGN, /* its samples are not PCM or float, or it comes behind them */
    HEADER_READY,   /* the samples follow */
};

/* ---- files made of chunks */

enum { HEADER_READ_MOST = 64 };

/* Where such a parser gets its bytes. */
struct header_reader {
    /* Reads all of these bytes, HEADER_READ_MOST at most, or passes over so many. False: the input
     * ends before, or cannot be read. */
    bool (*read)(struct header_reader *reader, unsigned char *bytes, size_t size);
    bool (*skip)(struct header_reader *reader, uint64_t size);

    /* Gets those that are there of the next `size` bytes, and leaves them where they are. */
    bool (*peek)(struct header_reader *reader, unsigned char *bytes, size_t size, size_t *got);
};

struct chunked_header {
    struct header_reader *reader;
    struct framed_data data; /* `chunks`: of the header, too */
    enum header_verdict verdict;
    char codec[48];  /* when foreign */
    const char *why; /* when bad: "has no fmt chunk before its data" */

    /* the parser's own */
    bool has_format;     /* what the samples are is known */
    uint64_t position;   /* bytes so far */
    uint64_t file_end;   /* where the file says that it ends; 0: it does not say */
    uint64_t data_bytes; /* said elsewhere than in the data's own chunk */
    bool has_data_bytes;
    uint64_t rest; /* of the chunk that was read last */
};

typedef void header_parser(struct chunked_header *header);

/* They start with a header of which only the reader is set. */
header_parser wav_parse; /* and RIFX, RF64, BW64, W64 */
header_parser aiff_parse;
header_parser caf_parse;

/* For these parsers. False: there is nothing to go on with, and the verdict is known. */
bool chunked_read(struct chunked_header *header, unsigned char *bytes, size_t size);
bool chunked_skip(struct chunked_header *header, uint64_t size);

/* Goes on to the next chunk, and reads what stands in front of it. The size of one that makes no
 * sense is 0, and `*sane` is false. */
bool chunked_next(struct chunked_header *header, unsigned char start[CHUNK_START_MOST],
                  struct chunk *chunk, bool *sane);

/* Reads the first bytes of the chunk: `most`, or all that it has. */
bool chunked_contents(struct chunked_header *header, const struct chunk *chunk,
                      unsigned char *bytes, size_t most);

/* These end the header with a verdict, and return false. */
bool chunked_bad(struct chunked_header *header, const char *why);
bool chunked_foreign(struct chunked_header *header, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool chunked_ready(struct chunked_header *header, uint64_t bytes);

/* The data say that they have no bytes. That is so, or the header was never filled in. */
bool chunked_empty(struct chunked_header *header);

/* ---- AU (".snd"), of either byte order */

enum { AU_HEADER_BYTES = 24 };

struct au_header {
    struct framed_data data;
    uint32_t offset; /* of the first sample from the beginning of the header */
    uint32_t codec;
};

enum header_verdict au_header_parse(const unsigned char bytes[AU_HEADER_BYTES],
                                    struct au_header *header);

/* The number of an encoding; 0: AU has none for this type. */
uint32_t au_header_codec(enum sample_kind kind);

/* ---- NumPy's .npy */

enum {
    NPY_START = 8,             /* magic and version */
    NPY_TEXT_MOST = 64 * 1024, /* of a text that is read */
    NPY_WRITTEN = 128,         /* bytes of a whole header that is written */
};

struct npy_header {
    struct sample_type sample; /* integers are counts: a .npy holds numbers */
    uint64_t frames;           /* rows */
    uint64_t channels;         /* columns; 1 for an array of one dimension */
    bool fortran;              /* the columns lie one behind the other */
};

/* How many bytes follow the first NPY_START, to say how long the text is: 2 or 4. 0: these are no
 * first bytes of a .npy file of a version that there is. */
unsigned npy_header_start(const unsigned char bytes[NPY_START]);

/* Understands the text (`size` bytes, no end mark). False: `*why` says what about the array
 * cannot be used: "has 3 dimensions". */
bool npy_header_parse(const char *text, size_t size, struct npy_header *header, const char **why);

/* Writes all NPY_WRITTEN bytes of the header of an array (frames, channels). */
void npy_header_format(const struct npy_header *header, unsigned char bytes[NPY_WRITTEN]);

/* NumPy's name for a type, as in '<f4'; NULL: it has none. */
const char *npy_header_type(struct sample_type type);

#endif
