/* SPDX-License-Identifier: MIT */
/* What any bytes are taken for: the more of them, the surer; and never for text and a format at
 * once. */
#include "fuzz.h"

#include "format/recognise_priv.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    size_t more = 0;
    size_t none = 0;
    struct recognised found = recognise_bytes(bytes, size, false, &more);
    struct recognised ended = recognise_bytes(bytes, size, true, &none);
    struct recognised all = recognise_all(bytes, size, true);

    FUZZ_CHECK(found.format == NULL || (found.words != NULL && found.words[0] != '\0'));
    FUZZ_CHECK(found.format != NULL || more == 0 || more > size);
    /* What is sure stays so at the end of the input. */
    FUZZ_CHECK(found.format == NULL || ended.format == found.format);
    FUZZ_CHECK(ended.format == NULL || all.format == ended.format);
    FUZZ_CHECK(all.format == NULL || all.words != NULL);
    return 0;
}
