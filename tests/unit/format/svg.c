/* SPDX-License-Identifier: MIT */
/* format/svg: the picture is small for any input, and any name may be its title.
 * tests/containers/overview.py reads the contents. */
#include "files.h"
#include "table.h"

#include <math.h>

#include "format/text/time_form.h"

static const struct emit_list pairs = {2, {EMIT_MIN, EMIT_MAX}};

/* What else the picture is told. */
static struct picture picture;
static bool numbers;
static const char *const *names;
static const struct sink_rows *rows; /* of the frames; NULL: they have no times */
static enum time_kind times;

/* Draws `count` frames; returns the picture as a string, to be freed. */
static char *draw(const float *frames, size_t count, unsigned channels, const char *title,
                  const struct emit_list *emits)
{
    const struct time_form form = {.kind = times};
    struct sink_format format = {
        .format = format_named("svg", 3),
        .container = "svg",
        .channels = channels * emits->count,
        .row.count = emits->count,
        .frames = SINK_FRAMES_UNKNOWN,
        .context = {.emits = *emits,
                    .channels = channels,
                    .window.hop = 512,
                    .input_rate = 48000,
                    .title = title,
                    .picture = picture,
                    .numbers = numbers,
                    .decimal = rows != NULL,
                    .rows = rows != NULL,
                    .times = rows != NULL ? &form : NULL,
                    .names = names},
    };
    size_t stride = (size_t)channels * emits->count;
    float *block = malloc((stride * count + 1) * sizeof *block);
    size_t size;

    scratch_need(block != NULL, "block");
    memcpy(block, frames, stride * count * sizeof *block);
    sink_open_file("picture.svg", &format);
    for (size_t i = 0; rows != NULL && i < count; i++)
        CHECK(out.sink->class->times(out.sink, NULL, i, &rows[i].first_time, 1, &out.error) == 0);
    CHECK(out.sink->class->write(out.sink, block, count, rows, true, &out.error) == 0);
    out.sink->in_frames = 512 * count;
    (void)sink_end();
    free(block);
    return scratch_contents("picture.svg", &size);
}

/* The picture, which is freed, has all of these, and none of those behind a "!". */
static void check_shows(char *text, const char *const *due)
{
    for (; *due != NULL; due++) {
        if (**due == '!')
            CHECK_THAT(strstr(text, *due + 1) == NULL, "%s", *due);
        else
            CHECK_THAT(strstr(text, *due) != NULL, "%s", *due);
    }
    free(text);
}

#define CHECK_SHOWS(text, ...) check_shows(text, (const char *const[]){__VA_ARGS__, NULL})

static char *draw_pair(float low, float high, const char *title)
{
    const float frame[2] = {low, high};

    return draw(frame, 1, 1, title, &pairs);
}

/* Each column as far from its neighbours as possible, or between two gaps. */
static void check_size(unsigned channels, size_t count, unsigned gap_every)
{
    size_t stride = (size_t)channels * 2;
    float *frames = malloc(count * stride * sizeof *frames);
    char *text;

    scratch_need(frames != NULL, "frames");
    for (size_t i = 0; i < count * channels; i++) {
        size_t frame = i / channels;
        bool gap = gap_every > 0 && frame % gap_every == gap_every - 1;
        bool wide = frame % 2 == 0;

        frames[2 * i] = gap ? NAN : wide ? -1.0f : (float)(frame * 7 % 11) * 0.01f;
        frames[2 * i + 1] = gap ? NAN : wide ? 1.0f : (float)(frame * 7 % 11) * 0.01f + 0.01f;
    }
    text = draw(frames, count, channels, "size", &pairs);
    CHECK_THAT(strlen(text) < 300000, "%u channels, %zu frames: %zu bytes", channels, count,
               strlen(text));
    free(text);
    free(frames);
}

static void check_titles(void)
{
    char longest[301] = {0};

    TABLE (row, "titles", 2)
        CHECK_SHOWS(draw_pair(-0.5f, 0.5f, row.field[0]), row.field[1]);
    /* A name too long for the heading is complete in the title. */
    memset(longest, 'x', 300);
    CHECK_SHOWS(draw_pair(-0.5f, 0.5f, longest), longest, "x\u2026</text>");
}

static void check_words(void)
{
    const float nothing[4] = {NAN, NAN, NAN, NAN};
    const float alone[10] = {NAN, NAN, 0.5f, 0.5f, NAN, NAN, -0.5f, -0.5f, NAN, NAN};
    const float halves[4] = {0.25f, 0.5f, NAN, NAN};
    static const struct emit_list magnitudes = {1, {EMIT_ABS}};
    CHECK_SHOWS(draw(nothing, 0, 1, "x", &pairs), "no frames");
    CHECK_SHOWS(draw(nothing, 2, 1, "x", &pairs), "no value<", "!without a value", " d=\"\"/>");
    CHECK_SHOWS(draw(alone, 5, 1, "x", &pairs), "!lz", "60\u2009% without a value");
    CHECK_SHOWS(draw(halves, 1, 2, "x", &pairs), ">peak \u22126.0\u2009dB<", ">no value<", ">left<",
                ">right<");
    CHECK_SHOWS(draw_pair(-INFINITY, INFINITY, "x"), "!nan", "!inf");
    CHECK_SHOWS(draw(nothing, 1, 1, "x", &magnitudes), "largest magnitude");
}

/* One frame of one channel has these level labels at the ends, from below. */
static void check_ends(float low, float high, const struct emit_list *emits, const char *first,
                       const char *last)
{
    static const char label[] = "<text class=\"m r\"";
    const float frame[2] = {low, high};
    char *text = draw(frame, 1, 1, "x", emits);
    char *at = strstr(text, label);
    char *end = at;

    for (char *next = at; next != NULL; next = strstr(next + 1, label))
        end = next;
    scratch_need(at != NULL, "labels");
    at = strchr(at, '>') + 1;
    end = strchr(end, '>') + 1;
    CHECK_THAT(strncmp(at, first, strlen(first)) == 0 && at[strlen(first)] == '<', "%.9s, not %s",
               at, first);
    CHECK_THAT(strncmp(end, last, strlen(last)) == 0 && end[strlen(last)] == '<', "%.9s, not %s",
               end, last);
    free(text);
}

/* Sound has its full scale, or more; numbers and --scale fit have the values. */
static void check_scales(void)
{
    static const struct emit_list magnitudes = {1, {EMIT_ABS}};
    static const struct emit_list ranges = {1, {EMIT_RANGE}};

    check_ends(-0.001f, 0.001f, &pairs, "\u22121.0", "1.0");
    check_ends(-0.5f, 1.3f, &pairs, "\u22121.0", "1.5");
    check_ends(0.25f, 0, &magnitudes, "0.0", "1.0");
    check_ends(0.25f, 0, &ranges, "0.0", "2.0");
    numbers = true;
    check_ends(0.25f, 0.75f, &pairs, "0.25", "0.75");
    check_ends(0.25f, 0, &magnitudes, "0.00", "0.25");
    check_ends(990, 1013, &pairs, "990", "1015");
    check_ends(NAN, NAN, &pairs, "\u22121.0", "1.0");
    picture.scale = PICTURE_FULL;
    check_ends(0.25f, 0.75f, &pairs, "\u22121.0", "1.0");
    numbers = false;
    picture = (struct picture){.scale = PICTURE_RANGE, .low = 0.3, .high = 0.52};
    check_ends(-5, 5, &pairs, "0.30", "0.50");
    picture.scale = PICTURE_FIT;
    check_ends(0.25f, 0.75f, &pairs, "0.25", "0.75");
    picture = (struct picture){0};
}

/* Columns of numbers have their names and an axis each; one that has none is counted. */
static void check_names(void)
{
    static const char *const columns[] = {"pressure <hPa>", NULL, "light"};
    const float frame[6] = {992, 1013, 7, 8, 100000, 200000};

    names = columns;
    numbers = true;
    CHECK_SHOWS(draw(frame, 1, 3, "x", &pairs),
                ">pressure &lt;hPa&gt;<tspan class=\"m\" dx=\"10\">992 to 1013<", "<title>ch2<",
                ">1020</text>", ">light (\u00d7\u200a10\u00b3)<", ">200</text>", "!rotate",
                "3 channels", "!peak");
    CHECK_SHOWS(draw(frame, 1, 1, "x", &pairs), ">pressure &lt;hPa&gt;</text>");
    names = NULL;
    CHECK_SHOWS(draw(frame, 1, 2, "x", &pairs), ">ch1<");
    numbers = false;
}

/* Rows are where their times are, connected unless there is a gap between them. */
static void check_rows(void)
{
    struct sink_rows hours[13];
    static const struct sink_rows numbers_of_seconds[] = {{.first_time = {2, 500000000}},
                                                          {.first = 1, .first_time = {3, 0}}};
    static const struct sink_rows far[] = {{.first_time = {INT64_MIN / 4, 0}},
                                           {.first = 1, .first_time = {INT64_MAX / 2, 0}}};
    const float frames[26] = {1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 5, 5, 3, 3};
    char *text;
    const char *at;
    int pieces = 0;

    for (int i = 0; i < 13; i++) /* every hour, but for five of them */
        hours[i] = (struct sink_rows){
            .first = (uint64_t)i,
            .first_time = {1763600400 + 3600 * (i < 10 ? i : i + 5), 0},
        };
    numbers = true;
    rows = hours;
    text = draw(frames, 13, 1, "x", &pairs);
    for (at = strstr(text, "class=\"w\""); (at = strchr(at, 'M')) != NULL; at++)
        pieces++;
    CHECK_THAT(pieces == 2, "%d pieces", pieces);
    CHECK(strstr(text, ">02:00<tspan x=") != NULL && strstr(text, ">06:00</text>") != NULL);
    CHECK(strstr(text, ">2025-11-20</tspan></text>") != NULL && strstr(text, "a column") == NULL);
    free(text);
    CHECK_SHOWS(draw(frames, 1, 1, "x", &pairs), "!s after", ">01:00:00<tspan", " \u00b7 1<");
    CHECK_SHOWS(draw(frames, 0, 1, "x", &pairs), "no rows");
    rows = numbers_of_seconds;
    times = TIME_NUMBER;
    CHECK_SHOWS(draw(frames, 2, 1, "x", &pairs), ">time (ms)<", ">2500</text>");
    rows = far;
    CHECK_SHOWS(draw(frames, 2, 1, "x", &pairs), ">time (days)<");
    times = TIME_ISO;
    rows = NULL;
    numbers = false;
}

static void check_sizes(void)
{
    static const unsigned channels[] = {1, 4, 5, 9, 16};
    static const unsigned gaps[] = {0, 2, 3};

    for (size_t i = 0; i < 15; i++) {
        check_size(channels[i / 3], 1400, gaps[i % 3]);
        check_size(channels[i / 3], 14000, gaps[i % 3]);
    }
    check_size(1, 1800, 0);
    check_size(12, 1800, 0);
}

CHECK_MAIN(scratch_enter, check_sizes, check_titles, check_words, check_scales, check_names,
           check_rows)
