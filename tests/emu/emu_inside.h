/* SPDX-License-Identifier: MIT */
/* Shared by the emulator's own files. */
#ifndef GPUENV_EMU_INSIDE_H
#define GPUENV_EMU_INSIDE_H

#include <cstdint>
#include <functional>

#include "cuda_runtime.h"
#include "emu.h"

/* Runs a kernel on the calling thread: one block after the other, or all of them at once. Returns
 * false if it faulted. With `warps`, ThreadSanitizer takes each warp for one thread,
 * unless a block ends within one. */
bool emu_run_grid(dim3 grid, dim3 block, size_t shared, bool cooperative, bool warps, unsigned seed,
                  const std::function<void()> &call);

/* Garbage that differs from call to call. */
void emu_fill_garbage(void *memory, size_t bytes);

void emu_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A fiber: a stack and a position in it. The entry function must not return. */
struct emu_fiber;
struct emu_fiber *emu_fiber_make(void (*entry)(void *context), void *context);
/* That of the calling thread, until the next call. */
struct emu_fiber *emu_fiber_of_thread(void);
/* To ThreadSanitizer, this fiber is now the other one, which may be itself. */
void emu_fiber_pass_for(struct emu_fiber *fiber, const struct emu_fiber *other);
/* The fiber is likely to run soon: what it needs is brought into the cache. */
void emu_fiber_expect(const struct emu_fiber *fiber);
/* Continues with another fiber, until one of them continues with this one. */
void emu_fiber_switch(struct emu_fiber *from, struct emu_fiber *to);

/* For ThreadSanitizer: what this fiber did before a release is visible after an acquire. */
void emu_order_release(void *object);
void emu_order_acquire(void *object);

#endif
