/* SPDX-License-Identifier: MIT */
/* Text in columns, from any bytes: in one piece and in several, which have to give the same frames
 * and the same error. */
#include "../unit/words.h"
#include "fuzz.h"

#include <stdbool.h>
#include <string.h>

#include "format/text/parser_priv.h"
#include "window/rules.h"

enum { ROOM = 3 };

/* What came of a text, as one number, and what stopped it. */
struct answer {
    uint64_t frames;
    uint64_t hash;
    uint64_t times;
    struct moment last;
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

/* Times never go back, unless rows may be late or have keys, and are read as they are written. */
static void add_moments(struct answer *answer, const struct text_parser *parser,
                        const struct moment *moments, const struct row_key *const *keys,
                        size_t count)
{
    const struct text_dialect *dialect = parser->lines.dialect;

    for (size_t i = 0; parser->columns.time.count > 0 && i < count; i++) {
        const struct moment moment = moments[i];
        char text[TIME_MOST];
        struct moment again;
        size_t length;

        FUZZ_CHECK(moment.nanoseconds < MOMENT_SECOND);
        FUZZ_CHECK(answer->frames - count + i == 0 || dialect->by != NULL || dialect->late > 0 ||
                   !moment_is_before(moment, answer->last));
        answer->last = moment;
        answer->times ^= (uint64_t)moment.seconds * 31 + moment.nanoseconds;
        answer->times ^= parser->columns.by > 0 ? keys[i]->number : 0;
        answer->times *= UINT64_C(0x100000001b3);
        length = time_write(&parser->columns.time.form, moment, text);
        if (parser->columns.time.form.kind == TIME_FORMAT ||
            parser->columns.time.form.unit != TIME_S)
            continue;
        FUZZ_CHECK(time_read(&parser->columns.time.form, text, text + length, &again) == TIME_READ);
        FUZZ_CHECK(again.seconds == moment.seconds && again.nanoseconds == moment.nanoseconds);
    }
}

/* Rows in pieces of `step` bytes; each call gets a place of just the size of its text. */
static void parse_rows(struct text_parser *parser, const char *text, size_t size, size_t step,
                       struct answer *answer)
{
    double *frames = malloc(ROOM * sizeof *frames * (parser->columns.channels + 1));
    struct moment moments[ROOM];
    const struct row_key *row_keys[ROOM];
    size_t start = 0;
    size_t end = step < size ? step : size;
    bool last = false;

    FUZZ_CHECK(frames != NULL && parser->columns.channels <= parser->columns.count);
    for (;;) {
        char *piece = malloc(end - start + 1);
        size_t got;
        size_t used;

        FUZZ_CHECK(piece != NULL);
        memcpy(piece, text + start, end - start);
        answer->failed = text_parser_read(parser, piece, end - start, last, frames, moments,
                                          row_keys, ROOM, &got, &used, &answer->error) != 0;
        free(piece);
        FUZZ_CHECK(used <= end - start && got <= ROOM);
        start += used;
        answer->frames += got;
        if (answer->failed)
            break;
        add_samples(answer, frames, got * parser->columns.channels);
        add_moments(answer, parser, moments, row_keys, got);
        if (got > 0)
            continue;
        if (last)
            break;
        last = end == size;
        end = size - end < step ? size : end + step;
    }
    FUZZ_CHECK(answer->failed || start == end);
    free(frames);
}

/* Reads the rows that a look has found in pieces of `step` bytes. */
static void parse(const struct look *look, const struct text_dialect *dialect, const char *end,
                  size_t step, struct answer *answer)
{
    struct text_parser parser;
    struct text_keys keys = {.count = 0};

    *answer = (struct answer){0};
    answer->failed = text_parser_init(&parser, "fuzz", look, dialect, &answer->error) != 0;
    if (!answer->failed) {
        parser.keys = dialect->by != NULL ? &keys : NULL;
        parse_rows(&parser, look->at, (size_t)(end - look->at), step, answer);
    }
    answer->channels = parser.columns.channels;
    text_columns_free(&parser.columns);
    text_keys_free(&keys);
}

/* Looks at the text, and reads its rows in one piece and in several. */
static void compare(char delimiter, const struct text_dialect *dialect, const char *text,
                    size_t size)
{
    struct answer whole;
    struct answer pieces;
    struct error error;
    struct look look;

    if (look_take(&look, "fuzz", text, size, true, delimiter, 1, dialect, &error) == TEXT_RECORD) {
        parse(&look, dialect, text + size, size, &whole);
        parse(&look, dialect, text + size, 1 + size / 3, &pieces);
        FUZZ_CHECK(whole.failed == pieces.failed && whole.channels == pieces.channels);
        FUZZ_CHECK(whole.frames == pieces.frames && whole.hash == pieces.hash &&
                   whole.times == pieces.times);
        FUZZ_CHECK(!whole.failed || strcmp(words_of(&whole.error), words_of(&pieces.error)) == 0);
    }
    look_free(&look);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const struct text_dialect dialects[] = {
        {.decimal = '.', .header = TEXT_HEADER_AUTO},
        {.decimal = '.', .header = TEXT_HEADER_AUTO, .columns = "1"},
        {.decimal = ',', .header = TEXT_HEADER_AUTO, .columns = "2,1"},
        {.decimal = '.', .header = 0, .columns = "b", .bad_lines = TEXT_BAD_SKIP},
        {.decimal = '.', .header = 2, .columns = "time,3", .skip_lines = 1},
        {.decimal = '.', .header = TEXT_HEADER_AUTO, .columns = "x y", .delimiter = ';'},
        {.decimal = '.', .header = TEXT_HEADER_AUTO, .time = "1", .gap_period = 1000000000},
        {.decimal = '.', .header = TEXT_HEADER_AUTO, .time = "time", .by_distance = true},
        {.decimal = '.', .header = TEXT_HEADER_AUTO, .time = "1", .late = 2000000000},
        {.decimal = '.',
         .header = TEXT_HEADER_AUTO,
         .time = "1",
         .by = "2",
         .bad_lines = TEXT_BAD_NAN},
        {.decimal = ',', .header = TEXT_HEADER_AUTO, .time = "1,2", .bad_lines = TEXT_BAD_NAN},
        {.decimal = '.',
         .header = TEXT_HEADER_AUTO,
         .time = "2",
         .time_format = "%d.%m.%y %H:%M:%S.%f",
         .bad_lines = TEXT_BAD_SKIP,
         .missing = "-999,x"},
        {.decimal = '.',
         .header = TEXT_HEADER_AUTO,
         .time = "1",
         .time_unit = TIME_MS,
         .time_unit_given = true,
         .bad_lines = TEXT_BAD_NAN},
    };
    char *text = fuzz_lines(bytes, &size);

    for (unsigned kind = 0; kind < 3; kind++) {
        for (size_t i = 0; i < sizeof dialects / sizeof *dialects; i++)
            compare(",\t "[kind], &dialects[i], text, size);
    }
    free(text);
    return 0;
}
