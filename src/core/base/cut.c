/* SPDX-License-Identifier: MIT */
#include "base/cut.h"

#include "base/min_max.h"

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b > 0);
}

/* Sets the time of the busiest thread. No thread gets two tasks more than another. */
static struct cut cut_into(const struct work_size *work, uint64_t stretches, uint64_t tasks)
{
    const uint64_t turns = divide_up(tasks, max_u64(work->threads, 1));
    const uint64_t units = divide_up(work->units * stretches, tasks);
    const uint64_t frames = work->frames / stretches + (stretches > 1 ? work->halo : 0);

    return (struct cut){
        .units = work->units,
        .frames = work->frames,
        .stretches = stretches,
        .tasks = tasks,
        .threads = work->threads,
        .time = turns * units * frames,
    };
}

/* One stretch of each unit for each thread if that pays, or more stretches while they stay long. */
static uint64_t stretches_of(const struct work_size *work)
{
    const uint64_t few = divide_up(work->threads, work->units);
    const uint64_t pay = work->frames / work->least;
    uint64_t many = min_u64((uint64_t)work->threads * TASKS_A_THREAD / work->units, pay / 4);

    if (work->halo > 0)
        many = min_u64(many, work->frames / TASK_HALOS / work->halo);
    return many > few ? many - many % few : min_u64(few, pay);
}

/* Cuts the work for its threads, whatever its `most`. */
static struct cut cut_for_threads(const struct work_size *work)
{
    const uint64_t pay = work->units * work->frames / work->least;
    const uint64_t many = (uint64_t)work->threads * TASKS_A_THREAD;
    struct cut whole;
    struct cut cut;
    uint64_t stretches;

    if (work->threads < 2 || pay < 4)
        return cut_into(work, 1, 1);
    whole = cut_into(work, 1, min_u64(work->units, min_u64(pay, many)));
    stretches = stretches_of(work);
    if (stretches < 2 || work->halo >= work->frames)
        return whole;
    cut = cut_into(work, stretches, work->units * stretches);
    /* A smaller gain would not pay for the halos. */
    return cut.time < whole.time / 5 * 4 ? cut : whole;
}

struct cut cut_work(const struct work_size *work)
{
    const struct cut cut = cut_for_threads(work);
    const uint64_t needed = work->most > 0 ? divide_up(work->frames, work->most) : 0;

    return needed > cut.stretches ? cut_into(work, needed, work->units * needed) : cut;
}

/* Where part `index` of `parts` parts of about equal size begins. */
static uint64_t begin_of(uint64_t size, uint64_t index, uint64_t parts)
{
    return size / parts * index + min_u64(size % parts, index);
}

struct task cut_task(const struct cut *cut, uint64_t index)
{
    const uint64_t stretch = index % cut->stretches;
    struct task task = {.unit = index / cut->stretches, .unit_end = index / cut->stretches + 1};

    if (cut->stretches == 1) {
        task.unit = begin_of(cut->units, index, cut->tasks);
        task.unit_end = begin_of(cut->units, index + 1, cut->tasks);
    }
    task.first = begin_of(cut->frames, stretch, cut->stretches);
    task.count = begin_of(cut->frames, stretch + 1, cut->stretches) - task.first;
    return task;
}
