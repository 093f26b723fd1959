/* SPDX-License-Identifier: MIT */
/* base/cut: tasks have all units and frames, each once and in order, none is empty, and they are as
 * long and as many as pay. */
#include "check.h"
#include "random.h"

#include <stdbool.h>

#include "base/cut.h"

enum { PLANS = CHECK_FEW ? 1000 : 8000 };

/* From 1 to 2^bits; each order of magnitude is as likely as the others. */
static uint64_t draw(unsigned bits)
{
    return random_below(UINT64_C(1) << random_below(bits + 1)) + 1;
}

static struct work_size draw_work(void)
{
    struct work_size work = {
        .units = random_below(2) == 0 ? 1 : draw(10),
        .frames = draw(34),
        .least = draw(18),
        .threads = (unsigned)draw(8),
    };

    if (random_below(3) == 0)
        work.most = 2 * work.least + work.frames / draw(8);

    switch (random_below(4)) {
    case 0:
        work.halo = CUT_NEVER;
        break;
    case 1:
        break;
    default:
        work.halo = draw(34);
    }
    return work;
}

/* The task after `before` is next to it. */
static bool follows(const struct cut *cut, const struct task *before, const struct task *task)
{
    if (cut->stretches > 1 && before->first + before->count < cut->frames)
        return task->unit == before->unit && task->first == before->first + before->count;
    return task->unit == before->unit_end && task->first == 0;
}

static bool is_right(const struct work_size *work, const struct cut *cut)
{
    const bool in_time = cut->stretches > 1;
    struct task last = {.unit_end = 0, .count = work->frames};

    for (uint64_t i = 0; i < cut->tasks; i++) {
        const struct task task = cut_task(cut, i);

        if (!follows(cut, &last, &task) || task.unit == task.unit_end || task.count == 0 ||
            (work->most > 0 && task.count > work->most) ||
            (in_time ? task.unit_end != task.unit + 1 || task.count < work->least
                     : task.count != work->frames))
            return false;
        last = task;
    }
    return last.unit_end == work->units && last.first + last.count == work->frames;
}

/* Is it what cut.h says? Tasks that are short enough for `most` are not more than pay. */
static bool pays(const struct work_size *work, const struct cut *cut)
{
    const uint64_t all = work->units * work->frames;
    const uint64_t many = (uint64_t)work->threads * TASKS_A_THREAD;
    const uint64_t length = work->frames / cut->stretches;

    if (work->most > 0 && length > work->most / 3 && length <= work->most)
        return true;
    if (work->threads == 1 || all / work->least < 4)
        return cut->tasks == 1;
    if (cut->stretches == 1)
        return cut->tasks <= many && cut->tasks <= work->units && cut->time <= all;
    return work->units < many / 2 && cut->tasks <= many && cut->time < all / 5 * 4 &&
           cut->time >= all / work->threads / 2 &&
           (cut->tasks < (uint64_t)3 * work->threads ||
            (length >= TASK_HALOS * work->halo && length >= 4 * work->least));
}

int main(void)
{
    unsigned counts[3] = {0};

    for (unsigned i = 0; i < PLANS; i++) {
        const struct work_size work = draw_work();
        const struct cut cut = cut_work(&work);

        CHECK_THAT(is_right(&work, &cut) && pays(&work, &cut),
                   "plan %u: %llu units of %llu frames, halo %llu, %llu to %llu, %u threads: %llu "
                   "tasks, %llu stretches, time %llu",
                   i, (unsigned long long)work.units, (unsigned long long)work.frames,
                   (unsigned long long)work.halo, (unsigned long long)work.least,
                   (unsigned long long)work.most, work.threads, (unsigned long long)cut.tasks,
                   (unsigned long long)cut.stretches, (unsigned long long)cut.time);
        counts[cut.stretches > 1 ? 2 : cut.tasks > 1]++;
    }
    /* Each outcome is drawn often. */
    CHECK_THAT(counts[0] > PLANS / 20 && counts[1] > PLANS / 20 && counts[2] > PLANS / 20,
               "%u are not cut, %u into units, %u in time", counts[0], counts[1], counts[2]);
    return check_result();
}
