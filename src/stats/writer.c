#include "stats/writer.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "sample/number.h"
#include "window/rules.h"

enum { RECORD_MOST = 1024 }; /* more characters than a record can have */

/* The caller has made sure that there is room. */
static void put(struct stats_writer *writer, const char *words)
{
    size_t length = strlen(words);

    memcpy(writer->text + writer->used, words, length);
    writer->used += length;
}

/* A tab between values, or a comma and the name of the next one. */
static void put_name(struct stats_writer *writer, const char *name)
{
    if (writer->format == STATS_TSV) {
        put(writer, "\t");
    } else {
        put(writer, ",\"");
        put(writer, name);
        put(writer, "\":");
    }
}

static void put_digits(struct stats_writer *writer, uint64_t number)
{
    writer->used += number_format_whole(writer->text + writer->used, number);
}

static void put_whole(struct stats_writer *writer, const char *name, uint64_t number)
{
    put_name(writer, name);
    put_digits(writer, number);
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
    if (number < 0)
        put(writer, "-");
    put(writer, writer->format == STATS_TSV ? "inf" : "1e999");
}

/* A `narrow` one is a float32. */
static void put_number(struct stats_writer *writer, const char *name, double number, bool narrow)
{
    if (isnan(number)) {
        put_nothing(writer, name);
        return;
    }
    put_name(writer, name);
    if (isinf(number)) {
        put_infinity(writer, number);
        return;
    }
    writer->used += number_format(writer->text + writer->used, number, narrow);
    /* A reader that finds no point takes -0 for an integer, which has no sign at zero. */
    if (number == 0 && signbit(number))
        put(writer, ".0");
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
    put(writer, writer->format == STATS_TSV ? "" : "{\"frame\":");
    put_digits(writer, first);
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
