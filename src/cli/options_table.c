/* Options: how text in columns is read. */
#include <string.h>

#include "cli/options_rows.h"
#include "cli/values.h"
#include "format/text/columns.h"
#include "format/text/fields.h"

static const char *const bad_lines_words[] = {
    [TEXT_BAD_ERROR] = "error",
    [TEXT_BAD_NAN] = "nan",
    [TEXT_BAD_SKIP] = "skip",
    NULL,
};

static const char *const time_unit_words[] = {
    [TIME_S] = "s", [TIME_MS] = "ms", [TIME_US] = "us", [TIME_NS] = "ns", NULL,
};

static const char *const gaps_words[] = {"nan", "skip", NULL};

static int set_delimiter(void *field, const struct value *value, struct error *error)
{
    static const char *const names[] = {"comma", "semicolon", "tab", "bar", "blank", "\\t", NULL};
    static const char characters[] = ",;\t| \t";
    const int named = values_find(names, value->text, strlen(value->text));
    char character = value->text[0];

    if (named < 0 && (strlen(value->text) != 1 || strchr(",;:\t| !/&$%@^~=_*", character) == NULL))
        return values_refuse(
            error, value, "not a delimiter: give one of , ; | : or tab, blank, comma, semicolon");
    if (named >= 0)
        character = characters[named];
    *(char *)field = character;
    return 0;
}

static int set_decimal(void *field, const struct value *value, struct error *error)
{
    if (strcmp(value->text, ".") != 0 && strcmp(value->text, ",") != 0)
        return values_refuse(error, value, "the decimal sign is a point or a comma");
    *(char *)field = value->text[0];
    return 0;
}

static int set_list(const struct value *value, unsigned most, const char **list,
                    struct error *error)
{
    struct error reason;

    if (values_text(value, "a column", list, error) != 0)
        return -1;
    return text_columns_check(value->text, most, &reason) == 0
               ? 0
               : values_refuse(error, value, "%s", reason.reason);
}

static int set_columns(void *field, const struct value *value, struct error *error)
{
    return set_list(value, TEXT_CHANNELS_MOST, field, error);
}

static int set_header(void *field, const struct value *value, struct error *error)
{
    uint32_t *header = field;
    uint64_t lines = 0;

    *header = TEXT_HEADER_AUTO;
    if (strcmp(value->text, "auto") == 0)
        return 0;
    if (strcmp(value->text, "no") != 0 && values_whole(value, 0, 1000, &lines, error) != 0)
        return values_refuse(error, value, "give a number of lines, no, or auto");
    *header = (uint32_t)lines;
    return 0;
}

static int set_skip_lines(void *field, const struct value *value, struct error *error)
{
    return values_whole(value, 0, INT64_MAX, field, error);
}

static int set_missing(void *field, const struct value *value, struct error *error)
{
    const char *fault = text_missing_fault(value->text);

    if (fault != NULL)
        return values_refuse(error, value, "%s", fault);
    return values_text(value, NULL, field, error);
}

static int set_time(void *field, const struct value *value, struct error *error)
{
    return set_list(value, TEXT_TIMES, field, error);
}

static int set_time_format(void *field, const struct value *value, struct error *error)
{
    const char *fault = time_format_fault(value->text);

    if (strlen(value->text) > TIME_FORMAT_MOST)
        return values_refuse(error, value, "longer than %d characters", TIME_FORMAT_MOST);
    if (fault == value->text && strchr(value->text, '%') != value->text)
        return values_refuse(error, value, "has no conversion, such as %%Y-%%m-%%d");
    if (fault != NULL)
        return values_refuse(error, value, "%.2s is not a conversion that is known here", fault);
    return values_text(value, NULL, field, error);
}

/* Something is said about a table. */
#define TABLE GIVEN(settings.table)

static const struct option_row rows[] = {
    {"delimiter", "C", "between columns: , ; | or tab, blank (csv: what its first line has)",
     .set = set_delimiter, AT(settings.dialect.delimiter), TABLE},
    {"decimal", "C", "the decimal sign: . (default) or ,", .set = set_decimal,
     AT(settings.dialect.decimal), TABLE},
    {"columns", "LIST", "the channels: 2,4 or names (all with numbers)", .set = set_columns,
     AT(settings.dialect.columns), TABLE},
    {"header", "N", "lines of names and units before the data; no; auto (default)",
     .set = set_header, AT(settings.dialect.header), TABLE},
    {"skip-lines", "N", "lines to pass over before the header", .set = set_skip_lines,
     AT(settings.dialect.skip_lines), TABLE},
    {"missing", "LIST",
     "words for missing samples, beside empty fields (nan,NA,N/A,null,none,-,--)",
     .set = set_missing, AT(settings.dialect.missing), TABLE},
    {"bad-lines", "WHAT", "error (default); nan: a row of NaN; skip", OPTION_WORD,
     AT(settings.dialect.bad_lines), TABLE, .words = bad_lines_words},
    {"time", "COLUMN", "the times of rows, or date,clock; --zoom 1min is then by the clock",
     .set = set_time, AT(settings.dialect.time), TABLE},
    {"time-unit", "UNIT", "of times that are numbers: s (default), ms, us, ns", OPTION_WORD,
     AT(settings.dialect.time_unit), GIVEN(settings.dialect.time_unit_given),
     .words = time_unit_words},
    {"time-format", "FORMAT", "of other times, as strptime: '%d.%m.%Y %H:%M:%S'",
     .set = set_time_format, AT(settings.dialect.time_format)},
    {"gaps", "WHAT", "intervals without rows: nan (default), skip", OPTION_SECOND,
     AT(settings.skip_gaps), GIVEN(settings.gaps_given), .words = gaps_words},
};

const struct option_section options_table = OPTION_SECTION("Text in columns", rows);
