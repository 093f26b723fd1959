/* SPDX-License-Identifier: MIT */
#include "format/spans/spans_priv.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/csv.h"
#include "format/channels.h"
#include "format/format.h"
#include "format/source.h"
#include "format/spans/spans.h"
#include "format/text/number.h"
#include "format/text/time_form.h"

/* Are there columns of times? The rows of several files in one table have them. */
static bool has_times(const struct sink_context *context)
{
    return context->times != NULL || context->input_rate > 0 || context->together;
}

size_t spans_put_header(char text[SPANS_HEADER], const struct span_rule *rule, bool keyed,
                        bool timed, bool files)
{
    return (size_t)snprintf(text, SPANS_HEADER, "%scolumn,%sfirst,frames,%s%s%s\n",
                            keyed ? "key," : "", timed ? "start,end," : "",
                            rule->below ? "lowest" : "highest", timed ? ",duration" : "",
                            files ? ",file" : "");
}

static bool is_label(const struct sink *sink)
{
    return sink->format.format->writer->rate_of_input;
}

/* The column of keys has its name in the input, which may be of any length. */
int span_lines_begin(struct sink *sink, struct memory_text *text, struct error *error)
{
    const struct sink_context *context = &sink->format.context;
    const char *key = source_key_name(context->table);

    if (is_label(sink) || context->together)
        return 0;
    if (memory_text_reserve(text, SPANS_HEADER + (key == NULL ? 0 : 2 * strlen(key) + 3)) != 0)
        return error_system(error, ERROR_FILE, sink->output->name, errno);
    if (key != NULL) {
        char *end = csv_put_name(text->bytes, ',', key, strlen(key));

        *end++ = ',';
        if (output_write(sink->output, text->bytes, (size_t)(end - text->bytes), error) != 0)
            return -1;
    }
    text->used = spans_put_header(text->bytes, &context->rule, false, has_times(context),
                                  context->file != NULL);
    return 0;
}

/* Each puts a column with a delimiter behind it, and returns the end. */

static char *put_whole(char *at, uint64_t number)
{
    at += number_write_u64(at, number);
    *at++ = ',';
    return at;
}

static char *put_seconds(const struct sink_context *context, char *at, uint64_t frame,
                         char delimiter)
{
    at += number_write_f64(at, rate_time(frame, context->input_rate, context->ratio));
    *at++ = delimiter;
    return at;
}

static char *put_moment(const struct sink_context *context, char *at, struct moment moment)
{
    char words[TIME_MOST];

    at = csv_put(at, ',', words, time_write(context->times, moment, words));
    *at++ = ',';
    return at;
}

static char *put_extreme(char *at, enum value_kind kind, int64_t key)
{
    switch (kind) {
    case VALUE_F32:
        return at + number_write_f32(at, rules_from_key((int32_t)key));
    case VALUE_F64:
        return at + number_write_f64(at, rules_from_key64(key));
    case VALUE_I64:
        return at + number_write_i64(at, key);
    default:
        return at + number_write_u64(at, (uint64_t)key ^ SPAN_TOP_BIT);
    }
}

/* Puts the time between two moments in seconds, exactly. */
static char *put_length(char *at, struct moment from, struct moment to)
{
    const moment_count length = moment_to_count(to) - moment_to_count(from);
    const moment_count count = length < 0 ? -length : length;
    const uint64_t part = (uint64_t)(count % MOMENT_SECOND);

    *at = '-';
    at += length < 0;
    at += number_write_u64(at, (uint64_t)(count / MOMENT_SECOND));
    if (part == 0)
        return at;
    at += sprintf(at, ".%09u", (unsigned)part);
    while (at[-1] == '0')
        at--;
    return at;
}

/* Puts start, end, the key, and the channel if there are several; the extreme follows. Times are
 * counted from `origin` on. */
static char *put_label(const struct sink_context *context, char *at, unsigned channel,
                       const struct sink_rows *rows, struct moment origin)
{
    char usual[CHANNEL_NAME];

    if (context->times != NULL) {
        at = put_length(at, origin, rows->first_time);
        *at++ = '\t';
        at = put_length(at, origin, rows->last_time);
        *at++ = '\t';
    } else {
        at = put_seconds(context, at, rows->first, '\t');
        at = put_seconds(context, at, rows->end, '\t');
    }
    if (context->together && context->file != NULL)
        at = stpcpy(stpcpy(at, context->file), ": ");
    if (rows->key != NULL)
        at = stpcpy(stpcpy(at, rows->key->name), ": ");
    if (context->channels > 1)
        at = stpcpy(stpcpy(at, channel_name(context->names, channel, usual)), ": ");
    return at;
}

static char *put_duration(const struct sink_context *context, char *at,
                          const struct sink_rows *rows)
{
    *at++ = ',';
    if (context->times != NULL)
        return put_length(at, rows->first_time, rows->last_time);
    return context->input_rate > 0
               ? at + number_write_f64(at, rate_time(rows->end - rows->first, context->input_rate,
                                                     context->ratio))
               : at;
}

/* Puts a line of csv. */
static char *put_row(const struct sink *sink, char *at, unsigned channel,
                     const struct sink_rows *rows, int64_t extreme)
{
    const struct sink_context *context = &sink->format.context;
    char usual[CHANNEL_NAME];
    const char *name = channel_name(context->names, channel, usual);

    if (rows->key != NULL) {
        at = csv_put_name(at, ',', rows->key->name, strlen(rows->key->name));
        *at++ = ',';
    }
    at = csv_put_name(at, ',', name, strlen(name));
    *at++ = ',';
    if (context->times != NULL) {
        at = put_moment(context, at, rows->first_time);
        at = put_moment(context, at, rows->last_time);
    } else if (context->input_rate > 0) {
        at = put_seconds(context, at, rows->first, ',');
        at = put_seconds(context, at, rows->end, ',');
    } else if (context->together) {
        at = stpcpy(at, ",,");
    }
    at = put_whole(at, rows->number);
    at = put_whole(at, rows->end - rows->first);
    at = put_extreme(at, sink->format.row.kind[0], extreme);
    if (has_times(context))
        at = put_duration(context, at, rows);
    if (context->file != NULL) {
        *at++ = ',';
        at = csv_put(at, ',', context->file, strlen(context->file));
    }
    return at;
}

int span_lines_add(const struct sink *sink, struct memory_text *text, unsigned channel,
                   const struct sink_rows *rows, struct moment origin, int64_t extreme)
{
    const struct sink_context *context = &sink->format.context;
    const char *name = context->names == NULL ? NULL : context->names[channel];
    const size_t words = (context->file == NULL ? 0 : strlen(context->file)) +
                         (name == NULL ? 0 : strlen(name)) +
                         (rows->key == NULL ? 0 : strlen(rows->key->name));
    char *at;

    if (memory_text_reserve(text, 7 * (NUMBER_MOST + 1) + 4 * TIME_MOST + 2 * words + 32) != 0)
        return -1;
    at = text->bytes + text->used;
    if (is_label(sink))
        at = put_extreme(put_label(context, at, channel, rows, origin), sink->format.row.kind[0],
                         extreme);
    else
        at = put_row(sink, at, channel, rows, extreme);
    *at++ = '\n';
    text->used = (size_t)(at - text->bytes);
    return 0;
}
