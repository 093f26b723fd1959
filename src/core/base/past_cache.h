/* SPDX-License-Identifier: MIT */
/* Copies into memory that is not read again soon. Writing past the caches saves reading the lines
 * that are overwritten. */
#ifndef GPUENV_BASE_PAST_CACHE_H
#define GPUENV_BASE_PAST_CACHE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

static inline void copy_past_cache(void *to, const void *from, size_t bytes)
{
#ifdef __SSE2__
    unsigned char *out = to;
    const unsigned char *in = from;
    size_t head = (size_t)(-(uintptr_t)out % 64);
    size_t lines;

    if (head > bytes)
        head = bytes;
    memcpy(out, in, head);
    lines = (bytes - head) / 64;
    for (size_t i = 0; i < lines; i++) {
        const unsigned char *line = in + head + 64 * i;
        __m128i part[4];

        for (size_t k = 0; k < 4; k++)
            part[k] = _mm_loadu_si128((const __m128i *)(const void *)(line + 16 * k));
        for (size_t k = 0; k < 4; k++)
            _mm_stream_si128((__m128i *)(void *)(out + head + 64 * i + 16 * k), part[k]);
    }
    head += 64 * lines;
    memcpy(out + head, in + head, bytes - head);
#else
    memcpy(to, from, bytes);
#endif
}

/* Call this after the last copy of a thread, before another thread reads it. */
static inline void copy_past_cache_done(void)
{
#ifdef __SSE2__
    _mm_sfence();
#endif
}

#endif
