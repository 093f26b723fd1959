/* The header of an AU file, from any 24 bytes. */
#include "fuzz.h"

#include "format/au_header.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct au_header header;
    enum au_verdict verdict;

    if (size < AU_HEADER_BYTES)
        return 0;
    verdict = au_header_parse(bytes, &header);
    if (verdict == AU_IS_BAD)
        return 0;
    FUZZ_CHECK(header.offset >= AU_HEADER_BYTES);
    FUZZ_CHECK(header.channels >= 1 && header.channels <= 65535);
    FUZZ_CHECK(header.bytes <= UINT32_MAX || header.bytes == AU_UNTIL_END);
    if (verdict == AU_IS_FINE)
        FUZZ_CHECK(au_header_codec(header.sample.kind) == header.codec);
    return 0;
}
