/* SPDX-License-Identifier: MIT */
/* Windows of time, found by several threads. The rows of a batch are sorted by their series, and
 * cut into tasks. A task that begins inside a series first takes the rows that its windows reach
 * back to. Each frame belongs to the row with which it is complete, and frames are put in the order
 * of these rows, so that the output is that of one thread. The frames of a single series are in
 * order: if the sink has parts for them, each task writes its frames into a part. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cut.h"
#include "base/min_max.h"
#include "engine/engine.h"
#include "job/series_priv.h"

enum {
    ROWS_LEAST = 256, /* rows; fewer are done before another thread is awake */
};

/* The rows of a series among those that are sorted. */
struct sorted_series {
    struct by_window *window;
    size_t first;
    uint64_t number; /* number of its first row in the series */
};

struct window_task {
    struct window_tasks *all;
    size_t first; /* its first row, an index of the sorted rows */
    size_t end;
    size_t series; /* the series of the first row */
    size_t halo;   /* the first row that it takes, `first` or before */
    size_t next;   /* row of its first window, `first` or before */
    bool begins;   /* `first` begins a series */
    int failed;
    struct time_windows *windows; /* windows of the series inside which it begins; else NULL */
    struct frames_block frames;
    uint32_t *row;     /* for each frame, the row of the batch that completes it */
    size_t room;       /* frames that fit in `frames` and `row` */
    struct sink *part; /* takes the frames; may be NULL */
    size_t written;
    double *values;
};

struct window_tasks {
    struct row_frames *frames;
    const struct stream_plan *plan;
    unsigned threads;
    size_t most; /* rows of a batch */
    size_t frame_bytes;
    bool parted; /* the frames go to parts of the sink */
    struct row_batch batch;
    size_t count;     /* rows of the batch that are in series */
    uint32_t *sorted; /* rows of the batch by series; unused if `parted` */
    size_t from;      /* the first row, if `parted` */
    uint32_t *place;  /* frames that each row completes; later the place of the next of them */
    struct sorted_series *series;
    size_t series_count;
    struct window_task *task;
    unsigned task_count;
    unsigned task_most;
};

/* ---- memory */

struct window_tasks *window_tasks_open(struct row_frames *frames)
{
    const struct pipeline *pipeline = frames->pipeline;
    const unsigned threads = threads_size(pipeline->machine->threads);
    struct window_tasks *tasks = threads > 1 ? calloc(1, sizeof *tasks) : NULL;

    if (tasks == NULL)
        return NULL;
    tasks->frames = frames;
    tasks->plan = pipeline->plan;
    tasks->threads = threads;
    tasks->task_most = threads * TASKS_A_THREAD;
    tasks->parted = pipeline->sink->class->parts_have_rows && !pipeline->plan->keyed;
    tasks->most = tasks->parted ? 1 : frames->most / 2;
    tasks->frame_bytes = engine_out_bytes(&pipeline->plan->setup);
    tasks->sorted = malloc(tasks->most * sizeof *tasks->sorted);
    tasks->place = malloc(tasks->most * sizeof *tasks->place);
    tasks->series = malloc(tasks->most * sizeof *tasks->series);
    tasks->task = calloc(tasks->task_most, sizeof *tasks->task);
    if (tasks->sorted != NULL && tasks->place != NULL && tasks->series != NULL &&
        tasks->task != NULL)
        return tasks;
    window_tasks_close(tasks);
    return NULL;
}

void window_tasks_close(struct window_tasks *tasks)
{
    if (tasks == NULL)
        return;
    for (unsigned i = 0; tasks->task != NULL && i < tasks->task_most; i++) {
        struct window_task *task = &tasks->task[i];

        time_windows_close(task->windows);
        free(task->frames.out);
        free(task->frames.rows);
        free(task->row);
        free(task->values);
    }
    free(tasks->task);
    free(tasks->series);
    free(tasks->place);
    free(tasks->sorted);
    free(tasks);
}

size_t window_tasks_most(const struct window_tasks *tasks)
{
    return tasks->parted ? UINT32_MAX : tasks->most;
}

/* Makes room for the frames of a block. */
static int reserve(struct window_task *task, size_t more)
{
    const size_t count = task->frames.count + more;
    size_t room[] = {task->room, task->room, task->room};
    unsigned char *out = array_grow(task->frames.out, &room[0], count, task->all->frame_bytes);
    struct sink_rows *rows = array_grow(task->frames.rows, &room[1], count, sizeof *rows);
    uint32_t *row = array_grow(task->row, &room[2], count, sizeof *row);

    task->frames.out = out != NULL ? out : task->frames.out;
    task->frames.rows = rows != NULL ? rows : task->frames.rows;
    task->row = row != NULL ? row : task->row;
    if (out == NULL || rows == NULL || row == NULL)
        return -1;
    task->room = min_u64(room[0], min_u64(room[1], room[2]));
    return 0;
}

/* ---- planning */

static size_t row_of(const struct window_tasks *tasks, size_t sorted)
{
    return tasks->parted ? tasks->from + sorted : tasks->sorted[sorted];
}

static moment_count time_of(const struct window_tasks *tasks, size_t sorted)
{
    return moment_to_count(tasks->batch.moments[row_of(tasks, sorted)]);
}

/* Sorts the rows by series, in the order of the series' first rows. Returns how many windows
 * earlier rows have not completed. */
static uint64_t sort_rows(struct window_tasks *tasks)
{
    const struct row_batch *batch = &tasks->batch;
    uint64_t some;
    uint64_t left = 0;

    tasks->count = 0;
    tasks->series_count = 0;
    for (size_t i = 0; i < batch->run_count; i++) {
        struct by_window *window = (struct by_window *)batch->runs[i].series;
        struct sorted_series *series = &tasks->series[tasks->series_count];

        if (window->series.here == 0)
            continue;
        *series =
            (struct sorted_series){window, tasks->count, time_windows_rows(window->windows, &some)};
        tasks->series_count++;
        tasks->count += window->series.here;
        left += some;
        window->series.at = series->first;
        window->series.here = 0;
    }
    tasks->from = batch->run_count > 0 ? batch->runs[0].first : 0;
    for (size_t i = 0; !tasks->parted && i < batch->run_count; i++) {
        const struct row_run *run = &batch->runs[i];

        for (size_t row = run->first; row < run->first + run->count; row++)
            tasks->sorted[run->series->at++] = (uint32_t)row;
    }
    return left;
}

/* Sets the halo of a task that begins inside a series. False if that reaches back to rows before
 * the batch, or to `most` rows or more. */
static bool find_halo(const struct window_tasks *tasks, struct window_task *task, size_t most)
{
    const struct time_window window = tasks->plan->time_window;
    const size_t first = tasks->series[task->series].first;
    const size_t least = task->first - min_u64(most, task->first - first);
    const moment_count last = time_of(tasks, task->first - 1);
    moment_count time;

    task->next = task->first;
    while (task->next > least && time_window_reaches(window, last - time_of(tasks, task->next - 1)))
        task->next--;
    time = time_of(tasks, task->next);
    task->halo = task->next;
    while (task->halo > least &&
           !time_window_has_left(window, time - time_of(tasks, task->halo - 1)))
        task->halo--;
    return task->halo > least;
}

/* Begins a task at each border where find_halo() allows it. There are no tasks if all rows lie
 * outside the range. */
static void cut_rows(struct window_tasks *tasks)
{
    const struct work_size work = {
        .units = 1, .frames = tasks->count, .least = ROWS_LEAST, .threads = tasks->threads};
    const struct cut cut = cut_work(&work);
    size_t series = 0;

    tasks->task_count = 0;
    for (uint64_t i = 0; tasks->count > 0 && i < cut.tasks; i++) {
        struct window_task *task = &tasks->task[tasks->task_count];

        task->first = task->halo = task->next = cut_task(&cut, i).first;
        while (series + 1 < tasks->series_count && tasks->series[series + 1].first <= task->first)
            series++;
        task->series = series;
        task->begins = tasks->series[series].first == task->first;
        if (task->begins || find_halo(tasks, task, tasks->count / cut.tasks))
            tasks->task_count++;
    }
    for (unsigned i = 0; i < tasks->task_count; i++)
        tasks->task[i].end = i + 1 < tasks->task_count ? tasks->task[i + 1].first : tasks->count;
}

bool window_tasks_plan(struct window_tasks *tasks, const struct row_batch *batch)
{
    tasks->batch = *batch;
    if (batch->count < (size_t)4 * ROWS_LEAST || (tasks->parted && batch->run_count > 1) ||
        (sort_rows(tasks) > tasks->most && !tasks->parted))
        return false;
    cut_rows(tasks);
    return tasks->task_count > 1;
}

/* ---- tasks */

/* Adds sorted rows to windows. */
static int add_rows(const struct window_task *task, struct time_windows *windows, size_t first,
                    size_t count)
{
    const struct row_batch *batch = &task->all->batch;
    const size_t channels = task->all->plan->setup.channels;
    struct timed_row rows[MAXIMA_BLOCK];

    for (size_t i = 0; i < count; i++) {
        const size_t row = row_of(task->all, first + i);

        rows[i] = (struct timed_row){batch->moments[row], batch->number + row};
        memcpy(task->values + i * channels, batch->rows + row * channels,
               channels * sizeof *task->values);
    }
    return time_windows_add(windows, rows, task->values, count);
}

/* Sets the row that completes each of the last `count` frames, which belong to the series' rows
 * from number `number` on. `*at`: the search begins at this sorted row. */
static void set_rows(struct window_task *task, const struct sorted_series *series, uint64_t number,
                     size_t count, size_t *at)
{
    const struct window_tasks *tasks = task->all;
    const struct time_window window = tasks->plan->time_window;
    const struct sink_rows *rows = task->frames.rows + task->frames.count - count;

    for (size_t i = 0; i < count; i++) {
        const uint64_t own = number + i;

        if (own >= series->number)
            *at = max_u64(*at, series->first + (own - series->number));
        while (
            time_window_reaches(window, time_of(tasks, *at) - moment_to_count(rows[i].last_time)))
            ++*at;
        task->row[task->frames.count - count + i] = tasks->sorted[*at];
        tasks->place[tasks->sorted[*at]]++;
    }
}

/* Writes the frames so far into the part. */
static int write_part(struct window_task *task)
{
    struct frames_block *frames = &task->frames;
    struct error error;

    task->written += frames->count;
    if (task->part->class->write(task->part, frames->out, frames->count, frames->rows, false,
                                 &error) != 0)
        return -1;
    frames->count = 0;
    return 0;
}

/* Adds a block of the sorted rows, and the frames that they complete. */
static int add_block(struct window_task *task, const struct sorted_series *series,
                     struct time_windows *windows, size_t first, size_t count)
{
    const struct window_tasks *tasks = task->all;
    const struct moment *last = &tasks->batch.moments[row_of(tasks, first + count - 1)];
    struct maxima_windows found;
    uint64_t number;
    size_t at = first;

    if (add_rows(task, windows, first, count) != 0)
        return -1;
    while (time_windows_find(windows, last, &found, &number)) {
        if (reserve(task, found.count) != 0)
            return -1;
        by_window_put(series->window, windows, &found, number, &task->frames);
        if (task->part == NULL)
            set_rows(task, series, number, found.count, &at);
        else if (write_part(task) != 0)
            return -1;
    }
    return 0;
}

/* Opens the windows of a task that begins inside a series, and adds its halo. */
static int begin_inside(struct window_task *task, const struct sorted_series *series)
{
    size_t some;

    task->windows = by_window_windows(task->all->plan);
    if (task->windows == NULL)
        return -1;
    time_windows_begin(task->windows, series->number + (task->halo - series->first),
                       series->number + (task->next - series->first));
    for (size_t row = task->halo; row < task->first; row += some) {
        some = min_u64(task->first - row, MAXIMA_BLOCK);
        if (add_rows(task, task->windows, row, some) != 0)
            return -1;
    }
    return 0;
}

static int run_task(struct window_task *task)
{
    const struct window_tasks *tasks = task->all;
    const struct sorted_series *series = &tasks->series[task->series];
    const size_t channels = tasks->plan->setup.channels;
    size_t some;

    task->frames.count = 0;
    if (task->values == NULL)
        task->values = malloc(MAXIMA_BLOCK * channels * sizeof *task->values);
    if (task->values == NULL || (!task->begins && begin_inside(task, series) != 0))
        return -1;
    for (size_t row = task->first; row < task->end; row += some) {
        const struct sorted_series *const next = series + 1;
        const bool is_last = next == tasks->series + tasks->series_count;
        const size_t end = is_last ? task->end : min_u64(task->end, next->first);
        struct time_windows *windows = series == &tasks->series[task->series] && !task->begins
                                           ? task->windows
                                           : series->window->windows;

        some = min_u64(end - row, MAXIMA_BLOCK);
        if (add_block(task, series, windows, row, some) != 0)
            return -1;
        series += row + some == end && end < task->end;
    }
    return 0;
}

static void find_frames(void *context, unsigned index)
{
    struct window_tasks *tasks = context;

    tasks->task[index].failed = run_task(&tasks->task[index]);
}

/* ---- frames in order */

/* Replaces each row's count of frames by the place of its first frame. Returns the sum of the
 * counts. */
static size_t find_places(struct window_tasks *tasks)
{
    size_t place = 0;

    for (size_t i = 0; i < tasks->batch.count; i++) {
        const uint32_t count = tasks->place[i];

        tasks->place[i] = (uint32_t)place;
        place += count;
    }
    return place;
}

static void put_frames(void *context, unsigned index)
{
    struct window_tasks *tasks = context;
    const struct window_task *task = &tasks->task[index];
    const size_t bytes = tasks->frame_bytes;
    struct frames_block *fill = tasks->frames->fill;

    for (size_t i = 0; i < task->frames.count; i++) {
        const size_t place = tasks->place[task->row[i]]++;

        fill->rows[place] = task->frames.rows[i];
        memcpy(fill->out + place * bytes, task->frames.out + i * bytes, bytes);
    }
}

/* Gives a series the windows of the last task that has worked on it. */
static void take_windows(struct window_tasks *tasks, struct window_task *task)
{
    const struct sorted_series *series = &tasks->series[task->series];
    const bool ends = series + 1 == tasks->series + tasks->series_count
                          ? task->end == tasks->count
                          : task->end >= series[1].first;

    if (ends && task->windows != NULL) {
        time_windows_close(series->window->windows);
        series->window->windows = task->windows;
        task->windows = NULL;
    }
    time_windows_close(task->windows);
    task->windows = NULL;
}

static int end_tasks(struct window_tasks *tasks, struct error *error)
{
    int failed = 0;

    for (unsigned i = 0; i < tasks->task_count; i++) {
        failed = failed != 0 ? failed : tasks->task[i].failed;
        take_windows(tasks, &tasks->task[i]);
    }
    if (failed != 0)
        return error_system(error, ERROR_RESOURCE, "memory", ENOMEM);
    for (size_t i = 0; i < tasks->series_count && failed == 0; i++)
        failed = by_window_count(tasks->series[i].window, error);
    return failed;
}

/* Writes the frames of all parts together. */
static int write_parts(struct window_tasks *tasks, struct error *error)
{
    struct frames_block *fill = tasks->frames->fill;

    for (unsigned i = 0; i < tasks->task_count; i++)
        fill->count += tasks->task[i].written;
    fill->part_count = fill->count > 0 ? tasks->task_count : 0;
    return row_frames_write(tasks->frames, error);
}

/* The part that takes the frames of task `index` in the block that is being filled. Returns NULL if
 * memory runs out. */
static struct sink *part_of(struct row_frames *frames, unsigned index)
{
    const struct sink *sink = frames->pipeline->sink;
    struct sink **part = &frames->fill->parts[index];

    if (*part == NULL)
        *part = sink->class->part(sink, 0, SIZE_MAX);
    return *part;
}

/* Writes the frames that are there already, and prepares the tasks. */
static int begin_tasks(struct window_tasks *tasks, struct error *error)
{
    struct row_frames *frames = tasks->frames;

    if (frames->fill->count > 0 && row_frames_write(frames, error) != 0)
        return -1;
    memset(tasks->place, 0, (tasks->parted ? 0 : tasks->batch.count) * sizeof *tasks->place);
    for (unsigned i = 0; i < tasks->task_count; i++) {
        struct window_task *task = &tasks->task[i];

        task->all = tasks;
        task->frames.pipeline = frames->pipeline;
        task->written = 0;
        task->part = tasks->parted ? part_of(frames, i) : NULL;
        if (tasks->parted && task->part == NULL)
            return error_system(error, ERROR_RESOURCE, "memory", ENOMEM);
    }
    return 0;
}

int window_tasks_run(struct window_tasks *tasks, struct error *error)
{
    struct row_frames *frames = tasks->frames;
    struct threads *threads = frames->pipeline->machine->threads;

    if (begin_tasks(tasks, error) != 0)
        return -1;
    threads_run(threads, tasks->task_count, tasks->threads, find_frames, tasks);
    if (end_tasks(tasks, error) != 0)
        return -1;
    if (tasks->parted)
        return write_parts(tasks, error);
    frames->fill->count = find_places(tasks);
    threads_run(threads, tasks->task_count, tasks->threads, put_frames, tasks);
    return row_frames_write(frames, error);
}
