/* AU: 24 bytes, a remark, and samples in big-endian order. */
#include "format/au_header.h"

#include <stdio.h>

#include "format/framed.h"
#include "format/source.h"

static int open_foreign(struct input *input, const struct source_request *request,
                        unsigned char *bytes, uint32_t codec, struct source **source,
                        struct error *error)
{
    const struct bytes_taken taken = {.bytes = bytes, .size = AU_HEADER_BYTES};
    char words[64];

    (void)snprintf(words, sizeof words, "an AU file of encoding %lu", (unsigned long)codec);
    if (input->regular && input_rewind(input, input_position(input) - AU_HEADER_BYTES, error) != 0)
        return -1;
    return source_open_sndfile(input, request, words, input->regular ? NULL : &taken, source,
                               error);
}

int source_open_au(struct input *input, const struct source_request *request,
                   struct source **source, struct error *error)
{
    unsigned char bytes[AU_HEADER_BYTES];
    struct au_header header;
    struct framed_data data;
    enum au_verdict verdict;
    uint64_t passed;
    size_t got;

    if (input_read_all(input, bytes, sizeof bytes, &got, error) != 0)
        return -1;
    verdict = got < sizeof bytes ? AU_IS_BAD : au_header_parse(bytes, &header);
    if (verdict == AU_IS_BAD)
        return error_set(
            error, STATUS_FAILED, "%s: is no au file that can be read: %s", input->name,
            got < sizeof bytes ? "it ends inside its header" : "its header makes no sense");
    if (verdict == AU_IS_FOREIGN)
        return open_foreign(input, request, bytes, header.codec, source, error);
    if (input_skip(input, header.offset - sizeof bytes, &passed, error) != 0)
        return -1;
    if (passed < header.offset - sizeof bytes)
        return error_set(error, STATUS_FAILED, "%s: ends inside its au header", input->name);
    data = (struct framed_data){
        .container = "au",
        .sample = header.sample,
        .channels = header.channels,
        .rate = header.rate,
        .bytes = header.bytes == AU_UNTIL_END ? FRAMED_UNTIL_END : header.bytes,
    };
    data.sample.counts = request->sample.counts;
    return source_open_framed(input, &data, source, error);
}
