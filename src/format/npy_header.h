/* The header of a NumPy .npy file: both ways between its text and what it says. Pure. Private to
 * this room. */
#ifndef GPUENV_FORMAT_NPY_HEADER_H
#define GPUENV_FORMAT_NPY_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sample/sample_type.h"

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
