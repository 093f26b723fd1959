/* How the emulator is told to be nasty, and asked what it saw.
 *
 * What it does:
 * - A CUDA thread is a fiber. The fibers of a block take turns, in an order that a seed gives, at
 *   every barrier, at every exchange between the lanes of a warp, and now and then at an atomic or
 *   a fence. A block where some threads have left while others wait at a barrier, or where lanes
 *   that a mask names do not come, is an error, which stops the device like a fault (and is
 *   printed).
 * - Three blocks of a grid run at a time, and take turns likewise, so any of them may draw the last
 *   ticket. Under ThreadSanitizer only fences order what they write. A program with static shared
 *   memory gets one block at a time.
 * - Shared memory holds garbage before each block; fresh device and pinned memory does, too.
 *   Both are exactly as large as was asked for, so AddressSanitizer sees one step beyond. Under
 *   ThreadSanitizer only barriers order the fibers of a block, so it sees a missing one.
 * - A cooperative grid has the fibers of all its blocks at once, and the grid's barrier. Shared
 *   memory, barriers of a block and exchanges in a warp are not for such a grid: they are errors.
 * - A stream is a thread of its own. Only streams, events and waits of the host order the
 *   work, so ThreadSanitizer sees a missing event. Work starts at once, when it is waited for and
 *   not before, or at a random time: see EMU_LAZY.
 * - Copies to and from pinned memory (cudaHostAlloc, cudaHostRegister) run on the stream. From
 *   pageable memory they take what is there at the call; to pageable memory they are over when
 *   the call returns.
 * - Limits are a real device's: threads, grid, 48 KiB of shared memory, or what a device of this
 *   compute capability has for a kernel that has asked for more.
 * - Each thread of the host has a current device, at first device 0. Device memory, streams and
 *   events belong to the device that was current when they were made. A launch or a copy that mixes
 *   devices is an error. So is a launch on a stream of another device than the current one.
 *
 * What it does not: speed, the caches and the memory model of the hardware. */
#ifndef GPUENV_EMU_H
#define GPUENV_EMU_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum emu_order {
    EMU_EAGER,  /* as soon as it may */
    EMU_LAZY,   /* as late as it may: when the host waits for it */
    EMU_RANDOM, /* after a pause that a seed gives */
    EMU_ORDERS
};

/* False. The tests ask because they also run on real devices: see tests/gpu/. */
bool emu_is_real(void);

/* For streams that are made from now on. */
void emu_set_order(enum emu_order order, unsigned seed);

/* What the device is from now on. `devices` 0: there is none; -1: there is no driver. */
void emu_set_devices(int devices);
void emu_set_memory(size_t bytes); /* of each */
/* All of them have this compute capability, and the shared memory that goes with it. 9.0, unless
 * this says something else. */
void emu_set_capability(int major, int minor);
/* The program has no code for this device. -1: it has for all. */
void emu_set_without_image(int device);

/* Makes the Nth call (from 1) of a function fail, once: "cudaMalloc". "launch" is the launch of a
 * kernel; "cudaHostAlloc, unknown" is not for want of memory; "kernel" lets the launch succeed and
 * the kernel fault when it runs, after which every call fails. NULL: nothing fails. Counts begin
 * anew. For whole programs the environment says it: GPUENV_EMU_FAIL=NAME:N, GPUENV_EMU_DEVICES=N,
 * GPUENV_EMU_ORDER=0, 1 or 2, GPUENV_EMU_CAPABILITY=7.5, GPUENV_EMU_WITHOUT_IMAGE=DEVICE; and
 * GPUENV_EMU_COUNTS=FILE gets a line of each function that is called, and its calls so far. */
void emu_fail(const char *function, unsigned long nth);

/* Calls of a function since the last emu_fail(). */
unsigned long emu_calls(const char *function);
/* The name of the index-th function that can fail; NULL past the last. */
const char *emu_function(unsigned index);

/* Device and pinned memory, registrations, streams and events that are there now. */
unsigned long emu_live_objects(void);
unsigned long emu_blocks_run(void);

/* The device faults: the next kernel does, or on a real device, one of its own. */
void emu_trap(void);

/* Ends a fault, as a new process would. */
void emu_reset_fault(void);

/* Faults are printed unless this says not to. */
void emu_set_quiet(bool quiet);

#ifdef __cplusplus
}
#endif

#endif
