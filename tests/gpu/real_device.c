/* SPDX-License-Identifier: MIT */
/* The emulator's interface for tests, on a real device: orders are ignored, nothing fails on
 * request, and nothing is counted. */
#include "../emu/emu.h"

bool emu_is_real(void)
{
    return true;
}

void emu_set_order(enum emu_order order, unsigned seed)
{
    (void)order;
    (void)seed;
}

void emu_set_devices(int devices)
{
    (void)devices;
}

void emu_set_memory(size_t bytes)
{
    (void)bytes;
}

void emu_set_capability(int major, int minor)
{
    (void)major;
    (void)minor;
}

void emu_set_without_image(int device)
{
    (void)device;
}

void emu_fail(const char *function, unsigned long nth)
{
    (void)function;
    (void)nth;
}

unsigned long emu_calls(const char *function)
{
    (void)function;
    return 0;
}

const char *emu_function(unsigned index)
{
    (void)index;
    return NULL;
}

unsigned long emu_live_objects(void)
{
    return 0;
}

unsigned long emu_blocks_run(void)
{
    return 0;
}

void emu_reset_fault(void)
{
}

void emu_set_quiet(bool quiet)
{
    (void)quiet;
}
