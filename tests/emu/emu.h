/* SPDX-License-Identifier: MIT */
/* The interface of the emulator for tests: makes it misbehave, and reports what it saw.
 *
 * What is emulated:
 * - A CUDA thread is a fiber. The fibers of a block take turns, in an order derived from a seed, at
 *   every barrier, at every exchange between the lanes of a warp, and now and then at an atomic or
 *   a fence. It is an error if some threads of a block have ended while others wait at a barrier,
 *   or if lanes named by a mask do not take part; it is printed and stops the device like a fault.
 * - Three blocks of a grid run at a time, and take turns likewise, so any of them may draw the last
 *   ticket. Under ThreadSanitizer only fences order what they write. A program with static shared
 *   memory gets one block at a time.
 * - Shared memory holds garbage before each block, and so does new device and pinned memory. Both
 *   have exactly the requested size, so AddressSanitizer detects any access past the end. Under
 *   ThreadSanitizer only barriers order the fibers of a block, so it detects a missing one.
 * - A cooperative grid has the fibers of all its blocks at once, and the grid's barrier. Shared
 *   memory, block barriers and warp exchanges are errors in such a grid.
 * - A stream is a thread of its own. Only streams, events and waits of the host order the
 *   work, so ThreadSanitizer detects a missing event. Work starts at once, or only when it is
 *   waited for, or at a random time: see EMU_LAZY.
 * - Copies to and from pinned memory (cudaHostAlloc, cudaHostRegister) run on the stream. From
 *   pageable memory they read the data during the call; to pageable memory they are finished when
 *   the call returns.
 * - Limits are those of a real device: threads, grid, 48 KiB of shared memory, or, for a kernel
 *   that has opted in, what a device of this compute capability has.
 * - Each thread of the host has a current device, initially device 0. Device memory, streams and
 *   events belong to the device that was current when they were created. A launch or a copy that
 *   mixes devices is an error. So is a launch on a stream of another device than the current one.
 *
 * Not emulated: speed, the caches and the memory model of the hardware. */
#ifndef GPUENV_EMU_H
#define GPUENV_EMU_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum emu_order {
    EMU_EAGER,  /* as early as possible */
    EMU_LAZY,   /* as late as possible: when the host waits for it */
    EMU_RANDOM, /* after a random pause, derived from a seed */
    EMU_ORDERS
};

/* False here. The tests ask because they also run on real devices: see tests/gpu/. */
bool emu_is_real(void);

/* For streams created from now on. */
void emu_set_order(enum emu_order order, unsigned seed);

/* The number of devices from now on. 0: no device; -1: no driver. */
void emu_set_devices(int devices);
void emu_set_memory(size_t bytes); /* of each device */
/* The compute capability of all devices, which implies their shared memory. Default: 9.0. */
void emu_set_capability(int major, int minor);
/* The device that the program has no code for. -1: none. */
void emu_set_without_image(int device);

/* Makes the Nth call (from 1) of a function fail, once: "cudaMalloc". "launch" is a kernel launch;
 * "cudaHostAlloc, unknown" fails for another reason than lack of memory; with "kernel" the launch
 * succeeds and the kernel faults when it runs, after which every call fails. NULL: nothing fails.
 * Resets the counts. For whole programs, environment variables do the same: GPUENV_EMU_FAIL=NAME:N,
 * GPUENV_EMU_DEVICES=N, GPUENV_EMU_ORDER=0, 1 or 2, GPUENV_EMU_CAPABILITY=7.5,
 * GPUENV_EMU_WITHOUT_IMAGE=DEVICE; and GPUENV_EMU_COUNTS=FILE receives a line for each called
 * function with the number of its calls. */
void emu_fail(const char *function, unsigned long nth);

/* Calls of a function since the last emu_fail(). */
unsigned long emu_calls(const char *function);
/* The name of the index-th function that can fail; NULL past the last. */
const char *emu_function(unsigned index);

/* The number of existing objects: device and pinned memory, registrations, streams and events. */
unsigned long emu_live_objects(void);
unsigned long emu_blocks_run(void);

/* Clears a fault, like starting a new process. */
void emu_reset_fault(void);

/* Suppresses the printing of faults. */
void emu_set_quiet(bool quiet);

#ifdef __cplusplus
}
#endif

#endif
