/* A look at more rows must not say otherwise. */
#include <stdio.h>

#include "format/look/look_priv.h"

static bool has_same_columns(const struct look_time *one, const struct look_time *other)
{
    return one->count == other->count && one->column[0] == other->column[0];
}

int look_compare(const struct look *was, const struct look *is, const char *name,
                 struct error *error)
{
    char differs[TEXT_SHOWN_ROOM + 96] = "";
    char shown[TEXT_SHOWN_ROOM];
    const char *option = NULL;

    if (was->dialect.delimiter != is->dialect.delimiter)
        option = "--delimiter";
    else if (was->dialect.decimal != is->dialect.decimal)
        option = "--decimal";
    else if (was->dialect.thousands != is->dialect.thousands)
        option = "--thousands";
    else if (was->names_line != is->names_line || was->units_line != is->units_line ||
             was->line != is->line || was->shift != is->shift)
        option = "--header";
    if (option == NULL && was->count != is->count)
        option = "--delimiter";
    if (option == NULL && (was->takes_time != is->takes_time ||
                           (was->takes_time && !has_same_columns(&was->times[0], &is->times[0]))))
        option = "--time";
    if (option == NULL && was->dialect.time != NULL &&
        (was->seems != is->seems || was->months != is->months || was->digits != is->digits))
        option = "--time-unit";
    for (unsigned i = 0; option == NULL && was->dialect.columns == NULL && i < was->count; i++) {
        if ((was->columns[i].kind == LOOK_NUMBERS) == (is->columns[i].kind == LOOK_NUMBERS))
            continue;
        option = "--columns";
        (void)snprintf(differs, sizeof differs, ", where column %u%s%s%s has %s", i + 1,
                       is->columns[i].name.start == is->columns[i].name.end ? "" : " '",
                       text_show_field(&is->columns[i].name, shown),
                       is->columns[i].name.start == is->columns[i].name.end ? "" : "'",
                       is->columns[i].kind == LOOK_NUMBERS ? "numbers" : "more words than numbers");
    }
    return option == NULL
               ? 0
               : error_set(error, ERROR_FILE, name,
                           "its first %u row%s said otherwise than its first %u%s: %s decides, or "
                           "--look %u, which waits for so many rows",
                           was->rows, was->rows == 1 ? "" : "s", is->rows, differs, option,
                           is->rows);
}
