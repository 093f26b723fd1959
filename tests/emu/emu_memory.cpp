/* SPDX-License-Identifier: MIT */
// Memory and copies.
#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

#include "emu_stream.h"

// Everything here is protected by `lock_of_all`, which streams do not take.
static std::mutex lock_of_all;
struct block_of_memory {
    size_t bytes;
    int device;
};
typedef std::map<uintptr_t, block_of_memory> table_of_memory;
static table_of_memory device_memory;
static table_of_memory pinned_memory;
static table_of_memory registered_memory;
static size_t memory_total = (size_t)1 << 30; // of each device
static size_t memory_used[EMU_DEVICES_MOST];

void emu_set_memory(size_t bytes)
{
    std::lock_guard<std::mutex> lock(lock_of_all);
    memory_total = bytes;
}

unsigned long emu_live_memory(void)
{
    std::lock_guard<std::mutex> lock(lock_of_all);
    return device_memory.size() + pinned_memory.size() + registered_memory.size();
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    return emu_api_call(__func__, [=] {
        std::lock_guard<std::mutex> lock(lock_of_all);
        const size_t used = memory_used[emu_current_device()];

        *free_bytes = memory_total > used ? memory_total - used : 0;
        *total_bytes = memory_total;
        return cudaSuccess;
    });
}

static cudaError_t allocate(void **memory, size_t bytes, size_t alignment, table_of_memory *table)
{
    if (bytes == 0 || posix_memalign(memory, alignment, bytes) != 0) {
        *memory = NULL;
        return bytes == 0 ? cudaSuccess : cudaErrorMemoryAllocation;
    }
    emu_fill_garbage(*memory, bytes);
    std::lock_guard<std::mutex> lock(lock_of_all);
    (*table)[(uintptr_t)*memory] = {bytes, emu_current_device()};
    return cudaSuccess;
}

// Takes so much of the current device, if it is there.
static bool take_memory(size_t bytes)
{
    std::lock_guard<std::mutex> lock(lock_of_all);
    size_t *used = &memory_used[emu_current_device()];

    if (*used > memory_total || bytes > memory_total - *used)
        return false;
    *used += bytes;
    return true;
}

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    return emu_api_call(
        __func__,
        [=] {
            return take_memory(bytes) ? allocate(memory, bytes, 256, &device_memory)
                                      : cudaErrorMemoryAllocation;
        },
        cudaErrorMemoryAllocation);
}

static cudaError_t release(void *memory, table_of_memory *table)
{
    if (memory == NULL)
        return cudaSuccess;
    emu_drain_all(); // like the real ones
    {
        std::lock_guard<std::mutex> lock(lock_of_all);
        auto found = table->find((uintptr_t)memory);

        if (found == table->end()) {
            emu_say("freeing %p, which is not there", memory);
            abort();
        }
        if (table == &device_memory)
            memory_used[found->second.device] -= found->second.bytes;
        table->erase(found);
    }
    free(memory);
    return emu_state();
}

cudaError_t cudaFree(void *memory)
{
    return emu_result(release(memory, &device_memory));
}

cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned /*flags*/)
{
    return emu_api_call(
        __func__,
        [=] {
            return emu_api_call("cudaHostAlloc, unknown",
                                [=] { return allocate(memory, bytes, 4096, &pinned_memory); });
        },
        cudaErrorMemoryAllocation);
}

cudaError_t cudaFreeHost(void *memory)
{
    return emu_result(release(memory, &pinned_memory));
}

cudaError_t cudaHostRegister(void *memory, size_t bytes, unsigned /*flags*/)
{
    return emu_api_call(
        __func__,
        [=] {
            std::lock_guard<std::mutex> lock(lock_of_all);

            if (memory == NULL || bytes == 0)
                return cudaErrorInvalidValue;
            return registered_memory.insert({(uintptr_t)memory, {bytes, 0}}).second
                       ? cudaSuccess
                       : cudaErrorHostMemoryAlreadyRegistered;
        },
        cudaErrorMemoryAllocation);
}

cudaError_t cudaHostUnregister(void *memory)
{
    emu_drain_all();
    std::lock_guard<std::mutex> lock(lock_of_all);

    return emu_result(registered_memory.erase((uintptr_t)memory) == 1
                          ? cudaSuccess
                          : cudaErrorHostMemoryNotRegistered);
}

// The device of the block that contains all of these bytes; -1: there is none.
static int device_of(const table_of_memory &table, const void *memory, size_t bytes)
{
    std::lock_guard<std::mutex> lock(lock_of_all);
    auto above = table.upper_bound((uintptr_t)memory);

    if (above == table.begin())
        return -1;
    --above;
    return (uintptr_t)memory - above->first <= above->second.bytes &&
                   bytes <= above->second.bytes - ((uintptr_t)memory - above->first)
               ? above->second.device
               : -1;
}

static bool is_pinned(const void *memory, size_t bytes)
{
    return device_of(pinned_memory, memory, bytes) >= 0 ||
           device_of(registered_memory, memory, bytes) >= 0;
}

cudaError_t cudaHostGetDevicePointer(void **on_device, void *memory, unsigned /*flags*/)
{
    *on_device = NULL;
    return emu_api_call(__func__, [=] {
        if (!is_pinned(memory, 1))
            return cudaErrorInvalidValue;
        *on_device = memory;
        return cudaSuccess;
    });
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer)
{
    const int device = device_of(device_memory, pointer, 1);

    *attributes = {device >= 0 ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered,
                   device >= 0 ? device : -2};
    return cudaSuccess;
}

static cudaError_t copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                        cudaStream_t stream)
{
    const bool to_device = kind == cudaMemcpyHostToDevice;
    const int target = device_of(device_memory, to, bytes);
    const int source = device_of(device_memory, from, bytes);

    if (bytes == 0)
        return cudaSuccess;
    if ((target >= 0) != to_device || (source >= 0) == to_device) {
        emu_say("a copy of %zu bytes whose ends are not what it says", bytes);
        return cudaErrorInvalidValue;
    }
    if ((to_device ? target : source) != emu_stream_of(stream)->device) {
        emu_say("a copy of %zu bytes on a stream of another device", bytes);
        return cudaErrorInvalidResourceHandle;
    }
    if (to_device && !is_pinned(from, bytes)) {
        auto staged =
            std::make_shared<std::vector<char>>((const char *)from, (const char *)from + bytes);

        emu_push(stream, [=] { memcpy(to, staged->data(), bytes); });
    } else {
        emu_push(stream, [=] { memcpy(to, from, bytes); });
    }
    if (!to_device && !is_pinned(to, bytes))
        emu_stream_drain(emu_stream_of(stream));
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    return emu_api_call(__func__, [=] { return copy(to, from, bytes, kind, stream); });
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    return emu_api_call(__func__, [=] {
        emu_drain_all();
        const cudaError_t error = copy(to, from, bytes, kind, NULL);

        emu_stream_drain(emu_stream_of(NULL));
        return error != cudaSuccess ? error : emu_state();
    });
}

cudaError_t cudaMemsetAsync(void *memory, int value, size_t bytes, cudaStream_t stream)
{
    return emu_api_call(__func__, [=] {
        if (bytes == 0)
            return cudaSuccess;
        if (device_of(device_memory, memory, bytes) != emu_stream_of(stream)->device)
            return cudaErrorInvalidValue;
        emu_push(stream, [=] { memset(memory, value, bytes); });
        return cudaSuccess;
    });
}

cudaError_t cudaMemset(void *memory, int value, size_t bytes)
{
    const cudaError_t error = cudaMemsetAsync(memory, value, bytes, NULL);

    emu_stream_drain(emu_stream_of(NULL));
    return error;
}
