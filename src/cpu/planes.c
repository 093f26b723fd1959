/* All relevant machines have vectors of four floats, so one version serves all instruction sets: it
 * costs little compared with sliding. */
#include "cpu/planes.h"

#include <string.h>

typedef float vector __attribute__((vector_size(16)));

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
    typedef long long couple __attribute__((vector_size(16)));
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
    for (; i < count; i++) {
        plane[0][i] = frames[i * stride];
        plane[1][i] = frames[i * stride + 1];
    }
}

/* `planes` is a constant in each call. Four values of a frame are loaded even if fewer are wanted:
 * the next frame guarantees that they are readable. */
static inline __attribute__((always_inline)) void
split_group(const float *frames, size_t stride, unsigned planes, size_t count, float *const plane[])
{
    size_t last = planes == PLANES_GROUP ? 0 : 1;
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
            plane[p][i] = frames[i * stride + p];
    }
}

static inline __attribute__((always_inline)) void
join_group(const float *const plane[], unsigned planes, size_t count, float *frames, size_t stride)
{
    size_t i = 0;

    for (; i + 4 <= count; i += 4) {
        struct square in = {{{0}, {0}, {0}, {0}}};

        for (unsigned p = 0; p < planes; p++)
            memcpy(&in.row[p], plane[p] + i, sizeof in.row[p]);
        in = transpose(in);
        for (unsigned j = 0; j < 4; j++)
            memcpy(frames + (i + j) * stride, &in.row[j], planes * sizeof(float));
    }
    for (; i < count; i++) {
        for (unsigned p = 0; p < planes; p++)
            frames[i * stride + p] = plane[p][i];
    }
}

void planes_split(const float *frames, size_t stride, unsigned planes, size_t count,
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
        for (size_t i = 0; i < count; i++)
            plane[0][i] = frames[i * stride];
        break;
    }
}

void planes_join(const float *const plane[], unsigned planes, size_t count, float *frames,
                 size_t stride)
{
    for (; planes >= 4; planes -= 4, plane += 4, frames += 4)
        join_group(plane, 4, count, frames, stride);
    switch (planes) {
    case 3:
        join_group(plane, 3, count, frames, stride);
        break;
    case 2:
        join_group(plane, 2, count, frames, stride);
        break;
    case 1:
        join_group(plane, 1, count, frames, stride);
        break;
    default:
        break;
    }
}
