/* SPDX-License-Identifier: MIT */
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

/* sample_load16() and sample_store16(), and so on. */
#define SAMPLE_LOAD_AND_STORE(width)                                                               \
    SAMPLE_TEMPLATE uint##width##_t sample_load##width(const unsigned char *raw, bool big)         \
    {                                                                                              \
        uint##width##_t bits;                                                                      \
        memcpy(&bits, raw, sizeof bits);                                                           \
        return big != SAMPLE_MACHINE_IS_BIG ? sample_swap##width(bits) : bits;                     \
    }                                                                                              \
                                                                                                   \
    SAMPLE_TEMPLATE void sample_store##width(unsigned char *raw, uint64_t number, bool big)        \
    {                                                                                              \
        uint##width##_t bits = (uint##width##_t)number;                                            \
        if (big != SAMPLE_MACHINE_IS_BIG)                                                          \
            bits = sample_swap##width(bits);                                                       \
        memcpy(raw, &bits, sizeof bits);                                                           \
    }

SAMPLE_LOAD_AND_STORE(16)
SAMPLE_LOAD_AND_STORE(32)
SAMPLE_LOAD_AND_STORE(64)

SAMPLE_TEMPLATE uint32_t sample_load24(const unsigned char *raw, bool big)
{
    uint32_t first = raw[0];
    uint32_t middle = raw[1];
    uint32_t last = raw[2];
    return big ? first << 16 | middle << 8 | last : last << 16 | middle << 8 | first;
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

SAMPLE_TEMPLATE void sample_store8(unsigned char *raw, uint64_t number, bool big)
{
    (void)big;
    raw[0] = (unsigned char)number;
}

SAMPLE_TEMPLATE void sample_store24(unsigned char *raw, uint64_t number, bool big)
{
    raw[big ? 2 : 0] = (unsigned char)number;
    raw[1] = (unsigned char)(number >> 8);
    raw[big ? 0 : 2] = (unsigned char)(number >> 16);
}

#endif
