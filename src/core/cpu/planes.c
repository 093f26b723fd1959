/* All relevant machines have vectors of 16 bytes, so one version serves all instruction sets: it
 * costs little compared with sliding. Values are copied as they are: what they mean does not
 * matter. */
#include "cpu/planes.h"

#include <stdint.h>
#include <string.h>

#include "sample/strided.h"

typedef float vector __attribute__((vector_size(16)));
typedef long long couple __attribute__((vector_size(16)));

struct square {
    vector row[4];
};

static inline struct square transpose(struct square in)
{
    vector a = __builtin_shufflevector(in.row[0], in.row[1], 0, 4, 1, 5);
    vector b = __builtin_shufflevector(in.row[2], in.row[3], 0, 4, 1, 5);
    vector c = __builtin_shufflevector(in.row[0], in.row[1], 2, 6, 3, 7);
    vector d = __builtin_shufflevector(in.row[2], in.row[3], 2, 6, 3, 7);
    struct square out = {{
        __builtin_shufflevector(a, b, 0, 1, 4, 5),
        __builtin_shufflevector(a, b, 2, 3, 6, 7),
        __builtin_shufflevector(c, d, 0, 1, 4, 5),
        __builtin_shufflevector(c, d, 2, 3, 6, 7),
    }};

    return out;
}

/* Two planes: a frame's two values move as one. */
static void split_two(const float *frames, size_t stride, size_t count, float *const plane[])
{
    size_t i = 0;

    for (; i + 4 <= count; i += 4) {
        long long two[4];
        couple first;
        couple second;
        vector a;
        vector b;

        for (unsigned j = 0; j < 4; j++)
            memcpy(&two[j], frames + (i + j) * stride, sizeof two[j]);
        first = (couple){two[0], two[1]};
        second = (couple){two[2], two[3]};
        a = (vector)first;
        b = (vector)second;
        first = (couple)__builtin_shufflevector(a, b, 0, 2, 4, 6);
        second = (couple)__builtin_shufflevector(a, b, 1, 3, 5, 7);
        memcpy(plane[0] + i, &first, sizeof first);
        memcpy(plane[1] + i, &second, sizeof second);
    }
    for (; i < count; i++) { /* neither is always aligned */
        memcpy(plane[0] + i, frames + i * stride, sizeof(float));
        memcpy(plane[1] + i, frames + i * stride + 1, sizeof(float));
    }
}

/* Four values of a frame are loaded even if fewer are wanted: with so many frames behind it they
 * are readable, wherever in the frame these planes are. */
static inline size_t frames_behind(size_t stride, unsigned planes)
{
    return (PLANES_GROUP - planes + stride - 1) / stride;
}

/* `planes` is a constant in each call. */
static inline __attribute__((always_inline)) void
split_group(const float *frames, size_t stride, unsigned planes, size_t count, float *const plane[])
{
    const size_t last = frames_behind(stride, planes);
    size_t i = 0;

    for (; i + 4 + last <= count; i += 4) {
        struct square in;

        for (unsigned j = 0; j < 4; j++)
            memcpy(&in.row[j], frames + (i + j) * stride, sizeof in.row[j]);
        in = transpose(in);
        for (unsigned p = 0; p < planes; p++)
            memcpy(plane[p] + i, &in.row[p], sizeof in.row[p]);
    }
    for (; i < count; i++) {
        for (unsigned p = 0; p < planes; p++)
            memcpy(plane[p] + i, frames + i * stride + p, sizeof(float));
    }
}

static inline __attribute__((always_inline)) void
join_group(const float *const plane[], unsigned planes, size_t count, float *frames, size_t stride)
{
    const float *from[PLANES_GROUP]; /* in registers: frames might be where `plane` is */
    size_t i = 0;

    for (unsigned p = 0; p < planes; p++)
        from[p] = plane[p];
    for (; i + 4 <= count; i += 4) {
        struct square in = {{{0}, {0}, {0}, {0}}};

#pragma GCC unroll 4
        for (unsigned p = 0; p < planes; p++)
            memcpy(&in.row[p], from[p] + i, sizeof in.row[p]);
        in = transpose(in);
#pragma GCC unroll 4
        for (unsigned j = 0; j < 4; j++)
            memcpy(frames + (i + j) * stride, &in.row[j], planes * sizeof(float));
    }
    for (; i < count; i++) {
        for (unsigned p = 0; p < planes; p++)
            memcpy(frames + i * stride + p, from[p] + i, sizeof(float));
    }
}

static void split_four_bytes(const float *frames, size_t stride, unsigned planes, size_t count,
                             float *const plane[])
{
    switch (planes) {
    case 4:
        split_group(frames, stride, 4, count, plane);
        break;
    case 3:
        split_group(frames, stride, 3, count, plane);
        break;
    case 2:
        split_two(frames, stride, count, plane);
        break;
    default:
        split_group(frames, stride, 1, count, plane);
        break;
    }
}

static void join_four_bytes(const float *const plane[], unsigned planes, size_t count,
                            float *frames, size_t stride)
{
    switch (planes) {
    case 4:
        join_group(plane, 4, count, frames, stride);
        break;
    case 3:
        join_group(plane, 3, count, frames, stride);
        break;
    case 2:
        join_group(plane, 2, count, frames, stride);
        break;
    default:
        join_group(plane, 1, count, frames, stride);
        break;
    }
}

/* ---- values of 8 bytes */

#define EIGHT ((size_t)8)

/* Two planes, two frames at a time. */
static void split_couple(const unsigned char *frames, size_t stride, size_t count,
                         unsigned char *first, unsigned char *second)
{
    size_t i = 0;

    for (; i + 2 <= count; i += 2) {
        couple a;
        couple b;
        couple one;
        couple other;

        memcpy(&a, frames + i * stride * EIGHT, sizeof a);
        memcpy(&b, frames + (i + 1) * stride * EIGHT, sizeof b);
        one = __builtin_shufflevector(a, b, 0, 2);
        other = __builtin_shufflevector(a, b, 1, 3);
        memcpy(first + i * EIGHT, &one, sizeof one);
        memcpy(second + i * EIGHT, &other, sizeof other);
    }
    if (i < count) {
        memcpy(first + i * EIGHT, frames + i * stride * EIGHT, EIGHT);
        memcpy(second + i * EIGHT, frames + (i * stride + 1) * EIGHT, EIGHT);
    }
}

static void join_couple(const unsigned char *first, const unsigned char *second, size_t count,
                        unsigned char *frames, size_t stride)
{
    size_t i = 0;

    for (; i + 2 <= count; i += 2) {
        couple one;
        couple other;
        couple a;
        couple b;

        memcpy(&one, first + i * EIGHT, sizeof one);
        memcpy(&other, second + i * EIGHT, sizeof other);
        a = __builtin_shufflevector(one, other, 0, 2);
        b = __builtin_shufflevector(one, other, 1, 3);
        memcpy(frames + i * stride * EIGHT, &a, sizeof a);
        memcpy(frames + (i + 1) * stride * EIGHT, &b, sizeof b);
    }
    if (i < count) {
        memcpy(frames + i * stride * EIGHT, first + i * EIGHT, EIGHT);
        memcpy(frames + (i * stride + 1) * EIGHT, second + i * EIGHT, EIGHT);
    }
}

/* ---- values of 1 or 2 bytes */

typedef uint8_t octets __attribute__((vector_size(16)));
typedef uint16_t shorts __attribute__((vector_size(16)));
typedef uint32_t quad __attribute__((vector_size(16)));

/* Four planes of a vector, or as many frames. */
struct shuffled {
    octets row[4];
};

/* The values of the first two vectors take turns with those of the last two. So a value's number
 * turns left by one bit: after twice, the numbers of planes are behind those of frames. `bytes` is
 * a constant in each call, here and below. */
static inline __attribute__((always_inline)) struct shuffled shuffle(struct shuffled in,
                                                                     const size_t bytes)
{
    struct shuffled out;

    for (size_t i = 0; i < 2; i++) {
        const octets a = in.row[i];
        const octets b = in.row[i + 2];

        if (bytes == 1) {
            out.row[2 * i] = __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21,
                                                     6, 22, 7, 23);
            out.row[2 * i + 1] = __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28,
                                                         13, 29, 14, 30, 15, 31);
        } else {
            out.row[2 * i] =
                (octets)__builtin_shufflevector((shorts)a, (shorts)b, 0, 8, 1, 9, 2, 10, 3, 11);
            out.row[2 * i + 1] =
                (octets)__builtin_shufflevector((shorts)a, (shorts)b, 4, 12, 5, 13, 6, 14, 7, 15);
        }
    }
    return out;
}

/* A vector of frames of four values, which are `step` bytes apart. */
static inline __attribute__((always_inline)) octets gather(const unsigned char *frames, size_t step,
                                                           const size_t bytes)
{
    uint32_t words[4];
    long long two[2];

    if (bytes == 1) {
        for (unsigned i = 0; i < 4; i++)
            memcpy(&words[i], frames + i * step, sizeof words[i]);
        return (octets)(quad){words[0], words[1], words[2], words[3]};
    }
    for (unsigned i = 0; i < 2; i++)
        memcpy(&two[i], frames + i * step, sizeof two[i]);
    return (octets)(couple){two[0], two[1]};
}

static inline __attribute__((always_inline)) void
scatter(octets row, unsigned char *frames, size_t step, unsigned planes, const size_t bytes)
{
    const quad words = (quad)row;
    const couple two = (couple)row;

    for (unsigned i = 0; i < 4 / bytes; i++) {
        const uint32_t word = words[i];
        const long long one = two[i % 2];

        memcpy(frames + i * step, bytes == 1 ? (const void *)&word : &one, planes * bytes);
    }
}

/* Up to four planes; returns how many frames are done. */
static inline __attribute__((always_inline)) size_t
split_shuffled(const unsigned char *frames, size_t stride, unsigned planes, size_t count,
               void *const plane[], const size_t bytes)
{
    const size_t some = 16 / bytes;
    const size_t last = frames_behind(stride, planes);
    size_t i = 0;

    for (; i + some + last <= count; i += some) {
        struct shuffled rows;

        for (unsigned j = 0; j < 4; j++)
            rows.row[j] =
                gather(frames + (i + j * some / 4) * stride * bytes, stride * bytes, bytes);
#pragma GCC unroll 4
        for (size_t numbers = some; numbers > 1; numbers /= 2)
            rows = shuffle(rows, bytes);
        for (unsigned p = 0; p < planes; p++)
            memcpy((unsigned char *)plane[p] + i * bytes, &rows.row[p], sizeof rows.row[p]);
    }
    return i;
}

/* `planes` is a constant in each call. */
static inline __attribute__((always_inline)) size_t join_shuffled(const void *const plane[],
                                                                  unsigned planes, size_t count,
                                                                  unsigned char *frames,
                                                                  size_t stride, const size_t bytes)
{
    const size_t some = 16 / bytes;
    size_t i = 0;

    for (; i + some <= count; i += some) {
        struct shuffled rows = {{{0}, {0}, {0}, {0}}};

        for (unsigned p = 0; p < planes; p++)
            memcpy(&rows.row[p], (const unsigned char *)plane[p] + i * bytes, sizeof rows.row[p]);
        rows = shuffle(shuffle(rows, bytes), bytes);
        for (unsigned j = 0; j < 4; j++)
            scatter(rows.row[j], frames + (i + j * some / 4) * stride * bytes, stride * bytes,
                    planes, bytes);
    }
    return i;
}

/* `bytes` and `step` are constants in each call. */
static inline __attribute__((always_inline)) void copy_small(const unsigned char *from, size_t step,
                                                             unsigned char *to, size_t to_step,
                                                             size_t count, const size_t bytes)
{
    for (size_t i = 0; i < count; i++)
        memcpy(to + i * to_step * bytes, from + i * step * bytes, bytes);
}

/* Those of two channels are what compilers vectorise. */
static inline __attribute__((always_inline)) void split_small(const unsigned char *frames,
                                                              size_t stride, unsigned planes,
                                                              size_t count, void *const plane[],
                                                              const size_t bytes)
{
    const size_t done =
        stride > 2 ? split_shuffled(frames, stride, planes, count, plane, bytes) : 0;

    frames += done * stride * bytes;
    for (unsigned p = 0; p < planes; p++) {
        unsigned char *to = (unsigned char *)plane[p] + done * bytes;

        if (stride == 2)
            copy_small(frames + p * bytes, 2, to, 1, count, bytes);
        else
            copy_small(frames + p * bytes, stride, to, 1, count - done, bytes);
    }
}

static inline __attribute__((always_inline)) void join_small(const void *const plane[],
                                                             unsigned planes, size_t count,
                                                             unsigned char *restrict frames,
                                                             size_t stride, const size_t bytes)
{
    size_t done = 0;
    unsigned p = 0;

    for (; p + 2 <= planes && stride == 2; p += 2) {
        const unsigned char *first = plane[p];
        const unsigned char *second = plane[p + 1];

        for (size_t i = 0; i < count; i++) {
            memcpy(frames + (2 * i + p) * bytes, first + i * bytes, bytes);
            memcpy(frames + (2 * i + p + 1) * bytes, second + i * bytes, bytes);
        }
    }
    if (p == planes)
        return;
    if (planes == 4)
        done = join_shuffled(plane, 4, count, frames, stride, bytes);
    else if (planes == 3)
        done = join_shuffled(plane, 3, count, frames, stride, bytes);
    else if (planes == 2)
        done = join_shuffled(plane, 2, count, frames, stride, bytes);
    for (; p < planes; p++)
        copy_small((const unsigned char *)plane[p] + done * bytes, 1,
                   frames + (done * stride + p) * bytes, stride, count - done, bytes);
}

/* ---- of any size */

void planes_split(size_t value_bytes, const void *frames, size_t stride, unsigned planes,
                  size_t count, void *const plane[])
{
    const unsigned char *from = frames;
    unsigned p = 0;

    if (value_bytes == sizeof(float)) {
        float *const to[PLANES_GROUP] = {plane[0], planes > 1 ? plane[1] : NULL,
                                         planes > 2 ? plane[2] : NULL,
                                         planes > 3 ? plane[3] : NULL};

        split_four_bytes(frames, stride, planes, count, to);
        return;
    }
    if (value_bytes <= 2) {
        if (value_bytes == 1)
            split_small(frames, stride, planes, count, plane, 1);
        else
            split_small(frames, stride, planes, count, plane, 2);
        return;
    }
    for (; value_bytes == EIGHT && p + 2 <= planes; p += 2)
        split_couple(from + p * EIGHT, stride, count, plane[p], plane[p + 1]);
    for (; p < planes; p++)
        strided_copy(from + p * value_bytes, (ptrdiff_t)(stride * value_bytes), plane[p],
                     (ptrdiff_t)value_bytes, count, value_bytes);
}

void planes_join(size_t value_bytes, const void *const plane[], unsigned planes, size_t count,
                 void *frames, size_t stride)
{
    unsigned char *to = frames;
    unsigned p = 0;

    if (planes == 1 && stride == 1) {
        if (frames != plane[0])
            memcpy(frames, plane[0], count * value_bytes);
        return;
    }
    for (; value_bytes <= 2 && p < planes; p += PLANES_GROUP) {
        const unsigned left = planes - p;
        const unsigned group = left < PLANES_GROUP ? left : PLANES_GROUP;

        if (value_bytes == 1)
            join_small(plane + p, group, count, to + p, stride, 1);
        else
            join_small(plane + p, group, count, to + 2 * (size_t)p, stride, 2);
    }
    for (; value_bytes == sizeof(float) && p < planes; p += PLANES_GROUP) {
        unsigned left = planes - p;
        unsigned group = left < PLANES_GROUP ? left : PLANES_GROUP;
        const float *from[PLANES_GROUP];

        for (unsigned i = 0; i < group; i++)
            from[i] = plane[p + i];
        join_four_bytes(from, group, count, (float *)frames + p, stride);
    }
    for (; value_bytes == EIGHT && p + 2 <= planes; p += 2)
        join_couple(plane[p], plane[p + 1], count, to + p * EIGHT, stride);
    for (; p < planes; p++)
        strided_copy(plane[p], (ptrdiff_t)value_bytes, to + p * value_bytes,
                     (ptrdiff_t)(stride * value_bytes), count, value_bytes);
}
