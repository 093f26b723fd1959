/* SPDX-License-Identifier: MIT */
#include "format/recognise_priv.h"

#include "io/read_at.h"

enum {
    LEAST = sizeof(float), /* bytes of one sample; waiting for more would delay a slow stream */
    /* One stream in millions matches BITS_TO_WAIT bits of a magic by chance, and waits for the
     * rest. */
    BITS_TO_WAIT = 24,
    BEGINNING = 4096,  /* bytes that are examined if available */
    FIT_BYTES = 64,    /* bytes of a plain file that are read to compare its size with the header */
    GRACE = 20 * 1000, /* microseconds to wait for a few bytes of text to continue, or to end */
};

static const struct recognised nothing = {.format = NULL};

/* Streams often begin with zeros; waiting would not help to recognise any file. */
static bool is_silence(const unsigned char *bytes, size_t size)
{
    while (size > 0 && bytes[size - 1] == 0)
        size--;
    return size == 0;
}

/* The smaller of two sizes, where 0 means none. */
static size_t fewer(size_t a, size_t b)
{
    return a == 0 || (b > 0 && b < a) ? b : a;
}

/* True if the bytes begin with the magic. If more bytes are needed to decide, `*more` is their
 * number. */
static bool begins_with(const struct format_magic *magic, const unsigned char *bytes, size_t size,
                        size_t *more)
{
    unsigned bits = 0;

    for (size_t i = 0; i < size && i < magic->size; i++) {
        const unsigned char mask = magic->mask == NULL ? 0xff : (unsigned char)magic->mask[i];

        if ((bytes[i] & mask) != (unsigned char)magic->bytes[i])
            return false;
        bits += (unsigned)__builtin_popcount(mask);
    }
    if (size < magic->size && bits >= BITS_TO_WAIT && !is_silence(bytes, size))
        *more = fewer(*more, magic->size);
    return size >= magic->size;
}

struct recognised recognise_bytes(const unsigned char *bytes, size_t size, bool ended, size_t *more)
{
    const struct format *format;

    *more = 0;
    for (size_t i = 0; size >= LEAST && (format = format_at(i)) != NULL; i++) {
        const struct format_magic *magic = format->magic;

        for (; magic != NULL && magic->bytes != NULL; magic++) {
            size_t wanted = 0;

            if (begins_with(magic, bytes, size, more) &&
                (magic->look == NULL || magic->look(bytes, size, ended, &wanted)))
                return (struct recognised){
                    .format = format,
                    .words = magic->words != NULL ? magic->words : format->words,
                    .refused = magic->advice != NULL ? magic : NULL,
                };
            *more = fewer(*more, wanted);
        }
    }
    return nothing;
}

/* Looks at a plain file without moving its offset: other processes may share the descriptor. */
static struct recognised recognise_file(const struct input *input)
{
    unsigned char bytes[FIT_BYTES];
    size_t got = read_at(input->fd, bytes, sizeof bytes, input_position(input));
    size_t more;
    struct recognised found = recognise_bytes(bytes, got, got < sizeof bytes, &more);
    const struct format *format;

    for (size_t i = 0; found.format == NULL && (format = format_at(i)) != NULL; i++) {
        found.words =
            format->fits == NULL ? NULL : format->fits(bytes, got, input_remaining(input));
        if (found.words != NULL)
            found.format = format;
    }
    return found;
}

int recognise(struct input *input, struct recognised *found, struct error *error)
{
    size_t wanted = LEAST;
    bool ended = false;

    *found = nothing;
    do {
        const unsigned char *bytes;
        size_t got;

        if (input_peek(input, wanted, &bytes, &got, error) != 0)
            return -1;
        ended = got < wanted;
        *found = recognise_bytes(bytes, got, ended, &wanted);
    } while (found->format == NULL && wanted > 0 && !ended);
    if (found->format == NULL && input->regular)
        *found = recognise_file(input);
    return 0;
}

int recognise_named(struct input *input, const struct format *named, struct error *error)
{
    struct recognised found;

    /* A named format with first bytes of its own cannot be text, so there is no search for text. */
    if ((named->magic != NULL && named->delimiter == '\0' && !named->describes
             ? recognise_beginning(input, &found, error)
             : recognise(input, &found, error)) != 0)
        return -1;
    if (found.refused != NULL && found.format != &format_plain_text)
        return recognise_refuse(input, &found, error);
    return found.format == NULL || format_reads(named, found.format)
               ? 0
               : error_set(error, ERROR_FILE, input->name, "is %s, not %s: leave -t out",
                           found.words, named->words);
}

struct recognised recognise_all(const unsigned char *bytes, size_t size, bool ended)
{
    size_t more;
    struct recognised found = recognise_bytes(bytes, size, ended, &more);
    const struct format_magic *text = found.format == NULL ? plain_text(bytes, size, ended) : NULL;

    if (text != NULL)
        found = (struct recognised){&format_plain_text, text->words, text};
    return found;
}

int recognise_beginning(struct input *input, struct recognised *found, struct error *error)
{
    unsigned char bytes[BEGINNING];
    size_t size;
    bool ended;

    if (recognise(input, found, error) != 0)
        return -1;
    if (found->format != NULL)
        return 0;
    size = input_glimpse(input, bytes, sizeof bytes, &ended);
    if (!ended && size < PLAIN_TEXT_LEAST && plain_text(bytes, size, true) != NULL) {
        input_wait_for_more(input, GRACE);
        size = input_glimpse(input, bytes, sizeof bytes, &ended);
    }
    *found = recognise_all(bytes, size, ended);
    return 0;
}

struct recognised recognise_glimpse(const struct input *input)
{
    unsigned char bytes[BEGINNING];
    bool ended;
    size_t more;
    size_t size = input_glimpse(input, bytes, sizeof bytes, &ended);
    struct recognised found = recognise_bytes(bytes, size, ended, &more);

    return found.format == NULL || found.refused != NULL ? nothing : found;
}

int recognise_another(const struct input *input, const char *words, uint64_t frames,
                      struct error *error)
{
    return error_set(error, ERROR_FILE, input->name,
                     "%s follows the first, after %llu frames: only the first was used: filter "
                     "them one by one",
                     words, (unsigned long long)frames);
}

int recognise_refuse(const struct input *input, const struct recognised *found, struct error *error)
{
    const struct format_magic *row = found->refused;
    const char *is = row == found->format->by_name ? "has the name of" : "is";
    const char *operand = "";

    if (row->behind != NULL)
        operand = !input->standard ? input->name : row->file != NULL ? row->file : "-";
    return error_set(error, row->code, input->name, "%s %s%s%s%s", is, found->words, row->advice,
                     operand, row->behind != NULL ? row->behind : "");
}
