/* Text in columns, from any bytes: in one piece and in several, which have to give the same frames
 * and the same error. */
#include "../unit/words.h"
#include "fuzz.h"

#include <stdbool.h>
#include <string.h>

#include "format/text_parser.h"
#include "window/rules.h"

enum { ROOM = 3 };

/* What came of a text, as one number, and what stopped it. */
struct answer {
    uint64_t frames;
    uint64_t hash;
    unsigned channels;
    bool failed;
    struct error error;
};

static void add_samples(struct answer *answer, const double *samples, size_t count)
{
    for (size_t i = 0; samples != NULL && i < count; i++) {
        uint64_t bits = rules_bits64(samples[i]);

        answer->hash = (answer->hash ^ bits) * UINT64_C(0x100000001b3);
    }
}

/* Pieces of `step` bytes; each call gets a place of just the size of its text. */
static void parse(char delimiter, const char *wanted, const char *text, size_t size, size_t step,
                  struct answer *answer)
{
    struct text_parser parser;
    double *frames = NULL;
    size_t start = 0;
    size_t end = step < size ? step : size;
    bool last = false;

    *answer = (struct answer){0};
    text_parser_init(&parser, "fuzz", delimiter, wanted);
    for (;;) {
        char *piece = malloc(end - start + 1);
        size_t got;
        size_t used;

        FUZZ_CHECK(piece != NULL);
        memcpy(piece, text + start, end - start);
        answer->failed =
            text_parser_read(&parser, piece, end - start, last, frames, frames == NULL ? 0 : ROOM,
                             &got, &used, &answer->error) != 0;
        free(piece);
        FUZZ_CHECK(used <= end - start && got <= ROOM);
        start += used;
        answer->frames += got;
        if (answer->failed)
            break;
        add_samples(answer, frames, got * parser.channels);
        if (frames == NULL && parser.columns > 0) {
            FUZZ_CHECK(parser.channels >= 1 && parser.channels <= parser.columns);
            frames = malloc(ROOM * sizeof *frames * parser.channels);
            FUZZ_CHECK(frames != NULL);
        } else if (got == 0 && last) {
            FUZZ_CHECK(start == end);
            break;
        } else if (got == 0) {
            last = end == size;
            end = size - end < step ? size : end + step;
        }
    }
    answer->channels = parser.channels;
    text_parser_free(&parser);
    free(frames);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const lists[] = {NULL, "1", "2,1", "b", "time,3", "x y"};
    char *text = malloc(size + 1);

    FUZZ_CHECK(text != NULL);
    if (size > 0)
        memcpy(text, bytes, size);
    if (size > 0 && text[size - 1] != '\n')
        text[size++] = '\n';
    for (const char *delimiter = ",\t "; *delimiter != '\0'; delimiter++) {
        for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
            struct answer whole;
            struct answer pieces;

            parse(*delimiter, lists[i], text, size, size, &whole);
            parse(*delimiter, lists[i], text, size, 1 + size / 3, &pieces);
            FUZZ_CHECK(whole.failed == pieces.failed && whole.channels == pieces.channels);
            FUZZ_CHECK(whole.frames == pieces.frames && whole.hash == pieces.hash);
            FUZZ_CHECK(!whole.failed ||
                       strcmp(words_of(&whole.error), words_of(&pieces.error)) == 0);
        }
    }
    free(text);
    return 0;
}
