/* SPDX-License-Identifier: MIT */
#include "lib/stream_buffers_priv.h"

#include "base/min_max.h"
#include "cpu/planes.h"

static bool overlap(const void *one, size_t one_bytes, const void *other, size_t other_bytes)
{
    return (uintptr_t)one < (uintptr_t)other + other_bytes &&
           (uintptr_t)other < (uintptr_t)one + one_bytes;
}

/* Does each buffer end before the next one begins? */
static bool in_order(const void *const *buffers, unsigned count, size_t bytes)
{
    for (unsigned i = 1; i < count; i++) {
        if ((uintptr_t)buffers[i - 1] + bytes > (uintptr_t)buffers[i])
            return false;
    }
    return true;
}

/* Compares neighbours only: comparing each buffer of many channels with all others takes longer
 * than a small push. */
static bool lie_apart(const struct stream_buffers *buffers, size_t in_bytes, size_t out_bytes)
{
    const void *const *out = (const void *const *)buffers->out;
    const unsigned last = buffers->count - 1;

    return in_order(buffers->in, buffers->count, in_bytes) &&
           in_order(out, buffers->count, out_bytes) &&
           ((uintptr_t)buffers->in[last] + in_bytes <= (uintptr_t)out[0] ||
            (uintptr_t)out[last] + out_bytes <= (uintptr_t)buffers->in[0]);
}

static int check_overlaps(const struct stream_buffers *buffers, size_t in_bytes, size_t out_bytes,
                          bool *in_place, gpuenv_error *error)
{

    for (unsigned i = 0; i < buffers->count; i++) {
        const void *out = buffers->out[i];

        for (unsigned k = 0; k < buffers->count; k++) {
            const void *in = buffers->in[k];
            const bool own = k == i && (uintptr_t)out <= (uintptr_t)in && in_place != NULL;

            if (k < i && overlap(out, out_bytes, buffers->out[k], out_bytes))
                return REFUSE(error, "out", "has results that overlap");
            if (!overlap(out, out_bytes, in, in_bytes))
                continue;
            if (!own)
                return REFUSE(error, "out", "overlaps frames that are still to be read");
            *in_place = true;
        }
    }
    return GPUENV_OK;
}

/* Does the address space have so many bytes from `begin` on? */
static bool reaches(const void *begin, size_t bytes)
{
    return bytes <= UINTPTR_MAX - (uintptr_t)begin;
}

int buffers_check_out(const struct stream_buffers *buffers, uint64_t outputs, gpuenv_error *error)
{
    for (unsigned i = 0; i < buffers->count && outputs > 0; i++) {
        if (buffers->out[i] == NULL)
            return REFUSE(error, "out", "is NULL");
        if (((uintptr_t)buffers->out[i] & (buffers->aligned - 1)) != 0)
            return REFUSE(error, "out", "is not aligned to its type");
    }
    return GPUENV_OK;
}

int buffers_check(const struct stream_buffers *buffers, uint64_t frames, uint64_t outputs,
                  bool *in_place, gpuenv_error *error)
{
    size_t in_bytes = 0;
    size_t out_bytes = 0;
    bool fit = !__builtin_mul_overflow(frames, buffers->from, &in_bytes) &&
               !__builtin_mul_overflow(outputs, buffers->to, &out_bytes);

    for (unsigned i = 0; i < buffers->count; i++) {
        const void *in = buffers->in[i];
        const void *out = buffers->out[i];

        if (in == NULL && frames > 0)
            return REFUSE(error, "in", "is NULL");
        fit = fit && reaches(in, in_bytes) && reaches(out, out_bytes);
    }
    if (!fit)
        return REFUSE(error, "frames", "are more than the address space has");
    if (buffers_check_out(buffers, outputs, error) != GPUENV_OK)
        return GPUENV_BAD_ARGUMENT;
    return lie_apart(buffers, in_bytes, out_bytes)
               ? GPUENV_OK
               : check_overlaps(buffers, in_bytes, out_bytes, in_place, error);
}

void buffers_join(const struct stream_buffers *buffers, uint64_t first, size_t frames,
                  unsigned char *joined)
{
    const size_t bytes = buffers->from;
    const void *planes[PLANES_GROUP];

    for (unsigned at = 0; at < buffers->count; at += PLANES_GROUP) {
        const unsigned group = (unsigned)min_u64(buffers->count - at, PLANES_GROUP);

        for (unsigned i = 0; i < group; i++)
            planes[i] = (const unsigned char *)buffers->in[at + i] + first * bytes;
        planes_join(bytes, planes, group, frames, joined + at * bytes, buffers->count);
    }
}

void buffers_split(const struct stream_buffers *buffers, uint64_t first, size_t frames,
                   const unsigned char *joined)
{
    const size_t bytes = buffers->to;
    void *planes[PLANES_GROUP];

    for (unsigned at = 0; at < buffers->count; at += PLANES_GROUP) {
        const unsigned group = (unsigned)min_u64(buffers->count - at, PLANES_GROUP);

        for (unsigned i = 0; i < group; i++)
            planes[i] = (unsigned char *)buffers->out[at + i] + first * bytes;
        planes_split(bytes, joined + at * bytes, buffers->count, group, frames, planes);
    }
}
