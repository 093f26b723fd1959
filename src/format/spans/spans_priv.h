/* SPDX-License-Identifier: MIT */
/* What spans are made of, and what ends them. Private to this folder.
 *
 * A span begins with the first frame of its first window and goes to the end of its last window.
 * Its line is written when no later window can belong to it. */
#ifndef GPUENV_FORMAT_SPANS_PRIV_H
#define GPUENV_FORMAT_SPANS_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "base/memory_text.h"
#include "cpu/kernels.h"
#include "format/sink.h"
#include "sample/sample_type.h"
#include "window/rules.h"

/* ---- keys: the values above or below a level are integers in the order of values, of 64 bits for
 * every kind of value (window/rules.h) */

#define SPAN_TOP_BIT (UINT64_C(1) << 63)

struct span_keys {
    int64_t first;
    int64_t last; /* less than `first` if there are no keys */
};

/* The keys of the values that a rule means. NaN has none of these keys. */
struct span_keys span_keys_of(const struct span_rule *rule, enum value_kind kind);

static inline bool span_keys_have(struct span_keys keys, int64_t key)
{
    return key >= keys.first && key <= keys.last;
}

/* The key of a value. */
static inline int64_t span_key(enum value_kind kind, const void *values, size_t index)
{
    switch (kind) {
    case VALUE_F32:
        return (int32_t)rules_flip(rules_bits(((const float *)values)[index]));
    case VALUE_F64:
        return (int64_t)rules_flip64(rules_bits64(((const double *)values)[index]));
    case VALUE_I64:
        return ((const int64_t *)values)[index];
    default:
        return (int64_t)(((const uint64_t *)values)[index] ^ SPAN_TOP_BIT);
    }
}

/* ---- spans */

struct span_channel {
    bool inside; /* the last window belongs to the span */
    bool held;   /* there is a span that has not been written */
    bool ended;  /* no later window can belong to the span */
    bool cut;    /* a gap has ended the span */
    bool later;  /* in a part: the span is not the first one, which may join an earlier span */
    struct sink_rows rows; /* rows of its windows, with times up to the next row */
    int64_t extreme;       /* extreme value, as a key */
};

/* The first span of a channel in a part. */
struct first_span {
    unsigned channel;
    struct span_channel span;
    size_t place; /* offset of its line among the lines of the part */
};

/* The spans of the rows of a key, or of all rows. */
struct span_series {
    bool begun; /* a window has passed rows */
    struct gap_rows rows;
    struct span_channel channels[];
};

struct spans {
    struct sink sink;
    bool begun;           /* a window has come */
    struct moment origin; /* time of the first row, or the beginning of the first interval */
    bool of_rows; /* windows are of rows with times, not intervals of a clock: gaps are possible */
    struct span_rule rule; /* a copy, which the loop over all values reads faster */
    struct span_keys keys; /* keys of the values inside; NaN has none of them */
    enum value_kind kind;
    const struct cpu_kernels *kernels; /* NULL if windows are taken one by one */
    uint64_t frame; /* frame at which the next window begins, where rows have no times */
    struct pointers all;
    struct span_series *series; /* the series whose windows come */
    uint64_t ended;             /* spans that have ended */
    uint64_t cut;               /* spans that a gap has ended */
    bool stepped;               /* a series that has ended has steps */
    bool had_usual;             /* a series that has ended has had a usual step */
    char remark[160];
    uint64_t begin;            /* the first value of `frame` */
    struct memory_text text;   /* lines that are not written; in a part without those of `firsts` */
    struct first_span *firsts; /* first spans of a part; NULL if this is no part */
    unsigned first_count;
};

/* Adds a window, whose values begin at the index `at`. The spans that it ends are written, unless
 * they wait in a part. */
int spans_add_window(struct spans *spans, const void *values, size_t at,
                     const struct sink_rows *window, struct error *error);

/* Does the span go on, or does it end before this window? */
bool spans_are_joined(const struct spans *spans, const struct span_channel *one,
                      const struct sink_rows *window);

void spans_add_extreme(const struct spans *spans, struct span_channel *one, int64_t key);

/* The last window's last row lasts until the next row, or as long as the usual step. */
void spans_end_rows(struct spans *spans);

/* Writes the span of a channel. */
int spans_put(struct spans *spans, unsigned channel, struct error *error);

/* Writes the spans that have ended, in the order of their ends, then of the channels. */
int spans_put_ended(struct spans *spans, struct error *error);

/* Writes lines; those of a part wait until they are joined. */
int spans_flush(struct spans *spans, struct error *error);

/* Passes the next windows that leave all channels as they are, inside a span or outside: most are;
 * `values` are those from the next window on. Returns the number of these windows. Rows must have
 * no times, and there must be spans->kernels. */
size_t spans_pass(struct spans *spans, const char *values, size_t count);

/* Adds the part `other`, as sink_class.join() does. A part of the windows has the lines of its
 * spans, but for the first span of each channel, and the last if it is open: these are joined with
 * spans of its neighbours. */
int spans_join(struct sink *sink, struct sink *other, struct error *error);

/* ---- lines */

/* Begins an empty text with the header, if there is one; the name of a column of keys goes to the
 * output at once. */
int span_lines_begin(struct sink *sink, struct memory_text *text, struct error *error);

/* Adds the line of a span. The times of labels are counted from `origin` on. `extreme` is a key.
 * Returns -1, with errno set, if memory runs out. */
int span_lines_add(const struct sink *sink, struct memory_text *text, unsigned channel,
                   const struct sink_rows *rows, struct moment origin, int64_t extreme);

#endif
