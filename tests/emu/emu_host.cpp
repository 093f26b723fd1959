// The runtime's functions for the host.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "emu_stream.h"

// Everything here is under `lock`, which streams do not take.
static std::mutex lock_of_all;
static std::map<uintptr_t, size_t> device_memory;
static std::map<uintptr_t, size_t> pinned_memory;
static std::map<uintptr_t, size_t> registered_memory;
static std::set<CUstream_st *> streams;
static std::set<CUevent_st *> events;
static std::map<const void *, size_t> opted_in;
static size_t memory_total = (size_t)1 << 30;
static size_t memory_used;
static size_t shared_limit = 227 * 1024;
static int device_count = 1;

static std::map<std::string, unsigned long> calls;
static std::string failing;
static unsigned long failing_nth;
static bool failing_read;

static thread_local cudaError_t last_error;

static const char *const functions[] = {
    "cudaGetDeviceCount",
    "cudaSetDevice",
    "cudaGetDeviceProperties",
    "cudaDeviceGetAttribute",
    "cudaMemGetInfo",
    "cudaMalloc",
    "cudaHostAlloc",
    "cudaMallocHost",
    "cudaHostRegister",
    "cudaMemcpy",
    "cudaMemcpyAsync",
    "cudaMemsetAsync",
    "cudaStreamCreate",
    "cudaStreamCreateWithFlags",
    "cudaStreamSynchronize",
    "cudaStreamWaitEvent",
    "cudaEventCreate",
    "cudaEventCreateWithFlags",
    "cudaEventRecord",
    "cudaEventSynchronize",
    "cudaEventQuery",
    "cudaFuncSetAttribute",
    "cudaDeviceSynchronize",
    "launch",
    "kernel",
};

const char *emu_function(unsigned index)
{
    return index < sizeof functions / sizeof *functions ? functions[index] : NULL;
}

void emu_fail(const char *function, unsigned long nth)
{
    std::lock_guard<std::mutex> lock(lock_of_all);

    failing = function == NULL ? "" : function;
    failing_nth = nth;
    failing_read = true;
    calls.clear();
}

unsigned long emu_calls(const char *function)
{
    std::lock_guard<std::mutex> lock(lock_of_all);
    return calls[function];
}

static bool should_fail(const char *function)
{
    std::lock_guard<std::mutex> lock(lock_of_all);

    if (!failing_read) {
        const char *wanted = getenv("GPUENV_EMU_FAIL");
        const char *colon = wanted == NULL ? NULL : strchr(wanted, ':');
        const char *devices = getenv("GPUENV_EMU_DEVICES");
        const char *order = getenv("GPUENV_EMU_ORDER");

        failing_read = true;
        if (devices != NULL)
            device_count = atoi(devices);
        if (order != NULL)
            emu_set_order((enum emu_order)(atoi(order) % EMU_ORDERS), 1);
        if (colon != NULL) {
            failing.assign(wanted, (size_t)(colon - wanted));
            failing_nth = strtoul(colon + 1, NULL, 10);
        }
    }
    return ++calls[function] == failing_nth && failing == function;
}

static cudaError_t result(cudaError_t error)
{
    if (error != cudaSuccess)
        last_error = error;
    return error;
}

// What every call begins with: is the device still there, and is it this call's turn to fail?
static cudaError_t enter(const char *function, cudaError_t failure)
{
    if (should_fail(function))
        return result(failure);
    if (emu_has_faulted())
        return result(cudaErrorLaunchFailure);
    return cudaSuccess;
}

bool emu_is_real(void)
{
    return false;
}

void emu_set_devices(int devices)
{
    std::lock_guard<std::mutex> lock(lock_of_all);
    device_count = devices;
}

void emu_set_memory(size_t bytes)
{
    std::lock_guard<std::mutex> lock(lock_of_all);
    memory_total = bytes;
}

void emu_set_shared_limit(size_t bytes)
{
    std::lock_guard<std::mutex> lock(lock_of_all);
    shared_limit = bytes;
}

unsigned long emu_live_objects(void)
{
    std::lock_guard<std::mutex> lock(lock_of_all);
    return device_memory.size() + pinned_memory.size() + registered_memory.size() + streams.size() +
           events.size();
}

const char *cudaGetErrorName(cudaError_t error)
{
    switch (error) {
    case cudaSuccess:
        return "cudaSuccess";
    case cudaErrorInvalidValue:
        return "cudaErrorInvalidValue";
    case cudaErrorMemoryAllocation:
        return "cudaErrorMemoryAllocation";
    case cudaErrorInvalidConfiguration:
        return "cudaErrorInvalidConfiguration";
    case cudaErrorInsufficientDriver:
        return "cudaErrorInsufficientDriver";
    case cudaErrorNoDevice:
        return "cudaErrorNoDevice";
    case cudaErrorInvalidDevice:
        return "cudaErrorInvalidDevice";
    case cudaErrorInvalidResourceHandle:
        return "cudaErrorInvalidResourceHandle";
    case cudaErrorNotReady:
        return "cudaErrorNotReady";
    case cudaErrorHostMemoryAlreadyRegistered:
        return "cudaErrorHostMemoryAlreadyRegistered";
    case cudaErrorHostMemoryNotRegistered:
        return "cudaErrorHostMemoryNotRegistered";
    case cudaErrorLaunchFailure:
        return "cudaErrorLaunchFailure";
    case cudaErrorUnknown:
        break;
    }
    return "cudaErrorUnknown";
}

const char *cudaGetErrorString(cudaError_t error)
{
    switch (error) {
    case cudaSuccess:
        return "no error";
    case cudaErrorMemoryAllocation:
        return "out of memory";
    case cudaErrorInsufficientDriver:
        return "CUDA driver version is insufficient for CUDA runtime version";
    case cudaErrorNoDevice:
        return "no CUDA-capable device is detected";
    case cudaErrorInvalidDevice:
        return "invalid device ordinal";
    case cudaErrorLaunchFailure:
        return "unspecified launch failure";
    default:
        return cudaGetErrorName(error);
    }
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t error = last_error;

    last_error = emu_has_faulted() ? cudaErrorLaunchFailure : cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError(void)
{
    return last_error;
}

static cudaError_t device_there(int device)
{
    std::lock_guard<std::mutex> lock(lock_of_all);

    if (device_count < 0)
        return cudaErrorInsufficientDriver;
    if (device_count == 0)
        return cudaErrorNoDevice;
    return device < 0 || device >= device_count ? cudaErrorInvalidDevice : cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    cudaError_t error = enter("cudaGetDeviceCount", cudaErrorUnknown);

    if (error == cudaSuccess)
        error = device_there(0);
    *count = error == cudaSuccess ? device_count : 0;
    return result(error);
}

cudaError_t cudaSetDevice(int device)
{
    cudaError_t error = enter("cudaSetDevice", cudaErrorUnknown);

    return result(error != cudaSuccess ? error : device_there(device));
}

cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return result(device_there(0));
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
    cudaError_t error = enter("cudaGetDeviceProperties", cudaErrorUnknown);

    if (error == cudaSuccess)
        error = device_there(device);
    if (error != cudaSuccess)
        return result(error);
    memset(properties, 0, sizeof *properties);
    snprintf(properties->name, sizeof properties->name, "emulated device");
    properties->totalGlobalMem = memory_total;
    properties->sharedMemPerBlock = 48 * 1024;
    properties->sharedMemPerBlockOptin = shared_limit;
    properties->major = 9;
    properties->multiProcessorCount = 4;
    properties->maxThreadsPerBlock = 1024;
    properties->l2CacheSize = 1 << 20;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    cudaError_t error = enter("cudaDeviceGetAttribute", cudaErrorUnknown);

    if (error == cudaSuccess)
        error = device_there(device);
    if (error != cudaSuccess)
        return result(error);
    switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
        *value = 1024;
        break;
    case cudaDevAttrMaxSharedMemoryPerBlock:
        *value = 48 * 1024;
        break;
    case cudaDevAttrMultiProcessorCount:
        *value = 4;
        break;
    case cudaDevAttrL2CacheSize:
        *value = 1 << 20;
        break;
    case cudaDevAttrComputeCapabilityMajor:
        *value = 9;
        break;
    case cudaDevAttrComputeCapabilityMinor:
        *value = 0;
        break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
        *value = (int)shared_limit;
        break;
    }
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    cudaError_t error = enter("cudaMemGetInfo", cudaErrorUnknown);
    std::lock_guard<std::mutex> lock(lock_of_all);

    if (error != cudaSuccess)
        return error;
    *free_bytes = memory_total > memory_used ? memory_total - memory_used : 0;
    *total_bytes = memory_total;
    return cudaSuccess;
}

// The stream of those who name none: there while the program runs.
static CUstream_st *stream_of(cudaStream_t stream)
{
    static CUstream_st *unnamed = emu_stream_open();

    return stream == NULL ? unnamed : stream;
}

static void drain_all(void)
{
    std::vector<CUstream_st *> all;
    {
        std::lock_guard<std::mutex> lock(lock_of_all);
        all.assign(streams.begin(), streams.end());
    }
    for (CUstream_st *stream : all)
        emu_stream_drain(stream);
    emu_stream_drain(stream_of(NULL));
}

cudaError_t cudaDeviceSynchronize(void)
{
    cudaError_t error = enter("cudaDeviceSynchronize", cudaErrorUnknown);

    drain_all();
    return result(error != cudaSuccess ? error
                  : emu_has_faulted()  ? cudaErrorLaunchFailure
                                       : cudaSuccess);
}

cudaError_t cudaDeviceReset(void)
{
    drain_all();
    return cudaSuccess;
}

// ---- memory

static cudaError_t allocate(void **memory, size_t bytes, size_t alignment,
                            std::map<uintptr_t, size_t> *table)
{
    if (bytes == 0 || posix_memalign(memory, alignment, bytes) != 0) {
        *memory = NULL;
        return bytes == 0 ? cudaSuccess : cudaErrorMemoryAllocation;
    }
    emu_fill_garbage(*memory, bytes);
    std::lock_guard<std::mutex> lock(lock_of_all);
    (*table)[(uintptr_t)*memory] = bytes;
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    cudaError_t error = enter("cudaMalloc", cudaErrorMemoryAllocation);

    if (error != cudaSuccess)
        return error;
    {
        std::lock_guard<std::mutex> lock(lock_of_all);

        if (memory_used > memory_total || bytes > memory_total - memory_used)
            return result(cudaErrorMemoryAllocation);
        memory_used += bytes;
    }
    return result(allocate(memory, bytes, 256, &device_memory));
}

static cudaError_t release(void *memory, std::map<uintptr_t, size_t> *table, bool device)
{
    if (memory == NULL)
        return cudaSuccess;
    drain_all(); // as the real ones do
    {
        std::lock_guard<std::mutex> lock(lock_of_all);
        auto found = table->find((uintptr_t)memory);

        if (found == table->end()) {
            emu_say("freeing %p, which is not there", memory);
            abort();
        }
        if (device)
            memory_used -= found->second;
        table->erase(found);
    }
    free(memory);
    return emu_has_faulted() ? cudaErrorLaunchFailure : cudaSuccess;
}

cudaError_t cudaFree(void *memory)
{
    return result(release(memory, &device_memory, true));
}

cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned flags)
{
    cudaError_t error = enter("cudaHostAlloc", cudaErrorMemoryAllocation);

    (void)flags;
    return error != cudaSuccess ? error : result(allocate(memory, bytes, 4096, &pinned_memory));
}

cudaError_t cudaMallocHost(void **memory, size_t bytes)
{
    cudaError_t error = enter("cudaMallocHost", cudaErrorMemoryAllocation);

    return error != cudaSuccess ? error : result(allocate(memory, bytes, 4096, &pinned_memory));
}

cudaError_t cudaFreeHost(void *memory)
{
    return result(release(memory, &pinned_memory, false));
}

cudaError_t cudaHostRegister(void *memory, size_t bytes, unsigned flags)
{
    cudaError_t error = enter("cudaHostRegister", cudaErrorMemoryAllocation);
    std::lock_guard<std::mutex> lock(lock_of_all);

    (void)flags;
    if (error != cudaSuccess)
        return error;
    if (memory == NULL || bytes == 0)
        return result(cudaErrorInvalidValue);
    if (!registered_memory.insert({(uintptr_t)memory, bytes}).second)
        return result(cudaErrorHostMemoryAlreadyRegistered);
    return cudaSuccess;
}

cudaError_t cudaHostUnregister(void *memory)
{
    drain_all();
    std::lock_guard<std::mutex> lock(lock_of_all);

    return result(registered_memory.erase((uintptr_t)memory) == 1
                      ? cudaSuccess
                      : cudaErrorHostMemoryNotRegistered);
}

static bool lies_in(const std::map<uintptr_t, size_t> &table, const void *memory, size_t bytes)
{
    auto above = table.upper_bound((uintptr_t)memory);

    if (above == table.begin())
        return false;
    --above;
    return (uintptr_t)memory - above->first <= above->second &&
           bytes <= above->second - ((uintptr_t)memory - above->first);
}

static bool on_device(const void *memory, size_t bytes)
{
    std::lock_guard<std::mutex> lock(lock_of_all);
    return lies_in(device_memory, memory, bytes);
}

static bool is_pinned(const void *memory, size_t bytes)
{
    std::lock_guard<std::mutex> lock(lock_of_all);
    return lies_in(pinned_memory, memory, bytes) || lies_in(registered_memory, memory, bytes);
}

static void push(cudaStream_t stream, std::function<void()> run)
{
    emu_work work = {};

    work.run = std::move(run);
    emu_stream_push(stream_of(stream), std::move(work));
}

static cudaError_t copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                        cudaStream_t stream)
{
    bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;

    if (bytes == 0)
        return cudaSuccess;
    if (kind == cudaMemcpyDefault || on_device(to, bytes) != to_device ||
        on_device(from, bytes) != from_device) {
        emu_say("a copy of %zu bytes whose ends are not what it says", bytes);
        return cudaErrorInvalidValue;
    }
    if (!from_device && !is_pinned(from, bytes)) {
        auto staged =
            std::make_shared<std::vector<char>>((const char *)from, (const char *)from + bytes);

        push(stream, [=] { memcpy(to, staged->data(), bytes); });
    } else {
        push(stream, [=] { memcpy(to, from, bytes); });
    }
    if (!to_device && !is_pinned(to, bytes))
        emu_stream_drain(stream_of(stream));
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    cudaError_t error = enter("cudaMemcpyAsync", cudaErrorUnknown);

    return result(error != cudaSuccess ? error : copy(to, from, bytes, kind, stream));
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    cudaError_t error = enter("cudaMemcpy", cudaErrorUnknown);

    if (error != cudaSuccess)
        return error;
    drain_all();
    error = copy(to, from, bytes, kind, NULL);
    emu_stream_drain(stream_of(NULL));
    return result(error != cudaSuccess ? error
                  : emu_has_faulted()  ? cudaErrorLaunchFailure
                                       : cudaSuccess);
}

cudaError_t cudaMemsetAsync(void *memory, int value, size_t bytes, cudaStream_t stream)
{
    cudaError_t error = enter("cudaMemsetAsync", cudaErrorUnknown);

    if (error != cudaSuccess || bytes == 0)
        return error;
    if (!on_device(memory, bytes))
        return result(cudaErrorInvalidValue);
    push(stream, [=] { memset(memory, value, bytes); });
    return cudaSuccess;
}

cudaError_t cudaMemset(void *memory, int value, size_t bytes)
{
    cudaError_t error = cudaMemsetAsync(memory, value, bytes, NULL);

    emu_stream_drain(stream_of(NULL));
    return error;
}

// ---- streams and events

static cudaError_t make_stream(cudaStream_t *stream)
{
    *stream = emu_stream_open();
    std::lock_guard<std::mutex> lock(lock_of_all);
    streams.insert(*stream);
    return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    cudaError_t error = enter("cudaStreamCreate", cudaErrorUnknown);

    return error != cudaSuccess ? error : make_stream(stream);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    cudaError_t error = enter("cudaStreamCreateWithFlags", cudaErrorUnknown);

    (void)flags;
    return error != cudaSuccess ? error : make_stream(stream);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    {
        std::lock_guard<std::mutex> lock(lock_of_all);

        if (streams.erase(stream) != 1) {
            emu_say("a stream that is not there");
            abort();
        }
    }
    emu_stream_close(stream);
    return result(emu_has_faulted() ? cudaErrorLaunchFailure : cudaSuccess);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    cudaError_t error = enter("cudaStreamSynchronize", cudaErrorUnknown);

    if (error != cudaSuccess)
        return error;
    emu_stream_drain(stream_of(stream));
    return result(emu_has_faulted() ? cudaErrorLaunchFailure : cudaSuccess);
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    CUstream_st *real = stream_of(stream);
    std::lock_guard<std::mutex> lock(real->lock);

    if (emu_has_faulted())
        return result(cudaErrorLaunchFailure);
    return real->done == real->given ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    cudaError_t error = enter("cudaStreamWaitEvent", cudaErrorUnknown);
    emu_work work = {};

    (void)flags;
    if (error != cudaSuccess)
        return error;
    {
        std::lock_guard<std::mutex> lock(event->event->lock);
        work.turn = event->event->recorded;
    }
    work.event = event->event;
    work.is_wait = true;
    if (work.turn > 0) // an event that was never recorded is no wait
        emu_stream_push(stream_of(stream), std::move(work));
    return cudaSuccess;
}

static cudaError_t make_event(cudaEvent_t *event, bool timing)
{
    *event = new CUevent_st();
    (*event)->event = std::make_shared<emu_event>();
    (*event)->timing = timing;
    std::lock_guard<std::mutex> lock(lock_of_all);
    events.insert(*event);
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    cudaError_t error = enter("cudaEventCreate", cudaErrorUnknown);

    return error != cudaSuccess ? error : make_event(event, true);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    cudaError_t error = enter("cudaEventCreateWithFlags", cudaErrorUnknown);

    return error != cudaSuccess ? error : make_event(event, (flags & cudaEventDisableTiming) == 0);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    {
        std::lock_guard<std::mutex> lock(lock_of_all);

        if (events.erase(event) != 1) {
            emu_say("an event that is not there");
            abort();
        }
    }
    delete event;
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    cudaError_t error = enter("cudaEventRecord", cudaErrorUnknown);
    emu_work work = {};

    if (error != cudaSuccess)
        return error;
    std::lock_guard<std::mutex> lock(event->event->lock);
    work.event = event->event;
    work.turn = ++event->event->recorded;
    event->event->stream = stream_of(stream);
    event->event->place = emu_stream_push(stream_of(stream), std::move(work));
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    cudaError_t error = enter("cudaEventSynchronize", cudaErrorUnknown);
    uint64_t turn;

    if (error != cudaSuccess)
        return error;
    {
        std::lock_guard<std::mutex> lock(event->event->lock);
        turn = event->event->recorded;
    }
    emu_event_wait(event->event, turn);
    return result(emu_has_faulted() ? cudaErrorLaunchFailure : cudaSuccess);
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    cudaError_t error = enter("cudaEventQuery", cudaErrorUnknown);
    std::lock_guard<std::mutex> lock(event->event->lock);

    if (error != cudaSuccess)
        return error;
    return event->event->completed == event->event->recorded ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to)
{
    *milliseconds = (float)((to->event->seconds - from->event->seconds) * 1e3);
    return cudaSuccess;
}

// ---- launches

cudaError_t emu_func_set_attribute(const void *function, enum cudaFuncAttribute attribute,
                                   int value)
{
    cudaError_t error = enter("cudaFuncSetAttribute", cudaErrorUnknown);
    std::lock_guard<std::mutex> lock(lock_of_all);

    if (error != cudaSuccess)
        return error;
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize)
        return cudaSuccess;
    if (value < 0 || (size_t)value > shared_limit)
        return result(cudaErrorInvalidValue);
    opted_in[function] = (size_t)value;
    return cudaSuccess;
}

static bool fits(const void *kernel, dim3 grid, dim3 block, size_t shared)
{
    std::lock_guard<std::mutex> lock(lock_of_all);
    size_t most = opted_in.count(kernel) != 0 ? opted_in[kernel] : 48 * 1024;

    return grid.x > 0 && grid.x < 1U << 31 && grid.y > 0 && grid.y < 65536 && grid.z > 0 &&
           grid.z < 65536 && block.x * block.y * block.z > 0 && block.x <= 1024 &&
           block.y <= 1024 && block.z <= 64 && block.x * block.y * block.z <= 1024 &&
           (shared <= most || shared <= 48 * 1024);
}

void emu_launch(const void *kernel, dim3 grid, dim3 block, size_t shared, cudaStream_t stream,
                std::function<void()> call)
{
    static std::atomic<unsigned> turn{0};
    unsigned seed = turn++;
    bool faults = should_fail("kernel");

    if (enter("launch", cudaErrorUnknown) != cudaSuccess)
        return;
    if (!fits(kernel, grid, block, shared)) {
        result(cudaErrorInvalidConfiguration);
        return;
    }
    push(stream, [=] {
        if (faults || !emu_run_grid(grid, block, shared, seed, call))
            emu_set_fault();
    });
}
