/* Options: where frames come from. */
#include <string.h>

#include "cli/options_rows.h"
#include "cli/values.h"

enum { CHANNELS_MOST = 65535 };

static int set_rate(void *field, const struct value *value, struct error *error)
{
    struct settings *settings = field;

    return values_rate(value, &settings->rate, &settings->ratio, error);
}

/* Channels, from 1. */
static int set_pick(void *field, const struct value *value, struct error *error)
{
    struct settings *settings = field;
    const char *text = value->text;

    settings->pick_count = 0;
    for (;;) {
        const size_t length = strcspn(text, ",");
        char number[8] = "";
        const struct value one = {.option = value->option, .text = number};
        struct error reason;
        uint64_t channel;

        memcpy(number, text, length < sizeof number ? length : 0);
        if (values_whole(&one, 1, CHANNELS_MOST, &channel, &reason) != 0)
            return values_refuse(error, value,
                                 "not a list of channels: give 1,3 (they count from "
                                 "1)");
        if (settings->pick_count == SETTINGS_PICKS)
            return values_refuse(error, value, "more than %d channels", SETTINGS_PICKS);
        settings->pick[settings->pick_count++] = (unsigned)channel - 1;
        if (text[length] == '\0')
            return 0;
        text += length + 1;
    }
}

/* I/K: the part, and how many there are. */
static int set_shard(void *field, const struct value *value, struct error *error)
{
    struct settings *settings = field;
    size_t length = strcspn(value->text, "/");
    const char *behind = value->text + length;
    char number[24] = "";
    struct value part = {.option = value->option, .text = number};
    struct value parts = {.option = value->option, .text = *behind == '/' ? behind + 1 : ""};
    uint64_t index;
    uint64_t count;

    memcpy(number, value->text, length < sizeof number ? length : 0);
    if (values_whole(&parts, 1, UINT32_MAX, &count, error) != 0 ||
        values_whole(&part, 1, count, &index, error) != 0)
        return values_refuse(error, value,
                             "not a part of the output: give I/K, the I-th of K, I from 1 to K");
    settings->shard = (uint32_t)index;
    settings->shards = (uint32_t)count;
    return 0;
}

static const struct option_row rows[] = {
    {"type", "TYPE",
     "auto (default): what its first bytes say, else f32; wav rf64 w64 au npy aiff caf flac ogg "
     "mp3 sndfile sigmf; numbers in columns: csv tsv txt; raw: f32 f64 f16 s8 u8 s16 u16 s24 u24 "
     "s32 "
     "u32 s64 u64, complex: cf32 cf64 cs16 cs8 cu8; s16le, s16be",
     OPTION_TEXT, AT(settings.type), .what = "a type", .letter = 't'},
    {"channels", "N", "interleaved channels of raw frames (1)", OPTION_NUMBER,
     AT(settings.channels), GIVEN(settings.channels_given), .least = 1, .most = CHANNELS_MOST,
     .letter = 'c'},
    {"rate", "HZ", "their frames a second: 48000, 44.1k, 1/60, or the time of one: 60s",
     .letter = 'r', .set = set_rate, AT(settings)},
    {"pick", "LIST", "some channels, in this order: 2,1", .set = set_pick, AT(settings)},
    {"mix", NULL, "their mean, as one channel", OPTION_ON, AT(settings.mix)},
    {"little-endian", NULL, "a TYPE without le or be is little-endian (default)", OPTION_OFF,
     AT(settings.big_endian), .letter = 'L'},
    {"big-endian", NULL, "a TYPE without le or be is big-endian", OPTION_ON,
     AT(settings.big_endian), .letter = 'B'},
    {"counts", NULL, "integers as they are; else scaled to [-1,1)", OPTION_ON, AT(settings.counts)},
    {"skip", "LEN", "pass over the first LEN frames", OPTION_LENGTH, AT(settings.skip)},
    {"frames", "LEN", "read LEN frames at most", OPTION_LENGTH, AT(settings.frames)},
    {"shard", "I/K", "part I of K of the output, from its own input only", .set = set_shard,
     AT(settings)},
};

const struct option_section options_input = OPTION_SECTION("Input", rows);
