/* SPDX-License-Identifier: MIT */
/* The parsers of headers, which are in the files of their formats: wav.c, aiff.c, caf.c, au.c,
 * npy.c and sigmf.c. They are tested and fuzzed separately. */
#ifndef GPUENV_FORMAT_PARSERS_PRIV_H
#define GPUENV_FORMAT_PARSERS_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/file_chunk_priv.h"
#include "format/raw_reader_priv.h"
#include "io/spool.h"
#include "sample/sample_type.h"

struct recognised; /* format/format.h */

/* ---- headers of files made of chunks, and of AU */

enum header_verdict {
    HEADER_BAD,     /* the header is wrong or cannot be read: the error says why */
    HEADER_FOREIGN, /* the samples are not PCM or float, or precede the header */
    HEADER_READY,   /* the samples follow */
};

struct chunked_header {
    struct input *input;
    struct error *error;
    struct raw_reader_data data; /* `chunks` also describes the header */
    enum header_verdict verdict;
    char words[96];           /* description of a foreign file: "a file of type wav with A-law" */
    struct bytes_taken taken; /* all bytes so far, unless they can be read again; to be freed */

    /* The members below are the parser's own. */
    bool has_format;      /* the sample type is known */
    uint64_t position;    /* bytes so far */
    uint64_t file_end;    /* the end of the file according to its header; 0 if not stated */
    uint64_t data_bytes;  /* bytes of the data according to a chunk other than its own */
    uint64_t data_frames; /* frames of the data according to that chunk; 0 if not stated */
    bool has_data_bytes;
    unsigned char start[CHUNK_START_MOST]; /* header of the chunk */
    struct file_chunk chunk;
    bool sane;     /* the size of the chunk is possible; otherwise it is set to 0 */
    uint64_t rest; /* bytes left of the chunk */
};

/* Only the input and the error have to be set. */
typedef void header_parser(struct chunked_header *header);

header_parser wav_parse; /* parses RIFX, RF64, BW64 and W64, too */
header_parser aiff_parse;
header_parser caf_parse;
header_parser au_parse; /* either byte order */

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

/* Sets the verdict for data with a size of 0: there are none, or the header was never filled in. */
bool chunked_empty(struct chunked_header *header);

/* The kind of floats or integers of `bytes` bytes; `byte` is the kind for one byte. False if there
 * is none. */
bool chunked_kind(enum sample_kind *kind, bool is_float, uint32_t bytes, enum sample_kind byte);

/* The `open` of these formats: parses the header, then reads the frames as they are
 * (format/raw_reader_priv.h). Samples that are neither PCM nor float are left to libsndfile. */
int source_open_chunked(struct input *input, const struct source_request *request,
                        const struct recognised *found, struct source **source,
                        struct error *error);

/* ---- NumPy's .npy */

enum {
    NPY_START = 8,             /* magic and version */
    NPY_TEXT_MOST = 64 * 1024, /* the longest header text that is read */
    NPY_WRITTEN = 128,         /* bytes of a header as written */
};

/* The size of the field after the first NPY_START bytes that holds the length of the text: 2 or 4,
 * or 0 if this is no .npy file of a known version. */
unsigned npy_header_start(const unsigned char bytes[NPY_START]);

/* Parses the text (`size` bytes, not terminated): rows are frames, and columns channels. False:
 * `*why` says why the array cannot be used: "has 3 dimensions". Pure. */
bool npy_header_parse(const char *text, size_t size, struct raw_reader_data *data,
                      const char **why);

/* ---- SigMF's metadata */

struct sigmf_meta {
    struct raw_reader_data data; /* `bytes` is not set */
    bool pairs;                  /* samples are pairs of channels: I, then Q */
    uint64_t header_bytes;       /* bytes before the first capture */
    uint64_t start;              /* number of frames before the first capture */
    uint64_t trailing_bytes;     /* bytes at the end that are no samples */
    char why[128];               /* the metadata cannot be used: "it is not JSON" */
};

/* False: meta->why says why. Pure. */
bool sigmf_meta_parse(const char *text, size_t size, struct sigmf_meta *meta);

#endif
