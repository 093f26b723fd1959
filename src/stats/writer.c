#include "stats/writer.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "window/rules.h"

enum { RECORD_MOST = 1024 }; /* more characters than a record can have */

static void put(struct stats_writer *writer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The caller has made sure that there is room. */
static void put(struct stats_writer *writer, const char *format, ...)
{
    va_list list;
    int length;

    va_start(list, format);
    length =
        vsnprintf(writer->text + writer->used, sizeof writer->text - writer->used, format, list);
    va_end(list);
    writer->used += (size_t)length;
}

/* A tab between values, or a comma and the name of the next one. */
static void put_name(struct stats_writer *writer, const char *name)
{
    if (writer->format == STATS_TSV)
        put(writer, "\t");
    else
        put(writer, ",\"%s\":", name);
}

static void put_whole(struct stats_writer *writer, const char *name, uint64_t number)
{
    put_name(writer, name);
    put(writer, "%llu", (unsigned long long)number);
}

static void put_nothing(struct stats_writer *writer, const char *name)
{
    put_name(writer, name);
    put(writer, writer->format == STATS_TSV ? "nan" : "null");
}

/* JSON has no infinity, but numbers of any size: 1e999 is one that every reader rounds to
 * infinity, or to the greatest number that it has. */
static void put_infinity(struct stats_writer *writer, double number)
{
    put(writer, "%s%s", number < 0 ? "-" : "", writer->format == STATS_TSV ? "inf" : "1e999");
}

/* In the fewest digits that read back as the same number. Up to FLT_DIG or DBL_DIG digits the end
 * is zeros, which %g leaves out, unless the number is subnormal. A `narrow` one is a float32,
 * which must also survive being read as a double. */
static void put_number(struct stats_writer *writer, const char *name, double number, bool narrow)
{
    double least = narrow ? (double)FLT_MIN : DBL_MIN;
    int most = narrow ? FLT_DECIMAL_DIG : DBL_DECIMAL_DIG;
    int precision = narrow ? FLT_DIG : DBL_DIG;
    char text[40];

    if (isnan(number)) {
        put_nothing(writer, name);
        return;
    }
    put_name(writer, name);
    if (isinf(number)) {
        put_infinity(writer, number);
        return;
    }
    if (fabs(number) < least)
        precision = 1;
    for (; precision <= most; precision++) {
        double back;

        snprintf(text, sizeof text, "%.*g", precision, number);
        back = strtod(text, NULL);
        if (narrow ? (float)back == (float)number && strtof(text, NULL) == (float)number
                   : back == number)
            break;
    }
    /* A reader that finds no point takes -0 for an integer, which has no sign at zero. */
    put(writer, "%s%s", text, number == 0 && signbit(number) ? ".0" : "");
}

void stats_writer_init(struct stats_writer *writer, struct output *output, enum stats_format format)
{
    writer->output = output;
    writer->format = format;
    writer->used = 0;
    if (format == STATS_TSV)
        put(writer, "frame\tframes\tchannel\tmin\targmin\tmax\targmax\tabs\targabs\t"
                    "sum\tmean\trms\tnan\n");
}

/* An extreme and its place, or nothing where there is no number. */
static void put_extreme(struct stats_writer *writer, const char *name, const char *place_name,
                        bool there, float value, uint64_t place)
{
    if (there) {
        put_number(writer, name, (double)value, true);
        put_whole(writer, place_name, place);
    } else {
        put_nothing(writer, name);
        put_nothing(writer, place_name);
    }
}

int stats_writer_record(struct stats_writer *writer, uint64_t first, unsigned channel,
                        const struct channel_stats *stats, struct error *error)
{
    struct tree_sums sums = tree_total(&stats->tree);
    double numbers = (double)(stats->frames - stats->nans);
    bool there = stats->frames > stats->nans;

    if (sizeof writer->text - writer->used < RECORD_MOST && stats_writer_flush(writer, error) != 0)
        return -1;
    put(writer, writer->format == STATS_TSV ? "%llu" : "{\"frame\":%llu",
        (unsigned long long)first);
    put_whole(writer, "frames", stats->frames);
    put_whole(writer, "channel", channel);
    put_extreme(writer, "min", "argmin", there, rules_from_key(stats->low), first + stats->low_at);
    put_extreme(writer, "max", "argmax", there, rules_from_key(stats->high),
                first + stats->high_at);
    put_extreme(writer, "abs", "argabs", there, rules_float(stats->magnitude),
                first + stats->magnitude_at);
    put_number(writer, "sum", sums.sum, false);
    put_number(writer, "mean", there ? sums.sum / numbers : NAN, false);
    put_number(writer, "rms", there ? sqrt(sums.square / numbers) : NAN, false);
    put_whole(writer, "nan", stats->nans);
    put(writer, writer->format == STATS_TSV ? "\n" : "}\n");
    return 0;
}

int stats_writer_flush(struct stats_writer *writer, struct error *error)
{
    size_t used = writer->used;

    writer->used = 0;
    return used == 0 ? 0 : output_write(writer->output, writer->text, used, error);
}
