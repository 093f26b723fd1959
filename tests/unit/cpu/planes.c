/* SPDX-License-Identifier: MIT */
/* Frames to planes and back, against copies one by one: values of every size, strides and groups of
 * planes of any width, in memory that ends where the frames end. */
#include "check.h"
#include "random.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/planes.h"

enum { PLANES_MOST = 9 };

static unsigned char *random_bytes(size_t bytes)
{
    unsigned char *made = malloc(bytes + 1);

    if (made == NULL)
        abort();
    for (size_t i = 0; i < bytes; i++)
        made[i] = (unsigned char)random_number();
    return made;
}

/* Planes are joined into frames, and split from them again. `first` is the plane that the group
 * begins with. */
static void check_group(size_t bytes, size_t stride, unsigned first, unsigned planes, size_t count)
{
    const size_t all = count * stride * bytes;
    unsigned char *frames = random_bytes(all);
    unsigned char *expected = random_bytes(all);
    const void *from[PLANES_MOST] = {NULL};
    void *plane[PLANES_MOST] = {NULL};
    void *split[PLANES_MOST] = {NULL};
    bool right = true;

    memcpy(expected, frames, all);
    for (unsigned p = 0; p < planes; p++) {
        from[p] = plane[p] = random_bytes(count * bytes);
        split[p] = random_bytes(count * bytes);
        for (size_t i = 0; i < count; i++)
            memcpy(expected + (i * stride + first + p) * bytes,
                   (unsigned char *)plane[p] + i * bytes, bytes);
    }
    planes_join(bytes, from, planes, count, frames + first * bytes, stride);
    right = memcmp(frames, expected, all) == 0;
    if (planes <= PLANES_GROUP)
        planes_split(bytes, expected + first * bytes, stride, planes, count, split);
    for (unsigned p = 0; p < planes; p++) {
        right = right && (planes > PLANES_GROUP || memcmp(split[p], plane[p], count * bytes) == 0);
        free(plane[p]);
        free(split[p]);
    }
    CHECK_THAT(right, "%zu bytes, stride %zu, planes %u-%u, %zu frames", bytes, stride, first,
               first + planes, count);
    free(expected);
    free(frames);
}

static void check_stride(size_t bytes, size_t stride)
{
    for (size_t count = 1; count <= 70; count += 1 + count / 8) {
        for (unsigned planes = 1; planes <= stride; planes++) {
            check_group(bytes, stride, (unsigned)random_below(stride - planes + 1), planes, count);
            check_group(bytes, stride, (unsigned)stride - planes, planes, count);
        }
    }
}

int main(void)
{
    static const size_t sizes[] = {1, 2, 3, 4, 8, 16};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (size_t stride = 1; stride <= PLANES_MOST; stride++)
            check_stride(sizes[i], stride);
    }
    return check_result();
}
