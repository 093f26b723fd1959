/* SPDX-License-Identifier: MIT */
/* The parsed command line: settings, which apply to every input, and a task, which is one input.
 * Nothing here opens, reads or writes anything. */
#ifndef GPUENV_JOB_SETTINGS_H
#define GPUENV_JOB_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "format/rate.h"
#include "format/sink.h"
#include "format/text/dialect.h"
#include "format/text/number.h"
#include "format/text/stats.h"
#include "format/text/zone.h"
#include "window/emit_list.h"
#include "window/window.h"

/* An option as the user wrote it. */
struct option_value {
    char option[24]; /* "-w" or "--window" */
    const char *text;
};

/* The most characters of a user's text that a message shows, so that the reason fits. */
enum { VALUES_SHOWN = 160 };

/* Sets "OPTION TEXT: reason" as a usage error. Returns -1. */
int settings_refuse(struct error *error, const struct option_value *value, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A length of the stream, in frames or in time. */
struct span {
    bool given;
    bool is_time;
    uint64_t frames;
    decimal_digits time; /* exactly time * 10^power seconds */
    int power;
    unsigned months; /* calendar months, instead of a time; 0 if the calendar does not matter */
    bool weeks;      /* whole weeks, in the unit "w" */
    bool minutes;    /* 1:30, which may be hours and minutes in a table */
    struct option_value value; /* the option that set it */
};

enum settings_device {
    DEVICE_AUTO,
    DEVICE_CPU,
    DEVICE_CUDA,
};

/* The most devices requested by name. */
enum { SETTINGS_DEVICES = 16 };

/* The most channels picked. */
enum { SETTINGS_PICKS = 256 };

enum settings_progress {
    PROGRESS_AUTO, /* on a terminal, after a second */
    PROGRESS_ON,
    PROGRESS_OFF,
};

/* What applies to every input. */
struct settings {
    const char *table; /* the name of an option about text in columns; NULL if none is given */
    const char *type;  /* -t; "auto" unless given */
    const char *output_type; /* -T; NULL unless given */
    double rate;             /* -r; 0 unless given */
    struct rate_ratio ratio;
    struct text_dialect dialect;
    const char *time_zone;              /* --time-zone; NULL unless given */
    const struct settings_timed *timed; /* settings if a table's times are found; may be NULL */
    struct span_rule rule;              /* --level */
    struct gap_rule gap;
    struct picture picture;
    const char *isa; /* NULL unless given; one of the known names */

    struct span zoom;   /* if given, sets the window, the hop and the alignment */
    struct span window; /* given, unless no frames, a picture or spans are written */
    struct span hop;
    struct span skip;
    struct span frames;
    struct span from; /* not `given` if its text is a date; without text there is no --from */
    struct span to;
    struct span join;
    struct span least;
    struct span late; /* sets `late` of the dialect */
    struct span stats_every;
    struct intervals zoom_by_clock;  /* without their clock; period 0 if --zoom counts rows */
    struct intervals stats_by_clock; /* without their clock; period 0 if blocks count rows */
    int64_t window_period; /* length of windows of time, in nanoseconds; 0 if -w counts frames */

    unsigned channels; /* -c; 1 unless given */
    uint32_t shard;    /* the wanted part of the output, from 1 to `shards`; 0 for all of it */
    uint32_t shards;
    enum window_align align;
    enum window_edge edge;
    enum nan_policy nan;
    bool nan_given;                /* if false, missing samples of tables do not count */
    struct emit_list emits;        /* empty for `none` */
    unsigned pick[SETTINGS_PICKS]; /* channels, from 0 */
    unsigned pick_count;           /* 0 for all channels */

    enum settings_device device;
    unsigned devices[SETTINGS_DEVICES]; /* the first is 0 if none is named */
    unsigned device_count;              /* 0 for all devices, or for the first if none is named */
    unsigned threads;                   /* 0 unless given */
    unsigned chunk;                     /* frames; 0 unless given */
    enum stats_format stats_format;
    enum settings_progress progress;

    bool channels_given;
    bool late_all; /* --late all: rows come in any order */
    bool emit_given;
    bool stats_format_given;
    bool gaps_given;
    bool skip_gaps; /* --gaps skip */
    bool no_frame;
    bool mix;
    bool iq;
    bool accept_damaged;
    bool overall;
    bool db;
    bool big_endian;
    bool counts;
    bool force;
    bool no_clobber;
    bool all_devices;
    bool lemire; /* --algorithm lemire */

    bool summary; /* statistics that say what is in the input: no option says what to write */
    bool bad_lines_at_end; /* a bad line of a table is passed over, and is an error at the end */
};

/* Settings for tables whose times the look finds, where no option says the columns. */
struct settings_timed {
    struct settings settings;
    bool refused;       /* the settings do not fit such a table */
    struct error error; /* the reason, if `refused` */
};

/* One input and its outputs. */
struct job_files {
    const char *input;  /* NULL for standard input */
    const char *output; /* -o; NULL for standard output */
    const char *stats;  /* --stats; NULL for none; never NULL when no frames are emitted */
    const char *report; /* --report; NULL for none */
};

/* The inputs of a batch, and the destination of their outputs. */
struct many {
    char *const *operands;
    size_t count;
    const char *list;   /* --files-from; NULL for none */
    bool null;          /* names of the list end with NUL bytes */
    bool recursive;     /* operands may be folders */
    const char *folder; /* --out-dir; NULL if no frames are written */
    bool together;      /* --out-dir -: the spans of all inputs go to one table */
    const char *name;   /* --name; NULL unless given */
    unsigned jobs;      /* 0 unless given */
    bool skip_existing;
    bool overwrite; /* outputs may replace inputs whose names come later through the pipe */
    bool fail_fast;
};

/* The name of an option that needs rows with times; NULL if none is given. */
const char *settings_of_times(const struct settings *settings);

/* The length that is a time, so that the rate must be known; NULL if there is none. */
const struct span *settings_need_rate(const struct settings *settings);

/* Refuses lengths such as 1:30 for a table, where they may be minutes or hours. */
int settings_check_table(const struct settings *settings, struct error *error);

/* True if --zoom means intervals of the clock. */
bool settings_by_clock(const struct settings *settings);

/* True if -w means windows of time over rows at any distance. */
bool settings_by_window(const struct settings *settings);

/* A time in nanoseconds, which must be whole. */
int settings_period(const struct span *span, int64_t *period, struct error *error);

/* The length of intervals by the clock: a time, or 1w, 1mo, 3mo or 1y of the calendar. None where
 * the span is frames. */
int settings_intervals(const struct span *span, struct intervals *intervals, struct error *error);

/* True for a batch, even of a single input. */
bool settings_many(const struct many *many);

/* True if one of the path's components is "..". */
bool settings_leads_up(const char *path);

/* Values made of sums need windows of whole hops: cpu/tally.h. Where both are times, and the window
 * is a multiple of the hop, sets `*width` to that many hops of frames, at any rate. */
int settings_hops(const struct settings *settings, uint64_t *width, uint64_t hop,
                  struct error *error);

/* A span in frames, at `ratio` or `rate` (0 if unknown: then a time is an error), rounded to the
 * nearest frame, half a frame upwards. The calculation is exact, from the decimals that the user
 * wrote and the fewest decimals that give the rate. A span that was not given is `fallback`. Less
 * than `least` is an error. */
int settings_span(const struct span *span, double rate, struct rate_ratio ratio, uint64_t least,
                  uint64_t fallback, uint64_t *frames, struct error *error);

#endif
