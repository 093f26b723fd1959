/* SPDX-License-Identifier: MIT */
/* The table of formats: no two can be mistaken for one another, and what is written can be read. */
#include "files.h"
#include "table.h"

#include <ctype.h>

#include "format/recognise_priv.h"

static const char *name_of(const struct format *format)
{
    return format->names[0] != NULL ? format->names[0] : format->words;
}

/* ---- requirements for a row ---- */

static void check_magic(const struct format *format, const struct format_magic *magic)
{
    CHECK_THAT(magic->size >= 4 || (magic->size == 0 && magic->look != NULL), "%s",
               name_of(format));
    CHECK_THAT(magic->size <= INPUT_PEEK, "%s", name_of(format));
    CHECK_THAT((magic->advice == NULL) == (format->open != NULL), "%s", name_of(format));
    for (unsigned i = 0; magic->mask != NULL && i < magic->size; i++) {
        unsigned char off = (unsigned char)~(unsigned char)magic->mask[i];

        CHECK_THAT(((unsigned char)magic->bytes[i] & off) == 0, "%s, byte %u", name_of(format), i);
    }
}

static void check_writer(const struct format *format)
{
    const struct format_writer *writer = format->writer;
    const char *usual = sample_type_name((struct sample_type){.kind = writer->usual});

    CHECK_THAT(format->names[0] != NULL && writer->open != NULL, "%s", name_of(format));
    CHECK_THAT(format_is_among(writer->kinds, usual, strcspn(usual, "lb")), "%s", name_of(format));
    for (const char *at = writer->kinds; *at == ' '; at += strcspn(at, " ")) {
        struct sample_type type;
        char kind[8] = "";

        at++;
        memcpy(kind, at, strcspn(at, " "));
        CHECK_THAT(sample_type_parse(kind, false, &type), "%s: %s", name_of(format), kind);
    }
}

static void test_rows(void)
{
    const struct format *format;

    for (size_t i = 0; (format = format_at(i)) != NULL; i++) {
        const struct format_magic *magic = format->magic;

        CHECK(format->words != NULL && (format->open != NULL || format->writer != NULL ||
                                        format->magic != NULL || format->by_name != NULL));
        CHECK(format->endings == NULL || format->endings[0] == ' ');
        CHECK(!format->by_ending || format->endings != NULL);
        if (format->family != NULL)
            CHECK_THAT(format_named(format->family, strlen(format->family)) != NULL, "%s",
                       name_of(format));
        for (; magic != NULL && magic->bytes != NULL; magic++)
            check_magic(format, magic);
        if (format->writer != NULL)
            check_writer(format);
    }
    CHECK(format_at(1000) == NULL);
}

/* ---- no two alike ---- */

static void test_names(void)
{
    const struct format *format;
    struct sample_type type;

    for (size_t i = 0; (format = format_at(i)) != NULL; i++) {
        for (size_t j = 0; j < FORMAT_NAMES && format->names[j] != NULL; j++) {
            const char *name = format->names[j];

            CHECK_THAT(format_named(name, strlen(name)) == format, "%s", name);
            CHECK_THAT(strlen(name) <= 15, "%s", name);
            CHECK_THAT(!sample_type_parse(name, false, &type) && strcmp(name, "auto") != 0, "%s",
                       name);
        }
    }
    CHECK(format_named("wa", 2) == NULL && format_named("wavx", 4) == NULL);
    CHECK(format_named("", 0) == NULL && format_named("raw", 3) == NULL);
}

static void test_endings(void)
{
    const struct format *format;

    for (size_t i = 0; (format = format_at(i)) != NULL; i++) {
        for (const char *at = format->endings; at != NULL && *at == ' '; at += strcspn(at, " ")) {
            char path[32] = "a folder.x/file.";
            size_t size = strlen(path);

            at++;
            memcpy(path + size, at, strcspn(at, " "));
            CHECK_THAT(format_by_ending(path, NULL) == format, "%s", path);
            path[size] = (char)toupper((unsigned char)path[size]);
            CHECK_THAT(format_by_ending(path, NULL) == format, "%s", path);
        }
    }
    CHECK(format_by_ending("wav", NULL) == NULL && format_by_ending("x.", NULL) == NULL);
    CHECK(format_by_ending("x.wav/y", NULL) == NULL && format_by_ending("", NULL) == NULL);
    CHECK(format_by_ending("x.wav.longer_than_any_ending", NULL) == NULL);
}

/* The ending of a compressed file is not that of what is in it. */
static void test_compressed(void)
{
    TABLE (row, "compressed", 3) {
        const char *const path = row.field[0];
        const struct format *format = format_of_input(path, NULL);
        const char *name = format == NULL || format->names[0] == NULL ? "none" : format->names[0];

        CHECK_THAT(strcmp(name, row.field[1]) == 0, "%s: %s", path, name);
        CHECK_THAT(format_stem(path) == strtoul(row.field[2], NULL, 10), "%s: %zu", path,
                   format_stem(path));
    }
    CHECK(format_is_input("x.csv.gz", "auto") && !format_is_input("x.gz", "auto"));
    CHECK(format_describes("x.sigmf-meta.gz") && !format_describes("x.gz"));
}

static unsigned mask_at(const struct format_magic *magic, unsigned i)
{
    return magic->mask == NULL ? 0xff : (unsigned char)magic->mask[i];
}

/* Can bytes match both? */
static bool overlap(const struct format_magic *a, const struct format_magic *b)
{
    for (unsigned i = 0; i < a->size && i < b->size; i++) {
        if (((unsigned char)(a->bytes[i] ^ b->bytes[i]) & mask_at(a, i) & mask_at(b, i)) != 0)
            return false;
    }
    return true;
}

static void test_magics(void)
{
    static struct {
        const struct format *format;
        const struct format_magic *magic;
    } all[200];
    const struct format *format;
    size_t count = 0;

    for (size_t i = 0; (format = format_at(i)) != NULL; i++) {
        const struct format_magic *magic = format->magic;

        for (; magic != NULL && magic->bytes != NULL && count < 200; magic++) {
            all[count].format = format;
            all[count].magic = magic;
            count += magic->size > 0;
        }
    }
    CHECK(count > 30 && count < 200);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++)
            CHECK_THAT(!overlap(all[i].magic, all[j].magic) ||
                           (all[i].magic->look != NULL && all[j].magic->look != NULL),
                       "%s, %s", name_of(all[i].format), name_of(all[j].format));
    }
}

static void test_families(void)
{
    const struct format *wav = format_named("wav", 3);
    const struct format *flac = format_named("flac", 4);
    const struct format *any = format_named("sndfile", 7);

    CHECK(format_reads(wav, format_named("rf64", 4)) && format_reads(format_named("bw64", 4), wav));
    CHECK(!format_reads(wav, format_named("w64", 3)) && !format_reads(wav, flac));
    CHECK(format_reads(any, flac) && !format_reads(flac, any));
}

static void test_lists(void)
{
    struct error error;

    CHECK(format_unknown("nothing", false, &error) == -1);
    CHECK(strstr(error.reason, "or wav rf64 ") != NULL && strstr(error.reason, " dat ") == NULL);
    CHECK(strstr(error.reason, " mp3 sndfile sigmf") != NULL);
    CHECK(format_unknown("nothing", true, &error) == -1);
    CHECK(strstr(error.reason, "or wav rf64 ") != NULL && strstr(error.reason, " mp3 ") == NULL);
    CHECK(strstr(error.reason, " flac ogg, with") != NULL);
}

/* ---- writing and reading back ---- */

enum { CHANNELS = 2, FRAMES_MOST = 101 };

/* A value that every kind of samples represents exactly. */
static float sample_at(size_t index, bool numbers)
{
    return numbers ? (float)(index % 100) : ((float)(index % 200) - 100) / 128;
}

static void write_file(const char *type, const char *path, size_t frames)
{
    static float samples[FRAMES_MOST * CHANNELS];
    struct sample_losses losses;

    sink_open_type(type, path, frames);
    for (size_t i = 0; i < frames * CHANNELS; i++)
        samples[i] = sample_at(i, out.sink->format.sample.counts);
    if (frames > 0)
        CHECK(sink_writes(samples, frames));
    losses = sink_end();
    CHECK(losses.clipped == 0 && losses.nan == 0);
}

/* Vorbis does not preserve the samples, only their number. */
static void read_file(const struct format *format, const char *type, const char *path,
                      size_t frames)
{
    struct source_request request = {.channels = 1};
    static unsigned char raw[FRAMES_MOST * CHANNELS * 8];
    static float samples[FRAMES_MOST * CHANNELS];
    bool exact = strcmp(format->names[0], "ogg") != 0;
    struct recognised found;
    size_t total = 0;
    size_t bytes;

    CHECK(input_open(&in.input, path, false, &in.error) == 0);
    CHECK(recognise(&in.input, &found, &in.error) == 0);
    CHECK_THAT(found.format != NULL && format_reads(format, found.format), "%s", type);
    CHECK_THAT(source_open(&in.input, &request, &in.source, &in.error) == 0, "%s: %s", type,
               words_of(&in.error));
    bytes = sample_type_bytes(in.source->format.sample) * CHANNELS;
    CHECK(in.source->format.channels == CHANNELS);
    CHECK(format->writer->rate_most == 0 || in.source->format.rate == 48000);
    do {
        CHECK_THAT(source_reads(raw + total * bytes, FRAMES_MOST - total), "%s: %s", type,
                   words_of(&in.error));
        total += in.got;
    } while (in.got > 0 && total < FRAMES_MOST);
    CHECK_THAT(total == frames, "%s: %zu of %zu", type, total, frames);
    sample_decode(in.source->format.sample, VALUE_F32, raw, samples, total * CHANNELS);
    for (size_t i = 0; exact && i < total * CHANNELS; i++)
        CHECK_THAT(samples[i] == sample_at(i, format->writer->numbers), "%s: %g, not %g", type,
                   (double)samples[i], (double)sample_at(i, format->writer->numbers));
    source_end();
}

static void test_there_and_back(void)
{
    static const size_t lengths[] = {0, 1, 2, 3, 100, 101};
    const struct format *format;

    for (size_t i = 0; (format = format_at(i)) != NULL; i++) {
        const struct format_writer *writer = format->writer;

        /* Text and pictures have tests of their own. */
        if (writer == NULL || format->open == NULL || format->delimiter != '\0' ||
            (writer->open == sink_open_sndfile && !has_sndfile()))
            continue;
        for (const char *at = writer->kinds; *at == ' '; at += strcspn(at, " ")) {
            char type[32];

            at++;
            (void)snprintf(type, sizeof type, "%s:%.*s", format->names[0], (int)strcspn(at, " "),
                           at);
            for (size_t j = 0; j < sizeof lengths / sizeof *lengths; j++) {
                write_file(type, "file", lengths[j]);
                read_file(format, type, "file", lengths[j]);
            }
        }
    }
}

CHECK_MAIN(scratch_enter, test_rows, test_names, test_endings, test_compressed, test_magics,
           test_families, test_lists, test_there_and_back)
