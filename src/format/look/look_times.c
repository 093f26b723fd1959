/* SPDX-License-Identifier: MIT */
/* A column has times if nine of ten of its fields can be read in one form. Where the first field
 * fits two formats, such as 1/2/2026, the others decide. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/min_max.h"
#include "format/look/looking_priv.h"

/* Takes the text of a row's time. False if the row has none. */
static bool take_text(const struct looking *looking, const struct look_time *time, unsigned record,
                      struct text_time *text)
{
    const struct look_record *at = &looking->set.records[record];
    struct text_field fields[TEXT_TIMES];

    for (unsigned i = 0; i < time->count; i++) {
        double value;

        if (at->again || at->count <= time->column[i])
            return false;
        fields[i] = look_cell_at(looking, record, time->column[i])->field;
        if (text_value(&looking->lines, &fields[i], &value) != TEXT_WORD && isnan(value))
            return false;
    }
    text_time_join(text, fields, time->count);
    return true;
}

static unsigned rows_end(const struct looking *looking)
{
    return looking->row + looking->look->rows;
}

static int compare_distances(const void *one, const void *other)
{
    const int64_t a = *(const int64_t *)one;
    const int64_t b = *(const int64_t *)other;

    return (a > b) - (a < b);
}

/* Do nine of ten rows have times in this form? Also notes how the times follow each other. */
static bool are_times(const struct looking *looking, struct look_time *time,
                      const struct time_form *form)
{
    int64_t *distances = malloc(looking->look->rows * sizeof *distances);
    struct moment last = {.seconds = 0};
    unsigned good = 0;
    unsigned all = 0;

    time->goes_back = time->set_back = false;
    time->goes_on = looking->look->rows == 1;
    time->step = 0;
    for (unsigned i = looking->row; i < rows_end(looking) && distances != NULL; i++) {
        struct text_time text;
        struct moment moment;

        if (!take_text(looking, time, i, &text))
            continue;
        all++;
        if (time_read(form, text.text.start, text.text.end, &moment) > TIME_OTHER_OFFSET)
            continue;
        if (good++ > 0) {
            distances[good - 2] = (int64_t)(moment_to_count(moment) - moment_to_count(last));
            time->goes_back = time->goes_back || moment_is_before(moment, last);
            time->goes_on = time->goes_on || moment_is_before(last, moment);
        }
        last = moment;
    }
    if (good > 1) {
        qsort(distances, good - 1, sizeof *distances, compare_distances);
        time->step = distances[(good - 1) / 2];
        time->set_back = -distances[0] <= MOMENT_HOUR && distances[min_u64(2, good - 2)] >= 0 &&
                         form->kind != TIME_NUMBER && !form->zone;
    }
    free(distances);
    time->is_sparse = 10 * all < 9 * looking->look->rows;
    return good > 0 && 10 * good >= 9 * all;
}

/* Finds the forms of this row's time, that of the options first, and keeps the forms that the times
 * below have as well; times that fit none of them are ignored. False if the row has no time. */
static bool read_first(const struct looking *looking, struct look_time *time, unsigned record)
{
    const struct text_dialect *dialect = &looking->look->dialect;
    const bool given = time == &looking->look->given;
    const char *format = given || dialect->times != TEXT_TIMES_NONE ? dialect->time_format : NULL;
    struct time_readings *readings = &time->readings;
    struct text_time text;

    if (!take_text(looking, time, record, &text))
        return false;
    time->line = looking->set.records[record].line;
    for (unsigned i = 0; i < time->count; i++)
        time->field[i] = look_cell_at(looking, record, time->column[i])->field;
    *readings = (struct time_readings){.begun = true};
    readings->count = time_form_find(&readings->form[0], dialect->time_unit, dialect->decimal,
                                     format, text.text.start, text.text.end);
    time->unread = readings->count == 0 && format != NULL;
    readings->begun = readings->count > 0;
    for (unsigned i = record; i < record + look_rows(dialect) && i < looking->set.count; i++) {
        struct time_readings kept = *readings;

        if (!take_text(looking, time, i, &text))
            continue;
        time_readings_add(&kept, text.text.start, text.text.end);
        if (kept.count > 0)
            *readings = kept;
        if (readings->count < 2)
            break;
    }
    return true;
}

/* Finds the forms that nine of ten rows have. */
static bool find_form(const struct looking *looking, struct look_time *time)
{
    struct time_readings *readings = &time->readings;
    unsigned record = looking->row;
    unsigned kept = 0;

    while (record < rows_end(looking) && !read_first(looking, time, record))
        record++;
    if (time->unread || readings->form[0].kind == TIME_NUMBER)
        return false;
    for (unsigned i = 0; i < readings->count; i++) {
        if (are_times(looking, time, &readings->form[i]))
            readings->form[kept++] = readings->form[i];
    }
    readings->count = kept;
    return kept > 0 && are_times(looking, time, &readings->form[0]);
}

const struct time_form *look_time_form(const struct look_time *time)
{
    return time->unread || time->readings.clock ? NULL : time_readings_form(&time->readings);
}

/* Does one of these rows have a time, in the option's columns, whose form is known? Unless bad
 * lines are allowed, only the first time is looked at. */
static bool has_given(const struct looking *looking)
{
    struct look_time *time = &looking->look->given;

    for (unsigned i = looking->row; i < looking->set.count; i++) {
        if (read_first(looking, time, i) &&
            (look_time_form(time) != NULL || looking->look->dialect.bad_lines == TEXT_BAD_ERROR))
            return true;
    }
    return false;
}

/* Finds the form of the first time in the option's columns. With bad lines it is that of the first
 * time that has a form, which may lie behind the rows of the look. */
static void find_given(const struct looking *looking)
{
    struct looking all = *looking;

    if (has_given(looking) || looking->set.count < looking->set.most)
        return;
    all.set = (struct look_records){.most = LOOK_BYTES};
    if (records_cut(&all.set, &looking->lines, looking->cursor) == 0)
        (void)has_given(&all);
    free(all.set.records);
    free(all.set.cells);
}

/* Takes the columns that the option says; none if a column does not exist, which is an error
 * later. */
static void take_given(struct looking *looking)
{
    const struct look *look = looking->look;
    struct look_time *time = &looking->look->given;
    const char *list = look->dialect.time;

    for (struct text_field item; text_next_item(&list, &item); time->count++) {
        unsigned column = text_item_number(&item) - 1;

        for (unsigned i = 0; i < look->count && column == UINT32_MAX; i++) {
            if (text_same(&item, &look->columns[i].name))
                column = i;
        }
        time->column[time->count] = column;
        if (column < look->count)
            continue;
        time->count = 0;
        return;
    }
}

const struct look_time *look_first_times(const struct look *look)
{
    return look->given.count > 0 ? &look->given : look->time_count > 0 ? &look->times[0] : NULL;
}

/* Collects the numbers of a column in the rows. */
static struct time_numbers numbers_in(const struct looking *looking, unsigned column)
{
    struct time_numbers numbers = {.count = 0};

    for (unsigned i = looking->row; i < rows_end(looking); i++) {
        const struct text_field *field;
        double value;

        if (looking->set.records[i].count <= column ||
            look_cell_at(looking, i, column)->kind != CELL_NUMBER)
            continue;
        field = &look_cell_at(looking, i, column)->field;
        if (text_value(&looking->lines, field, &value) == TEXT_NUMBER)
            time_numbers_add(&numbers, value, field->start, field->end);
    }
    return numbers;
}

/* Numbers are times if they have as many digits as seconds, milliseconds, microseconds or
 * nanoseconds since 1970 have today, or if they are such times in the unit of the option. */
static bool find_epoch(const struct looking *looking, struct look_time *time, bool any_order)
{
    static const unsigned digits[] = {
        [TIME_S] = 10, [TIME_MS] = 13, [TIME_US] = 16, [TIME_NS] = 19};
    const int64_t year_1800 = -INT64_C(5364662400);
    const int64_t year_2000 = 946684800;
    const int64_t year_2100 = INT64_C(4102444800);
    const struct text_dialect *dialect = &looking->look->dialect;
    const struct text_field *field = &time->field[0];
    struct time_form *form = &time->readings.form[0];
    enum time_unit unit = dialect->time_unit;
    struct time_numbers numbers;
    struct moment moment;

    if (!read_first(looking, time, looking->row) || form->kind != TIME_NUMBER)
        return false;
    while (!dialect->time_unit_given && unit <= TIME_NS &&
           digits[unit] != strspn(field->start, "0123456789"))
        unit++;
    if ((unit > TIME_NS && !dialect->time_unit_given) ||
        !time_form_find(form, unit, dialect->decimal, NULL, field->start, field->end) ||
        time_read(form, field->start, field->end, &moment) != TIME_READ ||
        moment.seconds < (unit == TIME_YEAR ? year_1800 : year_2000) || moment.seconds >= year_2100)
        return false;
    numbers = numbers_in(looking, time->column[0]);
    return (dialect->time_unit_given || time_numbers_format(&numbers) == NULL) &&
           are_times(looking, time, form) && (any_order || (!time->goes_back && time->goes_on));
}

/* Joins a date without a time of day and a clock side by side to one time. */
static void join_pairs(struct looking *looking)
{
    struct look *look = looking->look;
    unsigned kept = 0;

    for (unsigned i = 0; i < look->time_count; i++) {
        struct look_time *date = &look->times[i];
        const struct look_time *next = &look->times[i + 1];
        struct look_time both = {.count = 2, .column = {date->column[0], next->column[0]}};

        if (i + 1 < look->time_count && !date->readings.clock &&
            time_form_unit(&date->readings.form[0]) == MOMENT_DAY && next->readings.clock &&
            date->column[0] + 1 == next->column[0] && find_form(looking, &both)) {
            look->times[kept++] = both;
            i++;
        } else if (!date->readings.clock) {
            look->times[kept++] = *date;
        }
    }
    look->time_count = kept;
}

/* Do two columns have equal instants in each row? */
static bool are_same(const struct looking *looking, const struct look_time *one,
                     const struct look_time *other)
{
    for (unsigned i = looking->row; i < rows_end(looking); i++) {
        const struct look_time *times[] = {one, other};
        struct moment moments[2];
        struct text_time text;

        for (unsigned j = 0; j < 2; j++) {
            if (!take_text(looking, times[j], i, &text) ||
                time_read(&times[j]->readings.form[0], text.text.start, text.text.end,
                          &moments[j]) > TIME_OTHER_OFFSET)
                return false;
        }
        if (moment_to_count(moments[0]) != moment_to_count(moments[1]))
            return false;
    }
    return true;
}

/* Is the first column of times clearly the time of the rows? All other columns must have equal
 * instants. Between two readings the user chooses, where times are needed. Numbers that mostly
 * repeat the number above may be something else. */
static bool is_clear(const struct looking *looking)
{
    const struct look *look = looking->look;
    const struct look_time *time = &look->times[0];

    if (look->time_count == 0 || look->dialect.time != NULL ||
        look->dialect.times == TEXT_TIMES_NONE)
        return false;
    for (unsigned i = 1; i < look->time_count; i++) {
        if (!are_same(looking, time, &look->times[i]))
            return false;
    }
    return look->dialect.times == TEXT_TIMES_FOUND ||
           ((look->dialect.any_order || (time->goes_on && !time->goes_back)) && !time->is_sparse &&
            look_time_form(time) != NULL &&
            (time->readings.form[0].kind != TIME_NUMBER || time->step > 0 || look->rows == 1));
}

/* Finds the columns of dates, or the columns of numbers since 1970, which must go forward unless
 * any order is allowed. A format that the user gives may have digits alone. */
static void find_columns(struct looking *looking, bool numeric, bool any_order)
{
    struct look *look = looking->look;
    const bool formatted =
        look->dialect.time_format != NULL && look->dialect.times != TEXT_TIMES_NONE;

    for (unsigned i = 0; i < look->count && look->time_count < LOOK_TIMES; i++) {
        struct look_time *time = &look->times[look->time_count];

        *time = (struct look_time){.count = 1, .column = {i}};
        if ((look->columns[i].kind == LOOK_NUMBERS && !formatted) != numeric)
            continue;
        if (numeric ? find_epoch(looking, time, any_order) : find_form(looking, time))
            look->time_count++;
        else if (look->columns[i].kind == LOOK_DATES)
            look->columns[i].kind = LOOK_TEXT;
    }
}

/* Finds what the numbers of the times may be. */
static void see_numbers(struct looking *looking)
{
    struct look *look = looking->look;
    const struct look_time *times = look_first_times(look);
    const struct time_numbers numbers =
        numbers_in(looking, times != NULL ? times->column[0] : look->count);

    look->months = look->dialect.time_unit == TIME_YEAR && numbers.count > 0 && !numbers.odd;
    if (look->dialect.time_unit_given || look->dialect.time_format != NULL)
        return;
    look->seems = time_numbers_unit(&numbers);
    look->digits = time_numbers_format(&numbers);
}

void look_find_times(struct looking *looking)
{
    struct look *look = looking->look;
    const struct time_form *form;

    find_columns(looking, false, true);
    join_pairs(looking);
    if (look->time_count == 0)
        find_columns(looking, true, false);
    if (look->time_count == 0 && look->dialect.times == TEXT_TIMES_FOUND)
        find_columns(looking, true, true);
    look->takes_time = is_clear(looking);
    take_given(looking);
    if (look->given.count > 0)
        find_given(looking);
    see_numbers(looking);
    form = look_time_form(&look->given);
    if (form != NULL)
        (void)are_times(looking, &look->given, form);
}
