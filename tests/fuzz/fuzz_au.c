/* The header of an AU file, from any 24 bytes. */
#include "fuzz.h"

#include "format/parsers.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct au_header header;
    enum header_verdict verdict;

    if (size < AU_HEADER_BYTES)
        return 0;
    verdict = au_header_parse(bytes, &header);
    if (verdict == HEADER_BAD)
        return 0;
    FUZZ_CHECK(header.offset >= AU_HEADER_BYTES);
    FUZZ_CHECK(header.data.channels >= 1 && header.data.channels <= 65535);
    FUZZ_CHECK(header.data.bytes <= UINT32_MAX || header.data.bytes == FRAMED_UNTIL_END);
    if (verdict == HEADER_READY)
        FUZZ_CHECK(au_header_codec(header.data.sample.kind) == header.codec);
    return 0;
}
