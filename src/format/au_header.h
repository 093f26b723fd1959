/* The header of an AU (".snd") file, of either byte order. Pure. Private to this room. */
#ifndef GPUENV_FORMAT_AU_HEADER_H
#define GPUENV_FORMAT_AU_HEADER_H

#include <stdbool.h>
#include <stdint.h>

#include "sample/sample_type.h"

enum { AU_HEADER_BYTES = 24 };

#define AU_UNTIL_END UINT64_MAX

enum au_verdict {
    AU_IS_FINE,
    AU_IS_FOREIGN, /* an AU, but its samples are neither PCM nor float */
    AU_IS_BAD,
};

struct au_header {
    struct sample_type sample;
    unsigned channels;
    uint32_t rate;   /* 0: not known */
    uint32_t offset; /* of the first sample from the beginning of the header */
    uint64_t bytes;  /* of the samples; AU_UNTIL_END */
    uint32_t codec;
};

enum au_verdict au_header_parse(const unsigned char bytes[AU_HEADER_BYTES],
                                struct au_header *header);

/* The number of an encoding; 0: AU has none for this type. */
uint32_t au_header_codec(enum sample_kind kind);

#endif
