#include "format/text/time_bound.h"

#include <string.h>

#include "format/text/time_readings_priv.h"

static bool reads(const struct time_form *form, const char *text, struct moment *moment)
{
    const enum time_verdict verdict = time_read(form, text, strchr(text, '\0'), moment);

    return verdict == TIME_READ || verdict == TIME_OTHER_OFFSET;
}

/* The form of a date, and perhaps a time of day, that has one reading. */
static bool find_form(const char *text, struct time_form *form)
{
    struct time_readings readings = {.begun = false};
    const struct time_form *found;

    time_readings_add(&readings, text, strchr(text, '\0'));
    found = time_readings_form(&readings);
    if (found == NULL || readings.clock)
        return false;
    *form = *found;
    return true;
}

bool time_bound_read(const struct time_form *form, const char *text, struct time_bound *bound)
{
    struct time_form found = *form;

    *bound = (struct time_bound){.date = false};
    if (form->kind == TIME_NUMBER && reads(form, text, &bound->moment))
        return true;
    if ((form->kind != TIME_FORMAT || !reads(form, text, &bound->moment)) &&
        (!find_form(text, &found) || !reads(&found, text, &bound->moment)))
        return false;
    if (found.zone)
        return true;
    bound->date = strchr(text, ':') == NULL &&
                  moment_floor(bound->moment, MOMENT_DAY).seconds == bound->moment.seconds;
    bound->moment = moment_from_count(local_first(&form->clock, moment_to_count(bound->moment)));
    return true;
}
