/* SPDX-License-Identifier: MIT */
/* MPEG audio frames in any bytes: whole, cut off where more is asked for, and ended. */
#include "fuzz.h"

#include "format/mpeg_priv.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    size_t wanted = 0;
    enum mpeg_kind kind;

    if (size < MPEG_START)
        return 0;
    kind = mpeg_recognise(bytes, size, false, &wanted);
    FUZZ_CHECK(kind != MPEG_MORE || (wanted > size && wanted <= MPEG_MOST));
    FUZZ_CHECK(mpeg_recognise(bytes, size, true, &wanted) != MPEG_MORE);
    if (size >= MPEG_TAG_MOST)
        (void)mpeg_promise(bytes, size);
    if (size >= MPEG_TAG_START)
        (void)mpeg_tag_bytes(bytes);
    if (size >= MPEG_TAG_END)
        (void)mpeg_tag_before(bytes + size, size);
    return 0;
}
