/* SPDX-License-Identifier: MIT */
/* Which part of the input is used: --from and --to, --skip and --frames. */
#include "base/min_max.h"
#include "format/text/time_form.h"
#include "io/unpack.h"
#include "job/job_priv.h"

/* ---- by positions */

/* A position in frames, given as a time: only --skip and --frames count frames. */
static int plan_cut(const struct span *cut, const struct source_format *source, uint64_t *frame,
                    struct error *error)
{
    if (cut->value.text == NULL)
        return 0;
    if (!cut->is_time)
        return settings_refuse(error, &cut->value, "%s",
                               cut->given
                                   ? "a number alone could be frames: give 90s or 1:30 (--skip and "
                                     "--frames count frames)"
                                   : "is not a position in time: give 90s or 1:30");
    return settings_span(cut, source->rate, source->ratio, 0, 0, frame, error);
}

/* Rows with times are cut by their times, in job_cut_rows(). */
int plan_part(struct plan *plan, const struct settings *settings, const struct source *from,
              struct error *error)
{
    const struct source_format *source = &from->format;
    const struct option_value *begin =
        settings->skip.given ? &settings->skip.value : &settings->from.value;
    uint64_t end = UINT64_MAX;

    if (settings_span(&settings->frames, source->rate, source->ratio, 0, UINT64_MAX,
                      &plan->stream.limit, error) != 0 ||
        settings_span(&settings->skip, source->rate, source->ratio, 0, 0, &plan->skip, error) != 0)
        return -1;
    if (from->table->times != NULL)
        return 0;
    if (plan_cut(&settings->from, source, &plan->skip, error) != 0 ||
        plan_cut(&settings->to, source, &end, error) != 0)
        return -1;
    if (end <= plan->skip && begin->text != NULL)
        return settings_refuse(error, &settings->to.value, "is not after %s %s", begin->option,
                               begin->text);
    plan->stream.limit = min_u64(plan->stream.limit, end - plan->skip);
    return 0;
}

/* ---- by the times of rows */

/* Reads --from or --to by the form of the times. */
static int read_bound(const struct time_form *times, const struct span *cut,
                      struct row_bound *bound, bool *is_date, struct error *error)
{
    char example[TIME_MOST];
    struct time_bound found;

    *bound = (struct row_bound){.given = cut->value.text != NULL};
    if (!bound->given)
        return 0;
    if (cut->is_time) {
        bound->since_first = true;
        if (cut->time == 0)
            return 0;
        return settings_period(cut, &bound->length, error);
    }
    if (!time_bound_read(times, cut->value.text, &found)) {
        example[time_write(times, (struct moment){.seconds = 1767225600}, example)] = '\0';
        return settings_refuse(
            error, &cut->value,
            "is neither a time in the form of the rows (%s) nor a length from the first "
            "row on (90s)",
            example);
    }
    bound->moment = found.moment;
    *is_date = found.date;
    return 0;
}

int job_cut_rows(struct job *job, struct error *error)
{
    const struct span *from = &job->settings->from;
    const struct span *to = &job->settings->to;
    const struct source_table *table = job->pipeline.source->table;
    struct row_range *rows = &job->rows;
    bool ignored;

    if (job->pipeline.source->format.rows && settings_check_table(job->settings, error) != 0)
        return -1;
    if (table->times == NULL || (from->value.text == NULL && to->value.text == NULL))
        return 0;
    if (read_bound(table->times, from, &rows->from, &ignored, error) != 0 ||
        read_bound(table->times, to, &rows->to, &job->to_is_date, error) != 0)
        return -1;
    if (rows->from.given && rows->to.given && rows->from.since_first == rows->to.since_first &&
        (rows->to.since_first ? rows->to.length <= rows->from.length
                              : !moment_is_before(rows->from.moment, rows->to.moment)))
        return settings_refuse(error, &to->value, "is not after --from %s", from->value.text);
    if (table->keys != NULL)
        return 0;
    if (row_range_open(&job->pipeline.source, rows, error) != 0)
        return -1;
    job->range = job->pipeline.source;
    return 0;
}

/* ---- what is before it */

/* Finishes the output without frames, then reports the error. A part (--shard) is not written: an
 * empty one would look complete. */
static int skip_failed(struct job *job, struct error *error)
{
    (void)unpack_has_failed(&job->input.unpacker, &job->skip_error);
    *error = job->skip_error;
    if (job->settings->shards > 0)
        return -1;
    job->plan.stream.frames = 0;
    job->plan.reads = 0;
    job->plan.stream.limit = 0;
    return 0;
}

/* Skips the frames that are not wanted, and the rows before the range. */
static int pass_rows(struct job *job)
{
    struct source *source = job->pipeline.source;
    uint64_t *skipped = &job->pipeline.skipped;
    uint64_t before = 0;

    if (job->plan.skip > 0 &&
        source->class->skip(source, job->plan.skip, skipped, &job->skip_error) != 0)
        return -1;
    if (job->range != NULL && row_range_skip(job->range, &before, &job->skip_error) != 0)
        return -1;
    *skipped += before;
    return 0;
}

int job_skip_frames(struct job *job, struct error *error)
{
    struct source *source = job->pipeline.source;
    uint64_t start = job->plan.stream.extent.start;
    uint64_t passed = 0;

    /* The first read meets the damage again. */
    if (job->plan.skip > 0 || job->range != NULL)
        job->skip_failed = pass_rows(job) != 0 && !(job->settings->accept_damaged &&
                                                    job->skip_error.code == ERROR_DAMAGED);
    job->plan.stream.setup.origin = job->pipeline.skipped;
    if (job->skip_failed)
        return skip_failed(job, error);
    if (start > 0 && source->class->skip(source, start, &passed, error) != 0)
        return -1;
    if (passed < start)
        return error_set(error, ERROR_FILE, job->input.name, "has become shorter");
    if (job->pipeline.skipped > 0 || start > 0)
        job->input.bytes = 0; /* the result covers only the frames used */
    return 0;
}
