/* SPDX-License-Identifier: MIT */
/* SigMF (Signal Metadata Format): raw samples in NAME.sigmf-data, and their description, as JSON,
 * in NAME.sigmf-meta beside it. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "format/channels.h"
#include "format/format.h"
#include "format/json_read_priv.h"
#include "format/parsers_priv.h"
#include "format/raw_reader_priv.h"
#include "format/text/number.h"
#include "io/unpack.h"

#define READ_RAW ": -t TYPE, -c and -r read it without metadata"

/* ---- the parser of metadata */

enum { CHANNELS_MOST = 65535 };

#define WHOLE_MOST 9007199254740992.0 /* whole numbers that are exact in JSON */

/* Sets the reason, and returns false. */
__attribute__((format(printf, 2, 3))) static bool wrong(struct sigmf_meta *meta, const char *format,
                                                        ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(meta->why, sizeof meta->why, format, arguments);
    va_end(arguments);
    return false;
}

/* True if the member is there and not null. */
static bool has(struct json_value object, const char *name, struct json_value *value)
{
    return json_member(object, name, value) && json_kind(*value) != 'n';
}

/* Leaves `*number` as it is if there is no such member. */
static bool read_number(struct sigmf_meta *meta, struct json_value object, const char *name,
                        double *number)
{
    struct json_value value;

    if (!has(object, name, &value))
        return true;
    if (json_kind(value) != '0' || number_read_f64(value.at, value.end, '.', number) != value.end)
        return wrong(meta, "its %s is not a number", name);
    return true;
}

static bool read_whole(struct sigmf_meta *meta, struct json_value object, const char *name,
                       uint64_t *whole)
{
    double number = (double)*whole;

    if (!read_number(meta, object, name, &number))
        return false;
    if (!(number >= 0 && number <= WHOLE_MOST && number == floor(number)))
        return wrong(meta, "its %s is not a whole number", name);
    *whole = (uint64_t)number;
    return true;
}

/* Reads "ci16_le": real or complex, the type, its bits, and the byte order where it has one. */
static bool read_type(struct sigmf_meta *meta, struct json_value global)
{
    struct sample_type *sample = &meta->data.format.sample;
    struct json_value value;
    char text[32];
    char name[32];
    const char *order;
    size_t size;

    if (!has(global, "core:datatype", &value))
        return wrong(meta, "it has no core:datatype");
    if (json_kind(value) != '"')
        return wrong(meta, "its core:datatype is not a string");
    json_string(value, text, sizeof text);
    size = strcspn(text, "_");
    order = text + size;
    if ((text[0] == 'r' || text[0] == 'c') && text[1] != '\0' && strchr("fiu", text[1]) != NULL &&
        strspn(text + 2, "0123456789") == size - 2 && size > 2) {
        snprintf(name, sizeof name, "%s%c%.*s", text[0] == 'c' ? "c" : "",
                 text[1] == 'i' ? 's' : text[1], (int)size - 2, text + 2);
        meta->pairs = text[0] == 'c' && !sample_type_parse(name, false, sample);
        if (sample_type_parse(name + meta->pairs, strcmp(order, "_be") == 0, sample) &&
            (strcmp(order, "_le") == 0 || strcmp(order, "_be") == 0 ||
             (order[0] == '\0' && strcmp(text + 2, "8") == 0)))
            return true;
    }
    return wrong(meta, "its core:datatype %s is not supported", text);
}

/* Finds where the samples begin. Samples of further captures follow, unless these have headers of
 * their own. */
static bool read_captures(struct sigmf_meta *meta, struct json_value root, uint64_t offset)
{
    struct json_value captures;
    struct json_value capture = {NULL, NULL};
    uint64_t start = offset;

    if (!has(root, "captures", &captures))
        return true;
    if (json_kind(captures) != '[')
        return wrong(meta, "its captures are not a list");
    for (bool first = true; json_next(captures, NULL, &capture); first = false) {
        uint64_t header = 0;
        uint64_t before = start;

        if (json_kind(capture) != '{')
            return wrong(meta, "one of its captures is not an object");
        if (!read_whole(meta, capture, "core:header_bytes", &header) ||
            !read_whole(meta, capture, "core:sample_start", &start))
            return false;
        if (start < before)
            return wrong(meta, first ? "its first capture begins before its core:offset"
                                     : "its captures are not in the order of core:sample_start");
        if (first) {
            meta->start = start - offset;
            meta->header_bytes = header;
        } else if (header > 0) {
            return wrong(meta, "a capture after its first has core:header_bytes");
        }
    }
    return true;
}

bool sigmf_meta_parse(const char *text, size_t size, struct sigmf_meta *meta)
{
    struct json_value root;
    struct json_value global;
    uint64_t channels = 1;
    uint64_t offset = 0;

    *meta = (struct sigmf_meta){.data = {.container = "sigmf", .bytes = RAW_UNTIL_END}};
    if (!json_read(text, size, &root))
        return wrong(meta, "it is not JSON");
    if (!has(root, "global", &global) || json_kind(global) != '{')
        return wrong(meta, "it has no object named global");
    if (!read_type(meta, global) ||
        !read_number(meta, global, "core:sample_rate", &meta->data.format.rate) ||
        !read_whole(meta, global, "core:num_channels", &channels) ||
        !read_whole(meta, global, "core:offset", &offset) ||
        !read_whole(meta, global, "core:trailing_bytes", &meta->trailing_bytes) ||
        !read_captures(meta, root, offset))
        return false;
    if (meta->data.format.rate < 0)
        return wrong(meta, "its core:sample_rate is negative");
    if (channels < 1 || channels > CHANNELS_MOST)
        return wrong(meta, "its core:num_channels is not 1 to %d", CHANNELS_MOST);
    meta->data.format.channels = (unsigned)channels * (meta->pairs ? 2 : 1);
    return true;
}

/* ---- the reader */

enum {
    META_MOST = 1 << 20,
    ENDING = 4, /* "data" and "meta" */
};

/* The name of one of the two files, from that of the other, which may be compressed. To be freed;
 * NULL if memory runs out. */
static char *name_beside(const char *path, const char *ending)
{
    char *name = strndup(path, unpack_stem(path));
    char *end = name == NULL ? NULL : name + strlen(name) - ENDING;

    for (int i = 0; end != NULL && i < ENDING; i++)
        end[i] =
            (char)(isupper((unsigned char)end[i]) ? toupper((unsigned char)ending[i]) : ending[i]);
    return name;
}

static int read_meta(struct input *input, struct sigmf_meta *meta, struct error *error)
{
    char *path = name_beside(input->name, "meta");
    struct input file;
    char *text = malloc(META_MOST + 1);
    struct stat status;
    size_t size;
    int result = -1;

    if (path == NULL || text == NULL) {
        error_system(error, ERROR_FILE, input->name, errno);
    } else if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        /* Opening a FIFO would wait for its writer. */
        error_set(error, ERROR_FILE, input->name,
                  "%.300s cannot be used: it is not a plain file" READ_RAW, path);
    } else if (input_open(&file, path, true, error) != 0) {
        if (error->number == ENOENT)
            error_set(error, ERROR_FILE, input->name,
                      "needs %.300s in the same folder, which is missing" READ_RAW, path);
    } else {
        file.stop_fd = input->stop_fd;
        result = input_read_all(&file, text, META_MOST + 1, &size, error);
        if (result == 0 && !(size > META_MOST ? wrong(meta, "it is larger than 1 MiB")
                                              : sigmf_meta_parse(text, size, meta)))
            result = error_set(error, ERROR_FILE, input->name, "%.300s cannot be used: %s" READ_RAW,
                               path, meta->why);
        input_close(&file);
    }
    free(text);
    free(path);
    return result;
}

/* Moves to the first sample, and sets the number of bytes of samples that follow. */
static int go_to_samples(struct input *input, struct sigmf_meta *meta, struct error *error)
{
    const uint64_t there = input_remaining(input);
    uint64_t before;
    uint64_t passed;

    if (__builtin_mul_overflow(meta->start, source_frame_bytes(&meta->data.format), &before) ||
        __builtin_add_overflow(before, meta->header_bytes, &before) ||
        (there != UINT64_MAX && (before > there || meta->trailing_bytes > there - before)))
        return error_set(error, ERROR_FILE, input->name,
                         "its metadata places samples beyond its end" READ_RAW);
    if (meta->trailing_bytes > 0) {
        if (there == UINT64_MAX)
            return error_set(error, ERROR_FILE, input->name,
                             "has core:trailing_bytes, which needs a plain file" READ_RAW);
        meta->data.bytes = there - before - meta->trailing_bytes;
        meta->data.bounded = true;
    }
    if (input_skip(input, before, &passed, error) != 0)
        return -1;
    return passed == before
               ? 0
               : error_set(error, ERROR_FILE, input->name, "ends before its first sample" READ_RAW);
}

static int open_sigmf(struct input *input, const struct source_request *request,
                      const struct recognised *found, struct source **source, struct error *error)
{
    struct sigmf_meta meta = {.start = 0};

    if (input->standard || format_of_input(input->name, NULL) != found->format)
        return error_set(
            error, ERROR_FILE, input->name,
            "is not a file named NAME.sigmf-data, with NAME.sigmf-meta beside it" READ_RAW);
    if (read_meta(input, &meta, error) != 0)
        return -1;
    meta.data.format.sample.counts = request->sample.counts;
    if (go_to_samples(input, &meta, error) != 0)
        return -1;
    if (source_open_raw_frames(input, &meta.data, source, error) != 0)
        return -1;
    return meta.pairs ? channels_choose(source, NULL, 0, CHANNELS_IQ, error) : 0;
}

const struct format format_sigmf = {
    .names = {"sigmf"},
    .words = "a SigMF recording",
    .endings = " sigmf-data",
    .by_ending = true,
    .open = open_sigmf,
};

static int refuse_meta(struct input *input, const struct source_request *request,
                       const struct recognised *found, struct source **source, struct error *error)
{
    char *data = name_beside(input->name, "data");

    (void)request;
    (void)found;
    (void)source;
    if (data == NULL)
        return error_system(error, ERROR_FILE, input->name, errno);
    error_set(error, ERROR_FILE, input->name,
              "only describes samples: name the file that has them, "
              "%.300s",
              data);
    free(data);
    return -1;
}

const struct format format_sigmf_meta = {
    .words = "SigMF metadata",
    .endings = " sigmf-meta",
    .by_ending = true,
    .describes = true,
    .open = refuse_meta,
};
