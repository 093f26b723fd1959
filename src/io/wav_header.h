/* The header of WAV, RIFX, RF64, BW64 and W64, up to the first byte of the samples. Pure: it is
 * handed bytes, and says what it wants next. It never asks for more than WAV_HEADER_MOST bytes at
 * a time, and keeps none of them.
 *
 *     wav_header_init(&header);
 *     while (header.want is WAV_WANTS_...)
 *         hand over what it wants, by the function of that name;
 */
#ifndef GPUENV_IO_WAV_HEADER_H
#define GPUENV_IO_WAV_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sample/sample_type.h"

enum { WAV_HEADER_MOST = 64 };

/* The samples go on until the stream ends. */
#define WAV_UNTIL_END UINT64_MAX

enum wav_want {
    WAV_WANTS_BYTES, /* exactly `size` bytes: wav_header_take() */
    WAV_WANTS_SKIP,  /* `size` bytes passed over: wav_header_skipped() */
    WAV_WANTS_LOOK,  /* `size` bytes or fewer, as many as there are, not taken: wav_header_look() */
    WAV_IS_READY,    /* the next byte is the first of the samples */
    WAV_IS_FOREIGN,  /* a WAV, but its samples are not PCM or float: `codec` */
    WAV_IS_BAD,      /* `why` */
};

struct wav_header {
    enum wav_want want;
    uint64_t size;

    /* when ready */
    const char *container; /* "wav", "rf64" or "w64" */
    struct sample_type sample;
    unsigned channels;
    uint32_t rate; /* 0: not known */
    uint64_t bytes;

    unsigned codec;  /* when foreign */
    const char *why; /* when bad: "has no fmt chunk before its data" */

    /* its own */
    int state;
    bool big_endian;
    bool has_format;
    uint64_t position;   /* bytes so far */
    uint64_t riff_end;   /* where the file says that it ends; 0: it does not say */
    uint64_t data_bytes; /* from a ds64 chunk */
    bool has_data_bytes;
    uint64_t rest; /* of the chunk, behind what was asked for */
};

void wav_header_init(struct wav_header *header);
void wav_header_take(struct wav_header *header, const unsigned char *bytes);
void wav_header_skipped(struct wav_header *header);
void wav_header_look(struct wav_header *header, const unsigned char *bytes, size_t size);

/* "IMA ADPCM" for 0x11; "codec" for what has no name here. */
const char *wav_header_codec_name(unsigned codec);

#endif
