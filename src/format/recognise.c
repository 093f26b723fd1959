#include "format/recognise.h"

enum { LEAST = sizeof(float) /* one sample: to wait for more would delay a slow stream */ };

static const struct recognised nothing = {.format = NULL};

/* Do these bytes begin like the magic, as far as they go? */
static bool begins_like(const struct format_magic *magic, const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size && i < magic->size; i++) {
        unsigned char mask = (unsigned char)magic->mask[i];

        if ((bytes[i] & mask) != (unsigned char)magic->bytes[i])
            return false;
    }
    return true;
}

/* The less of two numbers of bytes of which 0 is none. */
static size_t fewer(size_t a, size_t b)
{
    return a == 0 || (b > 0 && b < a) ? b : a;
}

/* The format that begins with these bytes. Where there is none yet, `*more` bytes would tell more;
 * 0: none would. */
static struct recognised find_magic(const unsigned char *bytes, size_t size, size_t *more)
{
    const struct format *format;

    *more = 0;
    for (size_t i = 0; (format = format_at(i)) != NULL; i++) {
        const struct format_magic *magic = format->magic;

        for (; magic != NULL && magic->size > 0; magic++) {
            if (!begins_like(magic, bytes, size))
                continue;
            if (size >= magic->size)
                return (struct recognised){
                    .format = format,
                    .words = magic->words != NULL ? magic->words : format->words,
                };
            *more = fewer(*more, magic->size);
        }
    }
    return nothing;
}

/* The same for what has no first bytes of its own. */
static struct recognised find_look(const unsigned char *bytes, size_t size, bool ended,
                                   size_t *more)
{
    const struct format *format;

    *more = 0;
    for (size_t i = 0; (format = format_at(i)) != NULL; i++) {
        size_t wanted = 0;
        enum format_look look = FORMAT_NO;

        if (format->look != NULL)
            look = format->look(bytes, size, ended, &wanted);
        if (look == FORMAT_YES)
            return (struct recognised){.format = format, .words = format->words};
        if (look == FORMAT_MORE)
            *more = fewer(*more, wanted);
    }
    return nothing;
}

struct recognised recognise_bytes(const unsigned char *bytes, size_t size, bool ended, size_t *more)
{
    struct recognised found = nothing;

    *more = 0;
    if (size < LEAST)
        return found;
    found = find_magic(bytes, size, more);
    if (found.format == NULL && *more == 0)
        found = find_look(bytes, size, ended, more);
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
    return 0;
}
