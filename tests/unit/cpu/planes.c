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

/* `first` is the plane that the group begins with. */
static void check_split(size_t bytes, size_t stride, unsigned first, unsigned planes, size_t count)
{
    unsigned char *frames = random_bytes(count * stride * bytes);
    void *plane[PLANES_GROUP] = {NULL};
    bool right = true;

    for (unsigned p = 0; p < planes; p++)
        plane[p] = random_bytes(count * bytes);
    planes_split(bytes, frames + first * bytes, stride, planes, count, plane);
    for (unsigned p = 0; p < planes; p++) {
        for (size_t i = 0; i < count; i++)
            right = right && memcmp((unsigned char *)plane[p] + i * bytes,
                                    frames + (i * stride + first + p) * bytes, bytes) == 0;
        free(plane[p]);
    }
    free(frames);
    CHECK_THAT(right, "split: %zu bytes, stride %zu, planes %u-%u, %zu frames", bytes, stride,
               first, first + planes, count);
}

static void check_join(size_t bytes, size_t stride, unsigned first, unsigned planes, size_t count)
{
    const size_t all = count * stride * bytes;
    unsigned char *frames = random_bytes(all);
    unsigned char *expected = random_bytes(all);
    const void *plane[PLANES_MOST] = {NULL};
    void *owned[PLANES_MOST] = {NULL};

    memcpy(expected, frames, all);
    for (unsigned p = 0; p < planes; p++) {
        plane[p] = owned[p] = random_bytes(count * bytes);
        for (size_t i = 0; i < count; i++)
            memcpy(expected + (i * stride + first + p) * bytes,
                   (unsigned char *)owned[p] + i * bytes, bytes);
    }
    planes_join(bytes, plane, planes, count, frames + first * bytes, stride);
    CHECK_THAT(memcmp(frames, expected, all) == 0,
               "join: %zu bytes, stride %zu, planes %u-%u, %zu frames", bytes, stride, first,
               first + planes, count);
    for (unsigned p = 0; p < planes; p++)
        free(owned[p]);
    free(expected);
    free(frames);
}

static void check_stride(size_t bytes, size_t stride)
{
    for (size_t count = 1; count <= 70; count += 1 + count / 8) {
        for (unsigned planes = 1; planes <= stride; planes++) {
            const unsigned first = (unsigned)random_below(stride - planes + 1);

            if (planes <= PLANES_GROUP)
                check_split(bytes, stride, first, planes, count);
            if (planes <= PLANES_GROUP)
                check_split(bytes, stride, (unsigned)stride - planes, planes, count);
            check_join(bytes, stride, first, planes, count);
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
