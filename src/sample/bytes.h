/* Loads and stores numbers as raw bytes, in either byte order and at any alignment. For this room
 * and for the device kernel that decodes raw samples.
 *
 * In a loop, `big` is always a constant: each loop is compiled for one byte order, without a
 * branch. */
#ifndef GPUENV_SAMPLE_BYTES_H
#define GPUENV_SAMPLE_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/device_too.h"

/* For loop templates: a function passed as a constant argument must be inlined into the loop, or
 * the loop is not vectorised. */
#define SAMPLE_TEMPLATE DEVICE_TOO __attribute__((always_inline))

#define SAMPLE_MACHINE_IS_BIG (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

/* The builtins do not exist on a device. */
#ifdef __CUDA_ARCH__
SAMPLE_TEMPLATE uint16_t sample_swap16(uint16_t bits)
{
    return (uint16_t)(bits >> 8 | bits << 8);
}

SAMPLE_TEMPLATE uint32_t sample_swap32(uint32_t bits)
{
    return __byte_perm(bits, 0, 0x0123);
}

SAMPLE_TEMPLATE uint64_t sample_swap64(uint64_t bits)
{
    return (uint64_t)sample_swap32((uint32_t)bits) << 32 | sample_swap32((uint32_t)(bits >> 32));
}
#else
#define sample_swap16 __builtin_bswap16
#define sample_swap32 __builtin_bswap32
#define sample_swap64 __builtin_bswap64
#endif

SAMPLE_TEMPLATE uint16_t sample_load16(const unsigned char *raw, bool big)
{
    uint16_t bits;
    memcpy(&bits, raw, sizeof bits);
    return big != SAMPLE_MACHINE_IS_BIG ? sample_swap16(bits) : bits;
}

SAMPLE_TEMPLATE uint32_t sample_load24(const unsigned char *raw, bool big)
{
    uint32_t first = raw[0];
    uint32_t middle = raw[1];
    uint32_t last = raw[2];
    return big ? first << 16 | middle << 8 | last : last << 16 | middle << 8 | first;
}

SAMPLE_TEMPLATE uint32_t sample_load32(const unsigned char *raw, bool big)
{
    uint32_t bits;
    memcpy(&bits, raw, sizeof bits);
    return big != SAMPLE_MACHINE_IS_BIG ? sample_swap32(bits) : bits;
}

SAMPLE_TEMPLATE uint64_t sample_load64(const unsigned char *raw, bool big)
{
    uint64_t bits;
    memcpy(&bits, raw, sizeof bits);
    return big != SAMPLE_MACHINE_IS_BIG ? sample_swap64(bits) : bits;
}

SAMPLE_TEMPLATE float sample_load_float(const unsigned char *raw, bool big)
{
    uint32_t bits = sample_load32(raw, big);
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

SAMPLE_TEMPLATE double sample_load_double(const unsigned char *raw, bool big)
{
    uint64_t bits = sample_load64(raw, big);
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

SAMPLE_TEMPLATE void sample_store8(unsigned char *raw, uint32_t bits, bool big)
{
    (void)big;
    raw[0] = (unsigned char)bits;
}

SAMPLE_TEMPLATE void sample_store16(unsigned char *raw, uint32_t bits, bool big)
{
    uint16_t low = (uint16_t)bits;
    if (big != SAMPLE_MACHINE_IS_BIG)
        low = sample_swap16(low);
    memcpy(raw, &low, sizeof low);
}

SAMPLE_TEMPLATE void sample_store24(unsigned char *raw, uint32_t bits, bool big)
{
    raw[big ? 2 : 0] = (unsigned char)bits;
    raw[1] = (unsigned char)(bits >> 8);
    raw[big ? 0 : 2] = (unsigned char)(bits >> 16);
}

SAMPLE_TEMPLATE void sample_store32(unsigned char *raw, uint32_t bits, bool big)
{
    if (big != SAMPLE_MACHINE_IS_BIG)
        bits = sample_swap32(bits);
    memcpy(raw, &bits, sizeof bits);
}

SAMPLE_TEMPLATE void sample_store64(unsigned char *raw, uint64_t bits, bool big)
{
    if (big != SAMPLE_MACHINE_IS_BIG)
        bits = sample_swap64(bits);
    memcpy(raw, &bits, sizeof bits);
}

#endif
