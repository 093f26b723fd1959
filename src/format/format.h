/* What a file can be. A format is one `struct format`: its names, how its files begin, its reader
 * and its writer, side by side in a file of its own. All of them stand in the table of
 * format/table.c. */
#ifndef GPUENV_FORMAT_FORMAT_H
#define GPUENV_FORMAT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "format/numbers.h"
#include "format/sink.h"
#include "format/source.h"

/* First bytes. Raw samples come with any bytes at all, so these have to be so many that samples
 * practically never look like them: where four letters are all the name there is, what must follow
 * them is compared as well. */
struct format_magic {
    unsigned size; /* 0: the end of a list */
    const char *bytes;
    const char *mask;  /* which of their bits count */
    const char *words; /* for messages: "a big-endian WAV file"; NULL: those of the format */
};

/* For masks: the bytes 0-3 and 8-11, as a RIFF and its like have a size between; all bytes. */
#define FORMAT_MASK_CHUNK "\xff\xff\xff\xff\0\0\0\0\xff\xff\xff\xff"
#define FORMAT_MASK_ALL "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"

enum format_look {
    FORMAT_NO,
    FORMAT_MORE, /* `*wanted` bytes are needed to tell, at most INPUT_PEEK */
    FORMAT_YES,
};

struct format_writer {
    enum sample_kind usual; /* what it holds unless something else is asked for */
    const char *kinds;      /* what it can hold, each after a blank; for messages, too */
    bool big_endian;
    bool any_order;     /* its samples may be in either byte order */
    bool numbers;       /* its integers are numbers as they are, not shares of full scale */
    bool rateless;      /* it has no word for a rate */
    bool any_rate;      /* its rate may be any number; else it is a whole one, */
    uint32_t rate_most; /* at most this; 0: 2^32-1 */
    bool rate_of_input; /* that is the rate of the input, not of the frames in it */
    bool streams;       /* it can be written in one go, with a length that is not known */
    bool spools;        /* else, in a pipe, it is put together in a temporary file */
    bool text;          /* people may read it: it goes to a terminal, too */
    bool any_window;    /* it merges frames itself, so that it needs no window of the user's */
    bool by_libsndfile; /* this build may be without it */

    int (*open)(struct output *output, const struct sink_format *format, struct sink **sink,
                struct error *error);

    /* For a header in front of raw frames (format/header_sink.h): appends it. Its size does not
     * depend on the number of frames; SINK_FRAMES_UNKNOWN only where it `streams`. */
    void (*header)(struct builder *builder, const struct sink_format *format, uint64_t frames);
    unsigned frame_most;    /* bytes of a frame that the header can tell; 0: any number */
    unsigned channels_most; /* the same of channels */
    uint64_t data_most;     /* and of bytes in all */
    unsigned align;         /* zeros follow the frames up to a multiple of this; 0: none do */

    /* Appends a whole file without frames, where the library does not write a good one; or NULL. */
    void (*empty)(struct builder *builder, const struct sink_format *format);
};

enum { FORMAT_NAMES = 2 };

struct format {
    /* After -t; the first after -T, too, and in messages. A format without a name is only
     * recognised. */
    const char *names[FORMAT_NAMES];
    const char *words; /* for messages: "a FLAC file" */

    /* The name of the format whose reader takes this one for its own: -t with either name reads
     * both. NULL: it is its own family. */
    const char *family;
    bool any_family; /* by its name it reads every file */

    const char *endings; /* of file names, each after a blank, in lower case; or NULL */
    bool columns;        /* it is made of columns, of which --columns takes some */
    bool by_ending;      /* an input that is not recognised, with such a name, is one */

    const struct format_magic *magic; /* a list; NULL: it has no first bytes of its own */

    /* For what can begin in other ways, too: asked with all bytes that were seen, 4 or more, when
     * no magic of any format matches. `ended`: there are no others. Or NULL. */
    enum format_look (*look)(const unsigned char *bytes, size_t size, bool ended, size_t *wanted);

    /* For what has hardly any first bytes: is a plain file of `length` bytes, with these at its
     * beginning, as long as its header says? Asked last. The words for messages, or NULL. Or NULL.
     */
    const char *(*fits)(const unsigned char *bytes, size_t size, uint64_t length);

    /* What is recognised and not read here: a list (format/refused.h), or NULL. */
    const struct refused *refused;

    /* It holds no samples: a raw type by the name of a file goes before it, and behind the frames
     * of another file it is no second one. */
    bool no_samples;

    /* Reads the header. `words` say what was recognised. NULL: it is only written, or refused. */
    int (*open)(struct input *input, const struct source_request *request, const char *words,
                struct source **source, struct error *error);

    const struct format_writer *writer; /* NULL: nobody writes it here */
};

/* Frames without a header. It is in no table: an input is raw when it is nothing else, and an
 * output when it is asked for by the type of its samples. */
extern const struct format format_raw;

/* The formats by number, from 0; NULL behind the last. */
const struct format *format_at(size_t index);

/* By one of its names. NULL: there is none. */
const struct format *format_named(const char *name, size_t length);

/* By the ending of a path, in any case; NULL: none has it. */
const struct format *format_by_ending(const char *path);

/* Is the ending of this path, in any case, a type of raw frames or "raw", float32? Then sets the
 * kind, and the byte order where the ending says it. */
bool format_raw_by_ending(const char *path, struct sample_type *type);

/* Does the name of the file say that samples are in it, which can be read? `type` is what stands
 * after -t; where that is text, any text may be. */
bool format_is_input(const char *path, const char *type);

/* Bytes of the path without its ending, where that is one of ours. */
size_t format_stem(const char *path);

/* Does -t with the name of the one read a file that is the other? */
bool format_reads(const struct format *format, const struct format *other);

/* The names for -t, or those for -T, with a blank between: " wav rf64 ...". What is only read, and
 * goes by its family's name, is left out. */
enum { FORMAT_LIST_MOST = 512 };
void format_list(bool writers, char list[FORMAT_LIST_MOST]);

/* Is this one of the words, each of which stands after a blank? */
bool format_is_among(const char *words, const char *word, size_t length);

#endif
