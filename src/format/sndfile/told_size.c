#include "format/sndfile/told_size.h"

#include <string.h>

#include "format/numbers.h"

/* A message with numbers of 7 bits a byte, the lowest first; then messages of 127 bytes, each with
 * as many whole samples as 120 bytes hold. */
uint64_t told_sds(const unsigned char *bytes, size_t size)
{
    enum { START = 21, PACKET = 127, HELD = 120 };
    uint64_t frames;
    unsigned per_packet;

    if (size < START || memcmp(bytes, "\xf0\x7e", 2) != 0 || bytes[3] != 1 || bytes[20] != 0xf7 ||
        bytes[6] < 8 || bytes[6] > 28)
        return 0;
    frames = bytes[10] | (uint64_t)bytes[11] << 7 | (uint64_t)bytes[12] << 14;
    per_packet = HELD / ((bytes[6] + 6U) / 7);
    return START + (frames + per_packet - 1) / per_packet * PACKET;
}

/* Two matrices: the rate, one number; and the samples, a row a channel. In front of each stand its
 * type, rows, columns, whether it is complex, and the length of its name. The name follows. */
const unsigned char mat4_starts[2][MAT4_START + 1] = {
    "\0\0\0\0\1\0\0\0\1\0\0\0\0\0\0\0\x0b\0\0\0samplerate",
    "\0\0\3\xe8\0\0\0\1\0\0\0\1\0\0\0\0\0\0\0\x0bsamplerate",
};

uint64_t told_mat4(const unsigned char *bytes, size_t size)
{
    enum { FIELDS = 20, SECOND = MAT4_START + sizeof(double) };
    static const unsigned char widths[] = {8, 4, 4, 2, 2, 1};
    const unsigned char *fields = bytes + SECOND;
    uint64_t kind;
    uint64_t samples;
    bool big;

    if (size < SECOND + FIELDS)
        return 0;
    big = memcmp(bytes, mat4_starts[1], MAT4_START) == 0;
    kind = number_of(fields, 4, big) % 100 / 10; /* the digit of tens */
    samples = number_of(fields + 4, 4, big) * number_of(fields + 8, 4, big);
    if ((!big && memcmp(bytes, mat4_starts[0], MAT4_START) != 0) || kind >= sizeof widths ||
        samples > INT64_MAX / 16)
        return 0;
    return SECOND + FIELDS + number_of(fields + 16, 4, big) + samples * widths[kind];
}

/* Big-endian: the number of samples, the time between two, 2 bytes a sample, and 0 for sound. */
uint64_t told_htk(const unsigned char *bytes, size_t size)
{
    enum { START = 12 };

    if (size < START || memcmp(bytes + 8, "\0\2\0", 4) != 0)
        return 0;
    return START + 2 * (uint64_t)number_big32(bytes);
}

/* A name of letters, one or two channels, and from byte 30 on the number of frames, of 2 bytes a
 * channel. */
uint64_t told_mpc2k(const unsigned char *bytes, size_t size)
{
    enum { START = 42, NAME = 2, NAME_LENGTH = 16 };

    if (size < START || memcmp(bytes, "\1\4", 2) != 0 || bytes[21] > 1)
        return 0;
    for (int i = NAME; i < NAME + NAME_LENGTH; i++) {
        if (bytes[i] < ' ' || bytes[i] > '~')
            return 0;
    }
    return START + 2 * (bytes[21] + UINT64_C(1)) * number_of(bytes + 30, 4, false);
}
