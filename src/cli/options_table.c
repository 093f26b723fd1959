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

static struct text_dialect *dialect_of(void *into)
{
    struct options *options = into;

    return &options->settings.dialect;
}

static int set_delimiter(void *into, const struct value *value, struct error *error)
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
    dialect_of(into)->delimiter = character;
    return 0;
}

static int set_decimal(void *into, const struct value *value, struct error *error)
{
    if (strcmp(value->text, ".") != 0 && strcmp(value->text, ",") != 0)
        return values_refuse(error, value, "the decimal sign is a point or a comma");
    dialect_of(into)->decimal = value->text[0];
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

static int set_columns(void *into, const struct value *value, struct error *error)
{
    return set_list(value, TEXT_CHANNELS_MOST, &dialect_of(into)->columns, error);
}

static int set_header(void *into, const struct value *value, struct error *error)
{
    struct text_dialect *dialect = dialect_of(into);
    uint64_t lines = 0;

    dialect->header = TEXT_HEADER_AUTO;
    if (strcmp(value->text, "auto") == 0)
        return 0;
    if (strcmp(value->text, "no") != 0 && values_whole(value, 0, 1000, &lines, error) != 0)
        return values_refuse(error, value, "give a number of lines, no, or auto");
    dialect->header = (uint32_t)lines;
    return 0;
}

static int set_skip_lines(void *into, const struct value *value, struct error *error)
{
    return values_whole(value, 0, INT64_MAX, &dialect_of(into)->skip_lines, error);
}

static int set_missing(void *into, const struct value *value, struct error *error)
{
    const char *fault = text_missing_fault(value->text);

    if (fault != NULL)
        return values_refuse(error, value, "%s", fault);
    dialect_of(into)->missing = value->text;
    return 0;
}

static int set_time(void *into, const struct value *value, struct error *error)
{
    return set_list(value, TEXT_TIMES, &dialect_of(into)->time, error);
}

static int set_time_format(void *into, const struct value *value, struct error *error)
{
    const char *fault = time_format_fault(value->text);

    if (strlen(value->text) > TIME_FORMAT_MOST)
        return values_refuse(error, value, "longer than %d characters", TIME_FORMAT_MOST);
    if (fault == value->text && strchr(value->text, '%') != value->text)
        return values_refuse(error, value, "has no conversion, such as %%Y-%%m-%%d");
    if (fault != NULL)
        return values_refuse(error, value, "%.2s is not a conversion that is known here", fault);
    dialect_of(into)->time_format = value->text;
    return 0;
}

/* Something is said about a table. */
#define TABLE GIVEN(settings.table)

static const struct option_row rows[] = {
    {"delimiter", "C", "between columns: , ; | or tab, blank (csv: what its first line has)",
     .set = set_delimiter, TABLE},
    {"decimal", "C", "the decimal sign: . (default) or ,", .set = set_decimal, TABLE},
    {"columns", "LIST", "the channels: 2,4 or names (all with numbers)", .set = set_columns, TABLE},
    {"header", "N", "lines of names and units before the data; no; auto (default)",
     .set = set_header, TABLE},
    {"skip-lines", "N", "lines to pass over before the header", .set = set_skip_lines, TABLE},
    {"missing", "LIST",
     "words for missing samples, beside empty fields (nan,NA,N/A,null,none,-,--)",
     .set = set_missing, TABLE},
    {"bad-lines", "WHAT", "error (default); nan: a row of NaN; skip", OPTION_WORD,
     AT(settings.dialect.bad_lines), TABLE, .words = bad_lines_words},
    {"time", "COLUMN", "the times of rows, or date,clock; --zoom 1min is then by the clock",
     .set = set_time, TABLE},
    {"time-unit", "UNIT", "of times that are numbers: s (default), ms, us, ns", OPTION_WORD,
     AT(settings.dialect.time_unit), GIVEN(settings.dialect.time_unit_given),
     .words = time_unit_words},
    {"time-format", "FORMAT", "of other times, as strptime: '%d.%m.%Y %H:%M:%S'",
     .set = set_time_format},
    {"gaps", "WHAT", "intervals without rows: nan (default), skip", OPTION_SECOND,
     AT(settings.skip_gaps), GIVEN(settings.gaps_given), .words = gaps_words},
};

const struct option_section options_table = OPTION_SECTION("Text in columns", rows);
