/* The command line as a plain struct. Nothing here reads, writes or opens anything. */
#ifndef GPUENV_CLI_OPTIONS_H
#define GPUENV_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "stats/writer.h"
#include "window/rules.h"
#include "window/window.h"

/* A length of the stream, in frames or in time. */
struct span {
    bool given;
    bool is_time;
    uint64_t frames;
    double seconds;
    const char *text; /* as the user wrote it */
};

enum options_action {
    OPTIONS_RUN,
    OPTIONS_HELP,
    OPTIONS_VERSION,
};

enum options_device {
    DEVICE_AUTO,
    DEVICE_CPU,
    DEVICE_CUDA,
};

enum options_progress {
    PROGRESS_AUTO, /* on a terminal, after a second */
    PROGRESS_ON,
    PROGRESS_OFF,
};

struct options {
    enum options_action action;

    char **inputs; /* operands; points into argv */
    size_t input_count;
    const char *output;      /* -o; NULL: standard output */
    const char *type;        /* -t; "auto" unless given */
    const char *output_type; /* -T; NULL unless given */
    unsigned channels;       /* -c; 1 unless given */
    bool channels_given;
    double rate; /* -r; 0 unless given */
    bool big_endian;
    bool counts;
    bool force;

    struct span window; /* given when action is OPTIONS_RUN, unless no frames are emitted */
    struct span hop;
    struct span skip;
    struct span frames;
    enum window_align align;
    enum window_edge edge;
    struct emit_list emits; /* empty for `none` */
    enum nan_policy nan;

    enum options_device device;
    unsigned device_index;
    unsigned threads; /* 0 unless given */
    const char *isa;  /* NULL unless given; one of the known names */
    size_t chunk;     /* 0 unless given */
    bool lemire;      /* --algorithm lemire */

    bool quiet;
    bool verbose;
    enum options_progress progress;
    const char *report; /* --report FILE */

    const char *stats; /* --stats FILE; always there when no frames are emitted */
    struct span stats_every;
    enum stats_format stats_format;
    bool stats_format_given;
};

/* Fills in the struct from argv (which getopt may reorder). A bad command line gives
 * STATUS_USAGE and one line that names the option and the reason. */
int options_parse(struct options *options, int argc, char **argv, struct error *error);

/* A span in frames, at `rate` frames a second (0: not known, so a time is an error), rounded to
 * the nearest frame. `option` is its name in messages: "-w". A span that was not given is
 * `fallback`. Less than `least` is an error. */
int options_span(const struct span *span, const char *option, double rate, uint64_t least,
                 uint64_t fallback, uint64_t *frames, struct error *error);

#endif
