/* SPDX-License-Identifier: MIT */
#include "format/codecs/fed_priv.h"

#include <string.h>

int fed_decode(struct fed_source *fed, struct error *error)
{
    bool more;

    while (fed->left == 0 && !fed->over) {
        if (fed->class->decode(fed, &more, error) != 0 ||
            (more && fed->class->feed(fed, error) != 0))
            return -1;
    }
    return 0;
}

int fed_read(struct source *source, void *frames, size_t capacity, size_t *got, struct error *error)
{
    struct fed_source *fed = (struct fed_source *)source;
    const size_t frame_bytes = source_frame_bytes(&source->format);
    size_t bytes = capacity * frame_bytes;

    *got = 0;
    if (fed->has_failed) {
        *error = fed->failure;
        return -1;
    }
    if (fed_decode(fed, error) != 0)
        return -1;
    if (fed->left == 0)
        return source->input->stopped ? 0 : fed->class->at_end(fed, error);
    if (bytes > fed->left)
        bytes = fed->left;
    memcpy(frames, fed->decoded, bytes);
    fed->decoded += bytes;
    fed->left -= bytes;
    *got = bytes / frame_bytes;
    fed->frames += *got;
    return 0;
}

bool fed_ready(struct source *source, unsigned microseconds)
{
    struct fed_source *fed = (struct fed_source *)source;
    bool more;

    while (!fed->has_failed && fed->left == 0 && !fed->over) {
        fed->has_failed = fed->class->decode(fed, &more, &fed->failure) != 0;
        if (fed->has_failed || !more)
            continue;
        if (!input_ready(source->input, microseconds))
            return false;
        fed->has_failed = fed->class->feed(fed, &fed->failure) != 0;
    }
    return true;
}
