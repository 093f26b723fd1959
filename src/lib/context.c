/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/forks.h"
#include "base/min_max.h"
#include "base/pages.h"
#include "base/past_cache.h"
#include "base/rounding.h"
#include "base/threads.h"
#include "cpu/kernels.h"
#include "lib/engines.h"
#include "lib/lib_priv.h"

#define POLL_SECONDS 0.05

enum { SPARE_MOST = 1 << 20 }; /* bytes that a context keeps between calls */

struct task_room {
    size_t size;
    alignas(64) unsigned char memory[];
};

const char *gpuenv_version(void)
{
    return GPUENV_VERSION;
}

int gpuenv_version_number(void)
{
    return GPUENV_VERSION_NUMBER;
}

bool engines_have_isa(const char *isa)
{
    return cpu_kernels_pick(isa, VALUE_F32) != NULL;
}

/* The value of `owner` for this process. */
static uint64_t this_process(void)
{
    return UINT64_C(2) * forks_count();
}

gpuenv_context *context_make(unsigned threads, const char *isa, unsigned device, bool keeps)
{
    const int failed = forks_watch();
    gpuenv_context *context = failed == 0 ? calloc(1, sizeof *context) : NULL;

    if (failed != 0)
        errno = failed;
    if (context == NULL)
        return NULL;
    if (isa != NULL)
        isa = cpu_kernels_pick(isa, VALUE_F32)->name; /* the caller's string may not last */
    if (machine_open(&context->machine, threads, isa, device) != 0) {
        free(context);
        return NULL;
    }
    pthread_mutex_init(&context->lock, NULL);
    atomic_store(&context->owner, this_process());
    context->machine.devices = keeps ? devices_open() : NULL;
    if (keeps && context->machine.devices == NULL) {
        gpuenv_close(context);
        return NULL;
    }
    return context;
}

const struct machine *context_machine(const gpuenv_context *context)
{
    return &context->machine;
}

int gpuenv_open(const gpuenv_options *options, gpuenv_context **context, gpuenv_error *error)
{
    gpuenv_options given = {.size = sizeof given};
    gpuenv_context *made;

    fault_clear(error);
    if (context == NULL)
        return REFUSE(error, "context", "is NULL");
    *context = NULL;
    if (options != NULL &&
        given_read(&given, GIVEN(gpuenv_options, argument, "options", options), error) != GPUENV_OK)
        return GPUENV_BAD_ARGUMENT;
    if (!engines_have_isa(given.isa))
        return REFUSE(error, "isa", "is not an instruction set of this machine");
    made = context_make(given.threads, given.isa, 0, false);
    if (made == NULL)
        return fault_memory(error);
    made->interrupted = given.interrupted;
    made->argument = given.argument;
    *context = made;
    return GPUENV_OK;
}

void gpuenv_close(gpuenv_context *context)
{
    if (context == NULL)
        return;
    devices_end(context->machine.devices);
    if (atomic_load(&context->owner) == this_process())
        machine_close(&context->machine);
    if (context->free_workspaces != NULL)
        context->free_workspaces(context);
    pthread_mutex_destroy(&context->lock);
    free(atomic_load(&context->spare));
    free(atomic_load(&context->kept));
    free(context);
}

unsigned gpuenv_context_threads(const gpuenv_context *context)
{
    return context != NULL ? context->machine.threads_most : 0;
}

const char *gpuenv_context_isa(const gpuenv_context *context)
{
    return context != NULL ? cpu_kernels_pick(context->machine.isa, VALUE_F32)->name : "unknown";
}

/* The threads do not survive a fork, and one of them may hold their lock: the child leaves the
 * parent's threads alone, and starts its own. */
int context_enter(gpuenv_context *context, gpuenv_error *error)
{
    const uint64_t here = this_process();
    uint64_t owner = atomic_load_explicit(&context->owner, memory_order_acquire);
    struct threads *threads;

    while (owner != here) {
        if (owner == here + 1) {
            (void)sched_yield();
            owner = atomic_load_explicit(&context->owner, memory_order_acquire);
            continue;
        }
        if (!atomic_compare_exchange_strong(&context->owner, &owner, here + 1))
            continue;
        threads = threads_open(context->machine.threads_most);
        if (threads != NULL)
            context->machine.threads = threads;
        atomic_store(&context->owner, threads != NULL ? here : owner);
        if (threads == NULL)
            return fault_memory(error);
        return GPUENV_OK;
    }
    return GPUENV_OK;
}

void work_begin(struct work *work, gpuenv_context *context)
{
    work->context = context;
    work->stopped = 0;
    work->caller = pthread_self();
    work->look.last = 0; /* short calls read no clock */
    work->look.done = 0;
}

unsigned work_threads(const gpuenv_context *context, const gpuenv_spec *spec)
{
    const unsigned most = context->machine.threads_most;

    return spec->threads > 0 ? (unsigned)min_u64(spec->threads, most) : most;
}

void work_look(struct work *work, uint64_t samples)
{
    const gpuenv_context *context = work->context;
    double now;

    if (context->interrupted == NULL || !pthread_equal(pthread_self(), work->caller))
        return;
    work->look.done += samples;
    if (work->look.done < WORK_STEP)
        return;
    work->look.done = 0;
    now = clock_seconds();
    if (work->look.last == 0)
        work->look.last = now;
    if (now - work->look.last < POLL_SECONDS)
        return;
    work->look.last = now;
    if (context->interrupted(context->argument) != 0)
        work->stopped = GPUENV_INTERRUPTED;
}

int work_fault(const struct work *work, gpuenv_error *error)
{
    if (work->stopped == GPUENV_NO_MEMORY)
        return fault_memory(error);
    if (work->stopped == GPUENV_INTERRUPTED)
        return fault_set(error, GPUENV_INTERRUPTED, "call", "was interrupted");
    return GPUENV_OK;
}

/* Takes the memory that a task has left in the context, if it is large enough; otherwise allocates
 * some. */
static struct task_room *take_room(gpuenv_context *context, size_t size)
{
    struct task_room *room = atomic_exchange(&context->spare, NULL);

    if (room != NULL && room->size >= size)
        return room;
    free(room);
    room = pages_malloc(sizeof *room + size, PAGES_LINE);
    if (room != NULL)
        room->size = size;
    return room;
}

static void leave_room(gpuenv_context *context, struct task_room *room)
{
    if (room != NULL && room->size <= SPARE_MOST)
        room = atomic_exchange(&context->spare, room);
    free(room);
}

static void run_task(void *context, unsigned index)
{
    struct work *work = context;
    const struct task task = cut_task(&work->cut, index);
    struct task_room *room = take_room(work->context, (size_t)work->room);
    const uint64_t rounding = rounding_begin();

    if (room == NULL)
        work->stopped = GPUENV_NO_MEMORY;
    for (uint64_t unit = task.unit; unit < task.unit_end && work->stopped == 0; unit++)
        work->run(work, room->memory, unit, &task);
    copy_past_cache_done();
    rounding_end(rounding);
    leave_room(work->context, room);
}

int work_run(struct work *work, gpuenv_error *error)
{
    int code = work->cut.tasks > 1 ? context_enter(work->context, error) : GPUENV_OK;

    if (code != GPUENV_OK)
        return code;
    threads_run(work->context->machine.threads, (unsigned)work->cut.tasks, work->cut.threads,
                run_task, work);
    return work_fault(work, error);
}
