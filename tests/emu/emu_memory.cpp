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
    cudaError_t error = emu_enter("cudaMemGetInfo", cudaErrorUnknown);
    std::lock_guard<std::mutex> lock(lock_of_all);

    if (error != cudaSuccess)
        return error;
    size_t used = memory_used[emu_current_device()];

    *free_bytes = memory_total > used ? memory_total - used : 0;
    *total_bytes = memory_total;
    return cudaSuccess;
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

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    cudaError_t error = emu_enter("cudaMalloc", cudaErrorMemoryAllocation);

    if (error != cudaSuccess)
        return error;
    {
        std::lock_guard<std::mutex> lock(lock_of_all);
        size_t *used = &memory_used[emu_current_device()];

        if (*used > memory_total || bytes > memory_total - *used)
            return emu_result(cudaErrorMemoryAllocation);
        *used += bytes;
    }
    return emu_result(allocate(memory, bytes, 256, &device_memory));
}

static cudaError_t release(void *memory, table_of_memory *table, bool device)
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
        if (device)
            memory_used[found->second.device] -= found->second.bytes;
        table->erase(found);
    }
    free(memory);
    return emu_has_faulted() ? cudaErrorLaunchFailure : cudaSuccess;
}

cudaError_t cudaFree(void *memory)
{
    return emu_result(release(memory, &device_memory, true));
}

cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned flags)
{
    cudaError_t error = emu_enter("cudaHostAlloc", cudaErrorMemoryAllocation);

    (void)flags;
    if (error == cudaSuccess)
        error = emu_enter("cudaHostAlloc, unknown", cudaErrorUnknown);
    return error != cudaSuccess ? error : emu_result(allocate(memory, bytes, 4096, &pinned_memory));
}

cudaError_t cudaMallocHost(void **memory, size_t bytes)
{
    cudaError_t error = emu_enter("cudaMallocHost", cudaErrorMemoryAllocation);

    return error != cudaSuccess ? error : emu_result(allocate(memory, bytes, 4096, &pinned_memory));
}

cudaError_t cudaFreeHost(void *memory)
{
    return emu_result(release(memory, &pinned_memory, false));
}

cudaError_t cudaHostRegister(void *memory, size_t bytes, unsigned flags)
{
    cudaError_t error = emu_enter("cudaHostRegister", cudaErrorMemoryAllocation);
    std::lock_guard<std::mutex> lock(lock_of_all);

    (void)flags;
    if (error != cudaSuccess)
        return error;
    if (memory == NULL || bytes == 0)
        return emu_result(cudaErrorInvalidValue);
    if (!registered_memory.insert({(uintptr_t)memory, {bytes, 0}}).second)
        return emu_result(cudaErrorHostMemoryAlreadyRegistered);
    return cudaSuccess;
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
    auto above = table.upper_bound((uintptr_t)memory);

    if (above == table.begin())
        return -1;
    --above;
    return (uintptr_t)memory - above->first <= above->second.bytes &&
                   bytes <= above->second.bytes - ((uintptr_t)memory - above->first)
               ? above->second.device
               : -1;
}

static bool on_device(const void *memory, size_t bytes, int device)
{
    std::lock_guard<std::mutex> lock(lock_of_all);
    return device_of(device_memory, memory, bytes) == device;
}

static bool on_any_device(const void *memory, size_t bytes)
{
    std::lock_guard<std::mutex> lock(lock_of_all);
    return device_of(device_memory, memory, bytes) >= 0;
}

static bool is_pinned(const void *memory, size_t bytes)
{
    std::lock_guard<std::mutex> lock(lock_of_all);
    return device_of(pinned_memory, memory, bytes) >= 0 ||
           device_of(registered_memory, memory, bytes) >= 0;
}

cudaError_t cudaHostGetDevicePointer(void **on_device, void *memory, unsigned flags)
{
    cudaError_t error = emu_enter("cudaHostGetDevicePointer", cudaErrorUnknown);

    (void)flags;
    if (error == cudaSuccess && !is_pinned(memory, 1))
        error = cudaErrorInvalidValue;
    *on_device = error == cudaSuccess ? memory : NULL;
    return emu_result(error);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer)
{
    std::lock_guard<std::mutex> lock(lock_of_all);
    int device = device_of(device_memory, pointer, 1);

    *attributes = {};
    attributes->type = device >= 0 ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered;
    attributes->device = device >= 0 ? device : -2;
    return cudaSuccess;
}

static cudaError_t copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                        cudaStream_t stream)
{
    bool to_device = kind == cudaMemcpyHostToDevice;
    bool from_device = kind == cudaMemcpyDeviceToHost;

    if (bytes == 0)
        return cudaSuccess;
    if (on_any_device(to, bytes) != to_device || on_any_device(from, bytes) != from_device) {
        emu_say("a copy of %zu bytes whose ends are not what it says", bytes);
        return cudaErrorInvalidValue;
    }
    if ((to_device && !on_device(to, bytes, emu_stream_of(stream)->device)) ||
        (from_device && !on_device(from, bytes, emu_stream_of(stream)->device))) {
        emu_say("a copy of %zu bytes on a stream of another device", bytes);
        return cudaErrorInvalidResourceHandle;
    }
    if (!from_device && !is_pinned(from, bytes)) {
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
    cudaError_t error = emu_enter("cudaMemcpyAsync", cudaErrorUnknown);

    return emu_result(error != cudaSuccess ? error : copy(to, from, bytes, kind, stream));
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    cudaError_t error = emu_enter("cudaMemcpy", cudaErrorUnknown);

    if (error != cudaSuccess)
        return error;
    emu_drain_all();
    error = copy(to, from, bytes, kind, NULL);
    emu_stream_drain(emu_stream_of(NULL));
    return emu_result(error != cudaSuccess ? error
                      : emu_has_faulted()  ? cudaErrorLaunchFailure
                                           : cudaSuccess);
}

cudaError_t cudaMemsetAsync(void *memory, int value, size_t bytes, cudaStream_t stream)
{
    cudaError_t error = emu_enter("cudaMemsetAsync", cudaErrorUnknown);

    if (error != cudaSuccess || bytes == 0)
        return error;
    if (!on_device(memory, bytes, emu_stream_of(stream)->device))
        return emu_result(cudaErrorInvalidValue);
    emu_push(stream, [=] { memset(memory, value, bytes); });
    return cudaSuccess;
}

cudaError_t cudaMemset(void *memory, int value, size_t bytes)
{
    cudaError_t error = cudaMemsetAsync(memory, value, bytes, NULL);

    emu_stream_drain(emu_stream_of(NULL));
    return error;
}
