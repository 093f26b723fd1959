/* SPDX-License-Identifier: MIT */
#include "format/source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/format.h"
#include "format/mpeg_priv.h"
#include "format/recognise_priv.h"
#include "sample/bytes.h"

enum { SKIP_BYTES = 256 * 1024 }; /* bytes that are read at a time to skip frames */

int source_request_type(struct source_request *request, const char *type, bool big_endian,
                        struct error *error)
{
    const struct format *format = format_named(type, strlen(type));
    const bool automatic = strcmp(type, "auto") == 0;

    if (format != NULL && format->open == NULL)
        format = NULL;
    request->format = format != NULL || automatic ? format : &format_raw;
    if (request->format != &format_raw)
        type = "f32";
    return sample_type_parse(type, big_endian, &request->sample)
               ? 0
               : format_unknown(type, false, error);
}

static struct recognised taken_for(const struct format *format)
{
    return (struct recognised){.format = format, .words = format->words};
}

/* The next read finds a fault again. */
static bool is_empty(struct input *input)
{
    const unsigned char *bytes;
    struct error ignored;
    size_t got;

    return input_peek(input, 1, &bytes, &got, &ignored) == 0 && got == 0;
}

/* Rejects an empty input that is named as a container. */
static int refuse_empty(struct input *input, const struct format *named, struct error *error)
{
    return named != NULL && (named->magic != NULL || named->by_ending) &&
                   named->delimiter == '\0' && is_empty(input)
               ? error_set(error, ERROR_FILE, input->name, "is empty, not %s", named->words)
               : 0;
}

/* Is there a NaN, an infinity or a magnitude above 1e6 among the first bytes that are there? */
static bool are_hardly_floats(const struct input *input, bool big_endian)
{
    enum { MILLION = 0x49742400 }; /* 1e6 as a float32 */
    unsigned char bytes[4096];
    bool ended;
    const size_t size = input_glimpse(input, bytes, sizeof bytes, &ended);

    for (size_t at = 0; at + sizeof(float) <= size; at += sizeof(float)) {
        if ((sample_load32(bytes + at, big_endian) & 0x7fffffff) > MILLION)
            return true;
    }
    return false;
}

/* Rejects MP3 after zeros: raw silence begins with zeros, and so do some MP3 files. */
static int refuse_mpeg(const struct input *input, struct error *error)
{
    unsigned char bytes[MPEG_MOST];
    bool ended;
    const size_t size = input_glimpse(input, bytes, sizeof bytes, &ended);

    return mpeg_follows_zeros(bytes, size)
               ? error_set(error, ERROR_FILE, input->name,
                           "begins with zeros, and then with frames of MP3: give -t mp3")
               : 0;
}

/* The error for a file whose format neither its first bytes nor its name say. */
static int refuse_unknown(const struct input *input, const struct format *named,
                          struct error *error)
{
    const bool begins = named != NULL && named->open != NULL;

    if (named != NULL && named->by_name != NULL)
        return recognise_refuse(input, &(struct recognised){named, named->words, named->by_name},
                                error);
    return error_set(error, ERROR_FILE, input->name,
                     "%s%s: give -t f32 for float32 samples (sound: -t s16, with -c and -r; radio: "
                     "cu8, cs8, cs16, cf32; tables: csv)",
                     begins ? "does not begin like "
                            : "neither its first bytes nor the ending of its name say what it is",
                     begins ? named->words : "");
}

/* Chooses the format by magic, or by file name; raw if the name says so, although the contents are
 * no samples. Standard input has no name: it is taken for raw float32. */
static int choose_recognised(struct input *input, const struct source_request *request,
                             struct sample_type *raw, struct recognised *found, struct error *error)
{
    const bool mute = input->standard || format_ending_says_nothing(input->name);
    const struct format *named = mute ? NULL : format_of_input(input->name, raw);
    bool is_raw = named == &format_raw;

    if (recognise_beginning(input, found, error) != 0 || refuse_empty(input, named, error) != 0)
        return -1;
    if ((found->format == NULL || found->format == &format_plain_text) && named != NULL &&
        named->by_ending)
        *found = taken_for(named);
    /* With an option about columns, all that can be text is a table; without one, its reader
     * refuses text that does not look like a table. */
    if (!is_raw && found->refused == format_plain_text.magic && request->table == NULL)
        found->format = format_named("csv", strlen("csv"));
    else if (!is_raw && request->table != NULL &&
             (found->format == NULL || found->refused == format_plain_text.magic))
        *found = taken_for(format_named("csv", strlen("csv")));
    if (found->format != NULL && !(is_raw && found->format->no_samples))
        return 0;
    if (!is_raw && refuse_mpeg(input, error) != 0)
        return -1;
    if (!is_raw && !input->standard && !is_empty(input))
        return refuse_unknown(input, named, error);
    *found = taken_for(&format_raw);
    return 0;
}

static int refuse_number(struct error *error, char option, double wanted,
                         const struct source *source, double is)
{
    return USAGE(error, "-%c %.10g: the header of %s says %.10g: leave -%c out%s", option, wanted,
                 source->input->name, is, option,
                 option == 'c' ? "; --mix takes the mean of channels, --pick some" : "");
}

bool source_rate_is_sane(double rate)
{
    return rate >= SOURCE_RATE_LEAST && rate <= SOURCE_RATE_MOST;
}

/* The header and the user must agree, unless one of them does not say. */
static int reconcile(struct source *source, const struct source_request *request,
                     struct error *error)
{
    struct source_format *format = &source->format;

    if (request->channels_given && request->channels != format->channels)
        return refuse_number(error, 'c', request->channels, source, format->channels);
    if (format->rate != 0 && !source_rate_is_sane(format->rate))
        return error_set(error, ERROR_FILE, source->input->name,
                         "its header gives a rate of %.10g Hz: rates are " SOURCE_RATES,
                         format->rate);
    if (request->rate > 0 && format->rate > 0 && request->rate != format->rate)
        return refuse_number(error, 'r', request->rate, source, format->rate);
    if (format->rate == 0)
        format->rate = request->rate;
    if (format->rate == request->rate)
        format->ratio = request->ratio;
    return 0;
}

const struct source_table source_no_table = {.times = NULL};

const char *source_key_name(const struct source_table *table)
{
    if (table == NULL || table->keys == NULL)
        return NULL;
    return table->by_name != NULL && table->by_name[0] != '\0' ? table->by_name : "key";
}

void *source_new(const struct source_class *class, struct input *input, struct source **source,
                 struct error *error)
{
    struct source *new = calloc(1, class->bytes);

    if (new == NULL) {
        error_system(error, ERROR_FILE, input->name, errno);
        return NULL;
    }
    new->class = class;
    new->input = input;
    new->table = &source_no_table;
    *source = new;
    return new;
}

void *source_over(const struct source_class *class, struct source **source, struct error *error)
{
    struct source *other = *source;
    struct source *new = source_new(class, other->input, source, error);

    if (new == NULL)
        return NULL;
    *new = *other;
    new->class = class;
    new->other = other;
    new->anywhere = class->reader != NULL && other->anywhere;
    return new;
}

int source_skip_other(struct source *source, uint64_t frames, uint64_t *passed, struct error *error)
{
    return source->other->class->skip(source->other, frames, passed, error);
}

int source_go_other(struct source *source, uint64_t frame, bool doubt, struct error *error)
{
    return source->other->class->go(source->other, frame, doubt, error);
}

bool source_ready_other(struct source *source, unsigned microseconds)
{
    return source->other->class->ready(source->other, microseconds);
}

void source_close(struct source *source)
{
    while (source != NULL) {
        struct source *other = source->other;

        if (source->class->close != NULL)
            source->class->close(source);
        free(source);
        source = other;
    }
}

void source_set_end(struct source *source, uint64_t frame)
{
    while (source->class->set_end == NULL && source->other != NULL)
        source = source->other;
    if (source->class->set_end != NULL)
        source->class->set_end(source, frame);
}

const char *source_remark(struct source *source)
{
    const char *remark;

    while (source->class->remark == NULL && source->other != NULL)
        source = source->other;
    remark = source->class->remark == NULL ? source->remark : source->class->remark(source);
    return remark == NULL || remark[0] == '\0' ? NULL : remark;
}

int source_skip_by_reading(struct source *source, uint64_t frames, uint64_t *passed,
                           struct error *error)
{
    size_t frame_bytes = source_frame_bytes(&source->format);
    size_t capacity = frame_bytes < SKIP_BYTES ? SKIP_BYTES / frame_bytes : 1;
    void *ignored = malloc(capacity * frame_bytes);
    size_t got = 1;
    int result = 0;

    *passed = 0;
    if (ignored == NULL)
        return error_system(error, ERROR_FILE, source->input->name, errno);
    while (result == 0 && got > 0 && *passed < frames) {
        uint64_t left = frames - *passed;

        result = source->class->read(source, ignored, left < capacity ? (size_t)left : capacity,
                                     &got, error);
        *passed += got;
    }
    free(ignored);
    return result;
}

int source_open(struct input *input, const struct source_request *request, struct source **source,
                struct error *error)
{
    struct source_request own = *request; /* the request, with the type that the name says */
    struct recognised found = taken_for(&format_raw);
    const char *looks = NULL;
    bool hardly_floats;
    int result = 0;

    *source = NULL;
    if (request->format != NULL)
        found = taken_for(request->format);
    if (request->format == NULL)
        result = choose_recognised(input, request, &own.sample, &found, error);
    else if (request->format != &format_raw)
        result = refuse_empty(input, request->format, error) != 0
                     ? -1
                     : recognise_named(input, request->format, error);
    else if (input->regular) /* a pipe is checked when it is read, because its bytes may be late */
        looks = recognise_glimpse(input).words;
    if (result != 0)
        return -1;
    if (found.refused != NULL && found.format->delimiter == '\0')
        return recognise_refuse(input, &found, error);
    if (request->table != NULL && found.format->delimiter == '\0')
        return error_set(error, ERROR_FORMAT, input->name,
                         "is read as %s, and --%s needs a table: leave it out, or add -t csv",
                         found.words, request->table);
    hardly_floats = request->format == NULL && found.format == &format_raw && input->standard &&
                    are_hardly_floats(input, own.sample.big_endian);
    if (found.format->open(input, &own, &found, source, error) == 0 &&
        reconcile(*source, request, error) == 0) {
        /* A file of size 0 may still have contents, as files of the kernel do: a look at its first
         * bytes decides. For a format that reads ahead, the end of the bytes is not the end of the
         * frames. */
        if ((*source)->format.frames == SOURCE_FRAMES_UNKNOWN && input->regular &&
            input->status.st_size == 0 && input_position(input) == 0 && is_empty(input))
            (*source)->format.frames = 0;
        (*source)->hardly_floats = hardly_floats;
        (*source)->looks = looks;
        return 0;
    }
    source_close(*source);
    *source = NULL;
    return -1;
}
