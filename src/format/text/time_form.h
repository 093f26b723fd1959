/* SPDX-License-Identifier: MIT */
/* Times as text: the forms in which tables have them. Pure, and independent of the locale.
 *
 * A time is a date and time of ISO 8601 ("2026-11-20T12:00:00.25Z", with a blank for the T, an hour
 * of one digit, or "20261120T120000"; without a zone it is what the form's clock shows), a date
 * alone, a month ("2026-03"), any of these with slashes ("2026/3/7 12:00"), a number in a unit, or
 * what a format of strptime() describes, with English names. %f is a fraction of digits; what a
 * format does not say is that of the beginning of 1970. 24:00 is the end of a day. */
#ifndef GPUENV_FORMAT_TEXT_TIME_FORM_H
#define GPUENV_FORMAT_TEXT_TIME_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/text/zone.h"

enum { TIME_MOST = 512 }; /* characters of a time that is read or written */

enum time_unit {
    TIME_S,
    TIME_MS,
    TIME_US,
    TIME_NS,
    TIME_MIN,
    TIME_H,
    TIME_D,
    TIME_YEAR,   /* the share of a year is behind the point */
    TIME_EXCEL,  /* days since 1899-12-30 */
    TIME_MATLAB, /* days, as datenum counts them */
    TIME_JD,
    TIME_MJD,
    TIME_UNITS,
    TIME_MONTHS, /* no fixed length: only the name of a column may say them */
};

/* The names of the units that numbers may be in, and NULL behind them. */
extern const char *const time_unit_names[];

/* The unit that the name of a column says, or a cell with units: "t_ms", "Time (us):", "elapsedMs",
 * "days since 1970". TIME_S if it says none. */
enum time_unit time_unit_said(const char *name, const char *end);

enum time_kind {
    TIME_ISO,
    TIME_DATE,
    TIME_NUMBER,
    TIME_FORMAT,
};

/* No format of strptime() is longer: then no conversion writes more than ten times its size. */
enum { TIME_FORMAT_MOST = 48 };

/* All its conversions, with blanks between. */
extern const char time_conversions[];

/* The conversion that is not known, or the format itself if it has no conversion; NULL if it is
 * sound. */
const char *time_format_fault(const char *format);

/* The unit of the last digit that a format writes, in nanoseconds. */
int64_t time_format_unit(const char *format);

/* How the times of a column are written. */
struct time_form {
    enum time_kind kind;
    enum time_unit unit; /* unit of numbers */
    bool months;         /* decimal years are the firsts of months */
    char decimal;        /* decimal sign of numbers besides a point: ',' or '.' */
    const char *format;  /* format of TIME_FORMAT */

    /* The members below say how the first time is written. */
    char between;      /* 'T' or ' ' */
    char dash;         /* sign in dates: '-', '/', or 0, then without ':' in clocks */
    unsigned elements; /* 2: no day; 3: a date; 5: no seconds; 6 */
    bool unpadded;     /* months and days of one digit */
    bool short_hour;   /* hours of one digit */
    bool zone;         /* times say their zone, as `offset` says */
    /* How the zone is written: 'Z', 'U' for UTC, 'G' for GMT, ':' for +01:00, '+' for +0100, or 'h'
     * for +01. */
    char offset;
    bool apart;      /* a blank is before the zone */
    unsigned digits; /* digits of the fraction of a second, up to 9, or of a number, up to 14 */

    /* The clock of times that are written; at first it has the offset of the first time. */
    struct local_clock clock;
};

/* Are times what the clock of a place shows, without an offset? */
static inline bool time_form_is_local(const struct time_form *form)
{
    return form->clock.zone != NULL && !form->zone && form->kind != TIME_NUMBER;
}

/* Finds the form of the first time of a column: in this format of strptime() or, if it is NULL, ISO
 * 8601 or a number in this unit. False if it is none of them. */
bool time_form_find(struct time_form *form, enum time_unit unit, char decimal, const char *format,
                    const char *text, const char *end);

enum time_verdict {
    TIME_READ,
    TIME_OTHER_OFFSET, /* a time with another offset than the form has */
    TIME_NONE,         /* not a time in this form */
    TIME_OTHER_FORM,   /* certainly a time in another form */
};

/* Reads a time; the whole text has to be one. If the form is local, it is read as if in UTC. */
enum time_verdict time_read(const struct time_form *form, const char *text, const char *end,
                            struct moment *moment);

/* Writes a time and returns its length. It has as many digits as it needs, at least those of the
 * form. */
size_t time_write(const struct time_form *form, struct moment moment, char text[TIME_MOST]);

/* A time that the user writes to say where a table is cut. */
struct time_bound {
    struct moment moment;
    bool date; /* a date alone, which is its midnight */
};

/* Reads a time in the form of a column, or in another form that has one reading; a number is in the
 * unit of a column of numbers. Without a zone it is what the form's clock shows. False if the text
 * is no time. */
bool time_bound_read(const struct time_form *form, const char *text, struct time_bound *bound);

/* A form for the beginnings of intervals, with the digits that they need and otherwise like this
 * one. */
void time_form_for_intervals(struct time_form *form, const struct intervals *intervals);

/* The unit of its last digit, in nanoseconds. */
int64_t time_form_unit(const struct time_form *form);

#endif
